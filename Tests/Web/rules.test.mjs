import test from "node:test";
import assert from "node:assert/strict";
import { endMillis, isActive, isNewerFix, isRecentlyEnded, nextChange, phase, shareLines } from "../../Web/rules.js";

const start = Date.parse("2026-11-30T12:00:00.000Z");
const at = (seconds) => new Date(start + seconds * 1000).toISOString();
const now = (seconds) => start + seconds * 1000;
const live = (fields = {}) => ({
    message_id: "m", latitude: 0, longitude: 0, recorded_at: at(0), end_at: at(600), updated_at: at(0), ...fields,
});
const format = { locale: "en-IE", timeZone: "UTC" };

test("a share is over at its end even when no event says so", () => {
    assert.equal(phase(live({ recorded_at: at(599) }), now(599.999)), "live");
    assert.equal(phase(live({ recorded_at: at(599) }), now(600)), "ended");
    assert.equal(isActive(live(), now(600)), false);
});

test("a share is stale after 30 s and not before", () => {
    assert.equal(phase(live(), now(30)), "live");
    assert.equal(phase(live(), now(30.001)), "stale");
});

test("a sender's promise stretches the time to stale to twice what it said", () => {
    assert.equal(phase(live({ next_within: 60 }), now(120)), "live");
    assert.equal(phase(live({ next_within: 60 }), now(121)), "stale");
    assert.equal(phase(live({ next_within: 5 }), now(29)), "live");
});

test("a location without an end is static for ever, also at zero degrees", () => {
    const { end_at: _, ...fixed } = live();
    assert.equal(phase(fixed, now(1e6)), "static");
    assert.equal(shareLines(fixed, now(1e6), format).headline, "Location");
});

test("a stopped share counts from when it was stopped", () => {
    const stopped = live({ ended_at: at(100), ended_reason: "stopped" });
    assert.equal(phase(stopped, now(100)), "ended");
    assert.equal(endMillis(stopped), now(100));
    assert.equal(isRecentlyEnded(stopped, now(399)), true);
    assert.equal(isRecentlyEnded(stopped, now(400)), false);
});

test("only a later measured fix is newer, whatever order they arrive in", () => {
    assert.equal(isNewerFix(live({ recorded_at: at(10) }), { recorded_at: at(9.999) }), false);
    assert.equal(isNewerFix(live({ recorded_at: at(10) }), { recorded_at: at(10) }), false);
    assert.equal(isNewerFix(live({ recorded_at: at(10) }), { recorded_at: at(10.001) }), true);
});

test("the page wakes for staleness, for the end, and for leaving the list of the ended", () => {
    assert.equal(nextChange([live()], now(0)), now(30) + 1);
    assert.equal(nextChange([live()], now(31)), now(600));
    assert.equal(nextChange([live()], now(600)), now(900));
    assert.equal(nextChange([live()], now(900)), Infinity);
    assert.equal(nextChange([], now(0)), Infinity);
});

for (const [what, share, seconds, expected] of [
    ["a fresh share", live({ accuracy: 12 }), 5, ["Live until 12:10", "5 s ago · ±12\u00a0m"]],
    ["a share without accuracy", live(), 5, ["Live until 12:10", "5 s ago"]],
    ["a stale share", live(), 540, ["Last seen 9 min ago", "Live until 12:10"]],
    ["an ended share", live(), 700, ["Live location ended", "12:10"]],
    ["an approximate share", live({ accuracy: 800, precision: "approximate" }), 5,
        ["Live until 12:10", "5 s ago · Approximate, about 1 km"]],
    ["an approximate place", { ...live({ accuracy: 800, precision: "approximate" }), end_at: undefined }, 5,
        ["Location", "Approximate, about 1 km"]],
    ["an erased position", { ...live(), latitude: undefined, longitude: undefined, erased: true }, 5,
        ["Location no longer kept", ""]],
]) {
    test(`${what} says what it is`, () => {
        const { headline, detail } = shareLines(share, now(seconds), format);
        assert.deepEqual([headline, detail], expected);
    });
}
