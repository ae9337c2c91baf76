import test from "node:test";
import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { engine } from "../../Web/engine.js";
import { Viewport, immediate, standard, userPuck } from "../../Web/viewport.js";
import { engineFile } from "./wasm.mjs";

const home = { longitude: 24.9384, latitude: 60.1699 };
const make = (options = {}) => new Viewport({ center: [24.9384, 60.1699], zoom: 11, width: 390, height: 844, ...options });
const frames = (viewport, from, to) => { for (let now = from; now <= to; now += 1000 / 60) viewport.frame(now); return viewport.frame(to); };

test("the button goes from off over waiting, north-up and heading to free", () => {
    const viewport = make();
    assert.equal(viewport.button, "off");
    assert.deepEqual(viewport.tapped(0), { starts: true, stops: false, explains: false });
    viewport.frame(1);
    assert.equal(viewport.button, "waiting");
    assert.equal(viewport.status, "waiting");
    viewport.moved(userPuck, { ...home, accuracy: 10, heading: 120, speed: 3 }, 2);
    frames(viewport, 3, 1100);
    assert.equal(viewport.button, "followNorth");
    assert.deepEqual([viewport.camera.zoom, viewport.camera.bearing, viewport.camera.pitch], [13, 0, 0]);
    assert.deepEqual(viewport.tapped(1100), { starts: false, stops: false, explains: false });
    frames(viewport, 1100, 2200);
    assert.equal(viewport.button, "followHeading");
    assert.deepEqual([viewport.camera.zoom, viewport.camera.bearing, viewport.camera.pitch], [16.5, 120, 60]);
    viewport.tapped(2200);
    viewport.frame(2201);
    assert.equal(viewport.button, "free");
    assert.equal(viewport.status, "idle");
    assert.equal(viewport.isLetGo, false);
});

test("a hand lets go of whom the map follows, and where it leaves the map it stays", () => {
    const viewport = make();
    viewport.moved(userPuck, home, 0);
    viewport.follow({ zoom: 15 }, immediate, 0);
    viewport.gesture("pan", 0, 10);
    viewport.movedByHand({ center: { lng: 385, lat: 61 }, zoom: 9, bearing: -10, pitch: 5 });
    viewport.moved(userPuck, { longitude: 24, latitude: 60 }, 20);
    frames(viewport, 20, 3000);
    assert.equal(viewport.isLetGo, true);
    assert.deepEqual(viewport.camera.center, [25, 61]);
    assert.deepEqual([viewport.camera.zoom, viewport.camera.bearing, viewport.camera.pitch], [9, 350, 5]);
});

test("a wish says once how it ended", async () => {
    const viewport = make();
    const first = viewport.look({ center: [25, 60], zoom: 5 }, { kind: "linear", seconds: 1 }, 0);
    viewport.frame(500);
    const second = viewport.overview({ places: [[24, 60], [25, 61]], free: 20 }, standard(1), 500);
    frames(viewport, 500, 2000);
    assert.deepEqual(await Promise.all([first, second]), [false, true]);
    const third = viewport.idle(2000);
    viewport.frame(2001);
    assert.equal(await third, true);
});

test("what is covered at the edges is in the camera", () => {
    const viewport = make();
    viewport.cover({ top: 44, bottom: 100 });
    viewport.look({ zoom: 3 }, immediate, 0);
    assert.deepEqual(viewport.frame(1).padding, { top: 44, right: 0, bottom: 100, left: 0 });
});

test("numbers that make no sense are refused, and nothing changes", () => {
    const viewport = make();
    const before = structuredClone(viewport.frame(0));
    const wrong = [
        () => viewport.look({ center: [200, 0] }, immediate, 0), () => viewport.look({ zoom: Infinity }, immediate, 0),
        () => viewport.look({ pitch: 90 }, immediate, 0), () => viewport.look({ zoom: 3 }, { kind: "linear", seconds: -1 }, 0),
        () => viewport.look({ zoom: 3 }, { kind: "linear" }, 0), () => viewport.look({ zoom: 3 }, { kind: "sideways" }, 0),
        () => viewport.follow({ zoom: NaN }, immediate, 0), () => viewport.follow({ puck: -1, zoom: 3 }, immediate, 0),
        () => viewport.overview({ places: [[0, 91]] }, immediate, 0), () => viewport.cover({ top: -1 }),
        () => viewport.moved(userPuck, { longitude: NaN, latitude: 0 }, 0), () => make({ minZoom: 5, maxZoom: 3 }),
        () => make({ minZoom: -1e6 }), () => make({ width: 1e300 }), () => viewport.cover({ left: 1e300 }),
        () => viewport.moved(2 ** 30, home, 0), () => viewport.moved(-1, home, 0),
    ];
    for (const call of wrong) assert.throws(call, RangeError, String(call));
    viewport.gesture("zoom", NaN, 1);
    viewport.movedByHand({ center: { lng: NaN, lat: 0 }, zoom: 1, bearing: 0, pitch: 0 });
    viewport.turned(userPuck, NaN, 1);
    viewport.resize(NaN, 3, 1);
    assert.deepEqual(viewport.frame(NaN), before);
    assert.deepEqual(viewport.frame(2), before);
});

test("numbers without measure do no harm", () => {
    const viewport = make();
    viewport.moved(userPuck, { ...home, accuracy: 1e300, heading: 1e300, speed: 1e300, next_within: 1e300 }, 0);
    viewport.turned(userPuck, 1e300, 1);
    viewport.look({ zoom: 1e300, bearing: -1e300, pitch: 85 }, { kind: "fly" }, 2);
    for (let now = 2; now < 1e300; now *= 1e3) {
        const { center, zoom, bearing, pitch } = viewport.frame(now);
        assert.ok([...center, zoom, bearing, pitch].every(Number.isFinite));
        assert.ok(zoom <= 22 && pitch <= 60 && bearing >= 0 && bearing < 360);
    }
    viewport.follow({ zoom: -1e300, bearing: "heading" }, standard(1e300), 1e300);
    viewport.gesture("rotate", 1e300, 1e300);
    assert.ok(Number.isFinite(viewport.frame(1e301).zoom));
});

test("hundreds of pucks find their room", () => {
    const viewport = make();
    for (let number = 0; number < 600; number++) {
        viewport.moved(number, { longitude: number / 10, latitude: 10, accuracy: 5 }, number);
        viewport.frame(number);
        assert.equal(viewport.puck(number).lng, number / 10);
    }
    viewport.removed(300);
    viewport.frame(700);
    assert.equal(viewport.puck(300), null);
    assert.equal(viewport.puck(600), null);
    assert.deepEqual(viewport.puck(599), {
        lng: 59.9, lat: 10, accuracy: 5, course: undefined, heading: undefined, isStale: false,
        ringPixels: viewport.puck(599).ringPixels,
    });
});

test("a frame allocates nothing in the engine", () => {
    const viewport = make();
    for (let number = 0; number < 100; number++) viewport.moved(number, { ...home, accuracy: 20 }, 0);
    let now = 0;
    let allocated = 0;
    let transitions = 0;
    for (let round = 0; round < 200; round++) {
        for (let number = 0; number < 100; number++) {
            viewport.moved(number, { longitude: home.longitude + round * 1e-5, latitude: home.latitude, accuracy: 20 }, now);
        }
        viewport.look({ zoom: 9 }, immediate, now);
        viewport.follow({ zoom: 15, pitch: 40 }, standard(2), now);
        viewport.frame(now);
        const before = engine.allocation_count();
        for (let frame = 0; frame < 50; frame++) {
            viewport.frame(now += 1000 / 60);
            if (viewport.status === "transition") transitions++;
        }
        allocated += engine.allocation_count() - before;
    }
    assert.ok(transitions > 9_000, `${transitions} frames of 10,000 were in a transition`);
    assert.equal(allocated, 0);
});

test("the engine is small enough for a phone's line", () => {
    const size = gzipSync(engineFile(), { level: 9 }).length;
    assert.ok(size <= 40 * 1024, `${size} bytes`);
});
