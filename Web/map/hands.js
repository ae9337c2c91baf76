// What hands do to a map, in the viewport's words. MapLibre moves the map under them and fires the events; which gesture
// it is stands in these, here and there.

/** How far the last of several fingers must go, in pixels, until it is meant: two never leave the glass at once. */
const lonelyPixels = 24;
/** How long after a turn of the wheel the next one may come. */
const wheelMillis = 250;
/** How long a hand may lie on the map without moving until the map goes on: its leaving may have gone unnoticed. */
const restMillis = 2000;

export class Hands {
    /** What the hand has changed since it came. */
    isZooming = false;
    isTurning = false;
    isTilting = false;
    #pointers = new Set();
    #touchedAt = 0;
    #wheelUntil = 0;
    #mostFingers = 0;
    #lonely = null;

    /** hooks: gesture(kind, value), moved(), left(), came(), isFollowing(), isOurs(): whether the page itself moves the map. */
    constructor(map, hooks) {
        Object.assign(this, { map, hooks });
        this.#watchPointers(map.getCanvasContainer());
        map.on("drag", (event) => this.#dragged(event));
        map.on("boxzoomstart", () => hooks.gesture("pan"));
        map.on("movestart", ({ originalEvent: event }) => {
            if (/^Arrow/.test(event?.key) && !event.shiftKey) hooks.gesture("pan");
        });
        map.on("zoomstart", ({ originalEvent }) => this.#tapped(originalEvent?.type));
        this.#changes("zoom", "isZooming", "zoom", () => map.getZoom());
        this.#changes("rotate", "isTurning", "rotate", () => map.getBearing());
        this.#changes("pitch", "isTilting", "tilt", () => map.getPitch());
        map.on("move", () => hooks.isOurs() || hooks.moved());
        map.on("moveend", () => hooks.isOurs() || this.#left());
    }

    /** Whether the map is a hand's: it lies on it, or the map still glides from it. */
    isOn(now) {
        const isTouched = this.#pointers.size > 0 && now - this.#touchedAt < restMillis;
        return isTouched || now < this.#wheelUntil || this.map.isMoving();
    }

    #watchPointers(container) {
        const options = { capture: true, passive: true };
        container.addEventListener("pointerdown", ({ pointerId, isPrimary }) => {
            // One that went unnoticed must not hold the map for ever.
            if (isPrimary) this.#pointers.clear();
            this.#pointers.add(pointerId);
            this.#touchedAt = performance.now();
            this.hooks.came();
        }, options);
        container.addEventListener("pointermove", () => { this.#touchedAt = performance.now(); }, options);
        for (const name of ["pointerup", "pointercancel"]) {
            addEventListener(name, ({ pointerId }) => this.#pointers.delete(pointerId), options);
        }
        addEventListener("blur", () => this.#pointers.clear());
        container.addEventListener("wheel", () => {
            this.#wheelUntil = performance.now() + wheelMillis;
            this.hooks.came();
        }, options);
        container.addEventListener("touchstart", ({ touches }) => {
            this.#mostFingers = touches.length === 1 ? 1 : Math.max(this.#mostFingers, touches.length);
            this.#lonely = null;
        }, options);
    }

    /** Two fingers that zoom also drag: whoever is followed stays so. */
    #dragged({ originalEvent: event }) {
        if (!event) return;
        const fingers = event.touches?.length ?? 0;
        const isMeant = fingers > 1 ? !this.hooks.isFollowing() : fingers === 0 || this.#isLonelyFar(event.touches[0]);
        if (isMeant) this.hooks.gesture("pan");
    }

    #isLonelyFar({ clientX, clientY }) {
        if (this.#mostFingers < 2) return true;
        this.#lonely ??= { clientX, clientY };
        return Math.hypot(clientX - this.#lonely.clientX, clientY - this.#lonely.clientY) > lonelyPixels;
    }

    #tapped(type) {
        if (type === "dblclick") this.hooks.gesture("doubleTap");
        if (type === "touchend" && !this.isZooming) this.hooks.gesture(this.#mostFingers > 1 ? "twoFingerTap" : "doubleTap");
    }

    /** Only a hand's events have one of the browser's in them. */
    #changes(name, flag, gesture, value) {
        this.map.on(name, ({ originalEvent }) => {
            if (!originalEvent) return;
            this[flag] = true;
            this.hooks.gesture(gesture, value());
        });
    }

    #left() {
        const hasTurned = this.isTurning;
        this.isZooming = this.isTurning = this.isTilting = false;
        this.hooks.left(hasTurned);
    }
}
