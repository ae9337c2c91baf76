import test from "node:test";
import assert from "node:assert/strict";
import { ServerClock } from "../../Web/clock.js";

test("the server's clock is what it says, whatever the device's is set to", () => {
    let device = Date.parse("2020-01-01T00:00:00Z");
    const clock = new ServerClock(() => device);
    clock.restart("2026-11-30T12:00:00.000Z");
    device += 5000;
    assert.equal(clock.isoNow(), "2026-11-30T12:00:05.000Z");
});

test("a heartbeat that waited in a buffer does not set the clock back", () => {
    const clock = new ServerClock(() => 0);
    clock.restart("1970-01-01T00:01:00Z");
    clock.observe("1970-01-01T00:00:30Z");
    clock.observe("nonsense");
    assert.equal(clock.now(), 60_000);
});

test("a new connection forgets an old offset", () => {
    const clock = new ServerClock(() => 0);
    clock.restart("1970-01-01T00:01:00Z");
    clock.restart("1970-01-01T00:00:30Z");
    assert.equal(clock.now(), 30_000);
});

test("a clock that is set back changes nothing and asks for the server's time", () => {
    let device = Date.parse("2026-11-30T12:00:00Z");
    let steady = 0;
    const clock = new ServerClock(() => device, () => steady);
    let jumps = 0;
    clock.onJump = () => jumps++;
    clock.restart("2026-11-30T12:00:01.000Z");
    device += 1000 - 3_600_000;
    steady += 1000;
    assert.equal(clock.isoNow(), "2026-11-30T12:00:02.000Z");
    assert.equal(clock.isoNow(), "2026-11-30T12:00:02.000Z");
    assert.equal(jumps, 1);
});

test("after a sleep the device's clock is believed, and the server's time is asked for", () => {
    let device = 0;
    const clock = new ServerClock(() => device, () => 0);
    let jumps = 0;
    clock.onJump = () => jumps++;
    clock.restart("1970-01-01T00:01:00Z");
    device += 1500;
    clock.now();
    assert.equal(jumps, 0);
    device += 600_000;
    assert.equal(clock.now(), 661_500);
    assert.equal(jumps, 1);
});
