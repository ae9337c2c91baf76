// The button that shows where I am on a map, and what stands in the way of it.
import { h, setHidden, setText } from "../dom.js";
import { icon } from "../icons.js";
import { locatorWords, words } from "../words.js";

/** A round button over a map. */
export function floatingButton(name, testid, symbol, click) {
    return h("button", {
        type: "button", class: "round floating", "aria-label": name, title: name, "data-testid": testid, on: { click },
    }, icon(symbol));
}

export class LocateButton {
    #isOn = false;
    #needsCenter = false;

    constructor(ctx) {
        this.ctx = ctx;
        this.button = floatingButton(words.locateMe, "locate", "locate", () => this.#toggle());
        this.button.setAttribute("aria-pressed", "false");
        this.trouble = h("div", { class: "map-trouble", role: "status" });
    }

    /** The position is asked for only while somebody looks at this map. isPinned: my own pin shows where I am already. */
    update(view, { isSeen, isPinned }) {
        const { locator, actions } = this.ctx;
        locator.need("map", this.#isOn && isSeen && !document.hidden);
        const trouble = this.#isOn ? locatorWords(locator.state, isSecureContext) : "";
        setText(this.trouble, trouble);
        setHidden(this.trouble, !trouble);
        const fix = this.#isOn ? locator.lastFix : null;
        view.showMe(isPinned ? null : fix);
        if (!fix || !this.#needsCenter) return;
        this.#needsCenter = false;
        actions.letGo();
        view.lookAt(fix, "me");
    }

    #toggle() {
        this.#isOn = !this.#isOn;
        this.#needsCenter = this.#isOn;
        this.button.setAttribute("aria-pressed", String(this.#isOn));
        this.ctx.requestRender();
    }
}
