// The one map of the page: pins, accuracy circles, the camera. Shows what it is given; decides nothing about shares.
import { boundsOf, distanceMeters } from "../geo.js";
import { colorOf } from "../avatar.js";
import { h } from "../dom.js";
import { icon } from "../icons.js";
import { Circles } from "./circles.js";
import { closestZoom, closeZoom, footprint, isArea } from "./footprint.js";
import { Pin } from "./pin.js";
import { mapFailed, onThemeChange, styleUrl, transformRequest, wantsLessMotion } from "./theme.js";

const circleEveryMillis = 120;
const crowd = 40;
const attributionMillis = 6000;
const farJumpScreens = 20;
const edgePixels = 28;
const placeColor = "#b3261e";

export class MapView {
    /** What the camera is on: {kind: "none" | "everybody" | "person" | "place" | "me"}. */
    camera = { kind: "none" };
    #pins = new Map();
    #place = null;
    #me = null;
    #frame = null;
    #circles;
    #wasHidden = false;

    /** hooks: onPick(messageId), onLetGo() */
    constructor(container, hooks) {
        this.hooks = hooks;
        this.map = new maplibregl.Map({
            container, style: styleUrl(), transformRequest, center: [10, 50], zoom: 3, fadeDuration: 0,
            dragRotate: false, pitchWithRotate: false, touchPitch: false, maxPitch: 0,
            attributionControl: { compact: true },
        });
        this.map.touchZoomRotate.disableRotation();
        this.map.keyboard.disableRotation();
        this.map.on("error", mapFailed);
        this.#circles = new Circles(this.map);
        this.map.on("style.load", () => { this.#circles.add(); this.#drawCircles(); });
        this.map.once("idle", () => setTimeout(() => this.#foldAttribution(), attributionMillis));
        this.map.on("dragstart", () => this.#letGo());
        this.map.on("movestart", ({ originalEvent }) => /^Arrow/.test(originalEvent?.key) && this.#letGo());
        this.map.on("zoomstart", (event) => event.originalEvent && this.camera.kind === "everybody" && this.#letGo());
        this.map.getCanvas().setAttribute("aria-label", "Map");
        onThemeChange(() => this.map.setStyle(styleUrl()));
        document.addEventListener("visibilitychange", () => { this.#wasHidden ||= document.hidden; });
    }

    /** entries: [{share, user, phase, label}] of people; place: {share, label} of a static location, or null. */
    show(entries, place, now) {
        const shown = new Set(entries.map((entry) => entry.share.message_id));
        for (const [id, pin] of this.#pins) if (!shown.has(id)) this.#removePin(id, pin);
        for (const entry of entries) this.#showPin(entry, now);
        this.#wasHidden = false;
        // A crowd pulses no longer and its circles follow more slowly: smoothness goes to the pins.
        this.map.getContainer().dataset.crowded = String(this.#isCrowded);
        this.#showPlace(place);
        this.#keepEverybody(entries);
        this.#animate();
    }

    showMe(fix) {
        if (!fix) {
            this.#me?.remove();
            this.#me = null;
            return;
        }
        this.#me ??= new maplibregl.Marker({ element: h("span", { class: "me-dot", "data-testid": "me-dot" }) });
        this.#me.setLngLat([fix.longitude, fix.latitude]).addTo(this.map);
    }

    followPerson(messageId) {
        const pin = this.#pins.get(messageId);
        if (!pin) return;
        this.camera = { kind: "person", messageId };
        this.#fly({ center: toLngLat(pin.share), zoom: this.#zoomAt(pin.share) });
    }

    lookAt(position, kind = "place") {
        this.camera = { kind };
        this.#fly({ center: toLngLat(position), zoom: this.#zoomAt(position) });
    }

    /** Never farther than the map is now: who looks closely wants to. */
    #zoomAt(position) {
        const { clientWidth, clientHeight } = this.map.getContainer();
        return Math.max(closestZoom(position, Math.min(clientWidth, clientHeight)), this.map.getZoom());
    }

    showEverybody(shares, isInstant = false) {
        const bounds = boundsOf(shares.flatMap(footprint));
        if (!bounds) return;
        this.camera = { kind: "everybody" };
        const { clientWidth, clientHeight } = this.map.getContainer();
        const side = Math.min(64, clientWidth / 5);
        // The right and lower sides keep clear of the buttons and the attribution.
        const [top, bottom] = [64, 72].map((pixels) => Math.min(pixels, clientHeight / 5));
        const padding = { left: side, right: side + 8, top, bottom };
        this.map.fitBounds(bounds, { padding, maxZoom: closeZoom, animate: !isInstant && !wantsLessMotion() });
    }

    letGo() {
        this.camera = { kind: "none" };
    }

    resize() {
        this.map.resize();
    }

    /** Whether the base map is drawn; circles that move all the time do not count. For tests. */
    get isDrawn() {
        const { sources } = this.map.getStyle() ?? { sources: {} };
        const names = Object.keys(sources).filter((name) => name !== "accuracy");
        return names.length > 0 && names.every((name) => this.map.isSourceLoaded(name)) && !this.map.isMoving();
    }

    /** Where each pin is drawn now; for tests. */
    drawnPins() {
        const now = performance.now();
        return [...this.#pins.values()].map((pin) => ({
            message_id: pin.share.message_id, user_id: pin.share.user_id, phase: pin.element.dataset.phase,
            lng: pin.position(now).longitude, lat: pin.position(now).latitude,
        }));
    }

    #showPin({ share, user, phase, label }) {
        const now = performance.now();
        let pin = this.#pins.get(share.message_id);
        if (!pin) {
            pin = new Pin(share, user, () => this.hooks.onPick(share.message_id));
            pin.marker.addTo(this.map);
            this.#pins.set(share.message_id, pin);
        }
        const isInstant = wantsLessMotion() || document.hidden || this.#wasHidden || this.#isFarJump(pin, share);
        pin.dress(share, user, phase, label);
        pin.moveTo(share, now, isInstant);
    }

    /** Nobody walks out of an overview that no hand has moved. */
    #keepEverybody(entries) {
        if (this.camera.kind !== "everybody" || this.map.isMoving()) return;
        const { clientWidth, clientHeight } = this.map.getContainer();
        const live = entries.filter((entry) => entry.phase !== "ended").map((entry) => entry.share);
        const isOutside = (share) => {
            const { x, y } = this.map.project(toLngLat(share));
            return x < edgePixels || y < edgePixels || x > clientWidth - edgePixels || y > clientHeight - edgePixels;
        };
        if (live.some(isOutside)) this.showEverybody(live);
    }

    #isFarJump(pin, share) {
        const metersPerPixel = 78_271.5 * Math.cos(share.latitude * Math.PI / 180) / 2 ** this.map.getZoom();
        return distanceMeters(pin.share, share) > farJumpScreens * metersPerPixel * this.map.getContainer().clientWidth;
    }

    #removePin(id, pin) {
        pin.remove();
        this.#pins.delete(id);
        if (this.camera.messageId === id) this.letGo();
    }

    #showPlace(place) {
        if (this.#place && this.#place.id !== place?.share.message_id) {
            this.#place.marker.remove();
            this.#place = null;
        }
        if (!place) return;
        if (this.#place) {
            this.#place.share = place.share;
            return;
        }
        const attributes = { class: "place-pin", role: "img", "aria-label": place.label, "data-testid": "place-pin" };
        const marker = new maplibregl.Marker({ element: h("span", attributes, icon("pin")), anchor: "bottom" });
        marker.setLngLat(toLngLat(place.share)).addTo(this.map);
        this.#place = { id: place.share.message_id, share: place.share, marker };
    }

    /** Long enough to be read, then folded to its button as OpenStreetMap's guidelines allow. */
    #foldAttribution() {
        const control = this.map.getContainer().querySelector(".maplibregl-ctrl-attrib");
        control?.classList.remove("maplibregl-compact-show");
        control?.removeAttribute("open");
    }

    #letGo() {
        if (this.camera.kind === "none") return;
        this.letGo();
        this.hooks.onLetGo();
    }

    #fly(target) {
        if (wantsLessMotion()) this.map.jumpTo(target);
        else this.map.flyTo({ ...target, maxDuration: 2000 });
    }

    get #isCrowded() {
        return this.#pins.size > crowd;
    }

    #animate() {
        if (!this.#isCrowded) this.#drawCircles();
        this.#frame ??= requestAnimationFrame(() => this.#step());
    }

    #step() {
        this.#frame = null;
        const now = performance.now();
        let isMoving = false;
        for (const pin of this.#pins.values()) {
            if (!pin.isMoving(now) && !pin.wasMoving) continue;
            pin.wasMoving = pin.isMoving(now);
            isMoving ||= pin.wasMoving;
            pin.draw(now);
        }
        const isFollowing = this.#follow(now);
        const pause = this.#isCrowded ? 8 * circleEveryMillis : circleEveryMillis;
        if (now - this.#circles.drawnAt >= pause || !isMoving) this.#drawCircles();
        if (isMoving || isFollowing) this.#frame ??= requestAnimationFrame(() => this.#step());
    }

    /** Keeps the followed pin in the middle, never while the engine or a finger moves the camera. */
    #follow(now) {
        const pin = this.camera.kind === "person" && this.#pins.get(this.camera.messageId);
        if (!pin) return false;
        if (this.map.isEasing() || this.map.isZooming() || this.map.isMoving()) return true;
        const { longitude, latitude } = pin.position(now);
        const at = this.map.project([longitude, latitude]);
        const box = this.map.getContainer();
        const dx = at.x - box.clientWidth / 2;
        const dy = at.y - box.clientHeight / 2;
        if (Math.hypot(dx, dy) < 0.5) return pin.isMoving(now);
        const part = wantsLessMotion() ? 1 : 0.2;
        const next = [box.clientWidth / 2 + dx * part, box.clientHeight / 2 + dy * part];
        this.map.jumpTo({ center: this.map.unproject(next) });
        return true;
    }

    #drawCircles() {
        const now = performance.now();
        const circles = [...this.#pins.values()]
            // An ended one needs none, but where only about where is known the pin alone would say too much.
            .filter((pin) => pin.share.accuracy > 0 && (pin.element.dataset.phase !== "ended" || isArea(pin.share)))
            .map((pin) => ({ position: pin.position(now), meters: pin.share.accuracy, color: colorOf(pin.share.user_id) }));
        const place = this.#place?.share;
        if (place?.accuracy > 0) circles.push({ position: place, meters: place.accuracy, color: placeColor });
        this.#circles.draw(circles, this.#isCrowded ? 24 : 64, now);
    }
}

const toLngLat = (position) => [position.longitude, position.latitude];
