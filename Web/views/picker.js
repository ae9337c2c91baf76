// The sheet that sends a location: once, or live for a while. It closes when the server has answered; closed before
// that it takes back what it sent.
import { dressAvatar } from "../avatar.js";
import { h, setHidden, setText } from "../dom.js";
import { icon } from "../icons.js";
import { randomId } from "../ids.js";
import { fixAge } from "../locator.js";
import { approximated } from "../privacygrid.js";
import { deviceName, phones } from "../selectors.js";
import { inBrowser } from "../storage.js";
import { accuracyWords, durations, locatorWords, sharingWords, words } from "../words.js";
import { StillMapView } from "./stillmap.js";

const approximateKey = "yonder.approximate";
const freshFixMillis = 30_000;
const previewSize = { width: 520, height: 300 };

export class Picker {
    #cid = null;
    /** What this opening sends: {id, cid, seconds, precision, fedBy, isBusy}. A later opening has its own. */
    #request = null;

    constructor(ctx) {
        this.ctx = ctx;
        this.disc = h("span", { class: "pin-disc" });
        this.preview = new StillMapView(ctx.stills, previewSize, this.disc);
        this.noPlace = h("span", { class: "no-place" }, icon("pin"));
        this.status = h("p", { class: "picker-status", role: "status", "data-testid": "picker-status" });
        this.retryLocation = this.#button("plain", words.tryAgain, () => ctx.locator.retry());
        this.currentMore = h("span", { class: "detail" });
        this.current = this.#option("pin", words.sendCurrent, this.currentMore, "send-current", () => this.#start(0));
        this.live = this.#option("live", words.shareLive, h("span", { class: "detail" }, words.shareLiveMore), "share-live",
            () => this.#unfold(this.liveChoices.hidden));
        this.times = h("div", { class: "durations", role: "group", "aria-label": words.shareLive },
            ...durations.map(({ seconds, label }) => {
                const button = this.#button("chip", label, () => this.#start(seconds));
                button.dataset.testid = `duration-${seconds}`;
                return button;
            }));
        this.feeder = h("select", { class: "choice", "data-testid": "feeder", on: { change: () => this.#choiceChanged() } });
        this.feederMore = h("p", { class: "detail" }, words.fedByMore);
        this.connect = this.#button("plain", words.connectApp, () => ctx.shell.phoneApps.open((id) => this.#feedBy(id)));
        this.connect.dataset.testid = "connect-app";
        this.liveChoices = h("div", { class: "live-choices", hidden: true },
            h("label", { class: "feeder" }, h("span", {}, words.updatedBy), this.feeder), this.feederMore, this.connect,
            this.times);
        this.approximate = h("input", { type: "checkbox", role: "switch", class: "switch", "data-testid": "approximate",
            on: { change: () => this.#choiceChanged() } });
        this.precision = h("label", { class: "switch-row" }, h("span", { class: "lines" },
            h("span", { class: "headline" }, words.sendApproximate), h("span", { class: "detail" }, words.sendApproximateMore)),
        this.approximate);
        this.error = h("p", { class: "picker-error", role: "alert", "data-testid": "picker-error" });
        this.again = this.#button("chip accent", words.tryAgain, () => this.#send(this.#request));
        this.again.dataset.testid = "picker-again";
        this.element = this.#makeDialog();
        ctx.locator.onChange(() => this.update());
    }

    open(cid) {
        this.#cid = cid;
        this.#request = null;
        this.#fail(null);
        this.#unfold(false);
        // Kept for the next time: whoever wanted to be vague once is not exact by oversight.
        this.approximate.checked = inBrowser.get(approximateKey) === "yes";
        // Not kept: the phone may be off by then.
        this.feeder.value = "";
        this.ctx.devices.read().catch(() => {});
        this.ctx.locator.need("picker", true);
        this.ctx.locator.retry();
        this.element.showModal();
        this.update();
    }

    update() {
        if (!this.element.open) return;
        const { locator, store, format } = this.ctx;
        const fix = this.#fix();
        const isBusy = Boolean(this.#request?.isBusy);
        setText(this.status, isBusy ? words.sending : this.#troubleWords(fix));
        setHidden(this.status, !this.status.textContent);
        setHidden(this.retryLocation, locator.state !== "denied");
        setText(this.currentMore, sharingWords([words.sendCurrentMore,
            !this.approximate.checked && accuracyWords(fix?.accuracy, format.miles)]));
        this.approximate.disabled = this.feeder.disabled = this.connect.disabled = isBusy;
        this.#offerFeeders(store.state);
        setHidden(this.feederMore, !this.feeder.value);
        for (const button of [this.current, this.live, this.again, ...this.times.children]) button.disabled = !fix || isBusy;
        setHidden(this.disc, !fix);
        setHidden(this.noPlace, Boolean(fix));
        setHidden(this.preview.element, !fix);
        if (store.state.me) dressAvatar(this.disc, store.state.me);
        if (fix) this.preview.show(this.approximate.checked ? approximated(fix) : fix);
    }

    #troubleWords(fix) {
        return fix ? "" : locatorWords(this.ctx.locator.state, isSecureContext) || words.waitingForGps;
    }

    /** The position of this moment; one that has grown old is none. */
    #fix() {
        const { lastFix, state } = this.ctx.locator;
        return lastFix && state !== "denied" && fixAge(lastFix) < freshFixMillis ? lastFix : null;
    }

    #start(seconds) {
        this.#abandon();
        const precision = this.approximate.checked ? "approximate" : undefined;
        const fedBy = seconds ? this.feeder.value || undefined : undefined;
        this.#request = { id: randomId(), cid: this.#cid, seconds, precision, fedBy, isBusy: false };
        this.#send(this.#request);
    }

    /** This browser and my phones; built anew only when they change, as a list may be open. */
    #offerFeeders(state) {
        const offered = phones(state).filter((device) => !state.disconnected[device.id]);
        const options = [["", words.byThisBrowser], ...offered.map(({ id }) => [id, deviceName(state, id)])];
        const look = JSON.stringify(options);
        if (this.feeder.look === look) return;
        const { value } = this.feeder;
        this.feeder.look = look;
        this.feeder.replaceChildren(...options.map(([id, name]) => h("option", { value: id, dir: "auto" }, name)));
        this.feeder.value = options.some(([id]) => id === value) ? value : "";
    }

    /** A phone that was just connected is what the share is meant for. */
    #feedBy(id) {
        this.#offerFeeders(this.ctx.store.state);
        this.feeder.value = id;
        this.#choiceChanged();
    }

    /** What failed was meant as it was chosen then: it is taken back, not sent another way. */
    #choiceChanged() {
        inBrowser.set(approximateKey, this.approximate.checked ? "yes" : undefined);
        this.#abandon();
        this.#fail(null);
        this.update();
    }

    /** Under the same id again after a failure, so that a lost answer makes no second share. */
    async #send(request) {
        const fix = this.#fix();
        if (!fix || !request || request.isBusy) return;
        request.isBusy = true;
        this.#fail(null);
        this.update();
        let failure = null;
        try {
            await this.ctx.sharing.send(request, fix);
        } catch (error) {
            failure = error;
        }
        request.isBusy = false;
        if (request !== this.#request) return;
        if (failure) this.#fail(failure);
        if (!failure?.isTemporary) this.#request = null;
        if (!failure) this.element.close();
        this.update();
    }

    #closed() {
        this.ctx.locator.need("picker", false);
        if (this.#request?.isBusy) this.ctx.shell.say(words.cancelled);
        this.#abandon();
    }

    /** What is still under way, or failed without a clear answer, may yet get through: it is taken back. */
    #abandon() {
        if (this.#request) this.ctx.stops.withdraw(this.#request.id);
        this.#request = null;
    }

    #fail(error) {
        setText(this.error, error ? error.message : "");
        setHidden(this.error, !error);
        setHidden(this.again, !error?.isTemporary);
    }

    #unfold(isOpen) {
        setHidden(this.liveChoices, !isOpen);
        this.live.setAttribute("aria-expanded", String(isOpen));
    }

    #makeDialog() {
        const close = this.#button("round", icon("close"), () => this.element.close());
        close.setAttribute("aria-label", words.close);
        const dialog = h("dialog", { class: "sheet", "aria-label": words.shareLocation, "data-testid": "picker",
            on: { close: () => this.#closed(), click: (event) => event.target === dialog && dialog.close() } },
        h("div", { class: "sheet-body" },
            h("div", { class: "sheet-map" }, this.preview.element, this.noPlace, close),
            h("div", { class: "sheet-choices" }, this.status, this.retryLocation, this.error, this.again, this.precision,
                this.current, this.live, this.liveChoices)));
        return dialog;
    }

    #option(name, title, more, testid, onClick) {
        return h("button", { type: "button", class: `option option-${name}`, "data-testid": testid, on: { click: onClick } },
            icon(name), h("span", { class: "lines" }, h("span", { class: "headline" }, title), more));
    }

    #button(className, content, onClick) {
        return h("button", { type: "button", class: className, on: { click: onClick } }, content);
    }
}
