// Where the device points, by its compass: degrees clockwise from north of whatever is up on the screen.

const silentMillis = 3000;
/** Smaller turns are the hand's trembling. */
const leastDegrees = 1;
const radians = Math.PI / 180;
/** How steep the screen must stand for its upper edge to say less than the way its back looks. */
const uprightDegrees = 45;

/**
 * The heading of a device from its turns (degrees, as DeviceOrientationEvent has them: alpha about the axis out of the
 * screen, counted against the clock from north; beta about the one to the right; gamma about the one upwards) and from how
 * far the picture on the screen is turned. Held flat it is where the upper edge of the picture points; held upright, where
 * its back looks. Undefined where the device does not know. Pure.
 */
export function headingFrom({ alpha, beta, gamma }, screenAngle = 0) {
    if (![alpha, beta, gamma].every(Number.isFinite)) return undefined;
    const [ca, cb, cg] = [alpha, beta, gamma].map((degrees) => Math.cos(degrees * radians));
    const [sa, sb, sg] = [alpha, beta, gamma].map((degrees) => Math.sin(degrees * radians));
    // The device's own axes in the world's (east, north, up), from the rotations Z-X'-Y''.
    const right = [ca * cg - sa * sb * sg, sa * cg + ca * sb * sg, -cb * sg];
    const top = [-sa * cb, ca * cb, sb];
    const front = [ca * sg + sa * sb * cg, sa * sg - ca * sb * cg, cb * cg];
    const [c, s] = [Math.cos(screenAngle * radians), Math.sin(screenAngle * radians)];
    const up = top.map((part, axis) => part * c + right[axis] * s);
    // A picture that is nearly upright points at the sky: then its back says more.
    const isUpright = Math.abs(up[2]) > Math.sin(uprightDegrees * radians);
    const [east, north] = isUpright ? front.map((part) => -part) : up;
    if (Math.hypot(east, north) < 1e-6) return undefined;
    return (Math.atan2(east, north) / radians + 360) % 360;
}

/** The heading that an event tells; undefined: none. iOS says it ready-made, for the upright picture. Pure. */
export function headingOf(event, screenAngle) {
    const ready = event.webkitCompassHeading;
    if (ready !== undefined) return ready >= 0 && event.webkitCompassAccuracy !== -1 ? (ready + screenAngle) % 360 : undefined;
    return event.absolute ? headingFrom(event, screenAngle) : undefined;
}

export class Compass {
    /** Degrees; undefined: unknown. */
    heading = undefined;
    #isNeeded = false;
    #timer = null;
    #hear = (event) => this.#turned(headingOf(event, screen.orientation?.angle ?? 0));

    /** onTurn(degrees or undefined) */
    constructor(onTurn) {
        this.onTurn = onTurn;
        // iOS has its compass in the plain event; where there is an absolute one, the plain one may count from anywhere.
        this.event = "ondeviceorientationabsolute" in globalThis ? "deviceorientationabsolute" : "deviceorientation";
    }

    /** iOS asks, and only inside a tap. A no is no trouble: the map then turns by where one walks. */
    allow() {
        globalThis.DeviceOrientationEvent?.requestPermission?.().catch(() => {});
    }

    need(isNeeded) {
        if (isNeeded === this.#isNeeded) return;
        this.#isNeeded = isNeeded;
        if (isNeeded) addEventListener(this.event, this.#hear);
        else removeEventListener(this.event, this.#hear);
        if (!isNeeded) this.#turned(undefined);
    }

    #turned(degrees) {
        clearTimeout(this.#timer);
        if (degrees !== undefined) this.#timer = setTimeout(() => this.#turned(undefined), silentMillis);
        const isSame = degrees === this.heading || Math.abs((degrees - this.heading + 540) % 360 - 180) < leastDegrees;
        if (isSame) return;
        this.heading = degrees;
        this.onTurn(degrees);
    }
}
