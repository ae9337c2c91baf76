import test from "node:test";
import assert from "node:assert/strict";
import { sharesFedBy } from "../../Web/selectors.js";
import { Stops } from "../../Web/stops.js";
import { at, knownStore, memory, message, settled, share, start, unreachable } from "./stand-ins.mjs";

const key = "yonder.stopping";
const stopped = (id) => share(id, { ended_at: at(1), ended_reason: "stopped", updated_at: at(1) });

test("a stop that does not get through is remembered, feeds nothing, and is repeated when the line is back", async () => {
    const { store, clock } = knownStore();
    const kept = memory();
    let isUp = false;
    const asked = [];
    const api = { async stop(id) {
        asked.push(id);
        if (!isUp) throw unreachable();
        return stopped(id);
    } };
    const stops = new Stops({ api, store, clock, kept });
    store.dispatch({ type: "shareReceived", share: share("m") });
    stops.stop(["m"]);
    await settled();
    assert.deepEqual(sharesFedBy(store.state, "d", start), []);
    assert.deepEqual(kept.objects[key], { m: "stop" });
    assert.equal(store.state.areEndsDelayed, true);
    isUp = true;
    stops.retry();
    await settled();
    assert.deepEqual(asked, ["m", "m"]);
    assert.equal(store.state.shares.m.ended_reason, "stopped");
    assert.deepEqual([store.state.wishes, kept.objects[key], store.state.areEndsDelayed], [{}, {}, false]);
});

test("a wish from before a reload is granted as soon as its share shows", async () => {
    const { store, clock } = knownStore();
    const asked = [];
    const api = { stop: async (id) => (asked.push(id), stopped(id)) };
    new Stops({ api, store, clock, kept: memory({ [key]: { m: "stop" } }) });
    await settled();
    assert.deepEqual(asked, []);
    store.dispatch({ type: "mySharesReceived", shares: [share("m")] });
    assert.deepEqual(sharesFedBy(store.state, "d", start), []);
    await settled();
    assert.deepEqual(asked, ["m"]);
});

test("a send that was taken back is deleted when it got through after all, static or live", async () => {
    for (const end_at of [undefined, at(600)]) {
        const { store, clock } = knownStore();
        const deleted = [];
        const api = { deleteMessage: async (id) => (deleted.push(id), message(id, { deleted_at: at(1) })) };
        const stops = new Stops({ api, store, clock, kept: memory() });
        stops.withdraw("m");
        await settled();
        store.dispatch({ type: "messageReceived", message: message("m", { shared_location: share("m", { end_at }) }) });
        await settled();
        assert.deepEqual(deleted, ["m"]);
        assert.deepEqual([store.state.shares, store.state.wishes], [{}, {}]);
    }
});

test("a share that ended by itself needs no stop any more, and one that is gone neither", async () => {
    const { store, clock } = knownStore();
    const gone = Object.assign(new Error("gone"), { isTemporary: false });
    const stops = new Stops({ api: { stop: () => Promise.reject(gone) }, store, clock, kept: memory() });
    store.dispatch({ type: "shareReceived", share: share("m") });
    store.dispatch({ type: "shareReceived", share: stopped("n") });
    stops.stop(["m", "n"]);
    await settled();
    assert.deepEqual(store.state.wishes, {});
});

test("a dead token forgets no stop: the next link grants it", async () => {
    const { store, clock } = knownStore();
    const refused = Object.assign(new Error("expired"), { isTemporary: false, status: 401 });
    const kept = memory();
    const stops = new Stops({ api: { stop: () => Promise.reject(refused) }, store, clock, kept });
    store.dispatch({ type: "shareReceived", share: share("m") });
    stops.stop(["m"]);
    await settled();
    assert.deepEqual(kept.objects[key], { m: "stop" });
});
