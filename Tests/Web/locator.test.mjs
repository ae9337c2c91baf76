import test from "node:test";
import assert from "node:assert/strict";
import { LocatorMachine, fixAge, fixFrom } from "../../Web/locator.js";

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

const coords = { latitude: 0, longitude: -0.5, accuracy: 12, altitude: null, altitudeAccuracy: null, heading: NaN, speed: 0 };
const noon = Date.parse("2026-11-30T12:00:00Z");

test("what the browser does not know is left out of a fix, zero is kept", () => {
    const clocks = { device: 9, server: 9 };
    assert.deepEqual(fixFrom({ coords, timestamp: 7 }, 40, clocks),
        { latitude: 0, longitude: -0.5, accuracy: 12, speed: 0, arrivedAt: 40, ageAtArrival: 2 });
    assert.equal(fixFrom({ coords: { ...coords, heading: 360 }, timestamp: 7 }, 40, clocks).heading, 0);
});

for (const [what, timestamp, device, server, age] of [
    ["one clock for all", noon - 3000, noon, noon, 3000],
    ["a device ten minutes ahead that tells its own time", noon + 597_000, noon + 600_000, noon, 3000],
    ["a device ten minutes ahead whose receiver tells the true time", noon - 3000, noon + 600_000, noon, 3000],
    ["a device ten minutes behind whose receiver tells the true time", noon - 3000, noon - 600_000, noon, 3000],
    ["a receiver that hands out what it knew two hours ago", noon - 7_200_000, noon, noon, 7_200_000],
    ["a receiver that lives in another decade", noon - 1024 * 7 * 86_400_000, noon, noon, 0],
    ["a time a little ahead", noon + 400, noon, noon, 0],
]) {
    test(`the age of a fix is right with ${what}`, () => {
        const fix = fixFrom({ coords, timestamp }, 1000, { device, server });
        assert.equal(fix.ageAtArrival, age);
        assert.equal(fixAge(fix, 1500), age + 500);
    });
}
