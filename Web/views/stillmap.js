// A small still map with something in the middle. When the thing moves, it walks over the picture; only near the
// edge a new picture is drawn. An approximate position has its circle around it.
import { h, setHidden } from "../dom.js";
import { pixelOffset, pixelsFor } from "../geo.js";
import { closestZoom, isArea } from "../map/footprint.js";
import { themeName } from "../map/theme.js";
import { stillZoom } from "../map/still.js";

export class StillMapView {
    #center = null;
    #last = null;
    #theme = null;

    constructor(stills, size, overlay) {
        this.stills = stills;
        this.size = size;
        this.thing = overlay;
        this.circle = h("span", { class: "still-circle", hidden: true });
        this.overlay = h("span", { class: "still-overlay" }, this.circle, overlay);
        this.image = h("img", { class: "still-image", alt: "", width: size.width, height: size.height, hidden: true });
        this.element = h("span", { class: "still" }, this.image, this.overlay);
    }

    show(position) {
        this.#last = position;
        const zoom = closestZoom(position, this.size.height, stillZoom);
        this.#showCircle(position, zoom);
        if (this.#center?.zoom === zoom && this.#theme === themeName()) {
            const offset = pixelOffset(this.#center, position, zoom);
            if (Math.abs(offset.x) < this.size.width / 4 && Math.abs(offset.y) < this.size.height / 4) {
                return this.#place(offset);
            }
        }
        this.#recenter(position, zoom);
    }

    #showCircle(position, zoom) {
        setHidden(this.circle, !isArea(position));
        if (!isArea(position)) return;
        const pixels = 2 * pixelsFor(position.latitude, position.accuracy, zoom);
        this.circle.style.width = this.circle.style.height = `${pixels.toFixed(1)}px`;
        // That of the person's disc, as on the map.
        this.circle.style.color = this.thing.style.backgroundColor;
    }

    #recenter(position, zoom) {
        const center = { latitude: position.latitude, longitude: position.longitude, zoom };
        this.#center = center;
        this.#theme = themeName();
        const ready = (url) => this.#center === center && this.#picture(url);
        ready(this.stills.picture(center, this.size, ready));
    }

    #picture(url) {
        if (!url) return;
        this.image.src = url;
        this.image.hidden = false;
        this.#place(pixelOffset(this.#center, this.#last, this.#center.zoom));
    }

    #place({ x, y }) {
        this.overlay.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
    }
}
