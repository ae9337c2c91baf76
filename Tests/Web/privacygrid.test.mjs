import test from "node:test";
import assert from "node:assert/strict";
import { distanceMeters } from "../../Web/geo.js";
import { approximated } from "../../Web/privacygrid.js";

for (const latitude of [-89.99, -85, -60.5, -23, 0, 1e-9, 37.77, 60.17, 78.2, 89.9]) {
    test(`at latitude ${latitude} a cell is about 1.2 km large and holds the place`, () => {
        for (const longitude of [-180, -179.999, -24.94, 0, 24.94, 179.999, 180]) {
            const place = { latitude, longitude };
            const cell = approximated(place);
            assert.ok(cell.accuracy > 700 && cell.accuracy < (Math.abs(latitude) > 89.8 ? 1250 : 900), `${cell.accuracy}`);
            assert.ok(distanceMeters(place, cell) <= cell.accuracy + 0.01);
            assert.deepEqual(approximated(cell), cell, "a cell's middle lies in the same cell");
        }
    });
}

test("places in one cell cannot be told apart", () => {
    const cell = approximated({ latitude: 60.1688, longitude: 24.9465 });
    assert.deepEqual(approximated({ latitude: cell.latitude + 0.004, longitude: cell.longitude - 0.008 }), cell);
    assert.notDeepEqual(approximated({ latitude: cell.latitude + 0.006, longitude: cell.longitude }), cell);
});

test("the 180th meridian is the same from both sides", () => {
    assert.deepEqual(approximated({ latitude: -17, longitude: 180 }), approximated({ latitude: -17, longitude: -180 }));
});
