// The list of my chats.
import { h, setData, setHidden, setText, syncChildren } from "../dom.js";
import { avatar, dressAvatar } from "../avatar.js";
import { channelName, liveCount, previewOf } from "../selectors.js";
import { liveCountWords, listTimeWords, peopleWords, words } from "../words.js";

export class ChannelList {
    #rows = new Map();

    constructor(ctx) {
        this.ctx = ctx;
        this.list = h("ul", { class: "channel-list" });
        this.empty = h("div", { class: "empty" }, h("strong", {}, words.noChannels), h("p", {}, words.noChannelsMore));
        this.me = h("bdi", { class: "quiet me-name" });
        this.meAvatar = h("span", { class: "avatar small", "aria-hidden": "true" });
        const bar = h("header", { class: "bar" }, h("h1", {}, words.channels),
            h("span", { class: "me" }, this.me, this.meAvatar));
        this.element = h("nav", {
            class: "channels screen", tabindex: "-1", "aria-label": words.channels, "data-testid": "channels",
        }, bar,
            h("div", { class: "scroll" }, this.list, this.empty));
    }

    update(state, ui, now) {
        syncChildren(this.list, this.#rows, state.order, (cid) => this.#makeRow(cid));
        for (const cid of state.order) this.#dress(this.#rows.get(cid), state, ui, cid, now);
        setHidden(this.empty, !state.channelsKnown || state.order.length > 0);
        if (!state.me) return;
        setText(this.me, state.me.name);
        dressAvatar(this.meAvatar, state.me);
    }

    #makeRow(cid) {
        const parts = {
            name: h("bdi", { class: "channel-name", dir: "auto" }),
            time: h("span", { class: "quiet channel-time" }),
            preview: h("bdi", { class: "quiet channel-preview", dir: "auto" }),
            live: h("span", { class: "live-chip small" }),
            avatar: avatar({ id: cid, name: "?" }, "avatar large"),
        };
        const button = h("button", {
            type: "button", class: "channel-row", "data-testid": "channel-row", "data-channel": cid,
            on: { click: () => this.ctx.actions.openChannel(cid) },
        }, parts.avatar, h("span", { class: "channel-text" },
            h("span", { class: "channel-top" }, parts.name, parts.time),
            h("span", { class: "channel-bottom" }, parts.preview, parts.live)));
        const row = h("li", {}, button);
        Object.assign(row, { parts, button });
        return row;
    }

    #dress(row, state, ui, cid, now) {
        const name = channelName(state, cid);
        const preview = previewOf(state, cid);
        const live = liveCount(state, cid, now);
        const { parts, button } = row;
        setText(parts.name, name);
        dressAvatar(parts.avatar, { id: cid, name });
        const people = peopleWords(state.channels[cid].member_count ?? 1);
        setText(parts.preview, preview ? `${preview.who}: ${preview.text}` : people);
        setText(parts.time, preview ? listTimeWords(preview.at, now) : "");
        setText(parts.live, liveCountWords(live));
        setHidden(parts.live, live === 0);
        setData(button, "live", String(live));
        if (ui.cid === cid) button.setAttribute("aria-current", "true");
        else button.removeAttribute("aria-current");
    }
}
