// Texts on their way. Each chat has one queue, sent one after the other, so that they arrive in the order they were
// written; what fails for the moment is tried again by itself.
import { backoffMillis } from "./backoff.js";
import { randomId } from "./ids.js";

export class Outbox {
    #busy = new Set();
    #waiting = new Map();
    #attempts = new Map();

    constructor({ api, store, clock }) {
        Object.assign(this, { api, store, clock });
    }

    add(cid, text) {
        this.store.dispatch({ type: "queued", cid, entry: { id: randomId(), text, createdAt: this.clock.isoNow() } });
        if (!this.#waiting.has(cid)) this.#run(cid);
    }

    retry(cid, id) {
        this.store.dispatch({ type: "resent", cid, id });
        this.#wake(cid);
    }

    /** The line is back: at once, not at the end of a wait. */
    wake() {
        for (const cid of Object.keys(this.store.state.outbox)) this.#wake(cid);
    }

    #wake(cid) {
        clearTimeout(this.#waiting.get(cid));
        this.#waiting.delete(cid);
        this.#run(cid);
    }

    async #run(cid) {
        if (this.#busy.has(cid)) return;
        this.#busy.add(cid);
        let isGoing = true;
        while (isGoing) {
            const entry = this.store.state.outbox[cid]?.find(({ state, temporary }) => state === "sending" || temporary);
            isGoing = entry !== undefined && await this.#send(cid, entry);
        }
        this.#busy.delete(cid);
    }

    /** The id makes a repeat harmless. Whether the queue may go on. */
    async #send(cid, { id, text }) {
        this.store.dispatch({ type: "resent", cid, id });
        try {
            const message = await this.api.send(cid, { id, text, sent_at: this.clock.isoNow() });
            this.store.dispatch({ type: "messageReceived", message });
        } catch (error) {
            this.store.dispatch({ type: "sendFailed", cid, id, reason: error.message, temporary: error.isTemporary });
            if (error.isTemporary) this.#wait(cid);
            return !error.isTemporary;
        }
        // Sent, even if the answer is a repeat of what an event already brought.
        this.#attempts.delete(cid);
        this.store.dispatch({ type: "discarded", cid, id });
        return true;
    }

    #wait(cid) {
        const attempt = this.#attempts.get(cid) ?? 0;
        this.#attempts.set(cid, attempt + 1);
        clearTimeout(this.#waiting.get(cid));
        this.#waiting.set(cid, setTimeout(() => this.#wake(cid), backoffMillis(attempt)));
    }
}
