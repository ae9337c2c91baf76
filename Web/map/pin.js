// One person's pin: the marker on the map, its disc, heading wedge and pulse. Where it is drawn the engine says.
import { dressAvatar } from "../avatar.js";
import { h, setData } from "../dom.js";
import { Needle } from "./needle.js";

export class Pin {
    #share;
    #needle;
    #place = [NaN, NaN];
    #isTurned = false;
    /** Whether the share is fed from here: then the user's own puck says where it is. */
    isHere = false;
    /** Metres, as the engine draws it; undefined: unknown. */
    accuracy = undefined;

    /** number: of its puck in the engine. */
    constructor(number, share, user, onClick) {
        this.number = number;
        this.disc = h("span", { class: "pin-disc", "aria-hidden": "true" });
        const wedge = h("span", { class: "pin-wedge", "aria-hidden": "true", hidden: true });
        this.#needle = new Needle(wedge);
        this.element = h("button", {
            class: "pin", type: "button", tabindex: "-1", "data-testid": "pin", "data-user": share.user_id,
            "data-message": share.message_id, on: { click: (event) => { event.stopPropagation(); onClick(); } },
        }, h("span", { class: "pin-pulse", "aria-hidden": "true" }), wedge, this.disc);
        this.marker = new maplibregl.Marker({ element: this.element, anchor: "center", subpixelPositioning: true });
        this.marker.setLngLat([share.longitude, share.latitude]);
        this.dress(share, user, "live", "");
    }

    get share() {
        return this.#share;
    }

    /** Where it is drawn: {longitude, latitude}. */
    get position() {
        return { longitude: this.#place[0], latitude: this.#place[1] };
    }

    dress(share, user, phase, label) {
        dressAvatar(this.disc, user);
        setData(this.element, "phase", phase);
        this.element.style.zIndex = { live: 3, stale: 2, ended: 1, static: 1 }[phase];
        if (this.element.getAttribute("aria-label") !== label) this.element.setAttribute("aria-label", label);
        this.#isTurned = phase === "live";
        this.#share = share;
    }

    /** Once a frame. drawn: the engine's puck; camera: from where it is seen. */
    draw(drawn, camera) {
        this.accuracy = drawn.accuracy;
        const direction = this.#isTurned && !this.isHere ? drawn.course : undefined;
        this.#needle.turn(direction, camera);
        if (this.#place[0] === drawn.lng && this.#place[1] === drawn.lat) return;
        this.#place[0] = drawn.lng;
        this.#place[1] = drawn.lat;
        this.marker.setLngLat(this.#place);
    }

    remove() {
        this.marker.remove();
    }
}

/** Whether a share tells the engine something that an earlier state of it did not. */
export function isNews(earlier, share) {
    return earlier.recorded_at !== share.recorded_at || earlier.latitude !== share.latitude
        || earlier.longitude !== share.longitude || earlier.accuracy !== share.accuracy || earlier.heading !== share.heading;
}
