// Where a message is written. Enter sends, Shift+Enter makes a new line.
import { h, setHidden, setText } from "../dom.js";
import { icon } from "../icons.js";
import { can } from "../selectors.js";
import { inTab } from "../storage.js";
import { words } from "../words.js";

const draftsKey = "yonder.drafts";
const longestText = 20_000;

export class Composer {
    /** By chat; kept for this tab, so that a reload or a new link loses none. */
    #drafts = inTab.getObject(draftsKey);
    #cid = null;

    constructor(ctx) {
        this.ctx = ctx;
        this.input = h("textarea", {
            rows: 1, placeholder: words.messagePlaceholder, "aria-label": words.messagePlaceholder, dir: "auto",
            "data-testid": "composer", enterkeyhint: "send",
            on: { input: () => this.#changed(), keydown: (event) => this.#pressed(event) },
        });
        this.add = h("button", {
            type: "button", class: "round", "aria-label": words.shareLocation, "data-testid": "share-location",
            on: { click: () => ctx.actions.openPicker() },
        }, icon("plus"));
        this.send = h("button", {
            type: "button", class: "round accent", "aria-label": words.send, "data-testid": "send", disabled: true,
            on: { click: () => this.#submit() },
        }, icon("send"));
        this.note = h("p", { class: "composer-note", role: "status" });
        this.element = h("div", { class: "composer" }, this.note, h("div", { class: "composer-row" }, this.add, this.input,
            this.send));
    }

    update(state, ui) {
        if (this.#cid !== ui.cid) this.#switch(ui.cid);
        const canWrite = can(state, ui.cid, "send-message");
        const canShare = can(state, ui.cid, "share-location");
        this.input.disabled = !canWrite;
        this.add.disabled = !canShare;
        this.add.title = canShare ? words.shareLocation : words.sharingDisabled;
        const isTooLong = this.#isTooLong();
        setText(this.note, isTooLong ? words.tooLong : canWrite ? "" : words.cannotWrite);
        setHidden(this.note, !this.note.textContent);
        this.send.disabled = !canWrite || isTooLong || this.input.value.trim() === "";
    }

    #isTooLong() {
        const { value } = this.input;
        return value.length > longestText && [...value.trim()].length > longestText;
    }

    #switch(cid) {
        this.#cid = cid;
        this.input.value = this.#drafts[cid] ?? "";
        this.#changed();
    }

    #changed() {
        this.input.style.height = "auto";
        if (this.input.value) this.input.style.height = `${Math.min(140, this.input.scrollHeight)}px`;
        else this.input.style.height = "";
        this.#keepDraft();
        this.ctx.requestRender();
    }

    #keepDraft() {
        const { value } = this.input;
        if (!this.#cid || value === (this.#drafts[this.#cid] ?? "")) return;
        if (value) this.#drafts[this.#cid] = value;
        else delete this.#drafts[this.#cid];
        inTab.setObject(draftsKey, this.#drafts);
    }

    #pressed(event) {
        // While an input method composes, Enter chooses a word and sends nothing.
        if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
        event.preventDefault();
        this.#submit();
    }

    #submit() {
        const text = this.input.value.trim();
        if (!text || this.#isTooLong() || this.input.disabled) return;
        this.ctx.actions.sendText(text);
        this.input.value = "";
        this.#changed();
        this.input.focus();
    }
}
