// The server's clock as seen from here. A late sample (a frame that waited in a buffer) says too early a time, so
// of the last few the one that says the latest counts.
const kept = 5;

export class ServerClock {
    #samples = [];

    constructor(deviceNow = Date.now) {
        this.deviceNow = deviceNow;
    }

    /** A new connection: forget what an older one said, as the device's clock may have been set since. */
    restart(serverTime) {
        this.#samples = [];
        this.observe(serverTime);
    }

    observe(serverTime) {
        const millis = Date.parse(serverTime);
        if (Number.isNaN(millis)) return;
        this.#samples.push(millis - this.deviceNow());
        if (this.#samples.length > kept) this.#samples.shift();
    }

    get offset() {
        return this.#samples.length ? Math.max(...this.#samples) : 0;
    }

    now() {
        return this.deviceNow() + this.offset;
    }

    /** An instant of the device's clock, told in the server's. */
    fromDevice(millis) {
        return millis + this.offset;
    }

    isoNow() {
        return new Date(this.now()).toISOString();
    }
}
