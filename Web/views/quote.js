// The message that another one answers, small above its text.
import { h, setData, setHidden, setText } from "../dom.js";
import { icon } from "../icons.js";
import { messageGist } from "../selectors.js";

export class QuoteView {
    constructor() {
        this.author = h("bdi", { class: "quote-author", dir: "auto" });
        this.symbol = h("span", { class: "quote-symbol", "aria-hidden": "true" });
        this.text = h("span", { class: "quote-text", dir: "auto" });
        this.element = h("blockquote", { class: "quote", "data-testid": "quote", hidden: true },
            this.author, h("span", { class: "quote-line" }, this.symbol, this.text));
    }

    /** quoted: the message as the server told it, or as it is by now; undefined for none. */
    update(quoted) {
        setHidden(this.element, !quoted);
        if (!quoted) return;
        setText(this.author, quoted.user.name);
        setText(this.text, messageGist(quoted));
        const kind = quoteKind(quoted);
        if (this.element.dataset.kind === kind) return;
        setData(this.element, "kind", kind);
        const symbols = { location: "pin", live: "arrow" };
        this.symbol.replaceChildren(...(symbols[kind] ? [icon(symbols[kind])] : []));
    }
}

/** "text", "deleted", "location" or "live". Pure. */
export function quoteKind(quoted) {
    if (quoted.deleted_at) return "deleted";
    if (!quoted.shared_location) return "text";
    return quoted.shared_location.end_at === undefined ? "location" : "live";
}
