// What is looked at: channel, screen, focus. On a phone the screens are history entries, so that Back goes back.
import { readFragment, writeFragment } from "./entrance.js";

export class Navigation {
    /** cid; screen "channels" | "channel" | "map"; focus and followed: message ids; isDrawerOpen */
    ui = { cid: null, screen: "channels", focus: null, followed: null, isDrawerOpen: false };

    /** onChange(): something to draw; onChannel(cid): another chat is looked at. */
    constructor({ channel, view }, { onChange, onChannel }) {
        Object.assign(this, { onChange, onChannel });
        if (channel) this.ui = { ...this.ui, cid: channel, screen: view === "map" ? "map" : "channel" };
        addEventListener("popstate", () => this.#readAddress());
    }

    change(ui) {
        const { cid } = this.ui;
        const isOther = ui.cid !== undefined && ui.cid !== cid;
        this.ui = { ...this.ui, ...(isOther ? { focus: null, followed: null } : {}), ...ui };
        if (isOther && ui.cid) this.onChannel(ui.cid);
        this.onChange();
    }

    openChannel(cid, { replace = false } = {}) {
        if (cid === this.ui.cid && this.ui.screen === "channel") return this.change({ isDrawerOpen: false });
        this.#write({ channel: cid }, replace);
        this.change({ cid, screen: "channel", isDrawerOpen: false });
    }

    openMap() {
        if (this.ui.screen === "map") return;
        this.#write({ channel: this.ui.cid, view: "map" }, false);
        this.change({ screen: "map" });
    }

    /** Back to the entry below where that is the screen above; else, as after a link, that screen takes this one's place. */
    goBack() {
        const { cid, screen } = this.ui;
        const above = writeFragment(screen === "map" ? { channel: cid } : {});
        if (history.state?.below === above) return history.back();
        history.replaceState(null, "", location.pathname + above);
        this.change({ screen: screen === "map" ? "channel" : "channels" });
    }

    #write(place, replace) {
        const url = location.pathname + writeFragment(place);
        const { cid, screen } = this.ui;
        const shown = screen === "channels" ? {} : { channel: cid, view: screen === "map" ? "map" : undefined };
        if (replace) history.replaceState(null, "", url);
        else history.pushState({ below: writeFragment(shown) }, "", url);
    }

    #readAddress() {
        const { channel, view } = readFragment(location.hash);
        this.change({ cid: channel ?? this.ui.cid, screen: channel ? (view ?? "channel") : "channels" });
    }
}
