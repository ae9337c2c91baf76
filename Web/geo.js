// Distances, directions and ground circles on the sphere. Degrees in and out, metres for lengths.

export const earthRadiusMeters = 6_371_008.8;
const radians = Math.PI / 180;

/** Longitude difference the shorter way, in -180..<180. */
export function shorterTurn(degrees) {
    return ((((degrees + 180) % 360) + 360) % 360) - 180;
}

export function distanceMeters(a, b) {
    const dLat = (b.latitude - a.latitude) * radians;
    const dLng = (b.longitude - a.longitude) * radians;
    const h = Math.sin(dLat / 2) ** 2
        + Math.cos(a.latitude * radians) * Math.cos(b.latitude * radians) * Math.sin(dLng / 2) ** 2;
    return 2 * earthRadiusMeters * Math.asin(Math.min(1, Math.sqrt(h)));
}

/** Initial bearing from `a` to `b`, 0 ≤ degrees < 360; 0 for identical points. */
export function bearingDegrees(a, b) {
    const dLng = (b.longitude - a.longitude) * radians;
    const y = Math.sin(dLng) * Math.cos(b.latitude * radians);
    const x = Math.cos(a.latitude * radians) * Math.sin(b.latitude * radians)
        - Math.sin(a.latitude * radians) * Math.cos(b.latitude * radians) * Math.cos(dLng);
    return (Math.atan2(y, x) / radians + 360) % 360;
}

const points = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"];

export function directionWords(bearing) {
    return points[Math.round(bearing / 45) % 8];
}

export function destination(from, bearing, meters) {
    const d = meters / earthRadiusMeters;
    const lat = from.latitude * radians;
    const sinLat = Math.sin(lat) * Math.cos(d) + Math.cos(lat) * Math.sin(d) * Math.cos(bearing * radians);
    const y = Math.sin(bearing * radians) * Math.sin(d) * Math.cos(lat);
    const x = Math.cos(d) - Math.sin(lat) * sinLat;
    return {
        latitude: Math.asin(Math.max(-1, Math.min(1, sinLat))) / radians,
        longitude: from.longitude + Math.atan2(y, x) / radians,
    };
}

/** A closed ring of [lng, lat], a true circle on the ground; longitudes run on past ±180 instead of wrapping. */
export function circleRing(center, meters, corners = 64) {
    const ring = [];
    for (let i = 0; i <= corners; i++) {
        const point = destination(center, (i % corners) * (360 / corners), meters);
        ring.push([point.longitude, point.latitude]);
    }
    return ring;
}

/** The zoom of a Web Mercator map, 512-pixel tiles, at which a length on the ground takes so many pixels. */
export function zoomFor(latitude, meters, pixels) {
    return Math.log2((2 * Math.PI * earthRadiusMeters * Math.cos(latitude * radians) * pixels) / (512 * meters));
}

/** How many pixels a length on the ground takes at such a zoom. */
export function pixelsFor(latitude, meters, zoom) {
    return (512 * 2 ** zoom * meters) / (2 * Math.PI * earthRadiusMeters * Math.cos(latitude * radians));
}

/** The narrowest box [[west, south], [east, north]] around positions; east may pass 180. Null for none. */
export function boundsOf(positions) {
    if (positions.length === 0) return null;
    const lats = positions.map((p) => p.latitude);
    const lngs = positions.map((p) => shorterTurn(p.longitude)).sort((a, b) => a - b);
    let widest = 360 - (lngs[lngs.length - 1] - lngs[0]);
    let west = lngs[0];
    let east = lngs[lngs.length - 1];
    for (let i = 1; i < lngs.length; i++) {
        if (lngs[i] - lngs[i - 1] > widest) {
            widest = lngs[i] - lngs[i - 1];
            west = lngs[i];
            east = lngs[i - 1] + 360;
        }
    }
    return [[west, Math.min(...lats)], [east, Math.max(...lats)]];
}

/** Web Mercator, 512-pixel tiles: how far `b` lies right of and below `a` on a map of this zoom, in pixels. */
export function pixelOffset(a, b, zoom) {
    const world = 512 * 2 ** zoom;
    const y = (latitude) => Math.asinh(Math.tan(latitude * radians)) / (2 * Math.PI);
    return {
        x: (shorterTurn(b.longitude - a.longitude) / 360) * world,
        y: (y(a.latitude) - y(b.latitude)) * world,
    };
}
