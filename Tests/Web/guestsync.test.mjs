import test from "node:test";
import assert from "node:assert/strict";
import { ApiError } from "../../Web/api.js";
import { GuestSync, outlivesLink } from "../../Web/guestsync.js";
import { Store } from "../../Web/store.js";
import { at, message, settled, share, start, unreachable } from "./stand-ins.mjs";

function guest(read) {
    const store = new Store();
    const sent = [];
    const over = [];
    const sync = new GuestSync({
        api: { message: read }, store, clock: { restart() {}, observe() {} }, messageId: "m", onOver: (code) => over.push(code),
    });
    sync.attach({ events: { send: (op, fields) => sent.push([op, fields]) } });
    return { sync, store, sent, over };
}
const told = (id) => async () => message(id, { shared_location: share(id) });

test("it subscribes to the one share and reads its message", async () => {
    const { sync, store, sent } = guest(told("m"));
    await sync.converge();
    assert.deepEqual(sent, [["subscribe", { share: "m" }]]);
    assert.equal(store.state.shares.m.latitude, 60);
    assert.equal(store.state.users.mo.name, "Mo");
});

test("the share's events move it, change it and end it", async () => {
    const { sync, store } = guest(told("m"));
    sync.received({ event: "share.state", location: share("m") });
    sync.received({ event: "location.updated", message_id: "m", latitude: 61, longitude: 24, recorded_at: at(5) });
    assert.equal(store.state.shares.m.latitude, 61);
    const moved = { latitude: 61, recorded_at: at(5) };
    sync.received({ event: "location.changed", location: share("m", { ...moved, end_at: at(900), updated_at: at(6) }) });
    assert.equal(store.state.shares.m.end_at, at(900));
    sync.received({ event: "location.ended", location: share("m", { ...moved, ended_at: at(7), updated_at: at(7) }) });
    assert.equal(store.state.shares.m.ended_at, at(7));
});

test("without a line it says why and reads again", async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    let isUp = false;
    const { sync, store, over } = guest(async () => {
        if (!isUp) throw unreachable();
        return message("m", { shared_location: share("m") });
    });
    await sync.converge();
    assert.match(store.state.unread.m, /No connection/);
    isUp = true;
    t.mock.timers.tick(1000);
    await settled();
    assert.equal(store.state.shares.m.latitude, 60);
    assert.deepEqual(over, []);
});

test("a refused subscription is tried again, one to nothing is the end", async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const { sync, sent, over } = guest(told("m"));
    sync.received({ event: "error", code: "rate_limited" });
    t.mock.timers.tick(1000);
    assert.equal(sent.length, 1);
    sync.received({ event: "error", code: "not_found" });
    assert.deepEqual(over, ["not_found"]);
});

test("a message that is not there is the end", async () => {
    const { sync, over } = guest(async () => { throw new ApiError(404, "not_found", "gone"); });
    await sync.converge();
    assert.deepEqual(over, ["not_found"]);
});

const now = start + 700_000;
for (const [what, held, expected] of [
    ["a share that ended", share("m"), true],
    ["a share that was stopped", share("m", { end_at: at(900), ended_at: at(650), ended_reason: "stopped" }), true],
    ["a share that goes on: its link was taken back", share("m", { end_at: at(900) }), false],
    ["a deleted share", share("m", { ended_at: at(650), ended_reason: "deleted" }), false],
    ["a place", share("m", { end_at: undefined }), false],
    ["nothing", undefined, false],
]) {
    test(`${what} ${expected ? "stays" : "does not stay"} to be seen when the link dies`, () => {
        assert.equal(outlivesLink(held, now), expected);
    });
}
