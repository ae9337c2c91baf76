import test from "node:test";
import assert from "node:assert/strict";
import { messageGist } from "../../Web/selectors.js";
import { quoteKind } from "../../Web/views/quote.js";
import { at, message, share } from "./stand-ins.mjs";

for (const [quoted, kind, gist] of [
    [message("m", { text: "hello" }), "text", "hello"],
    [message("m", { shared_location: share("m") }), "live", "Live Location"],
    [message("m", { shared_location: share("m", { end_at: undefined }) }), "location", "Location"],
    [message("m", { deleted_at: at(1) }), "deleted", "Message deleted"],
]) {
    test(`a quote of kind "${kind}" reads "${gist}"`, () => {
        assert.equal(quoteKind(quoted), kind);
        assert.equal(messageGist(quoted), gist);
    });
}
