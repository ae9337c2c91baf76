// What the map shows while a hand zooms, turns or tilts it and the camera follows somebody: of what the hand has its finger
// on, what the hand wants; the rest, and the middle above all, is the camera's.

export class UnderHand {
    #zoom = new Shared();
    #bearing = new Shared();
    #pitch = new Shared();

    /** For MapLibre's `transformCameraUpdate`: `wanted` by the hand, `camera` of the engine, the hands that say what they do. */
    mixed(wanted, camera, hands) {
        return {
            center: new maplibregl.LngLat(camera.center[0], camera.center[1]),
            zoom: this.#zoom.mixed(wanted.zoom, camera.zoom, hands.isZooming),
            bearing: this.#bearing.mixed(wanted.bearing, camera.bearing, hands.isTurning),
            pitch: this.#pitch.mixed(wanted.pitch, camera.pitch, hands.isTilting),
        };
    }
}

/** One number: the camera's until the hand changes it, then the hand's, from where the camera had it. */
class Shared {
    #gap = 0;

    mixed(wanted, own, isHands) {
        if (!isHands) this.#gap = own - wanted;
        return isHands ? wanted + this.#gap : own;
    }
}
