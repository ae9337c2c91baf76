// A small still map with something in the middle. When the thing moves, it walks over the picture; only near the
// edge a new picture is drawn.
import { h } from "../dom.js";
import { pixelOffset } from "../geo.js";
import { themeName } from "../map/theme.js";
import { stillZoom } from "../map/still.js";

export class StillMapView {
    #center = null;
    #last = null;
    #theme = null;

    constructor(stills, size, overlay) {
        this.stills = stills;
        this.size = size;
        this.overlay = h("span", { class: "still-overlay" }, overlay);
        this.image = h("img", { class: "still-image", alt: "", width: size.width, height: size.height, hidden: true });
        this.element = h("span", { class: "still" }, this.image, this.overlay);
    }

    show(position) {
        this.#last = position;
        if (this.#center && this.#theme === themeName()) {
            const offset = pixelOffset(this.#center, position, stillZoom);
            if (Math.abs(offset.x) < this.size.width / 4 && Math.abs(offset.y) < this.size.height / 4) {
                return this.#place(offset);
            }
        }
        this.#recenter(position);
    }

    #recenter(position) {
        const center = { latitude: position.latitude, longitude: position.longitude };
        this.#center = center;
        this.#theme = themeName();
        const ready = (url) => this.#center === center && this.#picture(url);
        ready(this.stills.picture(center, this.size, ready));
    }

    #picture(url) {
        if (!url) return;
        this.image.src = url;
        this.image.hidden = false;
        this.#place(pixelOffset(this.#center, this.#last, stillZoom));
    }

    #place({ x, y }) {
        this.overlay.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
    }
}
