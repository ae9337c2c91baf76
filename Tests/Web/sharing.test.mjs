import test from "node:test";
import assert from "node:assert/strict";
import { Throttle } from "../../Web/throttle.js";
import { ServerClock } from "../../Web/clock.js";
import { LocatorMachine, fixFrom } from "../../Web/locator.js";

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

test("the server's clock is what it says, whatever the device's is set to", () => {
    let device = Date.parse("2020-01-01T00:00:00Z");
    const clock = new ServerClock(() => device);
    clock.restart("2026-11-30T12:00:00.000Z");
    device += 5000;
    assert.equal(clock.isoNow(), "2026-11-30T12:00:05.000Z");
    assert.equal(clock.fromDevice(device - 1000), Date.parse("2026-11-30T12:00:04.000Z"));
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

test("the watch is armed once for however many needs, and ends with the last", () => {
    const machine = new LocatorMachine();
    assert.equal(machine.needChanged(true, 0), "arm");
    assert.equal(machine.needChanged(true, 1), undefined);
    machine.fixArrived(2);
    assert.equal(machine.state, "tracking");
    assert.equal(machine.needChanged(false, 3), "disarm");
    assert.equal(machine.state, "off");
});

test("no position and timeouts never end the watch", () => {
    const machine = new LocatorMachine();
    machine.needChanged(true, 0);
    assert.equal(machine.failed(2), undefined);
    assert.equal(machine.failed(3), undefined);
    assert.equal(machine.state, "waiting");
    machine.fixArrived(5);
    assert.equal(machine.state, "tracking");
});

test("a revoked permission pauses, a granted one resumes", () => {
    const machine = new LocatorMachine();
    machine.needChanged(true, 0);
    assert.equal(machine.failed(1), "disarm");
    assert.equal(machine.state, "denied");
    assert.equal(machine.ticked(99_000), undefined);
    assert.equal(machine.permissionChanged("granted", 100_000), "arm");
    assert.equal(machine.permissionChanged("denied", 100_001), "disarm");
});

test("a silent watch is armed anew after twenty seconds", () => {
    const machine = new LocatorMachine();
    machine.needChanged(true, 0);
    machine.fixArrived(1000);
    assert.equal(machine.ticked(20_999), undefined);
    assert.equal(machine.ticked(21_000), "arm");
    assert.equal(machine.ticked(21_001), undefined);
});

test("without geolocation nothing is ever armed", () => {
    const machine = new LocatorMachine();
    machine.madeImpossible();
    assert.equal(machine.needChanged(true, 0), undefined);
    assert.equal(machine.retried(99_999), undefined);
});

test("what the browser does not know is left out of a fix, zero is kept", () => {
    const coords = { latitude: 0, longitude: -0.5, accuracy: 12, altitude: null, altitudeAccuracy: null, heading: NaN, speed: 0 };
    assert.deepEqual(fixFrom({ coords, timestamp: 7 }, 9), { latitude: 0, longitude: -0.5, accuracy: 12, speed: 0, measuredAt: 7 });
    assert.equal(fixFrom({ coords: { ...coords, heading: 360 }, timestamp: 7 }, 9).heading, 0);
});

test("a receiver that lives in another decade is taken at its arrival", () => {
    const coords = { latitude: 1, longitude: 1, accuracy: 12 };
    const now = Date.parse("2026-11-30T12:00:00Z");
    assert.equal(fixFrom({ coords, timestamp: now - 1024 * 7 * 86_400_000 }, now).measuredAt, now);
    assert.equal(fixFrom({ coords, timestamp: now - 60_000 }, now).measuredAt, now - 60_000);
});
