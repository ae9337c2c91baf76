import test from "node:test";
import assert from "node:assert/strict";
import { Api, errorWords } from "../../Web/api.js";

test("errors say what happened and never show a code", () => {
    assert.match(errorWords(403, "location_sharing_disabled"), /off in this chat/);
    assert.match(errorWords(0, "unreachable"), /No connection/);
    assert.match(errorWords(503, "unavailable"), /server has a problem/);
    assert.match(errorWords(422, "invalid_argument"), /did not accept/);
});

test("what the server writes for programmers is shown to nobody, and a refused token is told with its reason", async () => {
    const answer = { code: "unauthenticated", detail: "kid 7 of JWS is unknown" };
    globalThis.fetch = async () => new Response(JSON.stringify(answer), { status: 401 });
    let refused;
    const api = new Api("t", (code) => { refused = code; });
    await assert.rejects(api.me(), (error) => !error.message.includes("JWS") && error.isTemporary === false);
    assert.equal(refused, "unauthenticated");
});
