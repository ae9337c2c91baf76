// What the tests of the page's working parts share: a server of plain functions, and people with shares.
import { ApiError } from "../../Web/api.js";
import { ServerClock } from "../../Web/clock.js";
import { Store } from "../../Web/store.js";

export const start = Date.parse("2026-11-30T12:00:00.000Z");
export const at = (seconds) => new Date(start + seconds * 1000).toISOString();
export const unreachable = () => new ApiError(0, "unreachable", "No connection to the server.");
export const settled = () => new Promise((resolve) => setImmediate(resolve));

export const share = (id, fields = {}) => ({
    message_id: id, channel_id: "c:1", user_id: "mo", device_id: "d", latitude: 60, longitude: 24, recorded_at: at(0),
    created_at: at(0), updated_at: at(0), end_at: at(600), ...fields,
});
export const message = (id, fields = {}) => ({
    id, channel_id: "c:1", user: { id: "mo", name: "Mo" }, text: "", created_at: at(0), updated_at: at(0), ...fields,
});

/** A store that knows me as "mo", and a clock that stands at `start`. */
export function knownStore() {
    const store = new Store();
    store.dispatch({ type: "meReceived", user: { id: "mo", name: "Mo" } });
    return { store, clock: new ServerClock(() => start, () => 0) };
}

/** Kept values, in memory. */
export function memory(objects = {}) {
    return {
        get: (key) => objects[key], set: (key, value) => { objects[key] = value; },
        getObject: (key) => objects[key] ?? {}, setObject: (key, value) => { objects[key] = value; }, objects,
    };
}
