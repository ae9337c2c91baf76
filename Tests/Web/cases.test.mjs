// The table of cases that the kits' presenters are held to, held to the page as well.
import test from "node:test";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { phase, shareLines } from "../../Web/rules.js";

const { rows } = JSON.parse(readFileSync(new URL("../Cases/locations.json", import.meta.url), "utf8"));
const now = Date.parse("2026-11-28T14:20:00Z");
const at = (seconds) => new Date(now + seconds * 1000).toISOString();

function share(kind) {
    const position = { latitude: 60.17, longitude: 24.94, accuracy: 12 };
    const place = { message_id: "m", recorded_at: at(kind === "stale" ? -540 : -5), ...position };
    if (kind === "place") return place;
    const live = { ...place, end_at: at(720) };
    if (kind === "ended") return { ...live, ended_at: at(-600), ended_reason: "stopped" };
    if (kind === "approximate") return { ...live, precision: "approximate" };
    if (kind !== "erased") return live;
    const { latitude, longitude, ...erased } = { ...live, erased: true };
    return erased;
}

for (const row of rows) {
    test(`the page says of ${row.is_mine ? "my" : "another's"} location, ${row.kind}, what the table says`, () => {
        const { headline, detail } = shareLines(share(row.kind), now, { locale: "en-GB", timeZone: "UTC" });
        assert.deepEqual([headline, detail], [row.headline, row.page_detail]);
        if (row.kind !== "erased") assert.equal(phase(share(row.kind), now) === "live", row.pulses);
    });
}
