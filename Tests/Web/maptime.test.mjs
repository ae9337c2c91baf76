import test from "node:test";
import assert from "node:assert/strict";
import { MapTime } from "../../Web/map/maptime.js";

test("a map's time stands still under a hand and catches up without a leap", () => {
    const time = new MapTime();
    assert.equal(time.tick(1000, false), 1000);
    assert.equal(time.tick(1400, true), 1000);
    assert.equal(time.at(1410), 1010);
    let last = time.tick(1500, false);
    for (let page = 1600; page <= 4000; page += 100) {
        const now = time.tick(page, false);
        assert.ok(now >= last + 100 - 1e-9 && now <= last + 125 + 1e-9, `${page}: ${now - last}`);
        last = now;
    }
    assert.equal(last, 4000);
});

test("what nobody saw is not caught up with", () => {
    const time = new MapTime();
    time.tick(0, false);
    time.tick(5000, true);
    time.catchUp(5000);
    assert.equal(time.at(5000), 5000);
    assert.equal(time.tick(5016, false), 5016);
});
