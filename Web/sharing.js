// Starting, feeding and stopping my shares from this device. The position goes out at most every 2 s.
import { deviceDescription } from "./device.js";
import { randomId } from "./ids.js";
import { sharesFedBy } from "./selectors.js";
import { Throttle } from "./throttle.js";

const putEveryMillis = 2000;
const promiseSeconds = 30;

export class Sharing {
    #throttle = new Throttle(putEveryMillis);
    #timer = null;
    #isRegistered = false;
    #lastMeasuredAt = undefined;
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
        this.#lastMeasuredAt = undefined;
        this.#positionChanged();
    }

    async #readMine() {
        this.store.dispatch({ type: "mySharesReceived", shares: await this.api.liveLocations() });
    }

    /** A request body for a location message: static, or live for `seconds`. All times in the server's clock. */
    request(fix, seconds) {
        const location = { ...this.#position(fix), device_id: this.deviceId };
        if (seconds) {
            location.end_at = new Date(this.clock.now() + seconds * 1000).toISOString();
            location.next_within = promiseSeconds;
        }
        return { id: randomId(), shared_location: location };
    }

    async send(cid, body) {
        await this.#register();
        const message = await this.api.send(cid, { ...body, sent_at: this.clock.isoNow() });
        this.store.dispatch({ type: "messageReceived", message });
    }

    async stop(messageId) {
        this.store.dispatch({ type: "shareReceived", share: await this.api.stop(messageId) });
    }

    async stopAll() {
        await this.api.stopAll();
        await this.#readMine();
    }

    async #register() {
        if (this.#isRegistered) return;
        await this.api.registerDevice(deviceDescription(this.deviceId));
        this.#isRegistered = true;
    }

    #position({ measuredAt, ...fix }) {
        return { ...fix, recorded_at: new Date(this.clock.fromDevice(measuredAt)).toISOString() };
    }

    #positionChanged() {
        const fix = this.locator.lastFix;
        if (!fix || fix.measuredAt === this.#lastMeasuredAt || this.fed.length === 0) return;
        this.#lastMeasuredAt = fix.measuredAt;
        this.#offer(fix);
    }

    #offer(fix) {
        const due = this.#throttle.offer(fix, Date.now());
        if (due) this.#put(due);
        else this.#wait();
    }

    #wait() {
        clearTimeout(this.#timer);
        const millis = this.#throttle.wait(Date.now());
        if (millis === undefined) return;
        this.#timer = setTimeout(() => {
            const due = this.#throttle.due(Date.now());
            if (due) this.#put(due);
            else this.#wait();
        }, millis);
    }

    /** Only one request at a time: on a slow line the newest fix replaces those that would queue up. */
    async #put(fix) {
        if (this.fed.length === 0) return;
        if (this.#isPutting) {
            this.#next = fix;
            return;
        }
        this.#isPutting = true;
        try {
            const answer = await this.api.putFix({
                ...this.#position(fix), next_within: promiseSeconds, device_id: this.deviceId,
                sent_at: this.clock.isoNow(),
            });
            const isOver = ({ reason }) => reason === "ended" || reason === "not_found";
            if (answer.skipped?.some(isOver)) await this.#readMine();
        } catch {
            // A lost fix is no loss: the next one is newer, and the connection's own state tells of the trouble.
        } finally {
            this.#isPutting = false;
            const next = this.#next;
            this.#next = null;
            if (next) this.#offer(next);
        }
    }
}
