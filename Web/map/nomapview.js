// Stands where the map would, in a browser that cannot draw it. Takes what the map takes and shows nothing of it.
import { h } from "../dom.js";
import { words } from "../words.js";
import { MapView } from "./mapview.js";
import { mapFailed } from "./theme.js";

/** The map; without WebGL there is none, and all else works all the same. */
export function mapOrNone(container, hooks) {
    try {
        return new MapView(container, hooks);
    } catch (error) {
        mapFailed({ error });
        return new NoMapView(container);
    }
}

export class NoMapView {
    /** No camera, no pucks, no button over the map. */
    viewport = null;
    showsEverybody = false;
    isDrawn = false;

    constructor(container) {
        container.replaceChildren(h("div", { class: "empty no-map", "data-testid": "no-map" },
            h("strong", {}, words.noMap), h("p", {}, words.noMapMore)));
    }

    show() {}
    followPerson() {}
    lookAt() {}
    showEverybody() {}
    faceNorth() {}
    letGo() {}
    resize() {}
    refresh() {}
    drawnPins() { return []; }
    told() { return {}; }
}
