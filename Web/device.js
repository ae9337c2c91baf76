// This browser as a device. Its id is made once and kept; without storage it lives as long as the page.
import { randomId } from "./ids.js";
import { inBrowser } from "./storage.js";
import { words } from "./words.js";

const key = "yonder.device";

export function deviceId() {
    const id = inBrowser.get(key) ?? `web-${randomId()}`;
    inBrowser.set(key, id);
    return id;
}

export function deviceDescription(id) {
    const system = navigator.userAgentData?.platform;
    return { id, name: system ? `${words.thisBrowser} (${system})` : words.thisBrowser, platform: "web" };
}
