// The screen of an invite: one field for who is new, one button for who is known.
import { h, setHidden, setText } from "../dom.js";
import { icon } from "../icons.js";
import { words } from "../words.js";

const longestName = 200;

export class InvitationView {
    #isWorking = false;

    /** me: who joins as themselves, or null. onJoin(name): the name of who is new. */
    constructor(me, onJoin) {
        Object.assign(this, { me, onJoin });
        this.input = h("input", {
            type: "text", name: "name", class: "field", autocomplete: "name", maxlength: longestName, dir: "auto",
            required: true, enterkeyhint: "go", "data-testid": "invite-name",
        });
        // The name stands apart from the words around it, whichever way it is written.
        this.label = me ? h("span", {}, `${words.joinAs} `, h("bdi", {}, me.name)) : h("span", {}, words.join);
        this.button = h("button", { type: "submit", class: "chip accent wide", "data-testid": "invite-join" }, this.label);
        this.status = h("p", { class: "quiet", role: "status" });
        this.error = h("p", { class: "gate-error", role: "alert", hidden: true, "data-testid": "invite-error" });
        this.element = h("main", { class: "gate", "data-testid": "invite" },
            h("div", { class: "gate-mark" }, icon("group")), h("h1", {}, words.invited),
            h("p", { class: "quiet" }, words.invitedMore),
            h("form", { class: "gate-form", on: { submit: (event) => this.#submitted(event) } },
                !me && h("label", {}, h("span", {}, words.yourName), this.input), this.button),
            h("div", { class: "gate-line" }, this.error, this.status));
        document.title = `${words.invited} – ${words.appName}`;
    }

    focus() {
        (this.me ? this.button : this.input).focus({ preventScroll: true });
    }

    /** Not disabled, which would take the focus away: who listens hears what goes on. */
    work() {
        this.#set({ isWorking: true, error: "" });
    }

    fail(words) {
        this.#set({ isWorking: false, error: words });
    }

    #set({ isWorking, error }) {
        this.#isWorking = isWorking;
        this.input.readOnly = isWorking;
        this.button.setAttribute("aria-disabled", String(isWorking));
        setText(this.status, isWorking ? words.joining : "");
        setText(this.error, error);
        setHidden(this.error, !error);
        if (error) this.label.replaceChildren(words.tryAgain);
    }

    #submitted(event) {
        event.preventDefault();
        const name = this.input.value.trim();
        if (this.#isWorking) return;
        if (!this.me && !name) return this.input.focus();
        this.onJoin(name);
    }
}
