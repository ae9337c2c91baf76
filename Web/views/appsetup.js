// What a phone app is told, each value to be copied, and a link where one tap on the phone does it all.
import { isCopied } from "../clipboard.js";
import { h, setHidden, setText } from "../dom.js";
import { copiedWords, setUpWords, words } from "../words.js";

export class AppSetup {
    constructor(onDone) {
        this.title = h("h3", { tabindex: "-1" });
        this.tap = h("a", { class: "chip accent wide", "data-testid": "app-link" }, words.oneTap);
        this.encrypts = h("input", { type: "checkbox", role: "switch", class: "switch", "data-testid": "app-encrypts",
            on: { change: () => this.#link() } });
        this.encryption = h("label", { class: "switch-row" }, h("span", { class: "headline" }, words.encryptAsWell),
            this.encrypts);
        this.quick = h("div", { class: "app-quick" }, h("p", {}, words.onThePhone), this.tap, this.encryption);
        this.place = h("p", {});
        this.fields = h("ul", { class: "value-rows" });
        this.status = h("p", { class: "quiet", role: "status", "data-testid": "app-status" });
        this.element = h("section", { class: "app-setup", hidden: true, "data-testid": "app-setup" }, this.title,
            h("p", { class: "caution" }, words.keyOnce), this.quick, this.place, this.fields, this.status,
            h("button", { type: "button", class: "chip wide", "data-testid": "app-done", on: { click: onDone } }, words.done));
    }

    /** make(encrypts) says what the app is told, see `setupOf`. */
    show({ id, name }, make) {
        this.make = make;
        this.encrypts.checked = false;
        const { place, fields, link } = make(false);
        setText(this.title, setUpWords(name));
        setText(this.place, place);
        this.fields.replaceChildren(...fields.map(([label, value]) => this.#row(label, value)));
        setHidden(this.quick, !link);
        setHidden(this.encryption, id !== "owntracks");
        this.#link();
        setHidden(this.element, false);
        this.title.focus();
    }

    /** Nothing of a key stays in the page. */
    clear() {
        this.make = null;
        this.fields.replaceChildren();
        this.tap.removeAttribute("href");
        setText(this.status, "");
        setHidden(this.element, true);
    }

    #link() {
        const { link } = this.make(this.encrypts.checked);
        if (link) this.tap.setAttribute("href", link);
        else this.tap.removeAttribute("href");
    }

    #row(label, value) {
        const shown = h("code", { dir: "ltr" }, value);
        const button = h("button", { type: "button", class: "chip", on: { click: () => this.#copy(label, shown) } }, words.copy,
            h("span", { class: "unseen" }, ` ${label}`));
        return h("li", { class: "value-row", "data-testid": "app-value" },
            h("div", { class: "lines" }, h("span", { class: "detail" }, label), shown), button);
    }

    async #copy(label, shown) {
        const isDone = await isCopied(shown.textContent);
        if (!isDone) getSelection().selectAllChildren(shown);
        setText(this.status, isDone ? copiedWords(label) : words.valueByHand);
    }
}
