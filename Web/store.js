// The truth as this page knows it: one value, changed only by `reduce`. Pure: no DOM, no clock, no network.
import { applyFix, mergeShare } from "./shares.js";
import { time } from "./rules.js";

export const emptyState = {
    me: null,
    connection: "off",
    channels: {},        // cid → Channel, its shares taken out into `shares`
    order: [],           // cids, newest activity first
    channelsKnown: false,
    timelines: {},       // cid → { messages: [Message] oldest first, hasEarlier, isKnown }
    unread: {},          // cid → why its messages could not be read, in words
    outbox: {},          // cid → [{ id, text, createdAt, state: "sending" | "failed", reason?, temporary? }]
    shares: {},          // message id → SharedLocation
    wishes: {},          // message id → "stop" | "delete": what I want to be over and nobody confirmed yet
    areEndsDelayed: false, // whether the server could not be told of these wishes
    doubted: {},         // message ids of shares that a later truth did not mention: to be asked for
    users: {},           // user id → User
    members: {},         // cid → [user id]
    devices: [],         // mine, as far as they were asked for, oldest first
    disconnected: {},    // ids of devices whose key I have taken away while this page is open
};

const reducers = {
    meReceived: (state, { user }) => withUsers({ ...state, me: user }, [user]),
    connectionChanged: (state, { connection }) => (state.connection === connection ? state : { ...state, connection }),
    channelsReceived(state, { channels }) {
        let next = { ...state, channels: {}, order: channels.map((c) => c.id), channelsKnown: true };
        for (const channel of channels) next = withChannel(next, channel);
        return next;
    },
    channelLost(state, { cid }) {
        const { [cid]: _, ...channels } = state.channels;
        return { ...state, channels, order: state.order.filter((id) => id !== cid) };
    },
    membersReceived(state, { cid, members }) {
        const users = members.map((member) => member.user);
        return withUsers({ ...state, members: { ...state.members, [cid]: users.map((u) => u.id) } }, users);
    },
    newestPageReceived(state, { cid, messages, limit }) {
        const held = state.timelines[cid];
        const listed = new Set(messages.map((m) => m.id));
        const overlaps = held?.messages.some((m) => listed.has(m.id));
        const reachesStart = messages.length < limit;
        // Without an overlap there may be a hole between what is held and what came: the page starts anew.
        // What is newer than the page came as an event while the page was on its way.
        const isEarlier = (m) => overlaps && !reachesStart && before(m, messages[0]);
        const isLater = (m) => messages.length === 0 || before(messages.at(-1), m);
        const kept = (held?.messages ?? []).filter((m) => listed.has(m.id) || isEarlier(m) || isLater(m));
        const hasEarlier = reachesStart ? false : overlaps ? held.hasEarlier : true;
        const { [cid]: _, ...unread } = state.unread;
        const next = withTimeline({ ...state, unread }, cid, { messages: kept, hasEarlier, isKnown: true });
        return withMessages(next, cid, messages);
    },
    earlierPageReceived(state, { cid, messages, limit }) {
        const held = state.timelines[cid] ?? { messages: [] };
        const hasEarlier = messages.length >= limit;
        return withMessages(withTimeline(state, cid, { ...held, hasEarlier, isKnown: true }), cid, messages);
    },
    /** A device that has a key again is connected again. */
    devicesReceived: (state, { devices }) => ({ ...state, devices, disconnected: Object.fromEntries(Object.entries(
        state.disconnected).filter(([id]) => !devices.some((device) => device.id === id && device.has_ingest_key))) }),
    deviceReceived: (state, { device }) =>
        ({ ...state, devices: [...state.devices.filter(({ id }) => id !== device.id), device] }),
    deviceDisconnected: (state, { id }) => ({ ...state, disconnected: { ...state.disconnected, [id]: true } }),
    readFailed: (state, { cid, reason }) => ({ ...state, unread: { ...state.unread, [cid]: reason } }),
    messageReceived(state, { message }) {
        if (message.parent_id) return state;
        const cid = message.channel_id;
        const order = state.order.includes(cid) ? [cid, ...state.order.filter((id) => id !== cid)] : state.order;
        return withMessages({ ...state, order }, cid, [message]);
    },
    messageChanged(state, { message }) {
        const cid = message.channel_id;
        const held = state.timelines[cid];
        // Older than what was read so far: to stand there already it would leave a hole above the oldest.
        const isBeyond = held?.isKnown && held.hasEarlier && held.messages.length > 0 && before(message, held.messages[0]);
        if (!isBeyond) return withMessages(state, cid, [message]);
        return withShares(withUsers(state, [message.user]), [message.shared_location].filter(Boolean));
    },
    messageLost(state, { id }) {
        const timelines = Object.fromEntries(Object.entries(state.timelines).map(([cid, timeline]) =>
            [cid, { ...timeline, messages: timeline.messages.filter((m) => m.id !== id) }]));
        return withoutShares({ ...state, timelines }, [id]);
    },
    shareReceived: (state, { share }) => withShares(state, [share]),
    fixReceived(state, { fix }) {
        const held = state.shares[fix.message_id];
        if (!held) return state;
        const moved = applyFix(held, fix);
        return moved === held ? state : { ...state, shares: { ...state.shares, [fix.message_id]: moved } };
    },
    /** The server's list of all active shares of a channel. One held as active but not listed is doubted. */
    channelStateReceived(state, { cid, shares }) {
        return withDoubts(withShares(state, shares), shares, (share) => share.channel_id === cid);
    },
    mySharesReceived(state, { shares }) {
        return withDoubts(withShares(state, shares), shares, (share) => share.user_id === state.me?.id);
    },
    endWished: (state, { wishes }) => ({ ...state, wishes: { ...state.wishes, ...wishes } }),
    endSettled(state, { id }) {
        const { [id]: _, ...wishes } = state.wishes;
        return { ...state, wishes, areEndsDelayed: false };
    },
    endsDelayed: (state) => (state.areEndsDelayed ? state : { ...state, areEndsDelayed: true }),
    queued(state, { cid, entry }) {
        return withOutbox(state, cid, [...(state.outbox[cid] ?? []), { ...entry, state: "sending" }]);
    },
    resent: (state, { cid, id }) => withEntry(state, cid, id, { state: "sending", reason: undefined }),
    sendFailed: (state, { cid, id, reason, temporary }) =>
        withEntry(state, cid, id, { state: "failed", reason, temporary }),
    discarded: (state, { cid, id }) => withOutbox(state, cid, (state.outbox[cid] ?? []).filter((e) => e.id !== id)),
};

export function reduce(state, action) {
    return reducers[action.type](state, action);
}

/** Holds the state and tells its listeners after each change, with the action that made it. */
export class Store {
    state = emptyState;
    #listeners = new Set();

    dispatch(action) {
        const next = reduce(this.state, action);
        if (next === this.state) return;
        this.state = next;
        for (const listener of this.#listeners) listener(next, action);
    }

    onChange(listener) {
        this.#listeners.add(listener);
    }
}

function before(a, b) {
    const difference = time(a.created_at) - time(b.created_at);
    return difference < 0 || (difference === 0 && a.id < b.id);
}

function withTimeline(state, cid, timeline) {
    return { ...state, timelines: { ...state.timelines, [cid]: timeline } };
}

function withChannel(state, channel) {
    const { active_live_locations: shares = [], ...rest } = channel;
    return withShares({ ...state, channels: { ...state.channels, [channel.id]: rest } }, shares);
}

function withUsers(state, users) {
    const changed = users.filter((user) => user && state.users[user.id] !== user);
    if (changed.length === 0) return state;
    return { ...state, users: { ...state.users, ...Object.fromEntries(changed.map((u) => [u.id, u])) } };
}

function withShares(state, incoming) {
    if (incoming.length === 0) return state;
    const shares = { ...state.shares };
    const doubted = { ...state.doubted };
    for (const share of incoming) {
        if (isDeleted(state, share)) continue;
        shares[share.message_id] = mergeShare(shares[share.message_id], share);
        delete doubted[share.message_id];
    }
    return { ...state, shares, doubted };
}

function isDeleted(state, { channel_id: cid, message_id: id }) {
    return state.timelines[cid]?.messages.some((m) => m.id === id && m.deleted_at) ?? false;
}

/** A deleted message takes its position along. */
function withoutShares(state, ids) {
    if (!ids.some((id) => state.shares[id] || state.doubted[id])) return state;
    const without = (held) => Object.fromEntries(Object.entries(held).filter(([id]) => !ids.includes(id)));
    return { ...state, shares: without(state.shares), doubted: without(state.doubted) };
}

function withDoubts(state, listed, concerns) {
    const known = new Set(listed.map((share) => share.message_id));
    const missing = Object.values(state.shares).filter((share) =>
        concerns(share) && share.end_at !== undefined && share.ended_at === undefined && !known.has(share.message_id));
    if (missing.length === 0) return state;
    const doubts = Object.fromEntries(missing.map((share) => [share.message_id, true]));
    return { ...state, doubted: { ...state.doubted, ...doubts } };
}

/**
 * Adds messages by id (a repeat replaces, but no page that was long on its way an edit), keeps the order, and takes
 * what arrived out of the outbox. Replies stand in their thread, not here.
 */
function withMessages(state, cid, received) {
    const held = state.timelines[cid] ?? { messages: [], hasEarlier: true, isKnown: false };
    const byId = new Map(held.messages.map((m) => [m.id, m]));
    const isOutdated = (m) => time(m.updated_at) < time(byId.get(m.id)?.updated_at);
    const messages = received.filter((m) => !m.parent_id && !isOutdated(m));
    for (const message of messages) byId.set(message.id, message);
    const sorted = [...byId.values()].sort((a, b) => (before(a, b) ? -1 : 1));
    let next = withTimeline(state, cid, { ...held, messages: sorted });
    next = withUsers(next, messages.map((m) => m.user));
    next = withShares(next, messages.map((m) => m.shared_location).filter(Boolean));
    next = withoutShares(next, messages.filter((m) => m.deleted_at).map((m) => m.id));
    const arrived = new Set(messages.map((m) => m.id));
    const waiting = next.outbox[cid] ?? [];
    const rest = waiting.filter((entry) => !arrived.has(entry.id));
    return rest.length < waiting.length ? withOutbox(next, cid, rest) : next;
}

function withOutbox(state, cid, entries) {
    return { ...state, outbox: { ...state.outbox, [cid]: entries } };
}

function withEntry(state, cid, id, change) {
    return withOutbox(state, cid, (state.outbox[cid] ?? []).map((e) => (e.id === id ? { ...e, ...change } : e)));
}
