// The server's clock as seen from here. What the server says is old by its time on the way (a frame may have waited in a
// buffer): of the last few times the engine lets that count which says the latest.
import { engine } from "./engine.js";

const jumpMillis = 2000;

/** Milliseconds that no hand can set: for whatever is measured inside this page. */
export const monotonicNow = () => performance.now();

export class ServerClock {
    /** Called when the device's clock jumped: a fresh `restart` is wanted. */
    onJump = () => {};
    #clock = engine.clock_create();
    #gap = undefined;
    /** Milliseconds by which the device's clock was set back so far. */
    #setBack = 0;

    constructor(deviceNow = Date.now, steadyNow = monotonicNow) {
        Object.assign(this, { deviceNow, steadyNow });
    }

    /** A new connection: forget what an older one said, as the device's clock may have been set since. */
    restart(serverTime) {
        engine.clock_restart(this.#clock);
        this.observe(serverTime);
    }

    observe(serverTime) {
        this.#noticeJump();
        engine.clock_heard(this.#clock, Date.parse(serverTime), this.#ownNow());
    }

    now() {
        this.#noticeJump();
        const offset = engine.clock_offset(this.#clock);
        return this.#ownNow() + (Number.isNaN(offset) ? 0 : offset);
    }

    isoNow() {
        return new Date(this.now()).toISOString();
    }

    /** The device's time as if nobody had ever set it back. */
    #ownNow() {
        return this.deviceNow() + this.#setBack;
    }

    /** Back jumps only a clock that was set, which is put right here; forward also one that woke from sleep. */
    #noticeJump() {
        const gap = this.deviceNow() - this.steadyNow();
        const jump = gap - (this.#gap ?? gap);
        this.#gap = gap;
        if (Math.abs(jump) < jumpMillis) return;
        if (jump < 0) this.#setBack -= jump;
        this.onJump();
    }
}
