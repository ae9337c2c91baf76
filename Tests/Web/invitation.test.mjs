import test from "node:test";
import assert from "node:assert/strict";
import { ApiError } from "../../Web/api.js";
import { Invitation, isOver } from "../../Web/invitation.js";
import { unreachable } from "./stand-ins.mjs";

const place = { code: "code", key: "0123456789abcdef" };
const over = () => new ApiError(404, "not_found", "This is no longer here.");

/** A server that answers `accept` from a list of answers and errors, and knows the chats of each token. */
function server({ token, accept, chats }) {
    const asked = [];
    const api = {
        token, asked,
        me: async () => ({ id: "kim", name: "Kim" }),
        channels: async () => chats[api.token].map((id) => ({ id })),
        as: (other) => ({ channels: async () => chats[other].map((id) => ({ id })) }),
        async acceptInvite(body) {
            asked.push(body);
            const answer = accept.shift();
            if (answer instanceof Error) throw answer;
            if (token) chats[token].push("c:new");
            return answer;
        },
    };
    return api;
}
const noWait = async () => {};

test("somebody new joins with a name and the key, and gets a token and the chat", async () => {
    const api = server({ accept: [{ token: "t" }], chats: { t: ["c:new"] } });
    const invitation = new Invitation(place, api, noWait);
    await invitation.prepare();
    assert.equal(invitation.me, null);
    assert.deepEqual(await invitation.join("Ada"), { token: "t", channel: "c:new" });
    assert.deepEqual(api.asked, [{ code: "code", key: "0123456789abcdef", name: "Ada" }]);
});

test("who has a token joins as themselves, and the chat that opens is the new one", async () => {
    const api = server({ token: "mine", accept: [{}], chats: { mine: ["c:old"] } });
    const invitation = new Invitation(place, api, noWait);
    await invitation.prepare();
    assert.equal(invitation.me.name, "Kim");
    assert.deepEqual(await invitation.join(""), { token: "mine", channel: "c:new" });
    assert.deepEqual(api.asked, [{ code: "code" }]);
});

test("a lost answer is asked for again with the same key", async () => {
    const api = server({ accept: [unreachable(), { token: "t" }], chats: { t: ["c:new"] } });
    await new Invitation(place, api, noWait).join("Ada");
    assert.deepEqual(api.asked[0], api.asked[1]);
});

test("without a line it gives up after the second attempt and says why", async () => {
    const api = server({ accept: [unreachable(), unreachable()], chats: {} });
    await assert.rejects(new Invitation(place, api, noWait).join("Ada"), /No connection/);
    assert.equal(api.asked.length, 2);
});

test("an invite that is over is not asked for again", async () => {
    const api = server({ accept: [over()], chats: {} });
    await assert.rejects(new Invitation(place, api, noWait).join("Ada"), isOver);
    assert.equal(api.asked.length, 1);
    assert.equal(isOver(unreachable()), false);
});

test("joined is joined, even if the chats cannot be read", async () => {
    const api = server({ accept: [{ token: "t" }], chats: {} });
    assert.deepEqual(await new Invitation(place, api, noWait).join("Ada"), { token: "t", channel: undefined });
});
