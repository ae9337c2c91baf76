import test from "node:test";
import assert from "node:assert/strict";
import { Kept } from "../../Web/storage.js";

test("where storage is blocked memory stands in", () => {
    Object.defineProperty(globalThis, "blockedStorage", { get() { throw new Error("SecurityError"); } });
    const kept = new Kept("blockedStorage");
    kept.set("a", "1");
    assert.equal(kept.get("a"), "1");
    kept.set("a", undefined);
    assert.equal(kept.get("a"), undefined);
});

test("objects are kept, an empty one leaves nothing behind, a broken one is none", () => {
    const held = new Map([["broken", "{"], ["text", "\"x\""]]);
    globalThis.mapStorage = {
        getItem: (key) => held.get(key) ?? null, setItem: (key, value) => held.set(key, value), removeItem: (key) => held.delete(key),
    };
    const kept = new Kept("mapStorage");
    kept.setObject("a", { m: "stop" });
    assert.deepEqual(kept.getObject("a"), { m: "stop" });
    kept.setObject("a", {});
    assert.equal(held.has("a"), false);
    assert.deepEqual([kept.getObject("broken"), kept.getObject("missing")], [{}, {}]);
});
