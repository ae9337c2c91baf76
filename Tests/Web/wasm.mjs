// Lets the page's modules fetch the engine under node: node --import ./Tests/Web/wasm.mjs --test Tests/Web
import { readFileSync } from "node:fs";

const file = new URL("../../.cache/web/yonder.wasm", import.meta.url);
const { fetch } = globalThis;

globalThis.fetch = async (address, ...rest) => {
    if (!String(address).endsWith("/vendor/yonder.wasm")) return fetch(address, ...rest);
    return new Response(engineFile(), { headers: { "Content-Type": "application/wasm" } });
};

/** What the page downloads. */
export function engineFile() {
    try {
        return readFileSync(file);
    } catch (error) {
        throw new Error("there is no engine yet: run script/wasm", { cause: error });
    }
}
