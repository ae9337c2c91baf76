// Questions asked of the state. Pure.
import { endMillis, hasPosition, isActive, isRecentlyEnded, time } from "./rules.js";
import { words } from "./words.js";

export function nameOf(state, userId) {
    return userOf(state, userId).name;
}

export function userOf(state, userId) {
    return state.users[userId] ?? { id: userId, name: userId };
}

/** The name of whose share it is; mine is "You". */
export function ownerName(state, share) {
    return isMine(state, share) ? words.you : nameOf(state, share.user_id);
}

export function isMine(state, share) {
    return share.user_id === state.me?.id;
}

export function channelName(state, cid) {
    const channel = state.channels[cid];
    if (channel?.name) return channel.name;
    const others = (state.members[cid] ?? []).filter((id) => id !== state.me?.id);
    if (others.length) return others.map((id) => nameOf(state, id)).join(", ");
    return cid.slice(cid.indexOf(":") + 1);
}

export function can(state, cid, capability) {
    return state.channels[cid]?.capabilities?.includes(capability) ?? true;
}

/** As `can`, but for what must not be offered before it is known. */
export function canModerate(state, cid) {
    return state.channels[cid]?.capabilities?.includes("moderate") ?? false;
}

export function channelShares(state, cid) {
    return Object.values(state.shares).filter((share) => share.channel_id === cid);
}

/** People on the map of a channel: who is live (oldest share first), then who ended within 5 minutes. */
export function peopleOnMap(state, cid, now) {
    const shares = channelShares(state, cid).filter((share) => share.end_at !== undefined && hasPosition(share));
    const byStart = (a, b) => time(a.created_at) - time(b.created_at) || (a.message_id < b.message_id ? -1 : 1);
    const live = shares.filter((share) => isActive(share, now)).sort(byStart);
    const isLiveNow = new Set(live.map((share) => share.user_id));
    const ended = shares
        .filter((share) => isRecentlyEnded(share, now) && !isLiveNow.has(share.user_id))
        .sort((a, b) => endMillis(b) - endMillis(a));
    return { live, ended: firstPerUser(ended) };
}

function firstPerUser(shares) {
    const seen = new Set();
    return shares.filter((share) => !seen.has(share.user_id) && seen.add(share.user_id));
}

export function liveCount(state, cid, now) {
    return channelShares(state, cid).filter((share) => isActive(share, now)).length;
}

/** My active shares, the one ending first in front. */
export function myActiveShares(state, now) {
    return Object.values(state.shares)
        .filter((share) => isMine(state, share) && isActive(share, now))
        .sort((a, b) => time(a.end_at) - time(b.end_at));
}

/** The device whose fixes move a share of mine. */
export function feederOf(share) {
    return share.fed_by ?? share.device_id;
}

/** Shares that this device moves: not one that I want to be over. */
export function sharesFedBy(state, deviceId, now) {
    return myActiveShares(state, now)
        .filter((share) => feederOf(share) === deviceId && !state.wishes[share.message_id]);
}

/** My devices that move a share by themselves: no browsers, of which each was one once and most are gone. */
export function phones(state) {
    return state.devices.filter((device) => device.platform !== "web");
}

export function deviceName(state, id) {
    return state.devices.find((device) => device.id === id)?.name ?? words.anotherDevice;
}

/** The share that a link would be made to while this chat is looked at: the one here, else the only one. */
export function linkableShare(state, cid, now) {
    const shares = myActiveShares(state, now).filter((share) => !state.wishes[share.message_id]);
    return shares.find((share) => share.channel_id === cid) ?? (shares.length === 1 ? shares[0] : undefined);
}

/** How many other people can see a share: the server's count, else the members of its channel. */
export function audience(state, share) {
    const members = state.channels[share.channel_id]?.member_count;
    return share.audience ?? (members > 0 ? members - 1 : undefined);
}

/** One line about a channel for the list. */
export function previewOf(state, cid) {
    const last = state.timelines[cid]?.messages.at(-1);
    if (!last) return undefined;
    const who = last.user.id === state.me?.id ? words.you : last.user.name;
    return { who, text: messageGist(last), at: time(last.created_at) };
}

export function messageGist(message) {
    if (message.deleted_at) return words.deleted;
    if (!message.shared_location) return message.text ?? "";
    return message.shared_location.end_at === undefined ? words.location : words.liveLocation;
}
