// A chat: bar, messages, sharing bar, composer.
import { h, setHidden, setText, syncChildren } from "../dom.js";
import { icon } from "../icons.js";
import { time } from "../rules.js";
import { canModerate, channelName, liveCount } from "../selectors.js";
import { dayWords, liveCountWords, peopleWords, words } from "../words.js";
import { Composer } from "./composer.js";
import { MessageView } from "./message.js";
import { SharingBar } from "./sharingbar.js";

const groupMillis = 300_000;
const bottomSlackPixels = 40;

export class Conversation {
    #elements = new Map();
    #views = new Map();
    #cid = null;
    #isAtBottom = true;
    #firstKey = null;
    #lastKey = null;

    constructor(ctx) {
        this.ctx = ctx;
        this.composer = new Composer(ctx);
        this.sharingBar = new SharingBar(ctx, () => this.composer.add.focus());
        this.title = h("bdi", { class: "title", dir: "auto", "data-testid": "channel-title" });
        this.subtitle = h("span", { class: "quiet subtitle" });
        this.chip = h("button", { type: "button", class: "live-chip", "data-testid": "live-chip",
            on: { click: () => ctx.actions.openMap() } });
        this.mapButton = h("button", { type: "button", class: "round only-phone", "aria-label": words.openMap,
            "data-testid": "open-map", on: { click: () => ctx.actions.openMap() } }, icon("map"));
        this.invite = h("button", { type: "button", class: "round", "aria-label": words.invite, title: words.invite,
            "data-testid": "invite-people", on: { click: () => ctx.actions.invite() } }, icon("invite"));
        this.earlier = h("button", { type: "button", class: "chip earlier", "data-testid": "load-earlier",
            on: { click: () => ctx.actions.loadEarlier() } }, words.loadEarlier);
        this.empty = h("p", { class: "quiet empty" });
        this.reload = h("button", { type: "button", class: "chip reload", "data-testid": "reload", hidden: true,
            on: { click: () => ctx.actions.reload() } }, words.tryAgain);
        this.list = h("ol", { class: "messages", "data-testid": "messages" });
        this.toBottom = h("button", { type: "button", class: "chip to-bottom", hidden: true,
            on: { click: () => this.#scrollDown() } }, icon("down"), words.newMessages);
        // In the Tab order, so that keys can scroll it.
        this.scroller = h("div", { class: "scroll message-scroll", tabindex: "0", role: "log", "aria-label": words.messages,
            "aria-relevant": "additions", on: { scroll: () => this.#scrolled() } },
            this.earlier, this.empty, this.reload, this.list);
        this.element = h("main", {
            class: "conversation screen", tabindex: "-1", "aria-label": words.chat, "data-testid": "conversation",
        }, this.#makeBar(), h("div", { class: "message-area" }, this.scroller, this.toBottom), this.sharingBar.element,
            this.composer.element);
        const observer = new ResizeObserver(() => this.#isAtBottom && this.#scrollDown());
        observer.observe(this.list);
        observer.observe(this.scroller);
    }

    #makeBar() {
        const back = h("button", { type: "button", class: "round back", "aria-label": words.back, "data-testid": "back",
            on: { click: () => this.ctx.actions.goBack() } }, icon("back"));
        this.menu = h("button", { type: "button", class: "round menu", "aria-label": words.menu, "aria-expanded": "false",
            "data-testid": "menu", on: { click: () => this.ctx.actions.toggleDrawer() } }, icon("menu"));
        return h("header", { class: "bar" }, back, this.menu, h("h2", {}, this.title, this.subtitle), this.chip,
            this.mapButton, this.invite);
    }

    update(state, ui, now) {
        const { cid } = ui;
        if (cid !== this.#cid) this.#switch(cid);
        setHidden(this.composer.element, !cid);
        this.sharingBar.update(state, ui, now);
        if (!cid) {
            setText(this.title, "");
            setText(this.subtitle, "");
            setText(this.empty, state.channelsKnown && state.order.length > 0 ? words.pickChannel : "");
            for (const node of [this.chip, this.earlier, this.invite, this.mapButton, this.reload]) setHidden(node, true);
            return;
        }
        this.composer.update(state, ui);
        this.#updateBar(state, cid, now);
        this.#updateMessages(state, cid, now);
    }

    #switch(cid) {
        this.#cid = cid;
        this.#isAtBottom = true;
        this.#firstKey = this.#lastKey = null;
        this.list.replaceChildren();
        this.#elements.clear();
        this.#views.clear();
        setHidden(this.toBottom, true);
    }

    #updateBar(state, cid, now) {
        const live = liveCount(state, cid, now);
        const members = state.channels[cid]?.member_count;
        const name = channelName(state, cid);
        setText(this.title, name);
        if (this.element.getAttribute("aria-label") !== name) this.element.setAttribute("aria-label", name);
        setText(this.subtitle, members ? peopleWords(members) : "");
        setText(this.chip, liveCountWords(live));
        setHidden(this.chip, live === 0);
        setHidden(this.mapButton, live > 0);
        setHidden(this.invite, !canModerate(state, cid));
    }

    #updateMessages(state, cid, now) {
        const timeline = state.timelines[cid];
        const items = [
            ...(timeline?.messages ?? []).map((message) => ({ key: message.id, message, at: time(message.created_at) })),
            ...(state.outbox[cid] ?? []).map((entry) => ({ key: entry.id, entry, at: time(entry.createdAt) })),
        ];
        setHidden(this.earlier, !timeline?.isKnown || !timeline.hasEarlier);
        const unread = timeline?.isKnown ? undefined : state.unread[cid];
        setText(this.empty, unread ?? (!timeline?.isKnown ? words.loading : items.length ? "" : words.noMessages));
        setHidden(this.reload, !unread);
        this.scroller.setAttribute("aria-busy", String(!timeline?.isKnown));
        setHidden(this.empty, !this.empty.textContent);
        const { keys, days, first } = arrange(items, state.me?.id);
        const fromBottom = this.scroller.scrollHeight - this.scroller.scrollTop;
        syncChildren(this.list, this.#elements, keys, (key) => days.has(key) ? makeDay() : this.#makeMessage(key));
        for (const [key, at] of days) setText(this.#elements.get(key).firstChild, dayWords(at, now));
        if (this.#views.size > items.length) this.#dropViews(new Set(keys));
        for (const item of items) this.#views.get(item.key).update(item, state, now, { first: first.has(item.key) });
        this.#settleScroll(items, fromBottom, state.me?.id);
    }

    #makeMessage(key) {
        const view = new MessageView(this.ctx, key);
        this.#views.set(key, view);
        return view.element;
    }

    #dropViews(kept) {
        for (const key of this.#views.keys()) if (!kept.has(key)) this.#views.delete(key);
    }

    /** Stays at the bottom if there; after earlier messages came in above, what was read stays in its place. */
    #settleScroll(items, fromBottom, me) {
        const hasGrownAbove = this.#firstKey !== null && items[0]?.key !== this.#firstKey;
        this.#firstKey = items[0]?.key ?? null;
        const last = items.at(-1);
        const isNewAtEnd = last && last.key !== this.#lastKey;
        const isMine = last && (last.entry || last.message.user.id === me);
        if (isNewAtEnd && (isMine || this.#lastKey === null)) this.#isAtBottom = true;
        // Only when messages came: each write to scrollTop breaks off a scroll that a key or a finger has begun.
        if (this.#isAtBottom) {
            if (isNewAtEnd || hasGrownAbove) this.#scrollDown();
        } else if (hasGrownAbove) this.scroller.scrollTop = this.scroller.scrollHeight - fromBottom;
        else if (isNewAtEnd) setHidden(this.toBottom, false);
        if (last) this.#lastKey = last.key;
    }

    #scrollDown() {
        this.#isAtBottom = true;
        this.scroller.scrollTop = this.scroller.scrollHeight;
        setHidden(this.toBottom, true);
    }

    #scrolled() {
        const { scrollHeight, scrollTop, clientHeight } = this.scroller;
        this.#isAtBottom = scrollHeight - scrollTop - clientHeight < bottomSlackPixels;
        if (this.#isAtBottom) setHidden(this.toBottom, true);
    }
}

function makeDay() {
    return h("li", { class: "day" }, h("span", {}));
}

/** Keys in order with a key before each new day, and which messages open a group of one author's. */
function arrange(items, me) {
    const keys = [];
    const days = new Map();
    const first = new Set();
    let previous = null;
    for (const item of items) {
        const day = `day:${new Date(item.at).toDateString()}`;
        const author = item.entry ? me : item.message.user.id;
        if (!days.has(day)) {
            days.set(day, item.at);
            keys.push(day);
            previous = null;
        }
        if (previous?.author !== author || item.at - previous.at > groupMillis) first.add(item.key);
        previous = { author, at: item.at };
        keys.push(item.key);
    }
    return { keys, days, first };
}
