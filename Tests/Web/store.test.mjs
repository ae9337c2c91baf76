import test from "node:test";
import assert from "node:assert/strict";
import { emptyState, reduce } from "../../Web/store.js";
import { audience, channelName, myActiveShares, peopleOnMap, sharesFedBy } from "../../Web/selectors.js";

const start = Date.parse("2026-11-30T12:00:00.000Z");
const at = (seconds) => new Date(start + seconds * 1000).toISOString();
const user = (id) => ({ id, name: id.toUpperCase() });
const share = (id, fields = {}) => ({
    message_id: id, channel_id: "c:1", user_id: "mo", device_id: "d", latitude: 60, longitude: 24, recorded_at: at(0),
    created_at: at(0), updated_at: at(0), end_at: at(600), ...fields,
});
const message = (id, seconds, fields = {}) => ({
    id, channel_id: "c:1", user: user("mo"), text: id, created_at: at(seconds), updated_at: at(seconds), ...fields,
});
const run = (...actions) => actions.reduce(reduce, emptyState);
const ids = (state) => state.timelines["c:1"].messages.map((m) => m.id);
const page = (messages, limit = 3) => ({ type: "newestPageReceived", cid: "c:1", messages, limit });

test("a share that ended never comes back to life", () => {
    const ended = share("m", { ended_at: at(10), ended_reason: "stopped", updated_at: at(10) });
    for (const late of [share("m"), share("m", { updated_at: at(20), recorded_at: at(20) })]) {
        const state = run({ type: "shareReceived", share: ended }, { type: "shareReceived", share: late });
        assert.equal(state.shares.m.ended_reason, "stopped");
        assert.equal(peopleOnMap(state, "c:1", start + 30_000).live.length, 0);
    }
});

test("no pin ever moves back", () => {
    const fix = (seconds, latitude) => ({ type: "fixReceived",
        fix: { message_id: "m", latitude, longitude: 24, recorded_at: at(seconds) } });
    const state = run({ type: "shareReceived", share: share("m") }, fix(10, 61), fix(4, 59), fix(5, 58), fix(9.9, 57));
    assert.equal(state.shares.m.latitude, 61);
    const merged = reduce(state, { type: "shareReceived", share: share("m", { updated_at: at(11), recorded_at: at(3) }) });
    assert.equal(merged.shares.m.latitude, 61);
});

test("what a fix does not say is absent afterwards", () => {
    const state = run({ type: "shareReceived", share: share("m", { heading: 90, accuracy: 5 }) },
        { type: "fixReceived", fix: { message_id: "m", latitude: 1, longitude: 0, accuracy: 7, recorded_at: at(1) } });
    assert.equal(state.shares.m.accuracy, 7);
    assert.equal("heading" in state.shares.m, false);
    assert.equal(state.shares.m.longitude, 0);
});

test("a fix after the end, or for an unknown share, changes nothing", () => {
    const ended = run({ type: "shareReceived", share: share("m", { ended_at: at(10) }) });
    const fix = { message_id: "m", latitude: 1, longitude: 1, recorded_at: at(20) };
    assert.equal(reduce(ended, { type: "fixReceived", fix }), ended);
    assert.equal(reduce(ended, { type: "fixReceived", fix: { ...fix, message_id: "x" } }), ended);
});

test("an older state never undoes a change of the end", () => {
    const state = run({ type: "shareReceived", share: share("m", { end_at: at(900), updated_at: at(20) }) },
        { type: "shareReceived", share: share("m", { end_at: at(600), updated_at: at(10), recorded_at: at(15), latitude: 61 }) });
    assert.equal(state.shares.m.end_at, at(900));
    assert.equal(state.shares.m.latitude, 61);
});

test("an erased position is forgotten", () => {
    const { latitude: _, longitude: __, ...erased } = share("m", { erased: true, updated_at: at(5) });
    const state = run({ type: "shareReceived", share: share("m") }, { type: "shareReceived", share: erased });
    assert.equal("latitude" in state.shares.m, false);
});

test("a share that the server no longer lists is asked for, not guessed", () => {
    const state = run({ type: "shareReceived", share: share("m") },
        { type: "channelStateReceived", cid: "c:1", shares: [share("n", { user_id: "ada" })] });
    assert.deepEqual(Object.keys(state.doubted), ["m"]);
    assert.equal(state.shares.m.ended_at, undefined);
    const known = reduce(state, { type: "messageChanged",
        message: message("m", 0, { shared_location: share("m", { ended_at: at(5), updated_at: at(5) }) }) });
    assert.deepEqual(known.doubted, {});
});

test("shares of another channel are not doubted", () => {
    const state = run({ type: "shareReceived", share: share("m", { channel_id: "c:2" }) },
        { type: "channelStateReceived", cid: "c:1", shares: [] });
    assert.deepEqual(state.doubted, {});
});

test("messages are kept once each, in the order of their times", () => {
    const state = run(page([message("a", 1), message("b", 2)]), { type: "messageReceived", message: message("d", 4) },
        { type: "messageReceived", message: message("c", 3) }, { type: "messageReceived", message: message("d", 4) });
    assert.deepEqual(ids(state), ["a", "b", "c", "d"]);
});

test("a newest page that touches what is held keeps the earlier ones", () => {
    const state = run(page([message("b", 2), message("c", 3), message("d", 4)]),
        { type: "earlierPageReceived", cid: "c:1", messages: [message("a", 1)], limit: 3 },
        page([message("d", 4), message("e", 5), message("f", 6)]));
    assert.deepEqual(ids(state), ["a", "b", "c", "d", "e", "f"]);
    assert.equal(state.timelines["c:1"].hasEarlier, false);
});

test("after a gap too wide to see over the conversation starts anew", () => {
    const state = run(page([message("a", 1), message("b", 2), message("c", 3)]),
        page([message("x", 7), message("y", 8), message("z", 9)]));
    assert.deepEqual(ids(state), ["x", "y", "z"]);
    assert.equal(state.timelines["c:1"].hasEarlier, true);
});

test("a message that came while the page was on its way stays, one that the page lacks inside goes", () => {
    const state = run({ type: "messageReceived", message: message("new", 9) }, page([message("a", 1), message("c", 3)]),
        { type: "messageReceived", message: message("b", 2) }, page([message("a", 1), message("c", 3)]));
    assert.deepEqual(ids(state), ["a", "c", "new"]);
    assert.deepEqual(ids(run({ type: "messageReceived", message: message("new", 9) }, page([]))), ["new"]);
});

test("a page shorter than asked for is the beginning", () => {
    assert.equal(run(page([message("a", 1)])).timelines["c:1"].hasEarlier, false);
});

test("a waiting message leaves the outbox when it arrives by any way", () => {
    const entry = { id: "mine", text: "hi", createdAt: at(0) };
    const failed = run({ type: "queued", cid: "c:1", entry },
        { type: "sendFailed", cid: "c:1", id: "mine", reason: "no", temporary: true });
    assert.equal(failed.outbox["c:1"][0].state, "failed");
    assert.equal(reduce(failed, { type: "resent", cid: "c:1", id: "mine" }).outbox["c:1"][0].state, "sending");
    assert.deepEqual(reduce(failed, { type: "messageReceived", message: message("mine", 1) }).outbox["c:1"], []);
    assert.deepEqual(reduce(failed, { type: "discarded", cid: "c:1", id: "mine" }).outbox["c:1"], []);
});

test("a message that is gone takes its share along", () => {
    const state = run(page([message("m", 1, { shared_location: share("m") })]), { type: "messageLost", id: "m" });
    assert.deepEqual(ids(state), []);
    assert.deepEqual(state.shares, {});
});

test("a device feeds the shares it created or was named for", () => {
    const state = run({ type: "meReceived", user: user("mo") }, { type: "shareReceived", share: share("a") },
        { type: "shareReceived", share: share("b", { fed_by: "phone" }) },
        { type: "shareReceived", share: share("x", { user_id: "ada" }) });
    assert.deepEqual(sharesFedBy(state, "d", start).map((s) => s.message_id), ["a"]);
    assert.deepEqual(sharesFedBy(state, "phone", start).map((s) => s.message_id), ["b"]);
    assert.equal(myActiveShares(state, start).length, 2);
    assert.equal(myActiveShares(state, start + 600_000).length, 0);
});

test("who is live again is not listed among the ended", () => {
    const ended = share("a", { ended_at: at(10), ended_reason: "replaced" });
    const state = run({ type: "shareReceived", share: ended }, { type: "shareReceived", share: share("b", { created_at: at(10) }) },
        { type: "shareReceived", share: share("k", { user_id: "kim", ended_at: at(5) }) });
    const { live, ended: over } = peopleOnMap(state, "c:1", start + 20_000);
    assert.deepEqual(live.map((s) => s.message_id), ["b"]);
    assert.deepEqual(over.map((s) => s.message_id), ["k"]);
    assert.deepEqual(peopleOnMap(state, "c:1", start + 306_000).ended, []);
});

test("a chat without a name is called by its other people, else by its id", () => {
    const channels = { type: "channelsReceived", channels: [{ id: "c:1", member_count: 3 }] };
    const state = run({ type: "meReceived", user: user("mo") }, channels);
    assert.equal(channelName(state, "c:1"), "1");
    const known = reduce(state, { type: "membersReceived", cid: "c:1", members: ["mo", "ada", "kim"].map((id) => ({ user: user(id) })) });
    assert.equal(channelName(known, "c:1"), "ADA, KIM");
    assert.equal(audience(known, share("a")), 2);
    assert.equal(audience(known, share("a", { audience: 5 })), 5);
});

test("a deleted message takes its position along, and no late event brings it back", () => {
    const state = run(page([message("m", 1, { shared_location: share("m") })]),
        { type: "messageChanged", message: message("m", 1, { text: "", deleted_at: at(5), updated_at: at(5) }) },
        { type: "shareReceived", share: share("m", { ended_at: at(5), updated_at: at(5) }) });
    assert.deepEqual(ids(state), ["m"]);
    assert.deepEqual(state.shares, {});
});

test("a change of a message from before what was read makes no hole", () => {
    const state = run(page([message("b", 2), message("c", 3), message("d", 4)]),
        { type: "messageChanged", message: message("old", 0, { shared_location: share("old", { ended_at: at(9) }) }) });
    assert.deepEqual(ids(state), ["b", "c", "d"]);
    assert.equal(state.shares.old.ended_at, at(9));
});

test("replies are in no conversation and move no chat up", () => {
    const reply = message("r", 5, { parent_id: "a" });
    const before = run(page([message("a", 1)]));
    assert.equal(reduce(before, { type: "messageReceived", message: reply }), before);
    assert.deepEqual(ids(run(page([message("a", 1), reply]))), ["a"]);
});

test("a page that was long on its way undoes no edit and no deletion", () => {
    const state = run({ type: "messageReceived", message: message("a", 1) }, { type: "messageReceived", message: message("b", 2) },
        { type: "messageChanged", message: message("a", 1, { text: "better", updated_at: at(8) }) },
        { type: "messageChanged", message: message("b", 2, { text: "", updated_at: at(9), deleted_at: at(9) }) },
        page([message("a", 1), message("b", 2)]));
    assert.deepEqual(state.timelines["c:1"].messages.map((m) => [m.text, m.deleted_at]), [["better", undefined], ["", at(9)]]);
});
