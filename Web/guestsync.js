// Keeps the one share true that a view link shows: reads it, watches it, notices that there is no more to see.
import { backoffMillis } from "./backoff.js";
import { hasPosition, phase } from "./rules.js";

export class GuestSync {
    #failures = 0;
    #rereading = null;
    #resubscribing = null;

    /** onOver(code): the link shows nothing any more. */
    constructor({ api, store, clock, messageId, onOver }) {
        Object.assign(this, { api, store, clock, messageId, onOver });
    }

    attach({ events }) {
        this.events = events;
    }

    /** Subscribes before it reads, so that nothing falls between the two. */
    async converge() {
        this.#subscribe();
        await this.#read();
    }

    received(event) {
        const { store, clock } = this;
        switch (event.event) {
            case "hello": return clock.restart(event.server_time);
            case "heartbeat": return clock.observe(event.server_time);
            case "share.state":
            case "location.changed":
            case "location.ended":
                return store.dispatch({ type: "shareReceived", share: event.location });
            case "location.updated":
                return store.dispatch({ type: "fixReceived", fix: event });
            case "error":
                return event.code === "not_found" ? this.onOver(event.code) : this.#subscribeLater();
        }
    }

    #subscribe() {
        clearTimeout(this.#resubscribing);
        this.events.send("subscribe", { share: this.messageId });
    }

    #subscribeLater() {
        clearTimeout(this.#resubscribing);
        this.#resubscribing = setTimeout(() => this.#subscribe(), backoffMillis(this.#failures++));
    }

    /** A token that is refused is the matter of whoever made `api`. */
    async #read() {
        clearTimeout(this.#rereading);
        const { messageId: id, store } = this;
        try {
            store.dispatch({ type: "messageChanged", message: await this.api.message(id) });
            this.#failures = 0;
        } catch (error) {
            if (error.status === 404) return this.onOver(error.code);
            store.dispatch({ type: "readFailed", cid: id, reason: error.message });
            if (error.isTemporary) this.#rereading = setTimeout(() => this.#read(), backoffMillis(this.#failures++));
        }
    }
}

/**
 * Whether what is known of a share may be shown on after its link has died: where it is known to have ended. What was
 * taken back or deleted is shown no longer. Pure.
 */
export function outlivesLink(share, now) {
    return share !== undefined && hasPosition(share) && phase(share, now) === "ended" && share.ended_reason !== "deleted";
}
