import test from "node:test";
import assert from "node:assert/strict";
import { randomId } from "../../Web/ids.js";

test("made ids are 22 characters that the protocol allows, and differ", () => {
    assert.match(randomId(), /^[A-Za-z0-9_-]{22}$/);
    assert.notEqual(randomId(), randomId());
});
