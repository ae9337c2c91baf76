import test from "node:test";
import assert from "node:assert/strict";
import { ApiError } from "../../Web/api.js";
import { Sharing } from "../../Web/sharing.js";
import { at, knownStore, message, settled, share, unreachable } from "./stand-ins.mjs";

globalThis.navigator ??= {};

function sharingWith(api) {
    const { store, clock } = knownStore();
    const locator = {
        lastFix: null, needs: {}, need(who, isNeeded) { this.needs[who] = isNeeded; }, onChange(listener) { this.tell = listener; },
    };
    const all = { registerDevice: async () => {}, putFix: async () => ({}), liveLocations: async () => [], ...api };
    const sharing = new Sharing({ api: all, store, clock, locator, deviceId: "d" });
    const move = (latitude) => {
        locator.lastFix = { latitude, longitude: 24, arrivedAt: performance.now(), ageAtArrival: 0 };
        locator.tell();
    };
    return { sharing, store, locator, move };
}
const fix = () => ({ latitude: 60, longitude: 24, accuracy: 5, arrivedAt: performance.now(), ageAtArrival: 0 });

test("an approximate share says so, an exact one says nothing", async () => {
    const sent = [];
    const { sharing } = sharingWith({ async send(cid, body) {
        sent.push(body.shared_location);
        return message(body.id, { shared_location: share(body.id) });
    } });
    await sharing.send({ id: "a", cid: "c:1", seconds: 60, precision: "approximate" }, fix());
    await sharing.send({ id: "b", cid: "c:1", seconds: 0, precision: "approximate" }, fix());
    await sharing.send({ id: "c", cid: "c:1", seconds: 60 }, fix());
    assert.deepEqual(sent.map((location) => location.precision), ["approximate", "approximate", undefined]);
});

test("a live share that a phone feeds names it and promises nothing for it; this browser leaves it alone", async () => {
    const sent = [], puts = [];
    const { sharing, locator, move } = sharingWith({
        async send(cid, body) {
            sent.push(body.shared_location);
            return message(body.id, { shared_location: share(body.id, { fed_by: body.shared_location.fed_by }) });
        },
        putFix: async (body) => (puts.push(body), {}),
    });
    await sharing.send({ id: "a", cid: "c:1", seconds: 60, fedBy: "phone" }, fix());
    assert.deepEqual([sent[0].device_id, sent[0].fed_by, sent[0].next_within], ["d", "phone", undefined]);
    move(61);
    await settled();
    assert.deepEqual([puts.length, locator.needs.sharing], [0, false]);
    await sharing.send({ id: "b", cid: "c:1", seconds: 60 }, fix());
    assert.deepEqual(["fed_by" in sent[1], sent[1].next_within], [false, 30]);
});

test("a repeat goes out under the same id with an end and a position of its own moment", async () => {
    const sent = [];
    const { sharing, store } = sharingWith({ async send(cid, body) {
        sent.push([cid, body]);
        if (sent.length === 1) throw unreachable();
        return message(body.id, { shared_location: share(body.id) });
    } });
    const request = { id: "m", cid: "c:1", seconds: 60 };
    await assert.rejects(sharing.send(request, fix()));
    await sharing.send(request, { ...fix(), latitude: 61 });
    assert.deepEqual(sent.map(([cid, body]) => [cid, body.id, body.shared_location.latitude]),
        [["c:1", "m", 60], ["c:1", "m", 61]]);
    assert.equal(sent[1][1].shared_location.end_at, at(60));
    assert.ok(store.state.shares.m);
    assert.equal("ageAtArrival" in sent[0][1].shared_location, false);
});

test("where the first attempt got through after all, it stands", async () => {
    const { sharing, store } = sharingWith({
        send: () => Promise.reject(new ApiError(409, "conflict", "taken")),
        message: async (id) => message(id, { shared_location: share(id) }),
    });
    await sharing.send({ id: "m", cid: "c:1", seconds: 60 }, fix());
    assert.equal(store.state.shares.m.end_at, at(600));
});

test("fixes go to the shares that this device feeds, by name, and to none that is being stopped", async () => {
    const puts = [];
    const { store, locator, move } = sharingWith({ putFix: async (body) => (puts.push(body), {}) });
    for (const held of [share("a"), share("b", { channel_id: "c:2" }), share("c", { channel_id: "c:3", fed_by: "phone" })]) {
        store.dispatch({ type: "shareReceived", share: held });
    }
    store.dispatch({ type: "endWished", wishes: { b: "stop" } });
    move(61);
    await settled();
    assert.deepEqual(puts.map((body) => [body.latitude, body.message_ids]), [[61, ["a"]]]);
    assert.equal(locator.needs.sharing, true);
    store.dispatch({ type: "endWished", wishes: { a: "stop" } });
    assert.equal(locator.needs.sharing, false);
});

test("a fix that comes while one is under way goes after it, the newest only", async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const puts = [];
    const { store, move } = sharingWith({ putFix: (body) => new Promise((resolve) => puts.push({ body, resolve })) });
    store.dispatch({ type: "shareReceived", share: share("a") });
    for (const latitude of [61, 62, 63]) move(latitude);
    assert.equal(puts.length, 1);
    puts[0].resolve({});
    await settled();
    assert.equal(puts.length, 1);
});
