// One message: text, or a location with its small map and a line that ticks.
import { avatar, dressAvatar } from "../avatar.js";
import { h, setData, setHidden, setText } from "../dom.js";
import { icon } from "../icons.js";
import { hasPosition, phase, shareLines, time } from "../rules.js";
import { clockWords, showOnMapWords, words } from "../words.js";
import { QuoteView } from "./quote.js";
import { StillMapView } from "./stillmap.js";

const stillSize = { width: 320, height: 150 };

export class MessageView {
    #still = null;
    #inView = false;

    constructor(ctx, id) {
        this.ctx = ctx;
        this.id = id;
        this.author = h("bdi", { class: "author", dir: "auto" });
        this.avatar = avatar({ id: "?", name: "?" }, "avatar small");
        this.text = h("div", { class: "text", dir: "auto" });
        this.stamp = h("span", { class: "stamp" });
        this.mark = h("span", { class: "mark", role: "img" });
        this.location = this.#makeLocation();
        this.quote = new QuoteView();
        this.edited = h("span", {}, words.edited);
        this.bubble = h("div", { class: "bubble" }, this.author, this.quote.element, this.location, this.text,
            h("span", { class: "foot" }, this.edited, this.stamp, this.mark));
        this.trouble = h("div", { class: "trouble", role: "alert" });
        this.element = h("li", { class: "message", "data-testid": "message", "data-message": id },
            this.avatar, h("div", { class: "message-body" }, this.bubble, this.trouble));
        ctx.onVisible(this.element, () => { this.#inView = true; ctx.requestRender(); });
    }

    #makeLocation() {
        this.pinDisc = h("span", { class: "pin-disc", "aria-hidden": "true" });
        this.pinDrop = h("span", { class: "place-pin" }, icon("pin"));
        this.open = h("button", { type: "button", class: "still-button", "data-testid": "location-bubble",
            on: { click: () => this.ctx.actions.showOnMap(this.id) } });
        this.dot = h("span", { class: "dot", "aria-hidden": "true" });
        this.headline = h("span", { class: "headline", "data-testid": "share-headline" });
        this.detail = h("span", { class: "detail", "data-testid": "share-detail" });
        return h("div", { class: "location" }, this.open,
            // Ticks every second: nothing that a screen reader should read out.
            h("div", { class: "status", "aria-live": "off" }, this.dot, h("div", { class: "lines" }, this.headline, this.detail)));
    }

    /** item: {message} or {entry} of the outbox; `first` when the author changes here. */
    update(item, state, now, { first }) {
        const message = item.message ?? this.#pretend(item.entry, state);
        const share = state.shares[this.id] ?? message.shared_location;
        const mine = message.user.id === state.me?.id;
        setData(this.element, "mine", String(mine));
        setData(this.element, "first", String(first));
        setHidden(this.author, mine || !first);
        setText(this.author, message.user.name);
        setHidden(this.avatar, mine);
        dressAvatar(this.avatar, message.user);
        setText(this.text, message.deleted_at ? words.deleted : message.text ?? "");
        setHidden(this.text, !this.text.textContent);
        setHidden(this.edited, !isEdited(message));
        this.quote.update(message.deleted_at ? undefined : quotedNow(state, message));
        setText(this.stamp, clockWords(time(message.created_at)));
        this.#updateMark(item, mine);
        const isLocation = Boolean(share) && !message.deleted_at;
        setHidden(this.location, !isLocation);
        setData(this.bubble, "kind", isLocation ? "location" : message.deleted_at ? "deleted" : "text");
        if (isLocation) this.#updateLocation(share, message.user, now);
    }

    #pretend(entry, state) {
        return { user: state.me, text: entry.text, created_at: entry.createdAt };
    }

    #updateMark(item, mine) {
        const mode = item.entry ? item.entry.state : mine ? "sent" : "none";
        if (this.mark.dataset.mode !== mode) {
            this.mark.dataset.mode = mode;
            this.mark.replaceChildren(...({ sending: [icon("clock")], sent: [icon("check")] }[mode] ?? []));
            const names = { sending: words.sending, sent: words.sent, failed: words.notSent };
            this.mark.setAttribute("aria-label", names[mode] ?? "");
            setHidden(this.mark, mode === "none");
            setData(this.element, "mode", mode);
        }
        const hasFailed = mode === "failed";
        if (hasFailed && !this.trouble.firstChild) this.#showTrouble(item.entry);
        if (!hasFailed && this.trouble.firstChild) this.trouble.replaceChildren();
    }

    #showTrouble(entry) {
        const { retry, discard } = this.ctx.actions;
        this.trouble.replaceChildren(
            h("span", {}, [words.notSent, entry.reason, entry.temporary && words.triedAgain].filter(Boolean).join(" ")),
            h("button", { type: "button", class: "plain", "data-testid": "retry", on: { click: () => retry(this.id) } },
                words.tryAgain),
            h("button", { type: "button", class: "plain", on: { click: () => discard(this.id) } }, words.discard));
    }

    #updateLocation(share, user, now) {
        const name = phase(share, now);
        const lines = shareLines(share, now, this.ctx.format);
        setData(this.location, "phase", name);
        setData(this.dot, "phase", hasPosition(share) ? name : "ended");
        setText(this.headline, lines.headline);
        setText(this.detail, lines.detail);
        setHidden(this.detail, !lines.detail);
        const isShown = hasPosition(share) && !share.erased;
        setHidden(this.open, !isShown);
        if (!isShown) return;
        this.open.setAttribute("aria-label", showOnMapWords(user.name, name !== "static"));
        dressAvatar(this.pinDisc, user);
        if (!this.#inView) return;
        if (!this.#still) {
            this.#still = new StillMapView(this.ctx.stills, stillSize, name === "static" ? this.pinDrop : this.pinDisc);
            this.open.append(this.#still.element);
        }
        this.#still.show(share);
    }
}

/** Only an edit or a deletion changes when a message was changed. */
function isEdited(message) {
    return !message.deleted_at && message.updated_at !== undefined && message.updated_at !== message.created_at;
}

/** The quoted message as it is by now where this page knows it: what was deleted since is not shown on. */
function quotedNow(state, { quoted_message: quoted, channel_id: cid }) {
    return quoted && (state.timelines[cid]?.messages.find((message) => message.id === quoted.id) ?? quoted);
}
