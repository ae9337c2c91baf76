// The sheet that makes a link and copies it: to my live share, or an invite. Where the browser does not let a page copy,
// the link stands in a field, selected.
import { isCopied } from "../clipboard.js";
import { h, setHidden, setText } from "../dom.js";
import { icon } from "../icons.js";
import { LinkMaker } from "../links.js";
import { words } from "../words.js";

export class LinkSheet {
    #maker = null;
    #isBusy = false;

    constructor(ctx) {
        this.ctx = ctx;
        this.title = h("h2", {});
        this.more = h("p", { class: "quiet" });
        this.approximate = h("input", { type: "checkbox", role: "switch", class: "switch", "data-testid": "link-approximate",
            on: { change: () => this.#show({}) } });
        this.precision = h("label", { class: "switch-row" }, h("span", { class: "headline" }, words.sendApproximate),
            this.approximate);
        this.copy = h("button", { type: "button", class: "chip accent wide", "data-testid": "copy-link",
            on: { click: () => this.#copy() } });
        this.field = h("input", { class: "field", type: "text", readonly: true, "aria-label": words.link,
            "data-testid": "link-field", on: { focus: () => this.field.select() } });
        this.status = h("p", { class: "quiet", role: "status", "data-testid": "link-status" });
        this.error = h("p", { class: "gate-error", role: "alert", "data-testid": "link-error" });
        const close = h("button", { type: "button", class: "round", "aria-label": words.close,
            on: { click: () => this.element.close() } }, icon("close"));
        this.element = h("dialog", { class: "sheet", "data-testid": "link-sheet",
            on: { click: (event) => event.target === this.element && this.element.close() } },
        h("div", { class: "sheet-body link-sheet" }, h("header", {}, this.title, close), this.more, this.precision, this.copy,
            this.field, this.status, this.error));
    }

    openForShare(share) {
        const isVague = share.precision === "approximate";
        this.#open({ messageId: share.message_id }, words.shareLinkTitle, words.shareLinkMore, { isVague, hasChoice: !isVague });
    }

    openForChannel(cid) {
        this.#open({ cid }, words.inviteTitle, words.inviteMore, { isVague: false, hasChoice: false });
    }

    #open(target, title, more, { isVague, hasChoice }) {
        this.#maker = new LinkMaker(this.ctx.api, target);
        setText(this.title, title);
        setText(this.more, more);
        this.element.setAttribute("aria-label", title);
        this.approximate.checked = isVague;
        setHidden(this.precision, !hasChoice);
        this.#show({});
        this.element.showModal();
        this.copy.focus();
    }

    /** An opening or another choice while the answer is awaited makes that answer worth nothing. */
    async #copy() {
        if (this.#isBusy) return;
        const maker = this.#maker;
        const precision = this.approximate.checked ? "approximate" : "exact";
        const isWanted = () => this.#maker === maker && this.approximate.checked === (precision === "approximate");
        this.#isBusy = true;
        this.#show({ status: words.makingLink });
        let outcome = {};
        try {
            const url = await maker.url(precision);
            outcome = { url, status: await isCopied(url) ? words.copied : words.copyByHand };
        } catch (error) {
            outcome = { error: error.message };
        }
        this.#isBusy = false;
        if (isWanted()) this.#show(outcome);
        else this.#show({});
    }

    #show({ url = "", status = "", error = "" }) {
        setText(this.copy, error ? words.tryAgain : url ? words.copyAgain : words.copyLink);
        this.copy.setAttribute("aria-disabled", String(this.#isBusy));
        this.field.value = url;
        setHidden(this.field, !url);
        setText(this.status, status);
        setText(this.error, error);
        setHidden(this.error, !error);
        if (status === words.copyByHand) this.field.focus();
    }
}
