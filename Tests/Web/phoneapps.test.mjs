import test from "node:test";
import assert from "node:assert/strict";
import { phoneApps, setupOf, trackerId } from "../../Web/phoneapps.js";

const base = "https://yonder.example:8443";
const told = { base, user: { id: "anna@x", name: "Änna Berg" }, device: "app-1_x", key: "k3y", passphrase: "pa55" };

for (const [app, fields, link] of [
    ["owntracks", [
        ["Mode", "HTTP"], ["URL", `${base}/ingest/owntracks`], ["User name", "anna@x"], ["Password", "k3y"],
        ["Encryption key (optional)", "pa55"],
    ], /^owntracks:\/\/\/config\?inline=[A-Za-z0-9%]+$/],
    ["overland", [["Receiver endpoint", `${base}/ingest/overland`], ["Access token", "k3y"], ["Device ID", "app-1_x"]],
        /^overland:\/\/setup\?url=https%3A%2F%2Fyonder\.example%3A8443%2Fingest%2Foverland&token=k3y&device_id=app-1_x$/],
    ["traccar", [["Server URL", `${base}/ingest/osmand`], ["Device identifier", "k3y"]]],
    ["osmand", [["Web address", `${base}/ingest/gpslogger?id=k3y&lat={0}&lon={1}&timestamp={2}&acc={3}&alt={4}&spd={5}&dir={6}`]]],
    ["gpslogger", [["URL", `${base}/ingest/gpslogger?id=k3y&lat=%LAT&lon=%LON&timestamp=%TIMESTAMP&acc=%ACC&alt=%ALT`
        + "&spd=%SPD&dir=%DIR&batt=%BATT"]]],
]) {
    test(`${app} is told where to send and by which key`, () => {
        const setup = setupOf(app, told);
        assert.deepEqual(setup.fields, fields);
        assert.ok(setup.place.length > 0);
        if (link) assert.match(setup.link, link);
        else assert.equal(setup.link, undefined);
    });
}

test("every app that is offered has a setup", () => {
    assert.equal(phoneApps.length, 5);
    for (const { id } of phoneApps) assert.ok(setupOf(id, told).fields.length > 0);
});

const configuration = (link) => {
    const coded = new URL(link).searchParams.get("inline");
    return JSON.parse(new TextDecoder().decode(Uint8Array.from(atob(coded), (letter) => letter.charCodeAt(0))));
};

test("the link sets OwnTracks up without encryption, unless that is wished for", () => {
    const plain = {
        _type: "configuration", mode: 3, url: `${base}/ingest/owntracks`, auth: true, username: "anna@x", password: "k3y",
        deviceId: "app-1_x", tid: "BA",
    };
    assert.deepEqual(configuration(setupOf("owntracks", told).link), plain);
    assert.deepEqual(configuration(setupOf("owntracks", { ...told, encrypts: true }).link), { ...plain, encryptionKey: "pa55" });
});

for (const [name, id, expected] of [
    ["Anna Berg", "anna", "AB"], ["Mo", "mo", "MO"], ["محمد علي", "user-7", "US"], ["", "x", "X0"], ["👩‍🚀 Li", "li", "LL"],
]) {
    test(`OwnTracks marks "${name}" with ${expected}`, () => assert.equal(trackerId({ id, name }), expected));
}
