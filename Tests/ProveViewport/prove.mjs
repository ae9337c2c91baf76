// Runs the proofs of a wasm file: node prove.mjs FILE CASES
import { readFileSync } from "node:fs";

const [file, cases] = [process.argv[2], Number(process.argv[3])];
const { asin, atan2, cos, exp, log, sin } = Math;
const { exports } = new WebAssembly.Instance(
    new WebAssembly.Module(readFileSync(file)), { env: { asin, atan2, cos, exp, log, sin } });

for (let index = 0; index < exports.proof_count(); index++) {
    const bytes = new Uint8Array(exports.memory.buffer, exports.proof_name(index), exports.proof_name_length(index));
    const name = new TextDecoder().decode(bytes);
    const line = exports.proof_run(index, 1, cases);
    if (line) process.exitCode = 1;
    console.log(line ? `✘ ${name}: line ${line}` : `✔ ${name} (${cases} cases)`);
}
