// The map's engine and the rules of shares: Swift, compiled to WebAssembly by script/wasm. What it offers are plain
// functions of numbers; viewport.js, rules.js, clock.js and geo.js say them in the page's words.
const { asin, atan2, cos, exp, log, sin } = Math;
const file = fetch(new URL("./vendor/yonder.wasm", import.meta.url));
const { instance } = await WebAssembly.instantiateStreaming(file, { env: { asin, atan2, cos, exp, log, sin } });

export const engine = instance.exports;

/** The engine's memory from an address on, as so many doubles. To be asked for anew after each call: memory may grow. */
export const doubles = (address, count) => new Float64Array(engine.memory.buffer, address, count);

let small = new Float64Array(0);

/** The numbers that the call before has left in the scratch, three at most. */
export function answers() {
    // Looked up anew where the memory has grown since, which leaves the old view empty.
    if (small.length === 0 || small.byteOffset !== engine.scratch_address(0)) small = doubles(engine.scratch_address(0), 3);
    return small;
}
