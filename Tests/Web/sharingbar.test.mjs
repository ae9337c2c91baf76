import test from "node:test";
import assert from "node:assert/strict";
import { barLine } from "../../Web/views/sharingbar.js";
import { at, knownStore, share, start } from "./stand-ins.mjs";

function line(shares, { seconds = 0, locator = "tracking", wishes = {}, isDelayed = false, devices = [] } = {}) {
    const { store } = knownStore();
    store.dispatch({ type: "devicesReceived", devices });
    for (const held of shares) store.dispatch({ type: "shareReceived", share: held });
    store.dispatch({ type: "endWished", wishes });
    if (isDelayed) store.dispatch({ type: "endsDelayed" });
    return barLine(store.state, start + seconds * 1000,
        { cid: "c:1", deviceId: "d", locator, isSecure: true, locale: "en-IE", timeZone: "UTC" });
}

test("while the position gets through the bar is live and has nothing to add", () => {
    assert.deepEqual(line([share("m", { audience: 3 })], { seconds: 20 }),
        { headline: "Sharing here · 10 min · 3 people can see you", detail: "", phase: "live", isFed: true });
});

test("an approximate share says what others see, unless there is trouble to be told", () => {
    const vague = share("m", { precision: "approximate" });
    assert.equal(line([vague], { seconds: 20 }).detail, "Approximate, about 1 km");
    assert.equal(line([vague], { seconds: 36 }).detail, "Others see where you were 36 s ago.");
    assert.equal(line([vague, share("n", { channel_id: "c:2" })], { seconds: 20 }).detail, "");
});

test("half a minute without a fix that got through is said, even inside the promise of the next one", () => {
    const { phase, detail } = line([share("m", { next_within: 30 })], { seconds: 36 });
    assert.equal(phase, "stale");
    assert.equal(detail, "Others see where you were 36 s ago.");
});

const phone = { id: "phone", name: "Mo's phone", platform: "other" };

test("a phone that feeds the share is named, with how old its position is", () => {
    const fed = share("m", { fed_by: "phone", next_within: 30 });
    const { phase, detail, isFed } = line([fed], { seconds: 50, locator: "off", devices: [phone] });
    assert.deepEqual([phase, detail, isFed], ["live", "Updated by \u2068Mo's phone\u2069 · 50 s ago", false]);
    const vague = { ...fed, precision: "approximate" };
    assert.match(line([vague], { seconds: 5, devices: [phone] }).detail, /phone\u2069 · 5 s ago · Approximate, about 1 km$/);
    assert.match(line([fed]).detail, /^Updated by \u2068another device\u2069/);
});

test("a silent phone that feeds the share is told of as well", () => {
    const fed = share("m", { fed_by: "phone", next_within: 30 });
    const { phase, detail } = line([fed], { seconds: 130, locator: "off", devices: [phone] });
    assert.deepEqual([phase, detail],
        ["stale", "Updated by \u2068Mo's phone\u2069. Others see where you were 2 min ago."]);
});

test("of shares fed by several devices all are named", () => {
    const shares = [share("m", { fed_by: "phone" }), share("n", { channel_id: "c:2" })];
    assert.match(line(shares, { devices: [phone] }).detail,
        /^Updated by \u2068Mo's phone\u2069, \u2068This browser\u2069 · now$/);
});

test("a receiver without a fix says so, and how old the shown position is", () => {
    assert.equal(line([share("m")], { seconds: 40, locator: "waiting" }).detail,
        "Waiting for GPS… Others see where you were 40 s ago.");
});

test("without permission the headline itself is that sharing is paused", () => {
    const { headline, detail, phase } = line([share("m")], { locator: "denied" });
    assert.deepEqual([headline, phase], ["Sharing paused", "stale"]);
    assert.match(detail, /^Location is off for this site/);
});

test("a stop that has not got through is no sharing any more, and says what it waits for", () => {
    const wishes = { m: "stop" };
    assert.deepEqual(line([share("m")], { wishes }), { headline: "Stopping…", detail: "", phase: "stale", isFed: false });
    assert.match(line([share("m")], { wishes, isDelayed: true }).detail, /stops as soon as/);
    const other = share("n", { channel_id: "c:2", end_at: at(300) });
    assert.match(line([share("m"), other], { wishes }).headline, /^Sharing in 2 · 5 min/);
});
