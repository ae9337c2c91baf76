// Where a pin is drawn between two fixes. Pure: time in milliseconds is passed in.
import { shorterTurn } from "../geo.js";

const shortestMillis = 300;
const longestMillis = 2000;
const usualMillis = 1000;

/** Glides take as long as fixes are apart, within bounds: the pin arrives about when the next fix does. */
export function glideMillis(intervalMillis) {
    if (!(intervalMillis > 0)) return usualMillis;
    return Math.min(longestMillis, Math.max(shortestMillis, intervalMillis));
}

export class Glide {
    #from;
    #to;
    #startedAt = 0;
    #duration = 0;

    constructor(position) {
        this.#from = this.#to = position;
    }

    get target() {
        return this.#to;
    }

    /** A new fix: from where the pin is drawn now. A duration of 0 shows it at once. */
    moveTo(position, durationMillis, now) {
        this.#from = this.at(now);
        this.#to = position;
        this.#startedAt = now;
        this.#duration = durationMillis;
    }

    isMoving(now) {
        return now < this.#startedAt + this.#duration;
    }

    at(now) {
        if (!this.isMoving(now)) return this.#to;
        const part = Math.max(0, (now - this.#startedAt) / this.#duration);
        const turn = shorterTurn(this.#to.longitude - this.#from.longitude);
        return {
            latitude: this.#from.latitude + (this.#to.latitude - this.#from.latitude) * part,
            longitude: shorterTurn(this.#from.longitude + turn * part),
        };
    }
}
