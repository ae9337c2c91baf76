// What a share is at a given moment, by the engine's rules. Pure; `now` is the server's clock in milliseconds.
import { engine } from "./engine.js";
import { accuracyWords, agoWords, clockWords, untilWords, words } from "./words.js";

/** How long a position stays fresh whose sender promised nothing. */
export const freshMillis = 1000 * engine.rule_fresh_seconds(NaN);
export const endedListMillis = 300_000;

export const time = (text) => (text ? Date.parse(text) : NaN);

export function isLive(share) {
    return share.end_at !== undefined;
}

export function hasPosition(share) {
    return Number.isFinite(share.latitude) && Number.isFinite(share.longitude);
}

export function isActive(share, now) {
    return isLive(share) && engine.rule_is_active(time(share.end_at), time(share.ended_at), now) !== 0;
}

/** When the share ended or will end. A share nobody reported as ended is over at `end_at` all the same. */
export function endMillis(share) {
    const end = time(share.end_at);
    const ended = time(share.ended_at);
    return Number.isNaN(ended) ? end : Math.min(ended, end);
}

/** How long after a fix the pin counts as stale: twice what the sender promised, never under 30 s. */
export function staleAfterMillis(share) {
    return 1000 * engine.rule_fresh_seconds(share.next_within ?? NaN);
}

/** One of "static", "live", "stale", "ended". */
export function phase(share, now) {
    if (!isLive(share)) return "static";
    if (!isActive(share, now)) return "ended";
    const isStale = engine.rule_is_stale(time(share.recorded_at), share.next_within ?? NaN, now) !== 0;
    return isStale ? "stale" : "live";
}

export function isRecentlyEnded(share, now) {
    return phase(share, now) === "ended" && now - endMillis(share) < endedListMillis;
}

/** Whether `candidate` is a newer fix than the one held: a pin never moves back. */
export function isNewerFix(held, candidate) {
    if (!hasPosition(held)) return true;
    return engine.rule_is_newer(time(candidate.recorded_at), time(held.recorded_at)) !== 0;
}

/** The next moment at which any of these shares looks different without an event; Infinity if none does. */
export function nextChange(shares, now) {
    let next = Infinity;
    for (const share of shares) {
        if (!isLive(share)) continue;
        const moments = [endMillis(share), endMillis(share) + endedListMillis];
        if (isActive(share, now)) moments.push(time(share.recorded_at) + staleAfterMillis(share) + 1);
        for (const moment of moments) if (moment > now && moment < next) next = moment;
    }
    return next;
}

/** The state of a share in words: a headline and the quieter line under it. */
export function shareLines(share, now, { locale, timeZone, miles } = {}) {
    if (share.erased || !hasPosition(share)) return { headline: words.erased, detail: "" };
    const accuracy = share.precision === "approximate" ? words.approximate : accuracyWords(share.accuracy, miles);
    const ago = agoWords(time(share.recorded_at), now, locale, timeZone);
    const until = isLive(share) ? untilWords(time(share.end_at), locale, timeZone) : "";
    const join = (...parts) => parts.filter(Boolean).join(" · ");
    switch (phase(share, now)) {
        case "static":
            return { headline: words.location, detail: accuracy };
        case "live":
            return { headline: until, detail: join(ago, accuracy) };
        case "stale":
            return { headline: `Last seen ${ago}`, detail: join(until, accuracy) };
        case "ended":
            return { headline: words.ended, detail: clockWords(endMillis(share), locale, timeZone) };
    }
}
