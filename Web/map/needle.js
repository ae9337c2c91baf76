// Something that points over the ground: it lies flat on a map that is turned and tilted, and is hidden where no direction
// is known.
const leastDegrees = 0.1;

export class Needle {
    #turn = NaN;
    #pitch = NaN;

    constructor(element) {
        this.element = element;
        element.hidden = true;
    }

    /** degrees: clockwise from north; undefined: unknown. Writes to the page only what is seen to change. */
    turn(degrees, { bearing, pitch }) {
        const isKnown = degrees !== undefined;
        if (this.element.hidden === isKnown) this.element.hidden = !isKnown;
        if (!isKnown) return;
        const turn = degrees - bearing;
        if (Math.abs(turn - this.#turn) < leastDegrees && Math.abs(pitch - this.#pitch) < leastDegrees) return;
        this.#turn = turn;
        this.#pitch = pitch;
        this.element.style.transform = `rotateX(${pitch.toFixed(1)}deg) rotateZ(${turn.toFixed(1)}deg)`;
    }
}
