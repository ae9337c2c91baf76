// What a view link shows: a map with one pin, and a card that says whose it is and how fresh.
import { avatar, dressAvatar } from "../avatar.js";
import { h, setData, setHidden, setText } from "../dom.js";
import { mapOrNone } from "../map/nomapview.js";
import { hasPosition, phase, shareLines } from "../rules.js";
import { endedNotice, followNameWords, words } from "../words.js";
import { ConnectionBanner } from "./connectionbanner.js";
import { floatingButton } from "./floatingbutton.js";
import { LocateButton } from "./locatebutton.js";
import { NorthButton } from "./northbutton.js";

export class GuestView {
    #isFollowing = false;
    #needsFit = true;
    #phase = null;

    constructor(ctx) {
        this.ctx = ctx;
        this.banner = new ConnectionBanner();
        this.canvas = h("div", { class: "map-canvas", "data-testid": "map" });
        this.follow = floatingButton("", "follow", "arrow", () => this.#look(!this.#isFollowing));
        this.locate = new LocateButton(ctx);
        this.north = new NorthButton();
        this.avatar = avatar({ id: "?", name: "?" }, "avatar large");
        this.name = h("bdi", { class: "guest-name", dir: "auto", "data-testid": "guest-name" });
        this.dot = h("span", { class: "dot", "aria-hidden": "true" });
        this.headline = h("span", { class: "headline", "data-testid": "share-headline" });
        this.detail = h("span", { class: "detail", "data-testid": "share-detail" });
        // Ticks every second: nothing that a screen reader should read out. What changes for good is said beside it.
        this.card = h("section", { class: "guest-card location", "aria-live": "off", "data-testid": "guest-card" }, this.avatar,
            h("div", { class: "lines" }, h("h1", {}, this.name), h("p", { class: "guest-state" }, this.dot, this.headline),
                this.detail));
        this.spoken = h("div", { class: "unseen", "aria-live": "polite", "data-testid": "announcer" });
        this.element = h("div", { class: "shell guest" }, this.banner.element,
            h("main", { class: "guest-screen", "aria-label": words.map },
                h("div", { class: "map-area" }, this.canvas, this.locate.trouble,
                    h("div", { class: "map-buttons" }, this.north.button, this.follow, this.locate.button)),
                this.card),
            this.spoken);
    }

    /** To be called once the element stands in the page: the map needs a size. */
    start() {
        this.map = mapOrNone(this.canvas, {
            onPick: () => this.#look(true), onLetGo: () => this.#followed(false), onCamera: () => this.#cameraChanged(),
        });
        this.north.start(this.map);
        this.locate.start(this.map);
        new ResizeObserver(() => this.#resized()).observe(this.canvas);
    }

    update(state, now) {
        const share = state.shares[this.ctx.messageId];
        const user = share && state.users[share.user_id];
        if (!this.ctx.isOver) this.banner.update(state.connection, now);
        else this.banner.update("live", now);
        this.locate.update({ isSeen: true });
        setHidden(this.avatar, !user);
        setHidden(this.follow, !user || !hasPosition(share));
        if (!user) return setText(this.headline, state.unread[this.ctx.messageId] ?? words.loading);
        this.#showCard(share, user, now);
        this.#showOnMap(share, user, now);
        this.#notice(phase(share, now), user);
    }

    #showCard(share, user, now) {
        const lines = shareLines(share, now, this.ctx.format);
        dressAvatar(this.avatar, user);
        setText(this.name, user.name);
        setText(this.headline, lines.headline);
        setText(this.detail, lines.detail);
        setHidden(this.detail, !lines.detail);
        setData(this.card, "phase", phase(share, now));
        setData(this.dot, "phase", hasPosition(share) ? phase(share, now) : "ended");
        const title = `${user.name} – ${words.appName}`;
        if (document.title !== title) document.title = title;
        this.#dressFollow(this.#canFollow(share, now), user);
    }

    /** Following is on or off; a place or an ended share is looked at, each time anew. */
    #dressFollow(canFollow, user) {
        const name = canFollow ? followNameWords(user.name) : words.showPlace;
        if (this.follow.title !== name) this.follow.setAttribute("aria-label", this.follow.title = name);
        if (canFollow) this.follow.setAttribute("aria-pressed", String(this.#isFollowing));
        else this.follow.removeAttribute("aria-pressed");
    }

    #showOnMap(share, user, now) {
        const label = [user.name, this.headline.textContent, this.detail.textContent].filter(Boolean).join(", ");
        const isPlace = phase(share, now) === "static";
        const shown = hasPosition(share) ? [{ share, user, phase: phase(share, now), label }] : [];
        this.map.show(isPlace ? [] : shown, isPlace && shown.length ? { share, label } : null);
        if (!this.#needsFit || shown.length === 0 || this.canvas.clientWidth === 0) return;
        this.#needsFit = false;
        this.map.showEverybody([share], true);
        if (this.#canFollow(share, now)) this.#look(true);
    }

    /** A change that a person who only listens should hear; the first state they find by themselves. */
    #notice(name, user) {
        if (name === "ended" && this.#phase && this.#phase !== "ended") {
            setText(this.spoken, endedNotice(user.name));
            if (this.#isFollowing) this.#letGo();
        }
        this.#phase = name;
    }

    #canFollow(share, now) {
        return ["live", "stale"].includes(phase(share, now));
    }

    #look(isWanted) {
        const { store, clock, messageId } = this.ctx;
        const share = store.state.shares[messageId];
        if (!isWanted || !share || !hasPosition(share)) return this.#letGo();
        this.#isFollowing = this.#canFollow(share, clock.now());
        if (this.#isFollowing) this.map.followPerson(messageId);
        else this.map.lookAt(share);
        this.ctx.requestRender();
    }

    #letGo() {
        this.map.letGo();
        this.#followed(false);
    }

    #followed(isFollowing) {
        this.#isFollowing = isFollowing;
        this.ctx.requestRender();
    }

    #cameraChanged() {
        this.north.update();
        this.locate.dress();
    }

    #resized() {
        this.map.resize();
        const share = this.ctx.store.state.shares[this.ctx.messageId];
        if (this.map.showsEverybody && share && hasPosition(share)) this.map.showEverybody([share], true);
    }
}
