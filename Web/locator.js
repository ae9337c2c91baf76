// The one watch on the browser's geolocation. It runs while somebody needs it and survives every error but a missing
// permission; a silent watch is armed anew. The state is a machine of its own, so that it can be tested without a browser.

import { monotonicNow } from "./clock.js";

export const silentAfterMillis = 20_000;
const oldestFixMillis = 60_000;
/** Geolocation's own codes. */
const failures = { 1: "denied", 2: "lost", 3: "silent" };

/** "off", "waiting" (for a first or a new fix), "tracking", "denied", "impossible". */
export class LocatorMachine {
    state = "off";
    #armedAt = 0;

    /** Whether the watch should run. Returns "arm", "disarm" or undefined. */
    needChanged(isNeeded, now) {
        if (!isNeeded) {
            if (this.state === "off") return undefined;
            this.state = "off";
            return "disarm";
        }
        if (this.state !== "off") return undefined;
        return this.#arm(now);
    }

    fixArrived(now) {
        if (this.state === "off" || this.state === "impossible") return undefined;
        this.state = "tracking";
        this.#armedAt = now;
        return undefined;
    }

    /** Geolocation's own codes: 1 denied; 2 unavailable and 3 timeout never end the watch. */
    failed(code) {
        if (this.state === "off" || this.state === "impossible") return undefined;
        if (code === 1) {
            this.state = "denied";
            return "disarm";
        }
        this.state = "waiting";
        return undefined;
    }

    permissionChanged(permission, now) {
        if (this.state === "off" || this.state === "impossible") return undefined;
        if (permission === "denied") return this.failed(1);
        return this.state === "denied" ? this.#arm(now) : undefined;
    }

    ticked(now) {
        const isOpen = this.state === "waiting" || this.state === "tracking";
        return isOpen && now - this.#armedAt >= silentAfterMillis ? this.#rearm(now) : undefined;
    }

    retried(now) {
        return this.state === "denied" ? this.#arm(now) : this.ticked(now);
    }

    madeImpossible() {
        this.state = "impossible";
    }

    #arm(now) {
        this.state = "waiting";
        return this.#rearm(now);
    }

    #rearm(now) {
        this.#armedAt = now;
        return "arm";
    }
}

export class Locator {
    machine = new LocatorMachine();
    /** The last fix: {latitude, longitude, accuracy, …, arrivedAt, ageAtArrival}; see `fixAge`. */
    lastFix = null;
    #watch = null;
    #needs = new Set();
    #listeners = new Set();

    constructor(clock) {
        this.clock = clock;
        if (!navigator.geolocation || !isSecureContext) this.machine.madeImpossible();
        navigator.permissions?.query({ name: "geolocation" }).then((status) => {
            status.onchange = () => this.#run(this.machine.permissionChanged(status.state, monotonicNow()),
                { granted: "granted", denied: "denied" }[status.state]);
        }, () => {});
        setInterval(() => {
            const isWaiting = this.state === "waiting";
            const action = this.machine.ticked(monotonicNow());
            this.#run(action, action && isWaiting ? "silent" : undefined);
        }, 1000);
        document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.retry());
    }

    get state() {
        return this.machine.state;
    }

    /** Somebody (by name) starts or stops needing the position. */
    need(who, isNeeded) {
        if (isNeeded === this.#needs.has(who)) return;
        if (isNeeded) this.#needs.add(who);
        else this.#needs.delete(who);
        if (this.#needs.size === 0) this.lastFix = null;
        this.#run(this.machine.needChanged(this.#needs.size > 0, monotonicNow()));
    }

    stop() {
        for (const who of [...this.#needs]) this.need(who, false);
    }

    retry() {
        this.#run(this.machine.retried(monotonicNow()));
    }

    /**
     * listener(locator, event): the event is undefined where only the state, or time, went on; else "fix", "denied",
     * "granted" (whether or not anybody needs it), "lost" or "silent".
     */
    onChange(listener) {
        this.#listeners.add(listener);
    }

    #run(action, event) {
        if (action) this.#disarm();
        if (action === "arm") {
            this.#watch = navigator.geolocation.watchPosition(
                (position) => this.#arrived(position),
                (error) => this.#run(this.machine.failed(error.code), failures[error.code]),
                { enableHighAccuracy: true, maximumAge: 0 });
        }
        for (const listener of this.#listeners) listener(this, event);
    }

    #disarm() {
        if (this.#watch !== null) navigator.geolocation.clearWatch(this.#watch);
        this.#watch = null;
    }

    /** Some receivers hand out what they knew hours ago: that is no fix. */
    #arrived(position) {
        const now = monotonicNow();
        const fix = fixFrom(position, now, { device: Date.now(), server: this.clock.now() });
        if (fix.ageAtArrival > oldestFixMillis) return this.#run(this.machine.failed(2), failures[2]);
        this.lastFix = fix;
        this.#run(this.machine.fixArrived(now), "fix");
    }
}

/** How old a fix is, in milliseconds. */
export function fixAge(fix, now = monotonicNow()) {
    return fix.ageAtArrival + now - fix.arrivedAt;
}

/**
 * A GeolocationPosition in the protocol's words; what the browser does not know is left out. `now` is monotonic,
 * `clocks` are the device's and the server's time in milliseconds.
 */
export function fixFrom({ coords, timestamp }, now, clocks) {
    const fix = {
        latitude: coords.latitude, longitude: coords.longitude, arrivedAt: now, ageAtArrival: ageOf(timestamp, clocks),
    };
    const known = (value) => value !== null && value !== undefined && !Number.isNaN(value);
    if (coords.accuracy > 0) fix.accuracy = coords.accuracy;
    if (known(coords.altitude)) fix.altitude = coords.altitude;
    if (coords.altitudeAccuracy > 0) fix.altitude_accuracy = coords.altitudeAccuracy;
    if (known(coords.heading) && coords.heading >= 0) fix.heading = coords.heading % 360;
    if (known(coords.speed) && coords.speed >= 0) fix.speed = coords.speed;
    return fix;
}

const yearMillis = 31_557_600_000;

/**
 * A timestamp may tell the device's time or, from the satellites, the true one: the clock that makes it the younger is
 * the one it was told in. Some receivers count weeks wrongly: a time years away says nothing and counts as now.
 */
function ageOf(timestamp, { device, server }) {
    const ages = [device - timestamp, server - timestamp].sort((a, b) => Math.abs(a) - Math.abs(b));
    return Math.abs(ages[0]) < yearMillis ? Math.max(0, ages[0]) : 0;
}
