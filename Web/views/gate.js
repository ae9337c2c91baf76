// The calm screen in place of the page: no link was opened, or it has expired. Shares that go on are named on it.
import { h } from "../dom.js";
import { icon } from "../icons.js";
import { words } from "../words.js";

export function gate(title, more, shares = []) {
    return h("main", { class: "gate", "data-testid": "gate" },
        h("div", { class: "gate-mark" }, icon("pin")), h("h1", {}, title), h("p", { class: "quiet" }, more),
        shares.length > 0 && h("section", { class: "gate-shares", role: "alert" }, h("strong", {}, words.stillVisible),
            h("ul", {}, ...shares.map((line) => h("li", { dir: "auto" }, line))),
            h("p", { class: "quiet" }, words.stillVisibleMore)));
}
