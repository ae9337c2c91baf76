import test from "node:test";
import assert from "node:assert/strict";
import { Navigation } from "../../Web/navigation.js";

/** A browser's history with its address: entries of {hash, state}. */
function browserAt(hash) {
    const entries = [{ hash, state: null }];
    let index = 0;
    let popped;
    const parse = (url) => new URL(url, "http://x").hash;
    globalThis.location = { pathname: "/", get hash() { return entries[index].hash; } };
    globalThis.addEventListener = (_, listener) => { popped = listener; };
    globalThis.history = {
        get state() { return entries[index].state; },
        pushState(state, _, url) { entries.splice(++index, Infinity, { hash: parse(url), state }); },
        replaceState(state, _, url) { entries[index] = { hash: parse(url), state }; },
        back() { index -= 1; popped(); },
    };
    return { entries, get index() { return index; } };
}
const open = (place) => new Navigation(place, { onChange() {}, onChannel() {} });

test("Back after chats and maps leads up through the screens that lie below, never into a chat again", () => {
    const browser = browserAt("");
    const navigation = open({});
    navigation.openChannel("c:1");
    navigation.openMap();
    navigation.goBack();
    assert.equal(navigation.ui.screen, "channel");
    navigation.goBack();
    assert.equal(navigation.ui.screen, "channels");
    assert.equal(browser.index, 0);
});

test("a link into a chat has no list below: the list takes its place, and Back then leaves", () => {
    const browser = browserAt("#channel=c:1");
    const navigation = open({ channel: "c:1" });
    navigation.openMap();
    navigation.goBack();
    navigation.goBack();
    assert.equal(navigation.ui.screen, "channels");
    assert.equal(browser.index, 0);
    navigation.openChannel("c:2");
    navigation.goBack();
    assert.deepEqual([navigation.ui.screen, browser.index], ["channels", 0]);
});

test("another chat drops the focus on a person", () => {
    browserAt("#channel=c:1");
    const navigation = open({ channel: "c:1" });
    navigation.change({ focus: "m", followed: "m" });
    navigation.openChannel("c:2");
    assert.deepEqual([navigation.ui.focus, navigation.ui.followed, navigation.ui.cid], [null, null, "c:2"]);
});
