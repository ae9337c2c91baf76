// The map's camera, pucks and locate-me button, as the engine has them: a viewport is set, frames are asked for.
// Times are those of `performance.now()`. The layout of a frame stands in Sources/YonderWasm/Frame.swift.
import { doubles, engine } from "./engine.js";

const statuses = ["idle", "idle", "state", "transition", "waiting"];
const kinds = ["idle", "styleDefault", "camera", "overview", "followPuck"];
const buttons = ["off", "waiting", "followNorth", "followHeading", "free", "denied", "unsupported", "insecure", "lost", "silent"];
const transitions = { immediate: 0, linear: 1, easeIn: 2, easeOut: 3, easeInOut: 4, fly: 5, default: 6 };
const gestures = { pan: 0, doubleTap: 1, twoFingerTap: 2, zoom: 3, rotate: 4, tilt: 5 };
const turnings = { heading: 1, course: 2 };
const cameraCount = 16;
const puckCount = 8;

/** The user's own puck. */
export const userPuck = 0;

/**
 * How a camera gets there. `seconds`: at most so long for "default", as long as it takes for "fly" where none are said.
 * @typedef {{kind: "immediate" | "linear" | "easeIn" | "easeOut" | "easeInOut" | "fly" | "default", seconds?: number}} Transition
 */
/** @type {Transition} */
export const immediate = { kind: "immediate" };
/** @type {(seconds?: number) => Transition} */
export const standard = (seconds = 3.5) => ({ kind: "default", seconds });

/** What is to be done about an event of the button: start or stop the watch on the position, show the help. */
const orders = (bits) => ({ starts: (bits & 1) !== 0, stops: (bits & 2) !== 0, explains: (bits & 4) !== 0 });

/** The one map of a page: making another one forgets the first. */
export class Viewport {
    /** @type {{center: [number, number], zoom: number, bearing: number, pitch: number, padding: {top: number, right: number, bottom: number, left: number}}} */
    camera = { center: [0, 0], zoom: 0, bearing: 0, pitch: 0, padding: { top: 0, right: 0, bottom: 0, left: 0 } };
    /** @type {"idle" | "state" | "transition" | "waiting"} */
    status = "idle";
    /** Whether a hand took the map out of what it was on. */
    isLetGo = false;
    /** @type {"idle" | "styleDefault" | "camera" | "overview" | "followPuck"} */
    kind = "idle";
    /** The followed puck; -1: none. */
    followed = -1;
    /** Whether the next frame looks different without anything new. */
    isMoving = false;
    /** @type {"off" | "waiting" | "followNorth" | "followHeading" | "free" | "denied" | "unsupported" | "insecure" | "lost" | "silent"} */
    button = "off";
    /** Whether the user's own puck must not look fresh. */
    isStale = false;
    #frame = new Float64Array(0);
    #address = 0;
    #puckCount = 0;
    #lastId = 0;
    #waiting = new Map();

    /** options: {center: [lng, lat], zoom, width, height, minZoom?, maxZoom?, maxPitch?, keepsCloserZoom?, levelsWhenFreed?} */
    constructor({ center, zoom, width, height, minZoom = 0, maxZoom = 22, maxPitch = 60, ...options }) {
        const bits = (options.keepsCloserZoom ? 1 : 0) | (options.levelsWhenFreed ? 2 : 0);
        accept(engine.engine_create(...center, zoom, width, height, minZoom, maxZoom, maxPitch, bits));
        this.#read(engine.engine_frame(0));
    }

    /** The camera, the pucks and all states of a moment; everything stands in this object afterwards. */
    frame(now) {
        this.#read(engine.engine_frame(now / 1000));
        for (let code = engine.engine_outcome(); code >= 0; code = engine.engine_outcome()) this.#ended(code);
        return this.camera;
    }

    /** Writes a puck as it is in the last frame into `into`: {lng, lat, accuracy, course, heading, isStale, ringPixels}; null: there is none. */
    puck(number, into = {}) {
        const at = cameraCount + number * puckCount;
        if (number >= this.#puckCount || this.#numbers[at] === 0) return null;
        const frame = this.#numbers;
        into.lng = frame[at + 1];
        into.lat = frame[at + 2];
        into.accuracy = frame[at + 3] < 0 ? undefined : frame[at + 3];
        into.course = frame[at + 4] < 0 ? undefined : frame[at + 4];
        into.heading = frame[at + 5] < 0 ? undefined : frame[at + 5];
        into.isStale = frame[at + 6] !== 0;
        into.ringPixels = frame[at + 7];
        return into;
    }

    /** Without motion everything is there at once. */
    reduceMotion(isReduced) {
        engine.engine_reduce_motion(isReduced);
    }

    resize(width, height, now) {
        engine.engine_resize(width, height, now / 1000);
    }

    /** What is covered at the edges, for every viewport that is set from now on. */
    cover({ top = 0, right = 0, bottom = 0, left = 0 }) {
        accept(engine.engine_padding(top, right, bottom, left));
    }

    // Viewports. Each promise says how it ended: true, it got there; false, something else came between.

    idle(now) {
        return this.#set((id) => engine.engine_idle(id, now / 1000));
    }

    /** What is not said stays as it is. */
    look({ center = [NaN, NaN], zoom = NaN, bearing = NaN, pitch = NaN }, { kind, seconds = NaN }, now) {
        return this.#set((id) => accept(
            engine.engine_camera(...center, zoom, bearing, pitch, transitions[kind] ?? -1, seconds, id, now / 1000)));
    }

    /** places: [[lng, lat], …]; `free`: pixels around them. */
    overview({ places, free = 0, bearing = 0, pitch = 0, maxZoom = NaN }, { kind, seconds = NaN }, now) {
        const numbers = doubles(engine.scratch_address(2 * places.length), 2 * places.length);
        places.forEach(([lng, lat], index) => numbers.set([lng, lat], 2 * index));
        return this.#set((id) => accept(engine.engine_overview(
            places.length, free, bearing, pitch, maxZoom, transitions[kind] ?? -1, seconds, id, now / 1000)));
    }

    /** bearing: degrees, "heading" or "course". */
    follow({ puck = userPuck, zoom, bearing = 0, pitch = 0 }, { kind, seconds = NaN }, now) {
        const turning = turnings[bearing] ?? 0;
        return this.#set((id) => accept(engine.engine_follow(
            puck, zoom, turning, turning ? 0 : bearing, pitch, transitions[kind] ?? -1, seconds, id, now / 1000)));
    }

    // Hands.

    /** gesture: "pan", "doubleTap", "twoFingerTap"; "zoom", "rotate", "tilt" with their value. */
    gesture(gesture, value, now) {
        engine.engine_gesture(gestures[gesture], value, now / 1000);
    }

    /** The camera that a hand has given the map: {center: {lng, lat}, zoom, bearing, pitch}. Counts while it is on nothing, or waits. */
    movedByHand({ center, zoom, bearing, pitch }) {
        const lng = center.lng - 360 * Math.floor((center.lng + 180) / 360);
        engine.engine_moved(lng, center.lat, zoom, bearing, pitch);
    }

    // Pucks.

    /** fix: {longitude, latitude, accuracy?, heading? (where it moves), speed?, next_within?}, as the protocol has it. */
    moved(puck, fix, now) {
        accept(engine.engine_fix(puck, fix.longitude, fix.latitude, fix.accuracy ?? NaN, fix.heading ?? NaN, fix.speed ?? NaN,
            fix.next_within ?? NaN, now / 1000));
    }

    /** Where the device of a puck points, in degrees; undefined: it does not know. */
    turned(puck, degrees, now) {
        engine.engine_heading(puck, degrees ?? NaN, now / 1000);
    }

    removed(puck) {
        engine.engine_remove(puck);
    }

    // The button. Each says what is to be done: {starts, stops, explains}.

    tapped(now) {
        return orders(engine.locate_tap(now / 1000));
    }

    denied() {
        return orders(engine.locate_denied());
    }

    /** The position is not known for now, or nobody answers. */
    lost() {
        return orders(engine.locate_failed(2));
    }

    silent() {
        return orders(engine.locate_failed(3));
    }

    /** There is no position to be had at all. */
    unsupported() {
        engine.locate_ruled_out(0);
    }

    insecure() {
        engine.locate_ruled_out(1);
    }

    permitted(isAllowed, now) {
        return orders(engine.locate_permitted(isAllowed, now / 1000));
    }

    /** Whether somebody sees the map. */
    seen(isSeen, now) {
        return orders(engine.locate_seen(isSeen, now / 1000));
    }

    /** About once a second. */
    ticked(now) {
        return orders(engine.locate_tick(now / 1000));
    }

    #set(call) {
        const id = ++this.#lastId;
        // What the engine refuses is thrown here, and nobody waits for it. How it ends only a frame tells.
        call(id);
        return new Promise((resolve) => this.#waiting.set(id, resolve));
    }

    #ended(code) {
        this.#waiting.get(code >> 1)?.((code & 1) === 1);
        this.#waiting.delete(code >> 1);
    }

    /** The last frame; looked up anew where the memory has grown since, which leaves the old view empty. */
    get #numbers() {
        if (this.#frame.length === 0) this.#frame = doubles(this.#address, cameraCount + this.#puckCount * puckCount);
        return this.#frame;
    }

    #read(address) {
        if (address !== this.#address || this.#frame.length === 0) {
            this.#address = address;
            this.#puckCount = doubles(address, cameraCount)[15];
            this.#frame = doubles(address, cameraCount + this.#puckCount * puckCount);
        } else if (this.#frame[15] !== this.#puckCount) {
            this.#puckCount = this.#frame[15];
            this.#frame = doubles(address, cameraCount + this.#puckCount * puckCount);
        }
        const frame = this.#frame;
        const { camera } = this;
        camera.center[0] = frame[0];
        camera.center[1] = frame[1];
        camera.zoom = frame[2];
        camera.bearing = frame[3];
        camera.pitch = frame[4];
        camera.padding.top = frame[5];
        camera.padding.right = frame[6];
        camera.padding.bottom = frame[7];
        camera.padding.left = frame[8];
        this.status = statuses[frame[9]];
        this.isLetGo = frame[9] === 1;
        this.kind = kinds[frame[10]];
        this.followed = frame[11];
        this.isMoving = frame[12] !== 0;
        this.button = buttons[frame[13]];
        this.isStale = frame[14] !== 0;
    }
}

function accept(isTaken) {
    if (!isTaken) throw new RangeError("the map's engine does not take these numbers");
}
