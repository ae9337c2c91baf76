import test from "node:test";
import assert from "node:assert/strict";
import { readFragment, writeFragment } from "../../Web/entrance.js";

test("a fragment gives token, channel and view, and is written again without the token", () => {
    const place = readFragment("#token=a.b-c_d&channel=messaging:demo&view=map");
    assert.deepEqual(place, { token: "a.b-c_d", channel: "messaging:demo", view: "map" });
    assert.equal(writeFragment(place), "#channel=messaging:demo&view=map");
    assert.equal(writeFragment(readFragment("#view=other")), "");
});
