// The three screens side by side or one over the other, and what stands over them all.
import { h, setData, setHidden, setText } from "../dom.js";
import { channelName } from "../selectors.js";
import { words } from "../words.js";
import { ChannelList } from "./channels.js";
import { ConnectionBanner } from "./connectionbanner.js";
import { Conversation } from "./conversation.js";
import { LinkSheet } from "./linksheet.js";
import { MapPane } from "./mappane.js";
import { PhoneApps } from "./phoneapps.js";
import { Picker } from "./picker.js";

const toastMillis = 5000;

export class Shell {
    #shown = null;
    #isDrawerOpen = false;
    #drawerCid = null;
    #toastTimer = null;

    constructor(ctx) {
        this.ctx = ctx;
        this.channels = new ChannelList(ctx);
        this.conversation = new Conversation(ctx);
        this.mapPane = new MapPane(ctx);
        this.picker = new Picker(ctx);
        this.linkSheet = new LinkSheet(ctx);
        this.phoneApps = new PhoneApps(ctx);
        this.connection = new ConnectionBanner();
        this.live = h("div", { class: "unseen", "aria-live": "polite", "data-testid": "announcer" });
        this.toast = h("div", { class: "toast", role: "alert", hidden: true });
        this.scrim = h("div", { class: "scrim", on: { click: () => ctx.actions.closeDrawer() } });
        this.screens = h("div", { class: "screens" }, this.channels.element, this.scrim, this.conversation.element,
            this.mapPane.element);
        this.element = h("div", { class: "shell" }, this.connection.element, this.screens, this.toast, this.live,
            this.picker.element, this.linkSheet.element, this.phoneApps.element);
    }

    start() {
        this.mapPane.start();
        this.phone = matchMedia("(max-width: 720px)");
        this.drawer = matchMedia("(min-width: 721px) and (max-width: 1023px)");
        for (const query of [this.phone, this.drawer]) query.addEventListener("change", () => this.ctx.requestRender());
        this.ctx.locator.onChange(() => this.ctx.requestRender());
        addEventListener("keydown", (event) => {
            if (event.key === "Escape" && this.ctx.navigation.ui.isDrawerOpen) this.ctx.actions.closeDrawer();
        });
    }

    update(state, ui, now) {
        this.#chooseChannel(state, ui);
        setData(this.element, "screen", ui.cid ? ui.screen : "channels");
        setData(this.element, "drawer", String(ui.isDrawerOpen));
        this.#updateInert(ui);
        this.#moveFocus(ui);
        this.connection.update(state.connection, now);
        const title = ui.cid ? `${channelName(state, ui.cid)} – ${words.appName}` : words.appName;
        if (document.title !== title) document.title = title;
        this.channels.update(state, ui, now);
        this.conversation.update(state, ui, now);
        this.mapPane.update(state, ui, now);
        this.picker.update();
        this.phoneApps.update(state);
    }

    /** Tells who listens, without a word on the screen. */
    announce(text) {
        setText(this.live, text);
    }

    say(text) {
        setText(this.toast, text);
        setHidden(this.toast, false);
        clearTimeout(this.#toastTimer);
        this.#toastTimer = setTimeout(() => setHidden(this.toast, true), toastMillis);
    }

    /** Where all panes show at once an empty conversation helps nobody: the newest chat opens by itself. */
    #chooseChannel(state, ui) {
        if (!state.channelsKnown) return;
        const isGone = ui.cid && !state.channels[ui.cid];
        if (isGone) {
            this.ctx.navigation.change({ cid: null, screen: "channels" });
            this.say(words.chatGone);
        }
        if ((!ui.cid || isGone) && !this.phone.matches && state.order.length) {
            this.ctx.navigation.openChannel(state.order[0], { replace: true });
        }
    }

    /** Screens that are out of sight take no focus. */
    #updateInert(ui) {
        const screen = ui.cid ? ui.screen : "channels";
        const isPhone = this.phone.matches;
        const isDrawerOpen = this.drawer.matches && ui.isDrawerOpen;
        this.channels.element.inert = isPhone ? screen !== "channels" : this.drawer.matches && !ui.isDrawerOpen;
        this.conversation.element.inert = isPhone ? screen !== "channel" : isDrawerOpen;
        this.mapPane.element.inert = isPhone ? screen !== "map" : isDrawerOpen;
        this.#moveFocusWithDrawer(isDrawerOpen);
    }

    /** Into the drawer with its opening; from it back to the button, or to the chat that was picked. */
    #moveFocusWithDrawer(isOpen) {
        if (isOpen === this.#isDrawerOpen) return;
        this.#isDrawerOpen = isOpen;
        const { cid } = this.ctx.navigation.ui;
        const { menu, element } = this.conversation;
        menu.setAttribute("aria-expanded", String(isOpen));
        if (isOpen) this.channels.element.focus({ preventScroll: true });
        else (cid === this.#drawerCid ? menu : element).focus({ preventScroll: true });
        this.#drawerCid = cid;
    }

    /** On a phone the eye goes to the new screen; so does the focus, if it was on the old one. */
    #moveFocus({ cid, screen }) {
        const shown = cid ? screen : "channels";
        const isNew = this.#shown !== null && this.#shown !== shown;
        this.#shown = shown;
        if (!isNew || !this.phone.matches) return;
        const screens = { channels: this.channels, channel: this.conversation, map: this.mapPane };
        screens[shown].element.focus({ preventScroll: true });
    }
}
