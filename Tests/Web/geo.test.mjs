import test from "node:test";
import assert from "node:assert/strict";
import { bearingDegrees, circleRing, destination, directionWords, distanceMeters, pixelOffset, shorterTurn }
    from "../../Web/geo.js";

const p = (latitude, longitude) => ({ latitude, longitude });
const near = (actual, expected, tolerance) =>
    assert.ok(Math.abs(actual - expected) <= tolerance, `${actual} is not ${expected} ± ${tolerance}`);

test("a degree on the equator and one on a meridian are equally long", () => {
    near(distanceMeters(p(0, 0), p(0, 1)), 111_195.08, 0.01);
    near(distanceMeters(p(60, 24), p(61, 24)), 111_195.08, 0.01);
});

test("antipodes are half the way round and identical points are nowhere apart", () => {
    near(distanceMeters(p(0, 0), p(0, 180)), Math.PI * 6_371_008.8, 0.01);
    assert.equal(distanceMeters(p(60, 24), p(60, 24)), 0);
});

test("distances and bearings take the shorter way over the antimeridian", () => {
    near(distanceMeters(p(0, 179.5), p(0, -179.5)), 111_195.08, 0.01);
    near(bearingDegrees(p(0, 179.5), p(0, -179.5)), 90, 1e-9);
});

for (const [bearing, expected] of [[0, "N"], [22.4, "N"], [22.6, "NE"], [90, "E"], [200, "S"], [337.6, "N"], [359.9, "N"]]) {
    test(`${bearing}° is ${expected}`, () => assert.equal(directionWords(bearing), expected));
}

for (const latitude of [0, 60, 85, -45]) {
    test(`every corner of an accuracy circle at ${latitude}° lies at its radius on the ground`, () => {
        const center = p(latitude, 179.999);
        const ring = circleRing(center, 1200);
        assert.deepEqual(ring[0], ring.at(-1));
        for (const [lng, lat] of ring) near(distanceMeters(center, p(lat, shorterTurn(lng))), 1200, 0.01);
        assert.ok(Math.max(...ring.map(([lng]) => lng)) > 180, "the ring runs on past 180 in one piece");
    });
}

test("a destination is where its distance and bearing say", () => {
    const there = destination(p(60, 24), 45, 5000);
    near(distanceMeters(p(60, 24), there), 5000, 0.001);
    near(bearingDegrees(p(60, 24), there), 45, 1e-6);
});

test("turns are never longer than half a circle", () => {
    assert.equal(shorterTurn(358), -2);
    assert.equal(shorterTurn(-358), 2);
    assert.equal(shorterTurn(180), 180);
    assert.equal(shorterTurn(0), 0);
});

test("pixels on a still map go right to the east and down to the south", () => {
    const offset = pixelOffset(p(60, 24), p(59.999, 24.001), 14.5);
    near(offset.x, (0.001 / 360) * 512 * 2 ** 14.5, 1e-6);
    near(offset.y / offset.x, 2, 0.01);
});
