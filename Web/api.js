// HTTP calls of protocol.md and what their errors mean in words.
import { words } from "./words.js";

/** An answer that was not a success, or none at all (`status` 0). `message` is fit to be shown. */
export class ApiError extends Error {
    constructor(status, code, message) {
        super(message);
        this.status = status;
        this.code = code;
    }

    /** Whether the same request may well succeed later. */
    get isTemporary() {
        return this.status === 0 || this.status === 429 || this.status >= 500;
    }
}

const codeWords = {
    location_sharing_disabled: words.sharingDisabled,
    live_location_ended: words.ended,
    rate_limited: words.rateLimited,
    forbidden: words.refused,
    not_found: words.gone,
    unauthenticated: words.expired,
    token_expired: words.expired,
    payload_too_large: words.tooLong,
};

/** What an error means to a person; the server's own `detail` is meant for who writes a client. */
export function errorWords(status, code) {
    if (codeWords[code]) return codeWords[code];
    if (status === 0) return words.unreachable;
    return status >= 500 ? words.serverTrouble : words.notAccepted;
}

const answerWithinMillis = 20_000;

export class Api {
    /** token: undefined for who has none yet. onRefused(code): called when it is not or no longer good. */
    constructor(token, onRefused = () => {}) {
        this.token = token;
        this.onRefused = onRefused;
    }

    /** The same server for somebody else. */
    as(token) { return new Api(token, this.onRefused); }

    me() { return this.#call("GET", "/v1/users/me"); }
    channels() { return this.#call("GET", "/v1/channels").then((body) => body.channels); }
    members(cid) { return this.#call("GET", `/v1/channels/${path(cid)}/members`).then((body) => body.members); }
    message(id) { return this.#call("GET", `/v1/messages/${path(id)}`); }
    registerDevice(device) { return this.#call("POST", "/v1/devices", device); }
    devices() { return this.#call("GET", "/v1/devices").then((body) => body.devices); }
    makeIngestKey(device) { return this.#call("POST", `/v1/devices/${path(device)}/ingest-key`, {}); }
    revokeIngestKey(device) { return this.#call("DELETE", `/v1/devices/${path(device)}/ingest-key`); }
    send(cid, body) { return this.#call("POST", `/v1/channels/${path(cid)}/messages`, body); }
    liveLocations() { return this.#call("GET", "/v1/live-locations").then((body) => body.active_live_locations); }
    putFix(fix) { return this.#call("PUT", "/v1/live-locations", fix); }
    stop(messageId) { return this.#call("DELETE", `/v1/messages/${path(messageId)}/live-location`); }
    makeLink(messageId, link) { return this.#call("POST", `/v1/messages/${path(messageId)}/links`, link); }
    makeInvite(cid) { return this.#call("POST", `/v1/channels/${path(cid)}/invites`, {}); }
    login(code) { return this.#call("POST", "/v1/login", { code }); }
    acceptInvite(acceptance) { return this.#call("POST", "/v1/invites/accept", acceptance); }
    deleteMessage(id) { return this.#call("DELETE", `/v1/messages/${path(id)}`); }

    messages(cid, { limit, before }) {
        const query = new URLSearchParams({ limit, ...(before ? { before } : {}) });
        return this.#call("GET", `/v1/channels/${path(cid)}/messages?${query}`).then((body) => body.messages);
    }

    async #call(method, url, body) {
        const response = await this.#fetch(method, url, body);
        const answer = await readJson(response);
        if (response.ok) return answer;
        if (response.status === 401) this.onRefused(answer?.code);
        throw new ApiError(response.status, answer?.code, errorWords(response.status, answer?.code));
    }

    async #fetch(method, url, body) {
        const headers = this.token ? { Authorization: `Bearer ${this.token}` } : {};
        if (body !== undefined) headers["Content-Type"] = "application/json";
        try {
            return await fetch(url, {
                method, headers, cache: "no-store", body: body === undefined ? undefined : JSON.stringify(body),
                signal: AbortSignal.timeout(answerWithinMillis),
            });
        } catch {
            throw new ApiError(0, "unreachable", words.unreachable);
        }
    }
}

// A channel id's colon may stand in a path segment as it is; everything else is escaped.
const path = (id) => encodeURIComponent(id).replaceAll("%3A", ":");

async function readJson(response) {
    if (response.status === 204) return undefined;
    try {
        return await response.json();
    } catch {
        return undefined;
    }
}
