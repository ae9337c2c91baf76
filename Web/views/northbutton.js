// Puts north up and the map flat again; there only while it is not so.
import { setHidden } from "../dom.js";
import { words } from "../words.js";
import { floatingButton } from "./floatingbutton.js";

const leastDegrees = 0.5;

export class NorthButton {
    #turn = NaN;

    constructor() {
        this.button = floatingButton(words.northUp, "north-up", "north", () => this.view.faceNorth());
        this.button.hidden = true;
        this.needle = this.button.firstElementChild;
    }

    start(view) {
        this.view = view;
    }

    /** After each change of the camera. */
    update() {
        const { bearing, pitch } = this.view.viewport.camera;
        const isNeeded = pitch > leastDegrees || (bearing > leastDegrees && bearing < 360 - leastDegrees);
        // The focus must not fall off the page.
        if (!isNeeded && document.activeElement === this.button) this.view.map.getCanvas().focus({ preventScroll: true });
        setHidden(this.button, !isNeeded);
        const turn = Math.round(bearing);
        if (turn === this.#turn) return;
        this.#turn = turn;
        this.needle.style.transform = `rotate(${-turn}deg)`;
    }
}
