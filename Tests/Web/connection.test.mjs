import test from "node:test";
import assert from "node:assert/strict";
import { backoffMillis } from "../../Web/backoff.js";
import { ConnectionMachine } from "../../Web/connection.js";

const names = (actions) => actions.map((action) => action.do);

function liveMachine() {
    const machine = new ConnectionMachine(() => 1);
    machine.started(0);
    machine.hello(100, 25);
    return machine;
}

test("a hello makes it live and asks for the truth", () => {
    const machine = new ConnectionMachine(() => 1);
    assert.deepEqual(names(machine.started(0)), ["connect"]);
    assert.deepEqual(names(machine.hello(100, 25)), ["converge"]);
    assert.equal(machine.state, "live");
});

test("waits double up to half a minute and are jittered between half and whole", () => {
    assert.deepEqual([0, 1, 2, 3, 4, 5, 50].map((n) => backoffMillis(n, () => 1)), [1000, 2000, 4000, 8000, 16000, 30000, 30000]);
    assert.deepEqual([0, 3, 50].map((n) => backoffMillis(n, () => 0)), [500, 4000, 15000]);
});

test("it comes back when the wait is over and not before", () => {
    const machine = liveMachine();
    assert.deepEqual(machine.closed(1000, 1001), [{ do: "wait", millis: 1000 }]);
    assert.deepEqual(machine.ticked(1999), []);
    assert.deepEqual(names(machine.ticked(2000)), ["connect"]);
});

test("failures in a row wait longer, a hello starts anew", () => {
    const machine = liveMachine();
    let now = 1000;
    const waits = [];
    for (let i = 0; i < 4; i++) {
        const wait = machine.closed(now, 1006).find((action) => action.do === "wait").millis;
        waits.push(wait);
        now += wait;
        machine.ticked(now);
    }
    assert.deepEqual(waits, [1000, 2000, 4000, 8000]);
    machine.hello(now, 25);
    assert.equal(machine.closed(now, 1006).find((action) => action.do === "wait").millis, 1000);
});

test("a socket that never opened has its token looked at", () => {
    const machine = new ConnectionMachine(() => 1);
    machine.started(0);
    assert.deepEqual(names(machine.closed(5, 1006)), ["checkToken", "wait"]);
    assert.deepEqual(names(liveMachine().closed(5, 1006)), ["wait"]);
});

test("waking connects at once instead of waiting", () => {
    const machine = liveMachine();
    machine.closed(1000, 1006);
    assert.deepEqual(names(machine.woken(1001)), ["connect"]);
});

test("waking while live asks whether the line still lives, and drops it when no answer comes", () => {
    const machine = liveMachine();
    assert.deepEqual(names(machine.woken(1000)), ["ping", "converge"]);
    assert.deepEqual(machine.woken(1001), []);
    assert.deepEqual(machine.ticked(6000), []);
    assert.deepEqual(names(machine.ticked(6001)), ["close", "wait"]);
});

test("an answer to the ping keeps the line", () => {
    const machine = liveMachine();
    machine.woken(1000);
    machine.heard(1500);
    assert.deepEqual(machine.ticked(20_000), []);
});

test("two missed heartbeats end a line that looks open", () => {
    const machine = liveMachine();
    assert.deepEqual(machine.ticked(55_000), []);
    assert.deepEqual(names(machine.ticked(55_101)), ["close", "wait"]);
});

test("a handshake without hello is given up after ten seconds", () => {
    const machine = new ConnectionMachine(() => 1);
    machine.started(0);
    assert.deepEqual(machine.ticked(10_000), []);
    assert.deepEqual(names(machine.ticked(10_001)), ["close", "checkToken", "wait"]);
});

for (const code of [4401, 4403]) {
    test(`close code ${code} is the end of trying`, () => {
        const machine = liveMachine();
        assert.deepEqual(machine.closed(1000, code), []);
        assert.equal(machine.state, "expired");
        assert.deepEqual([...machine.woken(2000), ...machine.ticked(99_999), ...machine.started(3000)], []);
    });
}

test("a late close of a socket that is already replaced by waiting changes nothing", () => {
    const machine = liveMachine();
    machine.closed(1000, 1006);
    assert.deepEqual(machine.closed(1001, 1006), []);
});

test("after a jump of the clock a new hello is fetched, from a live line and from a waiting one", () => {
    const machine = liveMachine();
    assert.deepEqual(names(machine.renewed(1000)), ["close", "connect"]);
    assert.equal(machine.state, "connecting");
    assert.deepEqual(machine.renewed(1001), []);
    machine.closed(1002, 1006);
    assert.deepEqual(names(machine.renewed(1003)), ["close", "connect"]);
});
