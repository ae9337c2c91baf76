// The way in: which screen an address leads to. What comes after stands in modules of its own, which need the engine: they
// are loaded here, so that a browser without it hears of that and does not stay white.
import { enter, hasSecret } from "./entrance.js";
import { openInvitation } from "./invitation.js";
import { openLogin } from "./login.js";
import { gate, show } from "./views/gate.js";
import { engineTroubleWords, words } from "./words.js";

const root = document.getElementById("app");
const place = enter();
addEventListener("hashchange", () => hasSecret(location) && location.reload());

if (place.way === "invite") openInvitation(root, place, (token, channel) => chats({ token, channel }));
else if (place.way === "login") openLogin(root, place, (token) => chats({ token }));
else if (place.way === "share") needing(import("./guest.js"), ({ startGuest }) => startGuest(root, place));
else if (place.token) chats(place);
else root.replaceChildren(gate(words.noToken, words.noTokenMore));

function chats(entry) {
    return needing(import("./chats.js"), ({ startChats }) => startChats(root, entry));
}

/** A module that failed to load stays failed: only the page anew tries it again. */
async function needing(loading, start) {
    let module;
    try {
        module = await loading;
    } catch (error) {
        console.warn(`the page did not load: ${error?.message}`);
        const action = { label: words.tryAgain, run: () => location.reload() };
        show(root, gate(words.noEngine, engineTroubleWords(typeof WebAssembly === "object"), { action }));
        return;
    }
    start(module);
}
