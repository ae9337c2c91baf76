// A round button over a map.
import { h } from "../dom.js";
import { icon } from "../icons.js";

export function floatingButton(name, testid, symbol, click) {
    return h("button", {
        type: "button", class: "round floating", "aria-label": name, title: name, "data-testid": testid, on: { click },
    }, icon(symbol));
}
