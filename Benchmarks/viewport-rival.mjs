// The least plain JavaScript that does a frame of the same: pucks that glide, a camera that follows one or flies to it
// along van Wijk's path, eased by CSS ease-in-out. No rules, no limits, no gestures.
const radians = Math.PI / 180;
const project = (lng, lat) => [lng / 360 + 0.5, 0.5 - Math.asinh(Math.tan(lat * radians)) / (2 * Math.PI)];
const rho = 1.42;

function easeInOut(x) {
    const curve = (a, b, t) => 3 * (1 - t) * (1 - t) * t * a + 3 * (1 - t) * t * t * b + t * t * t;
    let t = x;
    for (let i = 0; i < 20; i++) {
        const error = curve(0.42, 0.58, t) - x;
        if (Math.abs(error) < 1e-13) break;
        const rest = 1 - t;
        t -= error / (3 * rest * rest * 0.42 + 6 * rest * t * 0.16 + 3 * t * t * 0.42);
    }
    return curve(0, 1, t);
}

export class Rival {
    camera = { center: [0, 0], zoom: 0, bearing: 0, pitch: 0 };
    #pucks = [];
    #flight = null;
    #target = null;

    constructor({ width, height }) {
        this.screenful = Math.max(width, height);
    }

    moved(number, { longitude, latitude, accuracy, heading }, now) {
        const held = this.#pucks[number];
        const from = held ? { lng: held.lng, lat: held.lat } : { lng: longitude, lat: latitude };
        this.#pucks[number] = { from, to: { lng: longitude, lat: latitude }, at: now, ...from, accuracy, heading };
    }

    look({ center, zoom }) {
        Object.assign(this.camera, { center: [...center], zoom, bearing: 0, pitch: 0 });
        this.#flight = null;
        this.#target = null;
    }

    follow(target, { kind, seconds }, now) {
        this.#target = target;
        if (kind === "immediate") return;
        const { center, zoom, bearing, pitch } = this.camera;
        this.#flight = { from: { center: [...center], zoom, bearing, pitch }, at: now, millis: seconds * 1000 };
    }

    puck(number) {
        return this.#pucks[number];
    }

    frame(now) {
        for (const puck of this.#pucks) {
            const part = Math.min(1, (now - puck.at) / 1000);
            puck.lng = puck.from.lng + (puck.to.lng - puck.from.lng) * part;
            puck.lat = puck.from.lat + (puck.to.lat - puck.from.lat) * part;
            puck.ringPixels = puck.accuracy * 512 * 2 ** this.camera.zoom / (40_075_017 * Math.cos(puck.lat * radians));
        }
        const { camera } = this;
        const [{ lng, lat }] = this.#pucks;
        const time = this.#flight ? (now - this.#flight.at) / this.#flight.millis : 1;
        if (time >= 1) {
            camera.center[0] = lng;
            camera.center[1] = lat;
            camera.zoom = this.#target.zoom;
            camera.bearing = this.#target.bearing ?? 0;
            camera.pitch = this.#target.pitch ?? 0;
            return camera;
        }
        this.#fly(this.#flight.from, lng, lat, easeInOut(time));
        return camera;
    }

    #fly(from, lng, lat, part) {
        const [x0, y0] = project(...from.center);
        const [x1, y1] = project(lng, lat);
        const w0 = this.screenful;
        const w1 = w0 / 2 ** (this.#target.zoom - from.zoom);
        const u1 = Math.hypot(x1 - x0, y1 - y0) * 512 * 2 ** from.zoom;
        const spread = w1 * w1 - w0 * w0;
        const lean = rho ** 4 * u1 * u1;
        const r0 = -Math.asinh((spread + lean) / (2 * w0 * rho ** 2 * u1));
        const r1 = -Math.asinh((spread - lean) / (2 * w1 * rho ** 2 * u1));
        const r = r0 + (r1 - r0) * part;
        const crossed = (w0 * Math.sinh(r - r0)) / (rho ** 2 * Math.cosh(r) * u1);
        const { camera } = this;
        camera.zoom = from.zoom + Math.log2(Math.cosh(r) / Math.cosh(r0));
        camera.center[0] = (x0 + (x1 - x0) * crossed - 0.5) * 360;
        camera.center[1] = Math.atan(Math.sinh((1 - 2 * (y0 + (y1 - y0) * crossed)) * Math.PI)) / radians;
        camera.bearing = from.bearing + ((this.#target.bearing ?? 0) - from.bearing) * part;
        camera.pitch = from.pitch + ((this.#target.pitch ?? 0) - from.pitch) * part;
    }
}
