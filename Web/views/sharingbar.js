// Over the composer while I share: how long, who can see it, Stop.
import { h, setData, setHidden, setText } from "../dom.js";
import { time } from "../rules.js";
import { audience, channelName, myActiveShares } from "../selectors.js";
import { audienceWords, impossibleWords, remainingWords, sharingHere, sharingInChatsWords, sharingInWords, sharingWords, words }
    from "../words.js";

export class SharingBar {
    constructor(ctx) {
        this.ctx = ctx;
        this.headline = h("bdi", { class: "headline", "data-testid": "sharing-text" });
        this.detail = h("span", { class: "detail", role: "status", "data-testid": "sharing-trouble" });
        this.retry = h("button", { type: "button", class: "plain", on: { click: () => ctx.locator.retry() } }, words.tryAgain);
        this.stop = h("button", { type: "button", class: "stop", "data-testid": "sharing-stop",
            on: { click: () => this.#stop() } });
        this.element = h("div", { class: "sharing-bar", role: "group", "aria-label": words.liveLocation,
            "data-testid": "sharing-bar" },
            h("span", { class: "dot", "data-phase": "live", "aria-hidden": "true" }),
            h("div", { class: "lines" }, this.headline, this.detail), this.retry, this.stop);
    }

    update(state, ui, now) {
        const shares = myActiveShares(state, now);
        setHidden(this.element, shares.length === 0);
        if (shares.length === 0) return;
        const trouble = this.#trouble();
        setText(this.headline, this.#words(state, ui, shares, now));
        setText(this.detail, trouble);
        setHidden(this.detail, !trouble);
        setHidden(this.retry, this.ctx.locator.state !== "denied" || !trouble);
        setData(this.element, "paused", String(Boolean(trouble)));
        setText(this.stop, shares.length > 1 ? words.stopAll : words.stop);
    }

    #words(state, ui, shares, now) {
        const left = remainingWords(time(shares[0].end_at) - now);
        if (shares.length > 1) return sharingWords([sharingInChatsWords(shares.length), left]);
        const [share] = shares;
        const place = share.channel_id === ui.cid ? sharingHere : sharingInWords(channelName(state, share.channel_id));
        return sharingWords([place, left, audienceWords(audience(state, share))]);
    }

    #trouble() {
        if (this.ctx.sharing.fed.length === 0) return "";
        switch (this.ctx.locator.state) {
            case "denied": return `${words.paused}. ${words.locationOff}`;
            case "impossible": return `${words.paused}. ${impossibleWords(isSecureContext)}`;
            case "waiting": return words.waitingForGps;
            default: return "";
        }
    }

    #stop() {
        const shares = myActiveShares(this.ctx.store.state, this.ctx.clock.now());
        if (shares.length > 1) this.ctx.actions.stopAll();
        else if (shares.length === 1) this.ctx.actions.stop(shares[0].message_id);
    }
}
