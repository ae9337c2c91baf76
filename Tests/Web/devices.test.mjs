import test from "node:test";
import assert from "node:assert/strict";
import { ApiError } from "../../Web/api.js";
import { Devices } from "../../Web/devices.js";
import { deviceName, phones } from "../../Web/selectors.js";
import { knownStore, settled, share, unreachable } from "./stand-ins.mjs";

function devicesWith(api) {
    const { store, clock } = knownStore();
    const listed = [{ id: "web-2", name: "Web browser", platform: "web" }, { id: "phone", name: "Phone", platform: "other" }];
    const calls = [];
    const all = {
        devices: async () => (calls.push("devices"), listed), registerDevice: async (device) => (calls.push(`register ${device.id}`), device),
        makeIngestKey: async (id) => (calls.push(`key ${id}`), { key: "k", passphrase: "p" }),
        revokeIngestKey: async (id) => calls.push(`revoke ${id}`), ...api,
    };
    return { devices: new Devices({ api: all, store, clock, deviceId: "d" }), store, calls };
}

test("an app is connected by a device and its key, which the store never sees", async () => {
    const { devices, store, calls } = devicesWith({});
    assert.deepEqual(await devices.connect({ id: "phone", name: "Phone" }), { key: "k", passphrase: "p" });
    assert.deepEqual(calls, ["register phone", "key phone"]);
    assert.equal(JSON.stringify(store.state).includes('"p"'), false);
    assert.deepEqual(phones(store.state).map(({ name, has_ingest_key }) => [name, has_ingest_key]), [["Phone", true]]);
    await devices.read();
    assert.deepEqual(phones(store.state).map(({ id }) => id), ["phone"], "browsers are not offered");
});

test("a device that had no key is as good as disconnected, one that was not reached is not", async () => {
    const without = devicesWith({ revokeIngestKey: () => Promise.reject(new ApiError(404, "not_found", "gone")) });
    await without.devices.disconnect("phone");
    assert.deepEqual(without.store.state.disconnected, { phone: true });
    const unreached = devicesWith({ revokeIngestKey: () => Promise.reject(unreachable()) });
    await assert.rejects(unreached.devices.disconnect("phone"));
    assert.deepEqual(unreached.store.state.disconnected, {});
});

test("the name of a device that moves my share is asked for once", async () => {
    const { store, calls } = devicesWith({});
    store.dispatch({ type: "shareReceived", share: share("a") });
    assert.deepEqual(calls, [], "this one is known");
    for (const id of ["b", "c"]) store.dispatch({ type: "shareReceived", share: share(id, { fed_by: "phone" }) });
    store.dispatch({ type: "shareReceived", share: share("x", { fed_by: "theirs", user_id: "else" }) });
    await settled();
    assert.deepEqual(calls, ["devices"]);
    assert.equal(deviceName(store.state, "phone"), "Phone");
    assert.equal(deviceName(store.state, "lost"), "another device");
});
