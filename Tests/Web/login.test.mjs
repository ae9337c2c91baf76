import test from "node:test";
import assert from "node:assert/strict";
import { ApiError } from "../../Web/api.js";
import { loginTrouble } from "../../Web/login.js";
import { unreachable } from "./stand-ins.mjs";

test("a code that was used says so and what to do", () => {
    const trouble = loginTrouble(new ApiError(404, "not_found", "This is no longer here."));
    assert.equal(trouble.isFinal, true);
    assert.match(trouble.title, /was used/);
    assert.match(trouble.more, /new one on your other device/);
});

test("without a line the code may still be good", () => {
    assert.deepEqual(loginTrouble(unreachable()),
        { title: "You are not in yet", more: "No connection to the server.", isFinal: false });
});
