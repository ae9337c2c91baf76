// Draws after changes (at most once a frame), every second for what ticks, and at the very moment a share ends.
import { nextChange } from "./rules.js";

const tickMillis = 1000;
const hiddenMillis = 250;
const fixesMillis = 150;

export class Renderer {
    #draw = null;
    #frame = null;
    #timer = null;
    #soon = null;

    constructor({ store, clock }) {
        Object.assign(this, { store, clock });
        store.onChange((_, action) => (action.type === "fixReceived" ? this.requestSoon() : this.request()));
    }

    start(draw) {
        this.#draw = draw;
        document.addEventListener("visibilitychange", () => this.request());
        this.request();
    }

    stop() {
        this.#draw = null;
        clearTimeout(this.#timer);
    }

    /** A hidden tab gets no frames: there a timer stands in, so that its words are true when it is seen again. */
    request() {
        if (this.#frame !== null || !this.#draw) return;
        const run = () => {
            if (this.#frame === null) return;
            this.#frame = null;
            this.#now();
        };
        this.#frame = document.hidden ? setTimeout(run, hiddenMillis) : requestAnimationFrame(run);
        if (!document.hidden) setTimeout(run, hiddenMillis);
    }

    /** For fixes, of which hundreds a second may come: several share one drawing, and the pins glide meanwhile. */
    requestSoon() {
        this.#soon ??= setTimeout(() => {
            this.#soon = null;
            this.request();
        }, fixesMillis);
    }

    /** Draws at once, for who must measure what was just changed. */
    flush() {
        this.#now();
    }

    #now() {
        if (!this.#draw) return;
        const now = this.clock.now();
        this.#draw(this.store.state, now);
        clearTimeout(this.#timer);
        const untilChange = nextChange(Object.values(this.store.state.shares), now) - now;
        const untilTick = tickMillis - (now % tickMillis);
        this.#timer = setTimeout(() => this.#now(), Math.max(10, Math.min(untilChange, untilTick)));
    }
}
