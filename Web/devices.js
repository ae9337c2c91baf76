// My devices: what they are called, and phone apps that are made one of them by a key of their own. A key is handed on
// and kept nowhere.
import { feederOf, myActiveShares } from "./selectors.js";

export class Devices {
    #asked = new Set();

    constructor({ api, store, clock, deviceId }) {
        Object.assign(this, { api, store, clock, deviceId });
        store.onChange((state) => this.#askUnknown(state));
    }

    async read() {
        this.store.dispatch({ type: "devicesReceived", devices: await this.api.devices() });
    }

    /** Makes a device and its key: {key, passphrase}. A repeat under the same id makes no second device. */
    async connect(device) {
        const known = await this.api.registerDevice(device);
        const made = await this.api.makeIngestKey(device.id);
        this.store.dispatch({ type: "deviceReceived", device: { ...known, has_ingest_key: true } });
        return made;
    }

    /** Takes a device's key away; one that had none is as good. */
    async disconnect(id) {
        try {
            await this.api.revokeIngestKey(id);
        } catch (error) {
            if (error.status !== 404) throw error;
        }
        this.store.dispatch({ type: "deviceDisconnected", id });
    }

    /** A share of mine is moved by a device that is not known yet: once asked for, to be called by its name. */
    #askUnknown(state) {
        const known = new Set([this.deviceId, ...this.#asked, ...state.devices.map((device) => device.id)]);
        const unknown = myActiveShares(state, this.clock.now()).map(feederOf).filter((id) => id && !known.has(id));
        if (unknown.length === 0) return;
        for (const id of unknown) this.#asked.add(id);
        this.read().catch(() => {});
    }
}
