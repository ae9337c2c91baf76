import test from "node:test";
import assert from "node:assert/strict";
import { enter, hasSecret, keepInvite, readAddress, readFragment, writeFragment } from "../../Web/entrance.js";
import { memory } from "./stand-ins.mjs";

const address = (text) => {
    const { pathname, hash } = new URL(text, "http://yonder.test");
    return { pathname, hash };
};

/** What enter() returns and leaves in the address bar. */
function entered(text, kept = memory()) {
    const shown = [];
    globalThis.history = { replaceState: (state, title, url) => shown.push(url) };
    return { place: enter(address(text), kept), shown: shown.at(-1), kept };
}

test("a fragment gives token, channel and view, and is written again without the token", () => {
    const place = readFragment("#token=a.b-c_d&channel=messaging:demo&view=map");
    assert.deepEqual(place, { token: "a.b-c_d", channel: "messaging:demo", view: "map" });
    assert.equal(writeFragment(place), "#channel=messaging:demo&view=map");
    assert.equal(writeFragment(readFragment("#view=other")), "");
});

for (const [text, way, isSecret] of [
    ["/", "chats", false], ["/#channel=c:1&view=map", "chats", false], ["/#token=a.b.c", "chats", true],
    ["/#login=abc-_1", "login", true], ["/#login=", "chats", false], ["/join", "invite", false], ["/join#abc-_1", "invite", true],
    ["/s/m-1_A", "share", false], ["/s/m-1_A#abc", "share", true], ["/s/not:one#abc", "share", true],
]) {
    test(`${text} is the way of ${way}${isSecret ? ", with a secret" : ""}`, () => {
        assert.equal(readAddress(address(text)).way, way);
        assert.equal(hasSecret(address(text)), isSecret);
    });
}

test("a token leaves the address, the place stays", () => {
    const { place, shown, kept } = entered("/#token=a.b.c&channel=c:1&view=map");
    assert.deepEqual(place, { way: "chats", token: "a.b.c", channel: "c:1", view: "map" });
    assert.equal(shown, "/#channel=c:1&view=map");
    assert.equal(entered("/#channel=c:1", kept).place.token, "a.b.c");
});

test("an invite's code leaves the address and is there again after a reload, with the same key", () => {
    const { place, shown, kept } = entered("/join#secret");
    assert.equal(shown, "/join");
    assert.equal(place.code, "secret");
    assert.ok(place.key.length >= 16);
    assert.deepEqual(entered("/join", kept).place, place);
});

test("a login code leaves the address, waits for a reload, and gives way to a token", () => {
    const { place, shown, kept } = entered("/#login=secret");
    assert.deepEqual(place, { way: "login", code: "secret", token: undefined });
    assert.equal(shown, "/");
    assert.equal(entered("/", kept).place.code, "secret");
    assert.equal(entered("/#token=a.b.c", kept).place.way, "chats");
    assert.equal(entered("/", kept).place.way, "chats");
});

test("whoever has a token in this tab keeps it beside an invite", () => {
    const kept = memory();
    entered("/#token=a.b.c", kept);
    assert.equal(entered("/join#secret", kept).place.token, "a.b.c");
});

test("a view link's token leaves the address, waits for a reload, and never takes the place of one's own", () => {
    const kept = memory();
    entered("/#token=a.b.c", kept);
    const { place, shown } = entered("/s/m1#secret", kept);
    assert.deepEqual(place, { way: "share", message: "m1", token: "secret" });
    assert.equal(shown, "/s/m1");
    entered("/s/m2#other", kept);
    assert.equal(entered("/s/m1", kept).place.token, "secret");
    assert.equal(entered("/s/m3", kept).place.token, undefined);
    assert.equal(entered("/", kept).place.token, "a.b.c");
    assert.equal(entered("/s/not:one#secret", kept).place.message, undefined);
});

test("another code gets another key", () => {
    const kept = memory();
    const first = keepInvite("one", kept);
    assert.equal(keepInvite("one", kept).key, first.key);
    assert.notEqual(keepInvite("two", kept).key, first.key);
});

test("the address of invites without a code leads to the chats", () => {
    const { place, shown } = entered("/join");
    assert.equal(place.way, "chats");
    assert.equal(shown, "/");
});
