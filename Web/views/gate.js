// The calm screen in place of the page: no link was opened, or it has expired.
import { h } from "../dom.js";
import { icon } from "../icons.js";

export function gate(title, more) {
    return h("main", { class: "gate", "data-testid": "gate" },
        h("div", { class: "gate-mark" }, icon("pin")), h("h1", {}, title), h("p", { class: "quiet" }, more));
}
