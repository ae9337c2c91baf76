// The time of a map in milliseconds, which stands still while a hand that does nothing lies on a moving map: MapLibre loses
// the hand where the camera is moved under it, and one that went on unseen would jump when the hand is gone. What was
// missed is caught up with. Pure.

/** How much faster time goes until it has caught up. */
const haste = 0.25;

export class MapTime {
    #behind = 0;
    #seenAt = undefined;

    /** The map's time at a moment of the page's. */
    at(pageMillis) {
        return pageMillis - this.#behind;
    }

    /** A frame; returns the map's time. */
    tick(pageMillis, isHeld) {
        const passed = Math.max(0, pageMillis - (this.#seenAt ?? pageMillis));
        this.#seenAt = pageMillis;
        if (isHeld) this.#behind += passed;
        else this.#behind = Math.max(0, this.#behind - haste * passed);
        return this.at(pageMillis);
    }

    /** Nothing moves, or nobody saw it: what was missed is no matter. */
    catchUp(pageMillis) {
        this.#behind = 0;
        this.#seenAt = pageMillis;
    }
}
