// The sheet that connects a phone app: which one, then what to tell it. The key stands there only while it is open.
import { h, setHidden, setText, syncChildren } from "../dom.js";
import { icon } from "../icons.js";
import { randomId } from "../ids.js";
import { phoneApps, setupOf } from "../phoneapps.js";
import { deviceName, phones } from "../selectors.js";
import { disconnectWords, words } from "../words.js";
import { AppSetup } from "./appsetup.js";

const longestName = 200;

export class PhoneApps {
    /** {id, app, isBusy, isMade}: the device that this opening makes, under one id however often it is tried. */
    #device = null;
    #rows = new Map();
    #onConnected = null;

    constructor(ctx) {
        this.ctx = ctx;
        this.app = h("select", { class: "field", "data-testid": "app", on: { change: () => this.#appChosen() } },
            ...phoneApps.map(({ id, name }) => h("option", { value: id }, name)));
        this.name = h("input", { type: "text", class: "field", maxlength: longestName, dir: "auto", autocomplete: "off",
            "data-testid": "device-name" });
        this.connect = h("button", { type: "submit", class: "chip accent wide", "data-testid": "connect" }, words.connect);
        this.status = h("p", { class: "quiet", role: "status" });
        this.error = h("p", { class: "gate-error", role: "alert", hidden: true, "data-testid": "app-error" });
        this.devices = h("ul", { class: "device-rows" });
        this.known = h("section", {}, h("h3", {}, words.yourDevices), this.devices);
        this.choice = h("form", { class: "app-choice", on: { submit: (event) => this.#submitted(event) } },
            h("p", { class: "quiet" }, words.connectMore), h("label", {}, h("span", {}, words.app), this.app),
            h("label", {}, h("span", {}, words.deviceName), this.name), this.connect, this.status, this.error, this.known);
        this.setup = new AppSetup(() => this.element.close());
        const close = h("button", { type: "button", class: "round", "aria-label": words.close,
            on: { click: () => this.element.close() } }, icon("close"));
        this.element = h("dialog", { class: "sheet", "aria-label": words.connectTitle, "data-testid": "phone-apps",
            on: { close: () => this.#closed(), click: (event) => this.#clicked(event) } },
        h("div", { class: "sheet-body link-sheet" }, h("header", {}, h("h2", {}, words.connectTitle), close), this.choice,
            this.setup.element));
    }

    /** onConnected(id): there is a new device. */
    open(onConnected) {
        this.#onConnected = onConnected;
        this.setup.clear();
        setHidden(this.choice, false);
        this.app.value = phoneApps[0].id;
        this.name.value = "";
        this.#appChosen();
        this.ctx.devices.read().catch(() => {});
        this.element.showModal();
        this.update(this.ctx.store.state);
        this.app.focus();
    }

    update(state) {
        if (!this.element.open) return;
        const ids = phones(state).filter((device) => device.has_ingest_key || state.disconnected[device.id])
            .map((device) => device.id);
        setHidden(this.known, ids.length === 0);
        syncChildren(this.devices, this.#rows, ids, (id) => this.#makeRow(id));
        for (const id of ids) {
            const { name, button } = this.#rows.get(id);
            setText(name, deviceName(state, id));
            button.setAttribute("aria-label", disconnectWords(deviceName(state, id)));
            if (!state.disconnected[id]) continue;
            // It stays, with the focus on it.
            button.setAttribute("aria-disabled", "true");
            button.removeAttribute("aria-label");
            setText(button, words.disconnected);
        }
    }

    #makeRow(id) {
        const name = h("bdi", { class: "device-name", dir: "auto" });
        const button = h("button", { type: "button", class: "plain", "data-testid": "disconnect",
            on: { click: () => this.#disconnect(id) } }, words.disconnect);
        return Object.assign(h("li", { class: "device-row", "data-device": id }, name, button), { name, button });
    }

    async #disconnect(id) {
        if (this.ctx.store.state.disconnected[id]) return;
        this.#show({});
        try {
            await this.ctx.devices.disconnect(id);
        } catch (error) {
            this.#show({ error: error.message });
        }
    }

    /** A name that nobody typed follows the app. */
    #appChosen() {
        const app = phoneApps.find(({ id }) => id === this.app.value);
        if (!this.name.value.trim() || this.name.value === this.#device?.app.name) this.name.value = app.name;
        this.#device = { id: `${app.id}-${randomId(crypto.getRandomValues(new Uint8Array(6)))}`, app, isBusy: false };
        this.#show({});
    }

    async #submitted(event) {
        event.preventDefault();
        const device = this.#device;
        if (device.isBusy) return;
        device.isBusy = true;
        device.name = this.name.value.trim() || device.app.name;
        this.#show({ status: words.connecting });
        let outcome = {};
        try {
            this.#connected(device, await this.ctx.devices.connect({ id: device.id, name: device.name,
                platform: device.app.platform }));
        } catch (error) {
            outcome = { error: error.message };
        }
        device.isBusy = false;
        if (device === this.#device) this.#show(outcome);
    }

    /** Of a key that nobody waits for any more nothing is shown: it is of no use, and a new one costs nothing. */
    #connected(device, made) {
        if (device !== this.#device) return;
        device.isMade = true;
        const { me } = this.ctx.store.state;
        const told = { base: location.origin, user: me, device: device.id, ...made };
        setHidden(this.choice, true);
        this.setup.show(device.app, (encrypts) => setupOf(device.app.id, { ...told, encrypts }));
        this.#onConnected(device.id);
    }

    #show({ status = "", error = "" }) {
        const isBusy = Boolean(this.#device?.isBusy);
        this.app.disabled = isBusy;
        this.name.readOnly = isBusy;
        this.connect.setAttribute("aria-disabled", String(isBusy));
        setText(this.connect, error ? words.tryAgain : words.connect);
        setText(this.status, status);
        setText(this.error, error);
        setHidden(this.error, !error);
    }

    /** A tap beside the sheet closes it, but never takes away a key that is shown only once. */
    #clicked(event) {
        if (event.target === this.element && !this.#device?.isMade) this.element.close();
    }

    #closed() {
        this.#device = null;
        this.setup.clear();
    }
}
