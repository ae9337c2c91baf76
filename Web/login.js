// Coming in by a login link that was made on another device: a code, good once, for a token.
import { Api } from "./api.js";
import { forgetLogin, keepToken } from "./entrance.js";
import { gate, show, waitingGate } from "./views/gate.js";
import { words } from "./words.js";

/** What an attempt that failed means: {title, more, isFinal}; where it is not final the code may still be good. Pure. */
export function loginTrouble(error) {
    if (error.status === 404) return { title: words.loginUsed, more: words.loginUsedMore, isFinal: true };
    return { title: words.loginFailed, more: error.message, isFinal: false };
}

/** Fills `root`, until onToken(token). `place.token` is the one that this tab has from earlier: it stays good. */
export async function openLogin(root, place, onToken, api = new Api()) {
    show(root, waitingGate(words.loggingIn));
    try {
        const { token } = await api.login(place.code);
        forgetLogin();
        keepToken(token);
        onToken(token);
    } catch (error) {
        const { title, more, isFinal } = loginTrouble(error);
        if (isFinal) forgetLogin();
        const again = { label: words.tryAgain, run: () => openLogin(root, place, onToken, api) };
        const chats = place.token && { label: words.myChats, run: () => onToken(place.token) };
        show(root, gate(title, more, { action: isFinal ? chats : again }));
    }
}
