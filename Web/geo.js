// Distances, directions and ground circles on the sphere. Degrees in and out, metres for lengths. The engine reckons; only
// what it does not offer stands here.
import { answers, engine } from "./engine.js";

const earthRadiusMeters = 6_371_008.8;
const radians = Math.PI / 180;

/** A position as MapLibre has it. */
export const toLngLat = ({ longitude, latitude }) => [longitude, latitude];

/** Longitude difference the shorter way, in -180 < degrees ≤ 180. */
export function shorterTurn(degrees) {
    return engine.geo_turn(0, degrees);
}

export function distanceMeters(a, b) {
    return engine.geo_distance(a.longitude, a.latitude, b.longitude, b.latitude);
}

/** Initial bearing from `a` to `b`, 0 ≤ degrees < 360; 0 for identical points. */
export function bearingDegrees(a, b) {
    return engine.geo_bearing(a.longitude, a.latitude, b.longitude, b.latitude);
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
        longitude: shorterTurn(from.longitude + Math.atan2(y, x) / radians),
    };
}

/** A closed ring of [lng, lat], a true circle on the ground; longitudes run on past ±180 instead of wrapping. */
export function circleRing(center, meters, corners = 64) {
    const ring = [];
    for (let i = 0; i <= corners; i++) {
        const point = destination(center, (i % corners) * (360 / corners), meters);
        ring.push([center.longitude + shorterTurn(point.longitude - center.longitude), point.latitude]);
    }
    return ring;
}

/** The zoom of a Web Mercator map, 512-pixel tiles, at which a length on the ground takes so many pixels. */
export function zoomFor(latitude, meters, pixels) {
    return Math.log2((engine.geo_metres_per_pixel(latitude, 0) * pixels) / meters);
}

/** How many pixels a length on the ground takes at such a zoom. */
export function pixelsFor(latitude, meters, zoom) {
    return meters / engine.geo_metres_per_pixel(latitude, zoom);
}

/** Web Mercator, 512-pixel tiles: how far `b` lies right of and below `a` on a map of this zoom, in pixels. */
export function pixelOffset(a, b, zoom) {
    const world = 512 * 2 ** zoom;
    engine.geo_project(a.longitude, a.latitude);
    const [, top] = answers();
    engine.geo_project(b.longitude, b.latitude);
    const [, down] = answers();
    return { x: (shorterTurn(b.longitude - a.longitude) / 360) * world, y: (down - top) * world };
}
