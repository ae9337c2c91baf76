// At most one value per interval, leading and trailing edge, the newest wins. Pure: the clock is passed in and the
// caller keeps the timer.
export class Throttle {
    #lastSent = -Infinity;
    #held = undefined;

    constructor(intervalMillis) {
        this.intervalMillis = intervalMillis;
    }

    /** Returns the value if it may go out now; else holds it for `due`. */
    offer(value, now) {
        if (now - this.#lastSent >= this.intervalMillis) {
            this.#lastSent = now;
            this.#held = undefined;
            return value;
        }
        this.#held = value;
        return undefined;
    }

    /** Milliseconds until the held value may go out; undefined when nothing is held. */
    wait(now) {
        if (this.#held === undefined) return undefined;
        return Math.max(0, this.#lastSent + this.intervalMillis - now);
    }

    /** The held value once its time has come. */
    due(now) {
        if (this.#held === undefined || now - this.#lastSent < this.intervalMillis) return undefined;
        const value = this.#held;
        this.#held = undefined;
        this.#lastSent = now;
        return value;
    }

    clear() {
        this.#held = undefined;
    }
}
