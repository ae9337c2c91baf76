// The phone apps that can move a share, and what each is told to find this server. Pure.
import { initials } from "./avatar.js";
import { appFields, appPlaces } from "./words.js";

/** The platform is what is sure of whoever uses the app. */
export const phoneApps = [
    { id: "owntracks", name: "OwnTracks", platform: "other" },
    { id: "overland", name: "Overland", platform: "ios" },
    { id: "traccar", name: "Traccar Client", platform: "other" },
    { id: "osmand", name: "OsmAnd", platform: "other" },
    { id: "gpslogger", name: "GPSLogger", platform: "android" },
];

// The app puts what it knows in place of these; metres a second in both.
const osmandFields = "lat={0}&lon={1}&timestamp={2}&acc={3}&alt={4}&spd={5}&dir={6}";
const gpsloggerFields = "lat=%LAT&lon=%LON&timestamp=%TIMESTAMP&acc=%ACC&alt=%ALT&spd=%SPD&dir=%DIR&batt=%BATT";

const setups = {
    owntracks: ({ base, user, device, key, passphrase, encrypts }) => ({
        fields: [[appFields.mode, "HTTP"], [appFields.url, `${base}/ingest/owntracks`], [appFields.userName, user.id],
            [appFields.password, key], [appFields.encryptionKey, passphrase]],
        link: `owntracks:///config?inline=${encodeURIComponent(base64(JSON.stringify({
            _type: "configuration", mode: 3, url: `${base}/ingest/owntracks`, auth: true, username: user.id, password: key,
            deviceId: device, tid: trackerId(user), ...(encrypts ? { encryptionKey: passphrase } : {}),
        })))}`,
    }),
    overland: ({ base, device, key }) => ({
        fields: [[appFields.endpoint, `${base}/ingest/overland`], [appFields.token, key], [appFields.deviceId, device]],
        link: `overland://setup?url=${encodeURIComponent(`${base}/ingest/overland`)}&token=${encodeURIComponent(key)}`
            + `&device_id=${encodeURIComponent(device)}`,
    }),
    traccar: ({ base, key }) => ({
        fields: [[appFields.serverUrl, `${base}/ingest/osmand`], [appFields.identifier, key]],
    }),
    osmand: ({ base, key }) => ({
        fields: [[appFields.webAddress, `${base}/ingest/gpslogger?id=${key}&${osmandFields}`]],
    }),
    gpslogger: ({ base, key }) => ({
        fields: [[appFields.url, `${base}/ingest/gpslogger?id=${key}&${gpsloggerFields}`]],
    }),
};

/**
 * What an app is told: {place, fields: [[label, value]], link?}; the link sets the app up where it is opened on the phone.
 * told: {base: origin of the server, user: {id, name}, device: its id, key, passphrase, encrypts?: also in the link}.
 */
export function setupOf(app, told) {
    return { place: appPlaces[app], ...setups[app](told) };
}

/** Two letters or digits by which OwnTracks marks a person on its map. */
export function trackerId({ id, name }) {
    return (initials(name) + id).replace(/[^A-Za-z0-9]/g, "").slice(0, 2).padEnd(2, "0").toUpperCase();
}

function base64(text) {
    return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
