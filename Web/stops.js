// What I want to be over and the server has not confirmed yet: shares that I stopped, sends that I took back. A wish
// outlives a lost line and a reload; until it is granted this device feeds none of them.
import { backoffMillis } from "./backoff.js";
import { isActive } from "./rules.js";
import { inBrowser } from "./storage.js";

const key = "yonder.stopping";
const keptWishes = 50;

export class Stops {
    #busy = new Set();
    #attempt = 0;
    #timer = null;

    constructor({ api, store, clock, kept = inBrowser }) {
        Object.assign(this, { api, store, clock, kept });
        store.dispatch({ type: "endWished", wishes: kept.getObject(key) });
        store.onChange(() => this.#grant());
    }

    /** Ends the live shares of these messages. */
    stop(ids) {
        this.#wish(ids, "stop");
    }

    /** Takes back a send that may or may not get through: its message goes as soon as it shows. */
    withdraw(id) {
        this.#wish([id], "delete");
    }

    /** The line is back: at once, not at the end of a wait. */
    retry() {
        this.#attempt = 0;
        clearTimeout(this.#timer);
        this.#timer = null;
        this.#grant();
    }

    #wish(ids, kind) {
        this.store.dispatch({ type: "endWished", wishes: Object.fromEntries(ids.map((id) => [id, kind])) });
        this.#keep();
        this.retry();
    }

    #keep() {
        this.kept.setObject(key, Object.fromEntries(Object.entries(this.store.state.wishes).slice(-keptWishes)));
    }

    #grant() {
        if (this.#timer !== null) return;
        const { wishes, shares } = this.store.state;
        for (const [id, kind] of Object.entries(wishes)) {
            if (!shares[id] || this.#busy.has(id)) continue;
            if (kind === "delete" || isActive(shares[id], this.clock.now())) this.#end(id, kind);
            else this.#settle(id);
        }
    }

    async #end(id, kind) {
        this.#busy.add(id);
        try {
            if (kind === "stop") this.store.dispatch({ type: "shareReceived", share: await this.api.stop(id) });
            else this.store.dispatch({ type: "messageChanged", message: await this.api.deleteMessage(id) });
            this.#settle(id);
        } catch (error) {
            if (error.isTemporary) this.#wait();
            // A dead token says nothing about the share: the next link grants the wish.
            else if (error.status !== 401) this.#settle(id);
        } finally {
            this.#busy.delete(id);
        }
    }

    #settle(id) {
        this.store.dispatch({ type: "endSettled", id });
        this.#keep();
        this.#attempt = 0;
    }

    #wait() {
        this.store.dispatch({ type: "endsDelayed" });
        this.#timer ??= setTimeout(() => {
            this.#timer = null;
            this.#grant();
        }, backoffMillis(this.#attempt++));
    }
}
