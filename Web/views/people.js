// Who is on the map: how far and which way, how fresh; those who ended within five minutes below.
import { avatar, dressAvatar } from "../avatar.js";
import { bearingDegrees, directionWords, distanceMeters } from "../geo.js";
import { h, setData, setHidden, setText, syncChildren } from "../dom.js";
import { isArea } from "../map/footprint.js";
import { endMillis, phase, shareLines, time } from "../rules.js";
import { isMine, ownerName, peopleOnMap, userOf } from "../selectors.js";
import { aboutWords, ageWords, clockWords, distanceWords, untilWords, words } from "../words.js";

const besideMeters = 10;

export class PeopleList {
    constructor(ctx) {
        this.ctx = ctx;
        this.live = h("ul", { class: "people-rows", "data-testid": "people-live" });
        this.ended = h("ul", { class: "people-rows", "data-testid": "people-ended" });
        this.endedHeading = h("h3", {}, words.endedHeading);
        this.empty = h("div", { class: "empty" }, h("strong", {}, words.nobodyLive), h("p", {}, words.nobodyLiveMore));
        this.mine = h("span", { class: "headline" });
        this.stop = h("button", { type: "button", class: "stop", on: { click: () => this.#stop() } },
            words.stop);
        this.footer = h("div", { class: "people-footer" }, this.mine, this.stop);
        this.element = h("section", { class: "people", tabindex: "-1", "aria-label": words.people, "data-testid": "people" },
            h("div", { class: "scroll" }, this.live, this.endedHeading, this.ended, this.empty), this.footer);
    }

    update(state, ui, now) {
        const { live, ended } = peopleOnMap(state, ui.cid, now);
        const others = [...live].sort((a, b) => isMine(state, b) - isMine(state, a));
        const here = this.ctx.whereIAm(live);
        this.#sync(this.live, others, state, ui, now, here);
        this.#sync(this.ended, ended, state, ui, now, null);
        setHidden(this.endedHeading, ended.length === 0);
        setHidden(this.empty, live.length + ended.length > 0);
        const mine = live.find((share) => isMine(state, share));
        this.mineId = mine?.message_id;
        setHidden(this.footer, !mine);
        if (!mine) return;
        const isStopping = Boolean(state.wishes[mine.message_id]);
        setText(this.mine, isStopping ? words.stopping : untilWords(time(mine.end_at), this.ctx.format.locale));
        setHidden(this.stop, isStopping);
        setData(this.footer, "stopping", String(isStopping));
    }

    /** The button goes away under the focus, which stays in this list. */
    #stop() {
        this.element.focus({ preventScroll: true });
        this.ctx.actions.stop(this.mineId);
    }

    #sync(list, shares, state, ui, now, here) {
        list.rows ??= new Map();
        syncChildren(list, list.rows, shares.map((share) => share.message_id), (id) => this.#makeRow(id));
        for (const share of shares) this.#dress(list.rows.get(share.message_id), share, state, ui, now, here);
    }

    #makeRow(id) {
        const parts = {
            dot: h("span", { class: "dot", "aria-hidden": "true" }), avatar: avatar({ id: "?", name: "?" }, "avatar small"),
            name: h("bdi", { class: "person-name", dir: "auto" }), way: h("span", { class: "person-way" }),
            age: h("span", { class: "quiet person-age" }),
        };
        const button = h("button", { type: "button", class: "person", "data-testid": "person", "data-message": id,
            on: { click: () => this.ctx.actions.pickPerson(id) } },
            parts.dot, parts.avatar, parts.name, parts.way, parts.age);
        const row = h("li", {}, button);
        Object.assign(row, { parts, button });
        return row;
    }

    #dress({ parts, button }, share, state, ui, now, here) {
        const mine = isMine(state, share);
        const name = phase(share, now);
        const user = userOf(state, share.user_id);
        setData(parts.dot, "phase", name);
        setData(button, "phase", name);
        dressAvatar(parts.avatar, user);
        setText(parts.name, ownerName(state, share));
        setText(parts.way, here && !mine ? wayWords(here, share, this.ctx.format.miles) : "");
        const ageOf = (millis) => ageWords(millis, now, this.ctx.format.locale, this.ctx.format.timeZone);
        setText(parts.age, name === "ended" ? clockWords(endMillis(share)) : ageOf(time(share.recorded_at)));
        button.setAttribute("aria-pressed", String(ui.followed === share.message_id));
        const lines = shareLines(share, now, this.ctx.format);
        button.setAttribute("aria-label",
            [parts.name.textContent, lines.headline, lines.detail, parts.way.textContent].filter(Boolean).join(", "));
    }
}

/** How far and which way; within a circle no way is known, only that one is near. Pure. */
export function wayWords(here, share, miles) {
    const meters = distanceMeters(here, share);
    if (isArea(share) && meters < share.accuracy) return words.near;
    const way = isArea(share) ? aboutWords(distanceWords(meters, miles)) : distanceWords(meters, miles);
    return meters < besideMeters ? way : `${way} ${directionWords(bearingDegrees(here, share))}`;
}
