// Says over the page that the line is down, and when it is back.
import { h, setHidden, setText } from "../dom.js";
import { words } from "../words.js";

const calmMillis = 1500;

export class ConnectionBanner {
    #offlineSince = null;

    constructor() {
        this.line = h("div", { class: "offline", "data-testid": "connection", hidden: true });
        this.spoken = h("div", { class: "unseen", "aria-live": "polite" });
        this.element = h("div", { class: "connection" }, this.line, this.spoken);
    }

    /** A blink of the line is not worth a word; from a second and a half on it is said. */
    update(connection, now) {
        const isUp = connection === "live";
        if (isUp) this.#offlineSince = null;
        else this.#offlineSince ??= now;
        const isShown = !isUp && now - this.#offlineSince >= calmMillis;
        setText(this.line, isShown ? words.reconnecting : "");
        if (this.line.hidden === isShown) setText(this.spoken, isShown ? words.reconnecting : words.online);
        setHidden(this.line, !isShown);
    }
}
