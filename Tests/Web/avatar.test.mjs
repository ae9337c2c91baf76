import test from "node:test";
import assert from "node:assert/strict";
import { avatarColors, colorOf, initials } from "../../Web/avatar.js";

function contrastWithWhite(hex) {
    const [r, g, b] = [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16) / 255)
        .map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 1.05 / (0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05);
}

test("there are twelve avatar colours and white reads well on each", () => {
    assert.equal(new Set(avatarColors).size, 12);
    for (const color of avatarColors) assert.ok(contrastWithWhite(color) >= 4.5, `${color}: ${contrastWithWhite(color)}`);
});

test("the same person always has the same colour", () => {
    assert.equal(colorOf("mo"), colorOf("mo"));
    assert.ok(new Set(Array.from({ length: 200 }, (_, i) => colorOf(`user${i}`))).size === 12);
});

for (const [name, expected] of [["Sam Rivers", "SR"], ["Mo", "Mo"], ["  ", "?"], ["Ada von Love", "AL"], ["👩‍👧 Ann", "👩‍👧A"]]) {
    test(`"${name}" has the initials "${expected}"`, () => assert.equal(initials(name), expected));
}
