import test from "node:test";
import assert from "node:assert/strict";
import { Glide, glideMillis } from "../../Web/map/glide.js";

test("a pin glides from where it is drawn, not from where it should be", () => {
    const glide = new Glide({ latitude: 0, longitude: 0 });
    glide.moveTo({ latitude: 10, longitude: 0 }, 1000, 0);
    assert.equal(glide.at(500).latitude, 5);
    glide.moveTo({ latitude: 0, longitude: 0 }, 1000, 500);
    assert.equal(glide.at(500).latitude, 5);
    assert.equal(glide.at(1000).latitude, 2.5);
    assert.equal(glide.at(1500).latitude, 0);
    assert.equal(glide.isMoving(1500), false);
});

test("a pin glides over the antimeridian the short way", () => {
    const glide = new Glide({ latitude: 0, longitude: 179.9 });
    glide.moveTo({ latitude: 0, longitude: -179.9 }, 1000, 0);
    assert.ok(Math.abs(Math.abs(glide.at(500).longitude) - 180) < 1e-9);
});

test("without motion a pin is there at once", () => {
    const glide = new Glide({ latitude: 0, longitude: 0 });
    glide.moveTo({ latitude: 10, longitude: 10 }, 0, 5);
    assert.equal(glide.at(5).latitude, 10);
});

test("glides last as long as fixes are apart, within 0.3 and 2 s", () => {
    assert.deepEqual([undefined, 10, 800, 60_000].map(glideMillis), [1000, 300, 800, 2000]);
});
