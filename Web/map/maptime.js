// The time of a map in milliseconds. While a hand lies on a map that moves by itself it stands still, and goes on by a frame
// where the hand moves the map: MapLibre loses a hand where the camera is moved under it, and what went on unseen would jump
// when the hand moves again, or is gone. What was missed is caught up with. Pure.

/** How much faster time goes until it has caught up. */
const haste = 0.25;
/** As long as a frame may be to be one. */
const frameMillis = 50;
/** After so long nobody was looking. */
const unseenMillis = 5000;

export class MapTime {
    #behind = 0;
    #seenAt = undefined;
    #isHeld = false;

    /** The map's time at a moment of the page's. */
    at(pageMillis) {
        return (this.#isHeld ? this.#seenAt : pageMillis) - this.#behind;
    }

    /** A frame without a hand; returns the map's time. */
    tick(pageMillis) {
        return this.#goOn(pageMillis, false);
    }

    /** A frame in which a hand lies on the map; returns the time at which it stands. */
    hold(pageMillis) {
        return this.#isHeld ? this.at(pageMillis) : this.#goOn(pageMillis, true);
    }

    /** A frame in which the hand moves the map; returns the map's time, which stands again until the next one. */
    step(pageMillis) {
        return this.#goOn(pageMillis, true);
    }

    /** Nothing moves, or nobody saw it: what was missed is no matter. */
    catchUp(pageMillis) {
        this.#behind = 0;
        this.#isHeld = false;
        this.#seenAt = pageMillis;
    }

    #goOn(pageMillis, isHeld) {
        const passed = Math.max(0, pageMillis - (this.#seenAt ?? pageMillis));
        const missed = this.#isHeld && passed < unseenMillis ? Math.max(0, passed - frameMillis) : 0;
        this.#behind = missed > 0 ? this.#behind + missed : Math.max(0, this.#behind - haste * passed);
        this.#seenAt = Math.max(pageMillis, this.#seenAt ?? pageMillis);
        this.#isHeld = isHeld;
        return this.at(pageMillis);
    }
}
