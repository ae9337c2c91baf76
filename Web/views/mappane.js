// The map with its bar, its buttons, and the people under it.
import { h, setHidden, setText } from "../dom.js";
import { icon } from "../icons.js";
import { isArea } from "../map/footprint.js";
import { mapOrNone } from "../map/nomapview.js";
import { hasPosition, phase, shareLines } from "../rules.js";
import { feederOf, isMine, nameOf, ownerName, peopleOnMap, userOf } from "../selectors.js";
import { endedNotice, followWords, words } from "../words.js";
import { floatingButton } from "./floatingbutton.js";
import { LocateButton } from "./locatebutton.js";
import { NorthButton } from "./northbutton.js";
import { PeopleList } from "./people.js";

const noticeMillis = 6000;

export class MapPane {
    #cid = null;
    #needsFit = true;
    #phases = new Map();
    #noticeUntil = 0;

    constructor(ctx) {
        this.ctx = ctx;
        this.people = new PeopleList(ctx);
        this.title = h("bdi", { class: "title", dir: "auto" });
        this.canvas = h("div", { class: "map-canvas", "data-testid": "map" });
        this.notice = h("div", { class: "map-notice", "data-testid": "map-notice" });
        this.all = floatingButton(words.zoomToAll, "show-all", "group", () => this.showEverybody());
        this.locate = new LocateButton(ctx);
        this.north = new NorthButton();
        this.close = h("button", { type: "button", class: "round", "aria-label": words.zoomToAll,
            on: { click: () => this.showEverybody() } }, icon("close"));
        this.element = h("section", { class: "map-pane screen", tabindex: "-1", "aria-label": words.map },
            h("header", { class: "bar only-phone" }, h("button", { type: "button", class: "round", "aria-label": words.back,
                "data-testid": "map-back", on: { click: () => ctx.actions.goBack() } }, icon("back")),
            h("h2", {}, this.title), this.close),
            h("div", { class: "map-area" }, this.canvas, this.notice, this.locate.trouble,
                h("div", { class: "map-buttons" }, this.north.button, this.all, this.locate.button)),
            this.people.element);
    }

    /** To be called once the element stands in the page: the map needs a size. */
    start() {
        this.view = mapOrNone(this.canvas, {
            onPick: (messageId) => this.ctx.actions.pickPerson(messageId),
            onLetGo: () => this.ctx.actions.unfollow(),
            onCamera: () => this.#cameraChanged(),
        });
        this.north.start(this.view);
        this.locate.start(this.view);
        new ResizeObserver(() => this.#resized()).observe(this.canvas);
    }

    update(state, ui, now) {
        if (ui.cid !== this.#cid) this.#switch(ui.cid);
        const { live, ended } = peopleOnMap(state, ui.cid, now);
        const focus = ui.focus && state.shares[ui.focus];
        const shown = [...live, ...ended];
        if (focus && focus.end_at !== undefined && !shown.includes(focus) && hasPosition(focus)) shown.push(focus);
        const place = focus && focus.end_at === undefined && hasPosition(focus) ? focus : null;
        this.view.show(shown.map((share) => this.#entry(state, share, now)),
            place && { share: place, label: `${words.location}, ${nameOf(state, place.user_id)}` });
        this.people.update(state, ui, now);
        if (this.#needsFit && shown.length) this.#fitFirst(live.length ? live : shown);
        this.#watchEnds(state, ui, shown, now);
        this.#updateWords(state, ui, now);
        this.locate.update({ isSeen: !this.element.inert });
    }

    showEverybody() {
        this.ctx.actions.letGo();
        this.view.showEverybody(this.#everybody());
    }

    /** Brings a message's position into view: follows a live one, looks at any other. */
    focus(share, now) {
        this.#needsFit = false;
        const name = phase(share, now);
        if (name === "live" || name === "stale") this.view.followPerson(share.message_id);
        else this.view.lookAt(share);
    }

    #entry(state, share, now) {
        const user = userOf(state, share.user_id);
        const lines = shareLines(share, now, this.ctx.format);
        const label = [ownerName(state, share), lines.headline, lines.detail].filter(Boolean).join(", ");
        const name = phase(share, now);
        const isHere = isMine(state, share) && !isArea(share) && feederOf(share) === this.ctx.deviceId && name === "live";
        return { share, user, phase: name, label, isHere };
    }

    #switch(cid) {
        this.#cid = cid;
        this.#needsFit = true;
        this.#phases = new Map();
        this.#noticeUntil = 0;
        this.view.letGo();
    }

    #fitFirst(shares) {
        if (this.canvas.clientWidth === 0) return;
        this.#needsFit = false;
        this.view.showEverybody(shares, true);
    }

    #resized() {
        this.view.resize();
        if (this.view.showsEverybody) this.view.showEverybody(this.#everybody(), true);
    }

    #cameraChanged() {
        this.north.update();
        this.locate.dress();
    }

    #everybody() {
        const { live, ended } = peopleOnMap(this.ctx.store.state, this.#cid, this.ctx.clock.now());
        return live.length ? live : ended;
    }

    /** Says when a share ends that was seen alive; a camera that followed it stays where it is. */
    #watchEnds(state, ui, shown, now) {
        for (const share of shown) {
            const name = phase(share, now);
            const earlier = this.#phases.get(share.message_id);
            if (name === "ended" && (earlier === "live" || earlier === "stale")) {
                this.#say(endedNotice(ownerName(state, share)), now);
                if (ui.followed === share.message_id) this.ctx.actions.letGo();
            }
            this.#phases.set(share.message_id, name);
        }
    }

    #say(text, now) {
        this.#noticeUntil = now + noticeMillis;
        this.noticeText = text;
        this.ctx.shell.announce(text);
    }

    #updateWords(state, ui, now) {
        const followed = ui.followed && state.shares[ui.followed];
        const name = followed && ownerName(state, followed);
        setText(this.title, name || words.everybody);
        setHidden(this.close, !followed);
        const text = now < this.#noticeUntil ? this.noticeText : name ? followWords(name) : "";
        setText(this.notice, text);
        setHidden(this.notice, !text);
    }
}
