// Merging what is told about one share. Pure; every function returns a new share or the one it was given.
import { isNewerFix, time } from "./rules.js";

export const fixKeys = [
    "latitude", "longitude", "accuracy", "altitude", "altitude_accuracy", "heading", "speed", "battery", "next_within",
    "recorded_at",
];

/** Each fix stands alone: what it does not say is absent afterwards. */
function withFix(share, fix) {
    const moved = { ...share };
    for (const key of fixKeys) {
        if (fix[key] === undefined) delete moved[key];
        else moved[key] = fix[key];
    }
    return moved;
}

/** Applies a `location.updated`. Older fixes and fixes after the end change nothing. */
export function applyFix(share, fix) {
    if (share.ended_at !== undefined || share.erased || !isNewerFix(share, fix)) return share;
    return withFix(share, fix);
}

/** Joins a whole SharedLocation, in whatever order they arrive: what ended stays ended, no pin moves back. */
export function mergeShare(held, incoming) {
    if (!held) return settle(incoming);
    if (incoming.erased || held.erased) return settle({ ...held, ...incoming, erased: true });
    const newerState = !(time(incoming.updated_at) < time(held.updated_at));
    let merged = newerState ? { ...incoming } : { ...held };
    if (held.ended_at !== undefined && merged.ended_at === undefined) {
        merged = { ...merged, ended_at: held.ended_at, ended_reason: held.ended_reason, active: false };
    }
    if (incoming.ended_at !== undefined && merged.ended_at === undefined) {
        merged = { ...merged, ended_at: incoming.ended_at, ended_reason: incoming.ended_reason, active: false };
    }
    merged.audience = incoming.audience ?? held.audience;
    return withFix(merged, isNewerFix(held, incoming) || equalFix(held, incoming) ? incoming : held);
}

const equalFix = (a, b) => a.recorded_at === b.recorded_at;

function settle(share) {
    if (!share.erased) return share;
    const bare = { ...share };
    for (const key of fixKeys) if (key !== "recorded_at") delete bare[key];
    return bare;
}
