import test from "node:test";
import assert from "node:assert/strict";
import { MapTime } from "../../Web/map/maptime.js";

test("a map's time stands still under a hand and catches up without a leap", () => {
    const time = new MapTime();
    assert.equal(time.tick(1000), 1000);
    assert.equal(time.at(1010), 1010);
    assert.equal(time.hold(1016), 1016);
    assert.equal(time.hold(1400), 1016);
    assert.equal(time.at(1410), 1016);
    let last = time.tick(1500);
    assert.ok(last - 1016 <= 50, `${last}`);
    for (let page = 1600; page <= 4000; page += 100) {
        const now = time.tick(page);
        assert.ok(now >= last + 100 - 1e-9 && now <= last + 125 + 1e-9, `${page}: ${now - last}`);
        last = now;
    }
    assert.equal(last, 4000);
});

test("where the hand moves the map its time goes from frame to frame, whatever happens between two", () => {
    const time = new MapTime();
    time.tick(0);
    time.hold(16);
    for (let page = 32; page <= 320; page += 16) {
        assert.equal(time.step(page), page);
        assert.equal(time.at(page + 9), page);
        assert.equal(time.hold(page + 12), page);
    }
    // After a rest it goes on by a frame, and not by the rest.
    assert.ok(time.step(2000) - 320 <= 50);
});

test("what nobody saw is not caught up with", () => {
    const time = new MapTime();
    time.hold(0);
    time.step(5000);
    time.catchUp(5000);
    assert.equal(time.at(5000), 5000);
    time.hold(5010);
    assert.equal(time.tick(605_010), 605_010);
    time.catchUp(5000);
    assert.equal(time.tick(5016), 5016);
});

test("a frame that began before the last one takes no time back", () => {
    const time = new MapTime();
    time.tick(100);
    time.step(110);
    assert.ok(time.step(105) >= 105 && time.at(111) === 110);
    assert.equal(time.tick(126), 126);
});
