// What a frame costs in the page's engine, as WebAssembly through Web/viewport.js, beside plain JavaScript that does the
// same: node --import ./Tests/Web/wasm.mjs Benchmarks/viewport.mjs
import { engine } from "../Web/engine.js";
import { Viewport, immediate, standard } from "../Web/viewport.js";
import { Rival } from "./viewport-rival.mjs";

const frames = 200_000;
const home = { longitude: 24.9384, latitude: 60.1699 };
const size = { width: 390, height: 844 };

function fix(number, now) {
    const wander = ((now / 10_000) % 1) * 0.001;
    return {
        longitude: home.longitude + number * 0.0001 + wander, latitude: home.latitude + wander, accuracy: 10, heading: 30,
        speed: 3,
    };
}

const scenes = {
    "following one puck": { pucks: 1, refresh: 60, follow: { zoom: 15 }, by: immediate },
    "a default transition to it": {
        pucks: 1, refresh: 30, away: { center: [25, 60.2], zoom: 10 }, follow: { zoom: 15, bearing: 90, pitch: 45 }, by: standard(1),
    },
    "following, 100 pucks gliding": { pucks: 100, refresh: 60, follow: { zoom: 15 }, by: immediate },
};

/** Nanoseconds a frame. `map`: the binding, or the rival with the same calls. */
function measure(map, scene) {
    const { pucks, refresh, away, follow, by } = scene;
    const puck = {};
    let [now, spent, sum, allocated] = [0, 0, 0, 0];
    for (let start = 0; start < frames; start += refresh) {
        for (let number = 0; number < pucks; number++) map.moved(number, fix(number, now), now);
        if (away) map.look(away, immediate, now);
        map.follow(follow, by, now);
        const before = engine.allocation_count();
        const began = performance.now();
        for (let i = 0; i < refresh; i++) {
            now += 1000 / 60;
            sum += map.frame(now).zoom;
            for (let number = 0; number < pucks; number++) sum += map.puck(number, puck).lng;
        }
        spent += performance.now() - began;
        allocated += engine.allocation_count() - before;
    }
    if (!(sum > 0)) throw new Error("nothing was drawn");
    return { nanoseconds: (spent * 1e6) / frames, allocations: allocated / frames };
}

const make = () => new Viewport({ center: [24.9384, 60.1699], zoom: 12, ...size });
console.log("a frame of the map's engine, as WebAssembly through the page's binding, and of plain JavaScript:");
for (const [name, scene] of Object.entries(scenes)) {
    // The first rounds warm the compilers up.
    for (const map of [make(), new Rival(size)]) measure(map, scene);
    const ours = measure(make(), scene);
    const rival = measure(new Rival(size), scene);
    console.log(`  ${name}: ${ours.nanoseconds.toFixed(0)} ns, ${ours.allocations} allocations; JavaScript `
        + `${rival.nanoseconds.toFixed(0)} ns; ratio ${(ours.nanoseconds / rival.nanoseconds).toFixed(2)}`);
}
