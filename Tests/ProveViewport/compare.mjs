// How far native numbers and those of WebAssembly are apart: ProveViewport --samples N | node compare.mjs FILE
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const { asin, atan2, cos, exp, log, sin } = Math;
const { exports: wasm } = new WebAssembly.Instance(
    new WebAssembly.Module(readFileSync(process.argv[2])), { env: { asin, atan2, cos, exp, log, sin } });
const kinds = [];
const grids = [];

for await (const line of createInterface({ input: process.stdin })) {
    const [kind, seed, value, ...name] = line.split(" ");
    if (kind === "grid") grids.push(Number(value) === wasm.grid_digest());
    else {
        const entry = (kinds[Number(kind)] ??= { name: name.join(" "), count: 0, differing: 0, largest: 0 });
        const difference = Math.abs(wasm.sample(Number(kind), Number(seed)) - Number(value));
        entry.count++;
        entry.largest = Math.max(entry.largest, difference);
        if (difference > 0) entry.differing++;
    }
}
for (const { name, count, differing, largest } of kinds) {
    console.log(`  ${name}: ${differing} of ${count} differ, by ${largest.toExponential(1)} at most`);
}
console.log(`  columns of the privacy grid, all bands: ${grids[0] ? "the same" : "DIFFERENT"}`);
if (!grids[0]) process.exitCode = 1;
