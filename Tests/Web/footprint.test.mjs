import test from "node:test";
import assert from "node:assert/strict";
import { distanceMeters, pixelOffset, destination, zoomFor } from "../../Web/geo.js";
import { closestZoom, footprint } from "../../Web/map/footprint.js";

const place = { latitude: 60, longitude: 24, accuracy: 850 };
const area = { ...place, precision: "approximate" };

test("an exact share is a point, however uncertain; an approximate one takes its circle", () => {
    assert.deepEqual(footprint(place), [place]);
    for (const point of footprint(area)) assert.ok(Math.abs(distanceMeters(area, point) - 850) < 0.01);
    const [north, east, south, west] = footprint(area);
    assert.ok(west.longitude < 24 && east.longitude > 24 && south.latitude < 60 && north.latitude > 60);
});

test("a circle is looked at from where all of it is seen", () => {
    assert.equal(closestZoom(place, 390), 15.5);
    const zoom = closestZoom(area, 390);
    assert.ok(zoom < 13.5 && zoom > 11);
    assert.equal(closestZoom({ ...area, accuracy: 1 }, 390), 15.5);
});

for (const latitude of [0, 60, -45]) {
    test(`at latitude ${latitude} a length takes the pixels that the zoom promises`, () => {
        const from = { latitude, longitude: 24 };
        const { x } = pixelOffset(from, destination(from, 90, 500), zoomFor(latitude, 500, 100));
        assert.ok(Math.abs(x - 100) < 0.5);
    });
}
