// Starting and feeding my shares from this device. The position goes out at most every 2 s.
import { monotonicNow } from "./clock.js";
import { deviceDescription } from "./device.js";
import { fixAge } from "./locator.js";
import { sharesFedBy } from "./selectors.js";
import { Throttle } from "./throttle.js";

const putEveryMillis = 2000;
const promiseSeconds = 30;

export class Sharing {
    #throttle = new Throttle(putEveryMillis);
    #timer = null;
    #isRegistered = false;
    #lastFix = null;
    #isPutting = false;
    #next = null;

    constructor({ api, store, clock, locator, deviceId }) {
        Object.assign(this, { api, store, clock, locator, deviceId });
        locator.onChange(() => this.#positionChanged());
        store.onChange(() => this.refresh());
    }

    get fed() {
        return sharesFedBy(this.store.state, this.deviceId, this.clock.now());
    }

    /** The watch runs exactly as long as this device feeds a share (or somebody else needs it). */
    refresh() {
        const isFeeding = this.fed.length > 0;
        this.locator.need("sharing", isFeeding);
        if (!isFeeding) this.#throttle.clear();
    }

    /** The truth about my shares, for a reload and after every reconnect; the last fix goes out once more. */
    async resume() {
        await this.#readMine();
        this.#lastFix = null;
        this.#positionChanged();
    }

    async #readMine() {
        this.store.dispatch({ type: "mySharesReceived", shares: await this.api.liveLocations() });
    }

    /**
     * Sends a location message: static, or live for `seconds` from now; `precision` "approximate" makes the server tell
     * no more than the cell, here and of every later fix; `fedBy` is another device of mine that moves it from then on,
     * of which this one promises nothing. A repeat under the same id has a newer position and end than an attempt whose
     * answer was lost; where that one got through after all, it stands.
     */
    async send({ id, cid, ...kind }, fix) {
        await this.#register();
        let message;
        try {
            message = await this.api.send(cid, { ...this.#body(id, fix, kind), sent_at: this.clock.isoNow() });
        } catch (error) {
            if (error.code !== "conflict") throw error;
            message = await this.api.message(id);
        }
        this.store.dispatch({ type: "messageReceived", message });
    }

    async #register() {
        if (this.#isRegistered) return;
        await this.api.registerDevice(deviceDescription(this.deviceId));
        this.#isRegistered = true;
    }

    #body(id, fix, { seconds, precision, fedBy }) {
        const location = { ...this.#position(fix), device_id: this.deviceId };
        if (precision) location.precision = precision;
        if (seconds) {
            location.end_at = new Date(this.clock.now() + seconds * 1000).toISOString();
            if (fedBy) location.fed_by = fedBy;
            else location.next_within = promiseSeconds;
        }
        return { id, shared_location: location };
    }

    /** A fix as the protocol has it, its time in the server's clock. */
    #position(fix) {
        const { arrivedAt, ageAtArrival, ...position } = fix;
        return { ...position, recorded_at: new Date(this.clock.now() - fixAge(fix)).toISOString() };
    }

    #positionChanged() {
        const fix = this.locator.lastFix;
        if (!fix || fix === this.#lastFix || this.fed.length === 0) return;
        this.#lastFix = fix;
        this.#offer(fix);
    }

    #offer(fix) {
        const due = this.#throttle.offer(fix, monotonicNow());
        if (due) this.#put(due);
        else this.#wait();
    }

    #wait() {
        clearTimeout(this.#timer);
        const millis = this.#throttle.wait(monotonicNow());
        if (millis === undefined) return;
        this.#timer = setTimeout(() => {
            const due = this.#throttle.due(monotonicNow());
            if (due) this.#put(due);
            else this.#wait();
        }, millis);
    }

    /** Only one request at a time: on a slow line the newest fix replaces those that would queue up. */
    async #put(fix) {
        const { fed } = this;
        if (fed.length === 0) return;
        if (this.#isPutting) {
            this.#next = fix;
            return;
        }
        this.#isPutting = true;
        try {
            // Named, so that a share that I want to be over gets none of it.
            const answer = await this.api.putFix({
                ...this.#position(fix), next_within: promiseSeconds, device_id: this.deviceId,
                message_ids: fed.map((share) => share.message_id), sent_at: this.clock.isoNow(),
            });
            const isOver = ({ reason }) => reason === "ended" || reason === "not_found";
            if (answer.skipped?.some(isOver)) await this.#readMine();
        } catch {
            // A lost fix is no loss: the next one is newer, and the bar says how old the shown position is.
        } finally {
            this.#isPutting = false;
            const next = this.#next;
            this.#next = null;
            if (next) this.#offer(next);
        }
    }
}
