import test from "node:test";
import assert from "node:assert/strict";
import { LinkMaker } from "../../Web/links.js";
import { linkableShare } from "../../Web/selectors.js";
import { at, knownStore, share, start, unreachable } from "./stand-ins.mjs";

test("a link is made once for each precision, an invite once", async () => {
    const made = [];
    const make = async (...given) => ({ url: `link ${made.push(given)}` });
    const maker = new LinkMaker({ makeLink: make, makeInvite: make }, { messageId: "m" });
    assert.equal(await maker.url("exact"), "link 1");
    assert.equal(await maker.url("exact"), "link 1");
    assert.equal(await maker.url("approximate"), "link 2");
    assert.deepEqual(made, [["m", { precision: "exact" }], ["m", { precision: "approximate" }]]);
    assert.equal(await new LinkMaker({ makeInvite: make }, { cid: "c:1" }).url("exact"), "link 3");
    assert.deepEqual(made[2], ["c:1"]);
});

test("after a failure it is tried anew", async () => {
    let attempts = 0;
    const maker = new LinkMaker({ async makeLink() {
        attempts += 1;
        if (attempts === 1) throw unreachable();
        return { url: "link" };
    } }, { messageId: "m" });
    await assert.rejects(maker.url("exact"), /No connection/);
    assert.equal(await maker.url("exact"), "link");
});

for (const [what, shares, expected] of [
    ["no share", [], undefined],
    ["the only share, wherever", [share("m", { channel_id: "c:2" })], "m"],
    ["the share here, of several", [share("m", { channel_id: "c:2", end_at: at(300) }), share("n")], "n"],
    ["none of several elsewhere", [share("m", { channel_id: "c:2" }), share("n", { channel_id: "c:3" })], undefined],
    ["none of somebody else's", [share("m", { user_id: "ada" })], undefined],
]) {
    test(`the link is to ${what}`, () => {
        const { store } = knownStore();
        for (const held of shares) store.dispatch({ type: "shareReceived", share: held });
        assert.equal(linkableShare(store.state, "c:1", start)?.message_id, expected);
    });
}

test("a share that I want to be over gets no link", () => {
    const { store } = knownStore();
    store.dispatch({ type: "shareReceived", share: share("m") });
    store.dispatch({ type: "endWished", wishes: { m: "stop" } });
    assert.equal(linkableShare(store.state, "c:1", start), undefined);
});
