import test from "node:test";
import assert from "node:assert/strict";
import { wayWords } from "../../Web/views/people.js";

const here = { latitude: 60, longitude: 24 };
const area = { accuracy: 850, precision: "approximate" };

for (const [what, share, expected] of [
    ["an exact position", { latitude: 60.01, longitude: 24 }, "1.1 km N"],
    ["one right here", { latitude: 60.00001, longitude: 24 }, "1 m"],
    ["an approximate one far away", { ...area, latitude: 60.01, longitude: 24 }, "about 1.1 km N"],
    ["an approximate one within its circle", { ...area, latitude: 60.005, longitude: 24 }, "near"],
]) {
    test(`the way to ${what} reads "${expected}"`, () => assert.equal(wayWords(here, share, false), expected));
}
