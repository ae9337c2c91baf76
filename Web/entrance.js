// What the address bar says: the way in with its secret (taken out at once), the channel and the screen (kept).
import { randomId } from "./ids.js";
import { inTab } from "./storage.js";

const tokenKey = "yonder.token";
const inviteKey = "yonder.invite";
const loginKey = "yonder.login";
const linksKey = "yonder.links";

/** Splits a fragment into its parts. Pure. */
export function readFragment(fragment) {
    const fields = new URLSearchParams(fragment.replace(/^#/, ""));
    return {
        token: fields.get("token") || undefined,
        channel: fields.get("channel") || undefined,
        view: fields.get("view") === "map" ? "map" : undefined,
    };
}

/** A fragment without the token. Pure. */
export function writeFragment({ channel, view }) {
    if (!channel) return "";
    return `#channel=${encodeURIComponent(channel).replaceAll("%3A", ":")}${view ? `&view=${view}` : ""}`;
}

/**
 * Which way in an address is: {way: "chats", token?, channel?, view?}, {way: "invite" | "login", code?}, or
 * {way: "share", message?, token?}. Pure.
 */
export function readAddress({ pathname, hash }) {
    const secret = hash.replace(/^#/, "") || undefined;
    if (pathname === "/join") return { way: "invite", code: secret };
    if (pathname.startsWith("/s/")) {
        return { way: "share", message: /^\/s\/([A-Za-z0-9_-]{1,64})$/.exec(pathname)?.[1], token: secret };
    }
    const login = new URLSearchParams(secret).get("login");
    return login ? { way: "login", code: login } : { way: "chats", ...readFragment(hash) };
}

/** Whether an address holds a secret: a link that was opened in this very tab changes nothing but the fragment. Pure. */
export function hasSecret(address) {
    const { token, code } = readAddress(address);
    return Boolean(token ?? code);
}

/**
 * Moves the secret from the address to this tab's memory, where a reload finds it; returns it with the place that the
 * link points to, and with the token that this tab has from earlier.
 */
export function enter(address = location, kept = inTab) {
    const place = readAddress(address);
    if (hasSecret(address)) history.replaceState(null, "", address.pathname + writeFragment(place));
    if (place.way === "invite") {
        const invite = keepInvite(place.code, kept);
        if (invite) return { ...place, ...invite, token: kept.get(tokenKey) };
        goHome({});
    }
    if (place.way === "share") return { ...place, token: keepLink(place, kept) };
    if (place.token) kept.set(tokenKey, place.token);
    // A token that was just opened means more than a code from before.
    if (place.way === "login" || place.token) kept.set(loginKey, place.code);
    const login = kept.get(loginKey);
    if (login) return { way: "login", code: login, token: kept.get(tokenKey) };
    return { way: "chats", channel: place.channel, view: place.view, token: kept.get(tokenKey) };
}

/**
 * A code with the key by which the server knows a second attempt as the same person's: made once for each code.
 * Without a code: the one that this tab is about to use; undefined for none.
 */
export function keepInvite(code, kept = inTab) {
    const held = kept.getObject(inviteKey);
    const invite = code && code !== held.code ? { code, key: randomId() } : held;
    kept.setObject(inviteKey, invite);
    return invite.code ? invite : undefined;
}

/** A view link's token, or the one that this tab has for that message from before a reload. */
function keepLink({ message, token }, kept) {
    const links = kept.getObject(linksKey);
    if (message && token) kept.setObject(linksKey, { ...links, [message]: token });
    return token ?? links[message];
}

export function forgetLink(message) {
    const { [message]: _, ...links } = inTab.getObject(linksKey);
    inTab.setObject(linksKey, links);
}

export function forgetInvite() {
    inTab.setObject(inviteKey, {});
}

export function forgetLogin() {
    inTab.set(loginKey, undefined);
}

export function keepToken(token) {
    inTab.set(tokenKey, token);
}

export function forgetToken() {
    keepToken(undefined);
}

/** The address of the chats, as if their own link had been opened. */
export function goHome(place) {
    history.replaceState(null, "", `/${writeFragment(place)}`);
}
