import test from "node:test";
import assert from "node:assert/strict";
import { Throttle } from "../../Web/throttle.js";

test("the first fix goes at once and the newest of the rest at the end of the interval", () => {
    const throttle = new Throttle(2000);
    assert.equal(throttle.offer("a", 0), "a");
    assert.equal(throttle.wait(0), undefined);
    assert.equal(throttle.offer("b", 500), undefined);
    assert.equal(throttle.offer("c", 1500), undefined);
    assert.equal(throttle.wait(1500), 500);
    assert.equal(throttle.due(1999), undefined);
    assert.equal(throttle.due(2000), "c");
    assert.equal(throttle.due(4000), undefined);
});

test("a fix on the trailing edge starts the next interval", () => {
    const throttle = new Throttle(2000);
    throttle.offer("a", 0);
    throttle.offer("b", 100);
    throttle.due(2000);
    assert.equal(throttle.offer("c", 3000), undefined);
    assert.equal(throttle.due(4000), "c");
});

test("after a quiet time the next fix goes at once, and what was held is dropped for it", () => {
    const throttle = new Throttle(2000);
    throttle.offer("a", 0);
    throttle.offer("b", 100);
    assert.equal(throttle.offer("c", 9000), "c");
    assert.equal(throttle.wait(9000), undefined);
});

test("ten fixes a second for a minute go out thirty-one times at most", () => {
    const throttle = new Throttle(2000);
    let sent = 0;
    for (let now = 0; now <= 60_000; now += 100) if (throttle.offer(now, now) !== undefined || throttle.due(now) !== undefined) sent++;
    assert.equal(sent, 31);
});
