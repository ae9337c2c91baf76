// Over the composer while I share: how long, who can see it, whether my position gets through, Stop.
import { h, setData, setHidden, setText } from "../dom.js";
import { icon } from "../icons.js";
import { freshMillis, phase, time } from "../rules.js";
import { audience, channelName, deviceName, feederOf, linkableShare, myActiveShares, sharesFedBy } from "../selectors.js";
import { agoWords, audienceWords, lateWords, locatorWords, remainingWords, sharingHere, sharingInChatsWords,
    sharingInWords, sharingWords, updatedByWords, words } from "../words.js";

// How old a position is, as `agoWords` says it.
const ages = /\b(now|\d+ (s|min) ago|at [\d:]+( [AP]M)?)/g;

export class SharingBar {
    /** onStopped(): the button is about to go away under the focus. */
    constructor(ctx, onStopped) {
        Object.assign(this, { ctx, onStopped });
        this.dot = h("span", { class: "dot", "aria-hidden": "true" });
        this.headline = h("bdi", { class: "headline", "data-testid": "sharing-text" });
        this.detail = h("span", { class: "detail", "data-testid": "sharing-trouble" });
        this.spoken = h("span", { class: "unseen", role: "status" });
        this.retry = h("button", { type: "button", class: "plain", on: { click: () => ctx.locator.retry() } },
            words.tryAgain);
        this.link = h("button", { type: "button", class: "round", "aria-label": words.shareLink, title: words.shareLink,
            "data-testid": "share-link", on: { click: () => ctx.actions.shareLink() } }, icon("link"));
        this.stop = h("button", { type: "button", class: "stop", "data-testid": "sharing-stop",
            on: { click: () => this.#stop() } });
        this.element = h("div", { class: "sharing-bar", role: "group", "aria-label": words.liveLocation,
            "data-testid": "sharing-bar" },
            this.dot, h("div", { class: "lines" }, this.headline, this.detail, this.spoken),
            h("span", { class: "sharing-buttons" }, this.retry, this.link, this.stop));
    }

    update(state, ui, now) {
        const shares = myActiveShares(state, now);
        setHidden(this.element, shares.length === 0);
        if (shares.length === 0) return;
        const { locator, deviceId } = this.ctx;
        const line = barLine(state, now, {
            cid: ui.cid, deviceId, locator: locator.state, isSecure: isSecureContext, locale: this.ctx.format.locale,
        });
        setText(this.headline, line.headline);
        setText(this.detail, line.detail);
        setHidden(this.detail, !line.detail);
        // Said once when it begins, not again with every second that it counts.
        const gist = line.detail.replace(ages, "");
        if (gist !== this.spokenGist) setText(this.spoken, line.detail);
        this.spokenGist = gist;
        setData(this.dot, "phase", line.phase);
        setData(this.element, "phase", line.phase);
        setHidden(this.retry, locator.state !== "denied" || !line.isFed);
        // Where the position is refused there is more urgent work than a link, and little room.
        setHidden(this.link, !this.retry.hidden || !linkableShare(state, ui.cid, now));
        const stoppable = shares.filter((share) => !state.wishes[share.message_id]);
        setHidden(this.stop, stoppable.length === 0);
        setText(this.stop, stoppable.length > 1 ? words.stopAll : words.stop);
    }

    #stop() {
        const { store, clock, actions } = this.ctx;
        this.onStopped();
        const shares = myActiveShares(store.state, clock.now()).filter((share) => !store.state.wishes[share.message_id]);
        if (shares.length > 1) actions.stopAll();
        else if (shares.length === 1) actions.stop(shares[0].message_id);
    }
}

/**
 * What the bar says of my active shares: {headline, detail, phase: "live" | "stale", isFed}. Pure. What others see is
 * judged by the share that was fed longest ago, whoever feeds it.
 */
export function barLine(state, now, { cid, deviceId, locator, isSecure, locale, timeZone }) {
    const all = myActiveShares(state, now);
    const shares = all.filter((share) => !state.wishes[share.message_id]);
    const isFed = sharesFedBy(state, deviceId, now).length > 0;
    if (shares.length === 0) {
        return { headline: words.stopping, detail: state.areEndsDelayed ? words.stoppingLater : "", phase: "stale", isFed };
    }
    const trouble = isFed ? locatorWords(locator, isSecure) : "";
    if (isFed && (locator === "denied" || locator === "impossible")) {
        return { headline: words.paused, detail: trouble, phase: "stale", isFed };
    }
    const oldest = shares.reduce((a, b) => (time(a.recorded_at) <= time(b.recorded_at) ? a : b));
    const seenAt = time(oldest.recorded_at);
    const isLate = phase(oldest, now) === "stale" || (isFed && now - seenAt > freshMillis);
    const ago = agoWords(seenAt, now, locale, timeZone);
    const precision = shares.every((share) => share.precision === "approximate") ? words.approximate : "";
    const source = sourceWords(state, shares, deviceId);
    const late = isLate ? [source && `${source}.`, lateWords(ago)] : [];
    const calm = source ? sharingWords([source, ago, precision]) : precision;
    return {
        headline: headlineWords(state, shares, cid, now),
        detail: [trouble, ...late].filter(Boolean).join(" ") || calm, phase: isLate ? "stale" : "live", isFed,
    };
}

/** What updates them, where it is not this browser alone. */
function sourceWords(state, shares, deviceId) {
    const feeders = [...new Set(shares.map(feederOf))];
    if (feeders.every((id) => id === deviceId)) return "";
    return updatedByWords(feeders.map((id) => (id === deviceId ? words.byThisBrowser : deviceName(state, id))));
}

function headlineWords(state, shares, cid, now) {
    const left = remainingWords(time(shares[0].end_at) - now);
    if (shares.length > 1) return sharingWords([sharingInChatsWords(shares.length), left]);
    const [share] = shares;
    const place = share.channel_id === cid ? sharingHere : sharingInWords(channelName(state, share.channel_id));
    return sharingWords([place, left, audienceWords(audience(state, share))]);
}
