// Something that points over the ground: it lies flat on a map that is turned and tilted, and is hidden where no direction
// is known.
const leastDegrees = 0.1;
/** Laid flatter it would hide behind what it points from. */
const mostPitch = 35;

export class Needle {
    #turn = NaN;
    #pitch = NaN;

    constructor(element) {
        this.element = element;
        element.hidden = true;
    }

    /** degrees: clockwise from north; undefined: unknown. Writes to the page only what is seen to change. */
    turn(degrees, camera) {
        const isKnown = degrees !== undefined;
        if (this.element.hidden === isKnown) this.element.hidden = !isKnown;
        if (!isKnown) return;
        const turn = degrees - camera.bearing;
        const pitch = Math.min(mostPitch, camera.pitch);
        if (Math.abs(turn - this.#turn) < leastDegrees && Math.abs(pitch - this.#pitch) < leastDegrees) return;
        this.#turn = turn;
        this.#pitch = pitch;
        this.element.style.transform = `rotateX(${pitch.toFixed(1)}deg) rotateZ(${turn.toFixed(1)}deg)`;
    }
}
