import test from "node:test";
import assert from "node:assert/strict";
import { accuracyWords, ageWords, agoWords, audienceWords, dayWords, distanceWords, listTimeWords, locatorWords, remainingWords,
    usesMiles } from "../../Web/words.js";

const noon = Date.parse("2026-11-30T12:00:00Z");

for (const [seconds, expected] of [
    [-5, "now"], [0.9, "now"], [5, "5 s ago"], [59.9, "59 s ago"], [60, "1 min ago"], [3599, "59 min ago"], [3600, "at 11:00"],
]) {
    test(`${seconds} s of age reads "${expected}"`, () => {
        assert.equal(agoWords(noon - seconds * 1000, noon, "en-IE", "UTC"), expected);
    });
}

test("the short age drops all but the number and the unit", () => {
    assert.equal(ageWords(noon - 40_000, noon, "en-IE", "UTC"), "40 s");
    assert.equal(ageWords(noon - 7_200_000, noon, "en-IE", "UTC"), "10:00");
});

for (const [millis, expected] of [
    [-1, "0 s"], [1, "1 s"], [58_001, "59 s"], [59_001, "1 min"], [60_000, "1 min"], [60_001, "2 min"], [2_580_000, "43 min"],
    [7_200_000, "2 h"], [26_400_000, "7 h 20 min"],
]) {
    test(`${millis} ms left reads "${expected}"`, () => assert.equal(remainingWords(millis), expected));
}

for (const [meters, miles, expected] of [
    [0, false, "0 m"], [320.4, false, "320 m"], [999.4, false, "999 m"], [999.6, false, "1.0 km"], [1234, false, "1.2 km"],
    [9949, false, "9.9 km"], [9951, false, "10 km"], [123_456, false, "123 km"],
    [100, true, "328 ft"], [304.7, true, "0.2 mi"], [2000, true, "1.2 mi"], [50_000, true, "31 mi"],
]) {
    test(`${meters} m ${miles ? "in miles " : ""}reads "${expected}"`, () => assert.equal(distanceWords(meters, miles), expected));
}

test("an unknown accuracy says nothing and a tiny one is at least a metre", () => {
    assert.equal(accuracyWords(undefined), "");
    assert.equal(accuracyWords(0), "");
    assert.equal(accuracyWords(-1), "");
    assert.equal(accuracyWords(0.2), "±1\u00a0m");
    assert.equal(accuracyWords(5000), "±5.0\u00a0km");
});

test("feet and miles are for the places that walk in them", () => {
    assert.equal(usesMiles("en-US"), true);
    assert.equal(usesMiles("en"), true);
    assert.equal(usesMiles("de"), false);
    assert.equal(usesMiles("not a locale"), false);
});

test("the audience counts people and is silent when unknown", () => {
    assert.equal(audienceWords(1), "1 person can see you");
    assert.equal(audienceWords(6), "6 people can see you");
    assert.equal(audienceWords(undefined), "");
});

test("days are named by the reader's calendar", () => {
    const here = new Date(2026, 10, 30, 0, 5).getTime();
    assert.equal(dayWords(here, here, "en-IE"), "Today");
    assert.equal(dayWords(here - 600_000, here, "en-IE"), "Yesterday");
    assert.match(dayWords(here - 400 * 86_400_000, here, "en-IE"), /2025/);
});

for (const [days, expected] of [[0, /^10:00$/], [1, /^Yesterday$/], [3, /^Fri$/], [40, /^21\/10\/2026$/]]) {
    test(`in a list a time of ${days} days ago reads ${expected}`, () => {
        const here = new Date(2026, 10, 30, 10, 0).getTime();
        assert.match(listTimeWords(new Date(2026, 10, 30 - days, 10, 0).getTime(), here, "en-IE"), expected);
    });
}

test("what keeps the position from coming is said, and nothing when it comes", () => {
    assert.match(locatorWords("impossible", false), /https/);
    assert.match(locatorWords("impossible", true), /no location/);
    assert.deepEqual([locatorWords("tracking", true), locatorWords("off", true)], ["", ""]);
});
