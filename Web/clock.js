// The server's clock as seen from here. A late sample (a frame that waited in a buffer) says too early a time, so
// of the last few the one that says the latest counts.
const kept = 5;
const jumpMillis = 2000;

/** Milliseconds that no hand can set: for whatever is measured inside this page. */
export const monotonicNow = () => performance.now();

export class ServerClock {
    /** Called when the device's clock jumped: a fresh `restart` is wanted. */
    onJump = () => {};
    #samples = [];
    #gap = undefined;

    constructor(deviceNow = Date.now, steadyNow = monotonicNow) {
        Object.assign(this, { deviceNow, steadyNow });
    }

    /** A new connection: forget what an older one said, as the device's clock may have been set since. */
    restart(serverTime) {
        this.#samples = [];
        this.observe(serverTime);
    }

    observe(serverTime) {
        this.#noticeJump();
        const millis = Date.parse(serverTime);
        if (Number.isNaN(millis)) return;
        this.#samples.push(millis - this.deviceNow());
        if (this.#samples.length > kept) this.#samples.shift();
    }

    get offset() {
        return this.#samples.length ? Math.max(...this.#samples) : 0;
    }

    now() {
        this.#noticeJump();
        return this.deviceNow() + this.offset;
    }

    isoNow() {
        return new Date(this.now()).toISOString();
    }

    /** Back jumps only a clock that was set, which is put right here; forward also one that woke from sleep. */
    #noticeJump() {
        const gap = this.deviceNow() - this.steadyNow();
        const jump = gap - (this.#gap ?? gap);
        this.#gap = gap;
        if (Math.abs(jump) < jumpMillis) return;
        if (jump < 0) this.#samples = this.#samples.map((offset) => offset - jump);
        this.onJump();
    }
}
