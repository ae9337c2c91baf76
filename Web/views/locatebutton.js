// The button that shows where I am on a map, goes and turns with it, and says what stands in the way. What it does the
// engine decides; here it is drawn, and the engine's orders go to the page's one watch on the position.
import { Compass } from "../compass.js";
import { h, setData, setHidden, setText } from "../dom.js";
import { icon } from "../icons.js";
import { fixAge } from "../locator.js";
import { userPuck } from "../viewport.js";
import { locateButtonWords, locateHelp, words } from "../words.js";
import { floatingButton } from "./floatingbutton.js";

const helpMillis = 10_000;
const oldestFixMillis = 30_000;
const symbols = { off: "locate", free: "locate", waiting: "waiting", followNorth: "following", followHeading: "turning" };
const following = ["followNorth", "followHeading"];
const silentStates = ["off", ...following, "free"];

export class LocateButton {
    #isNeeded = false;
    #state = undefined;
    #label = undefined;
    #helpUntil = 0;

    constructor(ctx) {
        this.ctx = ctx;
        this.button = floatingButton(words.locateMe, "locate", "locate", () => this.#tap());
        this.trouble = h("div", { class: "map-trouble", role: "status", "data-testid": "locate-help" });
        this.compass = new Compass((degrees) => this.#turned(degrees));
        ctx.locator.onChange((_, event) => this.#heard(event));
    }

    /** To be called with the map, once it is there. */
    start(view) {
        if (!view.viewport) return;
        this.view = view;
        this.viewport = view.viewport;
        if (this.ctx.locator.state === "impossible") this.#rule();
    }

    /** The position is asked for only while somebody looks at this map; to be called about once a second. */
    update({ isSeen }) {
        if (!this.view) return;
        this.#obey(this.viewport.seen(isSeen && !document.hidden, this.view.now));
        this.#obey(this.viewport.ticked(this.view.now));
        this.view.refresh();
        const isOn = this.#isNeeded && isSeen && !document.hidden;
        this.compass.need(isOn);
        this.#help();
    }

    /** After each change of the camera or of the button's state. */
    dress() {
        if (!this.view) return;
        const { button: state } = this.viewport;
        const label = locateButtonWords(state, this.#canTurn);
        if (label !== this.#label) {
            this.#label = label;
            this.button.setAttribute("aria-label", label);
            this.button.title = label;
        }
        if (state === this.#state) return;
        const isFirst = this.#state === undefined;
        this.#state = state;
        setData(this.button, "state", state);
        this.button.setAttribute("aria-pressed", String(following.includes(state)));
        this.button.replaceChildren(icon(symbols[state] ?? "unlocated"));
        // What the device cannot do is said to who asks for it, the rest when it happens.
        this.#helpUntil = isFirst || silentStates.includes(state) ? 0 : performance.now() + helpMillis;
        this.#help();
    }

    /** Whether the next tap turns the map. */
    get #canTurn() {
        const me = this.viewport.puck(userPuck);
        return me !== null && (me.heading ?? me.course) !== undefined;
    }

    #tap() {
        this.compass.allow();
        this.#obey(this.view.tapLocate());
        this.compass.need(this.#isNeeded);
        this.ctx.requestRender();
    }

    #obey({ starts, stops, explains }) {
        const { locator } = this.ctx;
        if (explains) {
            this.#helpUntil = performance.now() + helpMillis;
            this.#help();
        }
        if (stops) {
            this.#isNeeded = false;
            locator.need("map", false);
        }
        if (!starts) return;
        this.#isNeeded = true;
        locator.need("map", true);
        locator.retry();
        // Somebody else has asked already.
        if (locator.state === "tracking") this.#heard("fix");
    }

    /** What the watch on the position has to say. */
    #heard(event) {
        if (!this.view || !event) return;
        if (event === "fix") this.#moved();
        else if (event === "denied") this.#obey(this.viewport.denied());
        else if (event === "granted") this.#obey(this.viewport.permitted(true, this.view.now));
        else if (this.#isNeeded) this.#obey(event === "lost" ? this.viewport.lost() : this.viewport.silent());
        this.view.refresh();
    }

    #moved() {
        const { lastFix } = this.ctx.locator;
        if (!this.#isNeeded || !lastFix || fixAge(lastFix) > oldestFixMillis) return;
        const isFirst = this.viewport.puck(userPuck) === null;
        this.viewport.moved(userPuck, lastFix, this.view.now);
        // The engine turns nothing that has no place.
        if (isFirst) this.#turned(this.compass.heading);
    }

    #turned(degrees) {
        this.viewport.turned(userPuck, degrees, this.view.now);
        this.view.refresh();
    }

    #rule() {
        if (isSecureContext) this.viewport.unsupported();
        else this.viewport.insecure();
        this.view.refresh();
    }

    #help() {
        const isWaiting = this.#state === "waiting";
        const text = isWaiting || performance.now() < this.#helpUntil ? locateHelp(this.#state) : "";
        setText(this.trouble, text);
        setHidden(this.trouble, !text);
    }
}
