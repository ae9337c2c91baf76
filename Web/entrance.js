// What the address bar says: the token (taken out at once), the channel and the screen (kept).
import { inTab } from "./storage.js";

const tokenKey = "yonder.token";

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

/** Moves the token from the address to this tab's memory; returns it with the place the link points to. */
export function enter() {
    const place = readFragment(location.hash);
    if (place.token) {
        history.replaceState(null, "", location.pathname + writeFragment(place));
        inTab.set(tokenKey, place.token);
    }
    return { ...place, token: place.token ?? inTab.get(tokenKey) };
}

export function forgetToken() {
    inTab.set(tokenKey, undefined);
}
