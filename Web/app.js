// The way in: which screen an address leads to. What comes after stands in modules of its own.
import { startChats } from "./chats.js";
import { enter, hasSecret } from "./entrance.js";
import { startGuest } from "./guest.js";
import { openInvitation } from "./invitation.js";
import { openLogin } from "./login.js";
import { gate } from "./views/gate.js";
import { words } from "./words.js";

const root = document.getElementById("app");
const place = enter();
addEventListener("hashchange", () => hasSecret(location) && location.reload());

if (place.way === "invite") openInvitation(root, place, (token, channel) => startChats(root, { token, channel }));
else if (place.way === "login") openLogin(root, place, (token) => startChats(root, { token }));
else if (place.way === "share") startGuest(root, place);
else if (place.token) startChats(root, place);
else root.replaceChildren(gate(words.noToken, words.noTokenMore));
