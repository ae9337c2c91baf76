// One person's pin: the marker on the map, its disc, heading wedge and pulse.
import { dressAvatar } from "../avatar.js";
import { h, setData } from "../dom.js";
import { Glide, glideMillis } from "./glide.js";

export class Pin {
    #glide;
    #share;
    #movedAt = undefined;
    /** Kept by the map: whether the last frame drew it on its way, so that its arrival is drawn too. */
    wasMoving = false;

    constructor(share, user, onClick) {
        this.disc = h("span", { class: "pin-disc", "aria-hidden": "true" });
        this.wedge = h("span", { class: "pin-wedge", "aria-hidden": "true" });
        this.element = h("button", {
            class: "pin", type: "button", tabindex: "-1", "data-testid": "pin", "data-user": share.user_id,
            "data-message": share.message_id, on: { click: (event) => { event.stopPropagation(); onClick(); } },
        }, h("span", { class: "pin-pulse", "aria-hidden": "true" }), this.wedge, this.disc);
        this.#share = share;
        this.#glide = new Glide(share);
        this.marker = new maplibregl.Marker({ element: this.element, anchor: "center" });
        this.marker.setLngLat([share.longitude, share.latitude]);
        this.dress(share, user, "live", "");
    }

    get share() {
        return this.#share;
    }

    dress(share, user, phase, label) {
        dressAvatar(this.disc, user);
        setData(this.element, "phase", phase);
        this.element.style.zIndex = { live: 3, stale: 2, ended: 1, static: 1 }[phase];
        if (this.element.getAttribute("aria-label") !== label) this.element.setAttribute("aria-label", label);
        const isTurned = share.heading !== undefined && phase === "live";
        this.wedge.hidden = !isTurned;
        if (isTurned) this.wedge.style.transform = `rotate(${share.heading}deg)`;
        this.#share = share;
    }

    /** Takes a newer fix; `isInstant` where a glide would be a lie or unwanted (far jump, hidden page, less motion). */
    moveTo(share, now, isInstant) {
        const target = this.#glide.target;
        if (target.latitude === share.latitude && target.longitude === share.longitude) return;
        const duration = isInstant ? 0 : glideMillis(now - this.#movedAt);
        this.#movedAt = now;
        this.#glide.moveTo({ latitude: share.latitude, longitude: share.longitude }, duration, now);
        this.wasMoving = true;
    }

    isMoving(now) {
        return this.#glide.isMoving(now);
    }

    position(now) {
        return this.#glide.at(now);
    }

    draw(now) {
        const { longitude, latitude } = this.#glide.at(now);
        this.marker.setLngLat([longitude, latitude]);
    }

    remove() {
        this.marker.remove();
    }
}
