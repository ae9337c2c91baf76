// The life of the event socket as a machine: events in, actions out, clock and chance passed in.
// Actions: {do: "connect"}, {do: "close"}, {do: "wait", millis}, {do: "ping"}, {do: "converge"}, {do: "checkToken"}.

import { backoffMillis } from "./backoff.js";

const helloWithinMillis = 10_000;
const pongWithinMillis = 5000;

export class ConnectionMachine {
    /** "off", "connecting", "live", "waiting" or "expired". */
    state = "off";
    #attempt = 0;
    #heardAt = 0;
    #askedAt = undefined;
    #startedAt = 0;
    #retryAt = 0;
    #heartbeatMillis = 25_000;

    constructor(random = Math.random) {
        this.random = random;
    }

    started(now) {
        return this.#connect(now);
    }

    hello(now, heartbeatSeconds) {
        if (this.state !== "connecting") return [];
        this.state = "live";
        this.#attempt = 0;
        this.#heardAt = now;
        this.#askedAt = undefined;
        if (heartbeatSeconds > 0) this.#heartbeatMillis = heartbeatSeconds * 1000;
        return [{ do: "converge" }];
    }

    heard(now) {
        this.#heardAt = now;
        this.#askedAt = undefined;
        return [];
    }

    /** The socket is gone. A handshake refused for its token looks like any failure here, so the token is asked for. */
    closed(now, code) {
        if (this.state !== "connecting" && this.state !== "live") return [];
        if (code === 4401 || code === 4403) {
            this.state = "expired";
            return [];
        }
        const neverOpened = this.state === "connecting";
        const millis = backoffMillis(this.#attempt, this.random);
        this.#attempt += 1;
        this.state = "waiting";
        this.#retryAt = now + millis;
        return [...(neverOpened ? [{ do: "checkToken" }] : []), { do: "wait", millis }];
    }

    /** The network is back, or the tab is looked at again: at once, not at the end of the back-off. */
    woken(now) {
        if (this.state === "waiting") {
            this.#attempt = 0;
            return this.#connect(now);
        }
        if (this.state === "live" && this.#askedAt === undefined) {
            this.#askedAt = now;
            return [{ do: "ping" }, { do: "converge" }];
        }
        return [];
    }

    /** The device slept or its clock was set: the hello of a new socket tells the server's time anew. */
    renewed(now) {
        if (this.state !== "live" && this.state !== "waiting") return [];
        this.#attempt = 0;
        return [{ do: "close" }, ...this.#connect(now)];
    }

    /** To be called about once a second. */
    ticked(now) {
        switch (this.state) {
            case "waiting":
                return now >= this.#retryAt ? this.#connect(now) : [];
            case "connecting":
                return now - this.#startedAt > helloWithinMillis ? this.#drop(now) : [];
            case "live": {
                const unanswered = this.#askedAt !== undefined && now - this.#askedAt > pongWithinMillis;
                const silent = now - this.#heardAt > 2 * this.#heartbeatMillis + pongWithinMillis;
                return unanswered || silent ? this.#drop(now) : [];
            }
            default:
                return [];
        }
    }

    tokenRefused() {
        this.state = "expired";
        return [{ do: "close" }];
    }

    #drop(now) {
        return [{ do: "close" }, ...this.closed(now, 1006)];
    }

    #connect(now) {
        if (this.state === "expired") return [];
        this.state = "connecting";
        this.#startedAt = now;
        return [{ do: "connect" }];
    }
}
