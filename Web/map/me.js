// Where the user is, from the bottom up: a pulse while it is fresh, a shadow, an arrow where a direction is known, a dot.
// The ring of its accuracy lies on the ground, with those of the others.
import { h, setData } from "../dom.js";
import { words } from "../words.js";
import { Needle } from "./needle.js";

const colors = { fresh: "#0b6bcb", stale: "#5d636e" };

export class Me {
    isShown = false;
    accuracy = undefined;
    /** That of its ring. */
    color = colors.fresh;
    #place = [NaN, NaN];

    constructor(map) {
        this.map = map;
        const arrow = h("span", { class: "puck-arrow" });
        this.element = h("span", { class: "puck", role: "img", "aria-label": words.whereIAm, "data-testid": "me-dot" },
            h("span", { class: "puck-pulse" }), arrow, h("span", { class: "puck-disc" }));
        this.needle = new Needle(arrow);
        this.marker = new maplibregl.Marker({ element: this.element, anchor: "center", subpixelPositioning: true });
    }

    get position() {
        return { longitude: this.#place[0], latitude: this.#place[1] };
    }

    /** Once a frame. drawn: the engine's puck, null where there is none; isCovered: a pin of mine lies on it. */
    draw(drawn, camera, isCovered) {
        if (!drawn) return this.#hide();
        this.accuracy = drawn.accuracy;
        this.color = drawn.isStale ? colors.stale : colors.fresh;
        setData(this.element, "stale", String(drawn.isStale));
        setData(this.element, "covered", String(isCovered));
        this.needle.turn(drawn.isStale ? undefined : drawn.heading ?? drawn.course, camera);
        if (this.#place[0] !== drawn.lng || this.#place[1] !== drawn.lat) {
            this.#place[0] = drawn.lng;
            this.#place[1] = drawn.lat;
            this.marker.setLngLat(this.#place);
        }
        if (this.isShown) return;
        this.isShown = true;
        this.marker.addTo(this.map);
    }

    #hide() {
        if (!this.isShown) return;
        this.isShown = false;
        this.marker.remove();
    }
}
