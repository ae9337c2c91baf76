import test from "node:test";
import assert from "node:assert/strict";
import { avatarColors, colorOf, initials } from "../../Web/avatar.js";
import { readFragment, writeFragment } from "../../Web/entrance.js";
import { errorWords } from "../../Web/api.js";
import { Glide, glideMillis } from "../../Web/map/glide.js";
import { randomId } from "../../Web/ids.js";

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

test("a fragment gives token, channel and view, and is written again without the token", () => {
    const place = readFragment("#token=a.b-c_d&channel=messaging:demo&view=map");
    assert.deepEqual(place, { token: "a.b-c_d", channel: "messaging:demo", view: "map" });
    assert.equal(writeFragment(place), "#channel=messaging:demo&view=map");
    assert.equal(writeFragment(readFragment("#view=other")), "");
});

test("errors say what happened and never show a code", () => {
    assert.match(errorWords(403, "location_sharing_disabled"), /off in this chat/);
    assert.match(errorWords(0, "unreachable"), /No connection/);
    assert.match(errorWords(503, "unavailable", "x"), /server has a problem/);
    assert.equal(errorWords(422, "invalid_argument", "end_at is too far away"), "end_at is too far away");
});

test("a pin glides from where it is drawn, not from where it should be", () => {
    const glide = new Glide({ latitude: 0, longitude: 0 });
    glide.moveTo({ latitude: 10, longitude: 0 }, 1000, 0);
    assert.equal(glide.at(500).latitude, 5);
    glide.moveTo({ latitude: 0, longitude: 0 }, 1000, 500);
    assert.equal(glide.at(500).latitude, 5);
    assert.equal(glide.at(1000).latitude, 2.5);
    assert.equal(glide.at(1500).latitude, 0);
    assert.equal(glide.isMoving(1500), false);
});

test("a pin glides over the antimeridian the short way", () => {
    const glide = new Glide({ latitude: 0, longitude: 179.9 });
    glide.moveTo({ latitude: 0, longitude: -179.9 }, 1000, 0);
    assert.ok(Math.abs(Math.abs(glide.at(500).longitude) - 180) < 1e-9);
});

test("without motion a pin is there at once", () => {
    const glide = new Glide({ latitude: 0, longitude: 0 });
    glide.moveTo({ latitude: 10, longitude: 10 }, 0, 5);
    assert.equal(glide.at(5).latitude, 10);
});

test("glides last as long as fixes are apart, within 0.3 and 2 s", () => {
    assert.deepEqual([undefined, 10, 800, 60_000].map(glideMillis), [1000, 300, 800, 2000]);
});

test("made ids are 22 characters that the protocol allows, and differ", () => {
    assert.match(randomId(), /^[A-Za-z0-9_-]{22}$/);
    assert.notEqual(randomId(), randomId());
});
