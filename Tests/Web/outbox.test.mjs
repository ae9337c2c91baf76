import test from "node:test";
import assert from "node:assert/strict";
import { ApiError } from "../../Web/api.js";
import { Outbox } from "../../Web/outbox.js";
import { knownStore, message, settled, unreachable } from "./stand-ins.mjs";

function outboxWith(send) {
    const { store, clock } = knownStore();
    return { store, outbox: new Outbox({ api: { send }, store, clock }) };
}
const arrived = (cid, { id, text }) => message(id, { channel_id: cid, text });
const texts = (store, cid = "c:1") => (store.state.outbox[cid] ?? []).map((entry) => entry.text);

test("texts of one chat go one after the other, those of another chat do not wait", async () => {
    const calls = [];
    const { store, outbox } = outboxWith((cid, body) => new Promise((resolve) =>
        calls.push({ cid, text: body.text, answer: () => resolve(arrived(cid, body)) })));
    for (const text of ["one", "two"]) outbox.add("c:1", text);
    outbox.add("c:2", "other");
    await settled();
    assert.deepEqual(calls.map((call) => call.text), ["one", "other"]);
    calls[0].answer();
    await settled();
    assert.deepEqual(calls.map((call) => call.text), ["one", "other", "two"]);
    calls[2].answer();
    await settled();
    assert.deepEqual(texts(store), []);
    assert.deepEqual(texts(store, "c:2"), ["other"]);
});

test("what was written offline goes out in the order of writing, under the same ids", async () => {
    let isUp = false;
    const sent = [];
    const { store, outbox } = outboxWith(async (cid, body) => {
        if (!isUp) throw unreachable();
        sent.push(body);
        return arrived(cid, body);
    });
    for (const text of ["one", "two", "three"]) outbox.add("c:1", text);
    await settled();
    const ids = store.state.outbox["c:1"].map((entry) => entry.id);
    assert.equal(store.state.outbox["c:1"][0].temporary, true);
    isUp = true;
    outbox.wake();
    await settled();
    assert.deepEqual(sent.map((body) => body.text), ["one", "two", "three"]);
    assert.deepEqual(sent.map((body) => body.id), ids);
});

test("a failure of the moment is tried again without anybody's doing", async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    let attempts = 0;
    const { store, outbox } = outboxWith(async (cid, body) => {
        if (++attempts < 3) throw unreachable();
        return arrived(cid, body);
    });
    outbox.add("c:1", "hi");
    await settled();
    t.mock.timers.tick(1000);
    await settled();
    assert.equal(attempts, 2);
    t.mock.timers.tick(2000);
    await settled();
    assert.equal(attempts, 3);
    assert.deepEqual(texts(store), []);
});

test("a text that is refused for good stays marked and holds up none of the others", async () => {
    const { store, outbox } = outboxWith(async (cid, body) => {
        if (body.text === "bad") throw new ApiError(422, "invalid_argument", "no");
        return arrived(cid, body);
    });
    outbox.add("c:1", "bad");
    outbox.add("c:1", "good");
    await settled();
    assert.deepEqual(texts(store), ["bad"]);
    assert.equal(store.state.outbox["c:1"][0].state, "failed");
});
