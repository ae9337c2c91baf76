// Stands where the map would, in a browser that cannot draw it. Takes what the map takes and shows nothing of it.
import { h } from "../dom.js";
import { words } from "../words.js";

export class NoMapView {
    camera = { kind: "none" };
    isDrawn = false;

    constructor(container) {
        container.replaceChildren(h("div", { class: "empty no-map", "data-testid": "no-map" },
            h("strong", {}, words.noMap), h("p", {}, words.noMapMore)));
    }

    show() {}
    showMe() {}
    followPerson() {}
    lookAt() {}
    showEverybody() {}
    letGo() {}
    resize() {}
    drawnPins() { return []; }
}
