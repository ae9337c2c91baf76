// The one map of the page: pins, accuracy circles, the camera. Shows what it is given; decides nothing about shares. The
// engine says where the camera and the pins are, once a frame; nothing else moves them but hands.
import { Viewport, immediate, standard, userPuck } from "../viewport.js";
import { toLngLat } from "../geo.js";
import { Circles } from "./circles.js";
import { closestZoom, closeZoom, footprint } from "./footprint.js";
import { Hands } from "./hands.js";
import { MapTime } from "./maptime.js";
import { mapFailed, onMotionChange, onThemeChange, styleUrl, transformRequest, wantsLessMotion } from "./theme.js";
import { Pucks } from "./pucks.js";
import { UnderHand } from "./underhand.js";

const circleEveryMillis = 120;
const attributionMillis = 6000;
const edgePixels = 28;
const freePixels = 72;
const start = { center: [10, 50], zoom: 3, maxPitch: 60 };
/** How little a map must be turned by hand to be meant as not turned. */
const snapDegrees = 7;
const way = standard(2);
const shortWay = standard(1);

export class MapView {
    #request = null;
    #circles;
    #time = new MapTime();
    #underHand = new UnderHand();
    #isOurs = false;
    /** Whether the engine was asked since the last drawing, which shows it only then. */
    #isAhead = false;
    #applied = { lng: NaN, lat: NaN, zoom: NaN, bearing: NaN, pitch: NaN };
    #told = { followed: undefined, button: "off" };

    /** hooks: onPick(messageId), onLetGo(): nobody is followed any more, onCamera(): it, or the button's state, is another. */
    constructor(container, hooks) {
        this.hooks = hooks;
        this.map = new maplibregl.Map({
            container, style: styleUrl(), transformRequest, ...start, fadeDuration: 0, trackResize: false, bearingSnap: 0,
            transformCameraUpdate: (wanted) => this.#mixed(wanted), attributionControl: { compact: true },
        });
        const { clientWidth: width, clientHeight: height } = container;
        this.viewport = new Viewport({ ...start, width, height, keepsCloserZoom: true, levelsWhenFreed: true });
        this.viewport.reduceMotion(wantsLessMotion());
        onMotionChange(() => this.viewport.reduceMotion(wantsLessMotion()));
        this.hands = new Hands(this.map, {
            gesture: (kind, value) => this.#gesture(kind, value), moved: () => this.#movedByHand(),
            came: () => this.wake(), left: (hasTurned) => this.#handLeft(hasTurned),
            isFollowing: () => this.viewport.followed >= 0, isOurs: () => this.#isOurs,
        });
        this.pucks = new Pucks(this.map, this.viewport, hooks.onPick);
        this.#circles = new Circles(this.map);
        this.map.on("error", mapFailed);
        this.map.on("style.load", () => { this.#circles.add(); this.#drawCircles(); });
        this.map.once("idle", () => setTimeout(() => this.#foldAttribution(), attributionMillis));
        this.map.getCanvas().setAttribute("aria-label", "Map");
        onThemeChange(() => this.map.setStyle(styleUrl()));
    }

    /** The time that the engine is told, in milliseconds. */
    get now() {
        return this.#time.at(performance.now());
    }

    /** The message whose pin the camera follows. */
    get followedPerson() {
        return this.pucks.personOf(this.viewport.followed);
    }

    get showsEverybody() {
        return this.viewport.kind === "overview";
    }

    /** entries: [{share, user, phase, label, isHere}] of people; place: {share, label} of a static location, or null. */
    show(entries, place) {
        this.pucks.show(entries, place, this.now);
        // A crowd pulses no longer and its circles follow more slowly: smoothness goes to the pins.
        this.map.getContainer().dataset.crowded = String(this.pucks.isCrowded);
        this.refresh();
        this.#keepEverybody(entries);
        if (!this.pucks.isCrowded) this.#drawCircles();
    }

    followPerson(messageId) {
        const found = this.pucks.find(messageId);
        if (found) this.#set((now) => this.viewport.follow({ puck: found.puck, zoom: this.#zoomAt(found.share) }, way, now));
    }

    lookAt(position) {
        this.#set((now) => this.viewport.look({ center: toLngLat(position), zoom: this.#zoomAt(position) }, way, now));
    }

    /** Never farther than the map is now: who looks closely wants to. */
    #zoomAt(position) {
        const { clientWidth, clientHeight } = this.map.getContainer();
        return Math.max(closestZoom(position, Math.min(clientWidth, clientHeight)), this.viewport.camera.zoom);
    }

    showEverybody(shares, isInstant = false) {
        if (shares.length === 0) return;
        const { clientWidth, clientHeight } = this.map.getContainer();
        const places = shares.flatMap(footprint).map(toLngLat);
        // Clear of the buttons and the attribution.
        const free = Math.min(freePixels, clientWidth / 5, clientHeight / 5);
        this.#set((now) => this.viewport.overview({ places, free, maxZoom: closeZoom }, isInstant ? immediate : way, now));
    }

    /** North up and seen from straight above; whoever is followed stays so. */
    faceNorth() {
        const { followed: puck, camera: { zoom }, status } = this.viewport;
        this.#set((now) => (puck >= 0 && status !== "waiting" ? this.viewport.follow({ puck, zoom }, shortWay, now)
            : this.viewport.look({ bearing: 0, pitch: 0 }, shortWay, now)));
    }

    letGo() {
        this.#set((now) => this.viewport.idle(now));
    }

    resize() {
        this.map.resize();
        const { clientWidth, clientHeight } = this.map.getContainer();
        this.viewport.resize(clientWidth, clientHeight, this.now);
        this.refresh();
    }

    /** After the engine was told something: its states are read, and what it moves is drawn. */
    refresh() {
        this.viewport.frame(this.now);
        this.#isAhead = true;
        this.#notice();
        this.wake();
    }

    wake() {
        this.#request ??= requestAnimationFrame(this.#step);
    }

    /** Whether the base map is drawn; circles that move all the time do not count. For tests. */
    get isDrawn() {
        const { sources } = this.map.getStyle() ?? { sources: {} };
        const names = Object.keys(sources).filter((name) => name !== "accuracy");
        const isStill = this.viewport.status !== "transition" && !this.map.isMoving();
        return isStill && names.length > 0 && names.every((name) => this.map.isSourceLoaded(name));
    }

    /** Where each pin is drawn now; for tests. */
    drawnPins() {
        return this.pucks.drawn();
    }

    /**
     * What the engine says and what the map shows of it; for tests. `screen`: where a place is drawn. isAskedAnew: as of this
     * moment, not as of the last frame.
     */
    told(isAskedAnew = false) {
        const { viewport, map } = this;
        if (isAskedAnew) this.refresh();
        const { status, kind, followed, button, isLetGo, isMoving, camera } = viewport;
        const me = viewport.puck(userPuck);
        const { lng, lat } = map.getCenter();
        return {
            status, kind, followed, button, isLetGo, isMoving, me, camera: structuredClone(camera), isAhead: this.#isAhead,
            isStill: !this.hands.isOn(performance.now()),
            shown: { center: [lng, lat], zoom: map.getZoom(), bearing: map.getBearing(), pitch: map.getPitch() },
            screen: (place) => map.project([place.lng, place.lat]),
        };
    }

    // Frames.

    /** page: when the frame began, which is the same for all that is drawn in it. */
    #step = (page) => {
        this.#request = null;
        const { viewport } = this;
        const isUnderHand = this.hands.isOn(page);
        const isShared = isUnderHand && (viewport.status === "transition" || viewport.followed >= 0);
        viewport.frame(isShared ? this.#time.hold(page) : this.#time.tick(page));
        const hasMoved = !isUnderHand && this.#apply(viewport.camera);
        this.pucks.draw();
        this.#isAhead = false;
        // In the same frame as the pins, not in the next one.
        if (hasMoved) this.map.redraw();
        if (hasMoved || viewport.button !== this.#told.button) this.#notice();
        const pause = this.pucks.isCrowded ? 8 * circleEveryMillis : circleEveryMillis;
        if (page - this.#circles.drawnAt >= pause || !viewport.isMoving) this.#drawCircles();
        if (viewport.isMoving || isUnderHand) this.wake();
        else this.#time.catchUp(page);
    };

    /** Moves the map where the engine wants it; returns whether it had to. */
    #apply(camera) {
        const { center, zoom, bearing, pitch } = camera;
        const { lng, lat, zoom: oldZoom, bearing: oldBearing, pitch: oldPitch } = this.#applied;
        if (center[0] === lng && center[1] === lat && zoom === oldZoom && bearing === oldBearing && pitch === oldPitch) {
            return false;
        }
        this.#remember(camera);
        this.#isOurs = true;
        this.map.jumpTo(camera);
        this.#isOurs = false;
        return true;
    }

    #remember({ center, zoom, bearing, pitch }) {
        const applied = this.#applied;
        applied.lng = center[0];
        applied.lat = center[1];
        applied.zoom = zoom;
        applied.bearing = bearing;
        applied.pitch = pitch;
    }

    // Viewports and hands.

    /** What still glides from a hand ends there: the camera goes on from where it is. */
    #set(change) {
        if (this.map.isMoving()) this.map.stop();
        change(this.now);
        this.refresh();
    }

    /** A tap on the button that shows the user's position; returns the engine's orders. */
    tapLocate() {
        if (this.map.isMoving()) this.map.stop();
        const orders = this.viewport.tapped(this.now);
        this.refresh();
        return orders;
    }

    #gesture(kind, value = 0) {
        if (this.viewport.kind === "idle") return;
        this.viewport.gesture(kind, value, this.now);
        this.refresh();
    }

    #movedByHand() {
        if (this.viewport.kind !== "idle" && this.viewport.status !== "waiting") return this.wake();
        const { map, viewport } = this;
        viewport.movedByHand({
            center: map.getCenter(), zoom: map.getZoom(), bearing: map.getBearing(), pitch: map.getPitch(),
        });
        this.refresh();
        this.#remember(viewport.camera);
    }

    /** What MapLibre shows next, wherever that comes from: under a hand the middle of this frame, not of the last one. */
    #mixed(wanted) {
        const { viewport } = this;
        const isFollowing = viewport?.followed >= 0 && viewport.status !== "waiting";
        if (!isFollowing || this.#isOurs) return {};
        const camera = viewport.frame(this.#time.step(document.timeline.currentTime));
        this.#isAhead = true;
        return this.#underHand.mixed(wanted, camera, this.hands);
    }

    #handLeft(hasTurned) {
        const { bearing } = this.viewport.camera;
        const isNearly = bearing !== 0 && Math.min(bearing, 360 - bearing) < snapDegrees;
        if (hasTurned && isNearly && this.viewport.kind === "idle") {
            this.viewport.look({ bearing: 0 }, shortWay, this.now);
        }
        this.wake();
    }

    /** Tells whom it concerns what the engine came to. */
    #notice() {
        const { followedPerson: followed } = this;
        const wasFollowed = this.#told.followed;
        this.#told.followed = followed;
        this.#told.button = this.viewport.button;
        if (wasFollowed && !followed) this.hooks.onLetGo();
        this.hooks.onCamera();
    }

    /** Nobody walks out of an overview that no hand has moved. */
    #keepEverybody(entries) {
        if (!this.showsEverybody || this.viewport.status !== "state") return;
        const { clientWidth, clientHeight } = this.map.getContainer();
        const live = entries.filter((entry) => entry.phase !== "ended").map((entry) => entry.share);
        const isOutside = (share) => {
            const { x, y } = this.map.project(toLngLat(share));
            return x < edgePixels || y < edgePixels || x > clientWidth - edgePixels || y > clientHeight - edgePixels;
        };
        if (live.some(isOutside)) this.showEverybody(live);
    }

    /** Long enough to be read, then folded to its button as OpenStreetMap's guidelines allow. */
    #foldAttribution() {
        const control = this.map.getContainer().querySelector(".maplibregl-ctrl-attrib");
        control?.classList.remove("maplibregl-compact-show");
        control?.removeAttribute("open");
    }

    #drawCircles() {
        this.#circles.draw(this.pucks.circles(), this.pucks.isCrowded ? 24 : 64, performance.now());
    }
}
