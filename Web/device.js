// This browser as a device. Its id is made once and kept; without storage it lives as long as the page.
import { randomId } from "./ids.js";
import { words } from "./words.js";

const key = "yonder.device";

export function deviceId() {
    try {
        const kept = localStorage.getItem(key);
        if (kept) return kept;
        const made = `web-${randomId()}`;
        localStorage.setItem(key, made);
        return made;
    } catch {
        return `web-${randomId()}`;
    }
}

export function deviceDescription(id) {
    const system = navigator.userAgentData?.platform;
    return { id, name: system ? `${words.thisBrowser} (${system})` : words.thisBrowser, platform: "web" };
}
