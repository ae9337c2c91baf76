import test from "node:test";
import assert from "node:assert/strict";
import { headingFrom, headingOf } from "../../Web/compass.js";

const close = (got, wanted) => Math.abs(((got - wanted + 540) % 360) - 180) < 1e-9;

test("held flat, the upper edge of the picture points the way", () => {
    for (const [alpha, screen, heading] of [
        [0, 0, 0], [270, 0, 90], [90, 0, 270], [180, 0, 180], [0, 90, 90], [0, 270, 270], [270, 90, 180], [350, 0, 10],
    ]) {
        assert.ok(close(headingFrom({ alpha, beta: 0, gamma: 0 }, screen), heading), `${alpha} ${screen}`);
    }
});

test("held upright, its back looks the way, however the picture is turned", () => {
    // Its back to the north: upright, and lying on either long side.
    assert.ok(close(headingFrom({ alpha: 0, beta: 90, gamma: 0 }, 0), 0));
    assert.ok(close(headingFrom({ alpha: 270, beta: 80, gamma: 0 }, 0), 90));
    assert.ok(close(headingFrom({ alpha: 90, beta: 0, gamma: -90 }, 90), 0));
    assert.ok(close(headingFrom({ alpha: 270, beta: 0, gamma: 90 }, 270), 0));
});

test("a phone that is tilted a little points where it did", () => {
    for (const beta of [-30, 0, 20, 40, 60, 85]) {
        assert.ok(close(headingFrom({ alpha: 300, beta, gamma: 0 }), 60), String(beta));
    }
});

test("what the device does not know is no heading", () => {
    assert.equal(headingFrom({ alpha: null, beta: 0, gamma: 0 }), undefined);
    assert.equal(headingOf({ alpha: 10, beta: 0, gamma: 0, absolute: false }, 0), undefined);
    assert.equal(headingOf({ webkitCompassHeading: -1 }, 0), undefined);
    assert.equal(headingOf({ webkitCompassHeading: 20, webkitCompassAccuracy: -1 }, 0), undefined);
});

test("the ready-made heading of iOS is turned with the picture", () => {
    assert.equal(headingOf({ webkitCompassHeading: 300, webkitCompassAccuracy: 10 }, 90), 30);
    assert.equal(headingOf({ webkitCompassHeading: 0, webkitCompassAccuracy: 10 }, 0), 0);
});
