import test from "node:test";
import assert from "node:assert/strict";
import { ApiError } from "../../Web/api.js";
import { Sync } from "../../Web/sync.js";
import { at, knownStore, message, settled, share, unreachable } from "./stand-ins.mjs";

const trouble = () => new ApiError(503, "unavailable", "The server has a problem.");

function syncWith(api, cid = "c:1") {
    const { store, clock } = knownStore();
    const calls = [];
    const counted = new Proxy({
        channels: async () => [{ id: "c:1", name: "One" }, { id: "c:2", name: "Two" }],
        messages: async () => [], members: async () => [], message: async () => { throw trouble(); }, ...api,
    }, { get: (all, name) => (...given) => (calls.push(name), all[name](...given)) });
    const idle = { resume: async () => {}, retry() {}, wake() {} };
    const sync = new Sync({ api: counted, store, clock, sharing: idle, stops: idle, outbox: idle });
    sync.attach({ events: { send() {} }, navigation: { ui: { cid } } });
    return { sync, store, calls };
}
const count = (calls, name) => calls.filter((call) => call === name).length;

test("a chat that cannot be read says why and is read again until it can", async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    let isUp = false;
    const { sync, store } = syncWith({ messages: async () => {
        if (!isUp) throw unreachable();
        return [message("m")];
    } });
    await sync.openChannel("c:1");
    assert.match(store.state.unread["c:1"], /No connection/);
    isUp = true;
    t.mock.timers.tick(1000);
    await settled();
    assert.equal(store.state.timelines["c:1"].isKnown, true);
    assert.deepEqual(store.state.unread, {});
});

test("previews are read once per connection, not at each look at the tab", async () => {
    const { sync, calls } = syncWith({});
    await sync.converge();
    assert.equal(count(calls, "messages"), 2);
    await sync.converge();
    assert.equal(count(calls, "messages"), 3);
    sync.received({ event: "hello", server_time: at(0), user: { id: "mo", name: "Mo" } });
    await sync.converge();
    assert.equal(count(calls, "messages"), 5);
});

test("a doubted share is asked for with waits while the server is in trouble, not with every change", async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const { store, calls } = syncWith({});
    store.dispatch({ type: "shareReceived", share: share("m") });
    store.dispatch({ type: "channelStateReceived", cid: "c:1", shares: [] });
    for (let i = 1; i <= 5; i++) {
        await settled();
        store.dispatch({ type: "shareReceived", share: share("n", { updated_at: at(i) }) });
    }
    await settled();
    assert.equal(count(calls, "message"), 1);
    t.mock.timers.tick(1000);
    await settled();
    assert.equal(count(calls, "message"), 2);
});

test("a chat that is not there for me is taken from the list", async () => {
    const { sync, store } = syncWith({ messages: async () => { throw new ApiError(404, "not_found", "gone"); } });
    await sync.converge();
    assert.deepEqual(store.state.order, ["c:2"]);
});

test("a reply stays in its thread, and an edit and a deletion are taken over", () => {
    const { sync, store } = syncWith({});
    const told = (event, told) => sync.received({ event, channel_id: "c:1", message: told });
    told("message.new", message("m", { text: "hi" }));
    told("message.new", message("r", { text: "re", parent_id: "m" }));
    told("message.updated", message("r", { text: "re!", parent_id: "m" }));
    told("message.updated", message("m", { text: "hello", updated_at: at(9) }));
    assert.deepEqual(store.state.timelines["c:1"].messages.map((held) => held.text), ["hello"]);
    told("message.deleted", message("m", { deleted_at: at(10), updated_at: at(10) }));
    assert.equal(store.state.timelines["c:1"].messages[0].deleted_at, at(10));
});

test("a server in trouble is asked for the lists again while the line lives", async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    let isUp = false;
    const { sync, store } = syncWith({ channels: async () => {
        if (!isUp) throw trouble();
        return [{ id: "c:1", name: "One" }];
    } });
    store.dispatch({ type: "connectionChanged", connection: "live" });
    await sync.converge();
    assert.equal(store.state.channelsKnown, false);
    isUp = true;
    t.mock.timers.tick(1000);
    await settled();
    assert.equal(store.state.channelsKnown, true);
});
