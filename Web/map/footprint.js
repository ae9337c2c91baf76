// How much ground a share takes on a map: a point, or, where only about where is told, the circle around its cell. Pure.
import { destination, zoomFor } from "../geo.js";

export const closeZoom = 15.5;
/** The part of the narrower side that such a circle takes when it is looked at. */
const circlePart = 0.66;

export const isArea = (share) => share.precision === "approximate" && share.accuracy > 0;

/** The positions that must be in view for the share to be seen. */
export function footprint(share) {
    if (!isArea(share)) return [share];
    return [0, 90, 180, 270].map((bearing) => destination(share, bearing, share.accuracy));
}

/** How close to look at a share, on a map whose narrower side has so many pixels; `closest`: at a point. */
export function closestZoom(share, pixels, closest = closeZoom) {
    if (!isArea(share)) return closest;
    return Math.min(closest, zoomFor(share.latitude, 2 * share.accuracy, circlePart * pixels));
}
