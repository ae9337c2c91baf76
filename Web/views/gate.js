// The calm screen in place of the page: no link was opened, it has expired, or something is on its way. Shares that go on
// are named on it.
import { h } from "../dom.js";
import { icon } from "../icons.js";
import { words } from "../words.js";

/** action: {label, run} of a button. */
export function gate(title, more, { shares = [], action } = {}) {
    return h("main", { class: "gate", tabindex: "-1", "data-testid": "gate" },
        h("div", { class: "gate-mark" }, icon("pin")), h("h1", {}, title), h("p", { class: "quiet" }, more),
        action && h("button", { type: "button", class: "chip accent wide", "data-testid": "gate-action",
            on: { click: () => action.run() } }, action.label),
        shares.length > 0 && h("section", { class: "gate-shares", role: "alert" }, h("strong", {}, words.stillVisible),
            h("ul", {}, ...shares.map((line) => h("li", { dir: "auto" }, line))),
            h("p", { class: "quiet" }, words.stillVisibleMore)));
}

/** The same while an answer is awaited: said to who listens as well. */
export function waitingGate(title) {
    return h("main", { class: "gate", tabindex: "-1", "data-testid": "gate" },
        h("div", { class: "gate-mark working" }, icon("pin")), h("p", { class: "quiet", role: "status" }, title));
}

/** In place of all else; who listens hears it, as the focus goes there. */
export function show(root, screen) {
    root.replaceChildren(screen);
    screen.focus({ preventScroll: true });
}
