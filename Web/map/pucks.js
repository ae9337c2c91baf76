// Everything that stands on the map: the pins of people, where the user is, a place. Each person has a puck in the engine,
// which says where the pin is drawn.
import { colorOf } from "../avatar.js";
import { h } from "../dom.js";
import { toLngLat } from "../geo.js";
import { icon } from "../icons.js";
import { userPuck } from "../viewport.js";
import { isArea } from "./footprint.js";
import { Me } from "./me.js";
import { Pin, isNews } from "./pin.js";

const crowd = 40;
const placeColor = "#b3261e";

export class Pucks {
    #pins = new Map();
    /** The same, to be gone through in a frame. */
    #list = [];
    #freeNumbers = [];
    #lastNumber = userPuck;
    #place = null;
    #drawn = {};

    constructor(map, viewport, onPick) {
        Object.assign(this, { map, viewport, onPick });
        this.me = new Me(map);
    }

    get isCrowded() {
        return this.#list.length > crowd;
    }

    /** entries and place: see the map's `show`. */
    show(entries, place, now) {
        const shown = new Set(entries.map((entry) => entry.share.message_id));
        for (const [id, pin] of this.#pins) if (!shown.has(id)) this.#remove(id, pin, now);
        for (const entry of entries) this.#showPin(entry, now);
        this.#showPlace(place);
    }

    /** Once a frame. */
    draw() {
        const { viewport, me } = this;
        let isCovered = false;
        for (let index = 0; index < this.#list.length; index++) {
            const pin = this.#list[index];
            const drawn = viewport.puck(this.#puckOf(pin), this.#drawn);
            if (drawn) pin.draw(drawn, viewport.camera);
            isCovered ||= pin.isHere && me.isShown;
        }
        me.draw(viewport.puck(userPuck, this.#drawn), viewport.camera, isCovered);
    }

    /** The pin of a message: {share, puck}. */
    find(messageId) {
        const pin = this.#pins.get(messageId);
        return pin && { share: pin.share, puck: this.#puckOf(pin) };
    }

    /** The message whose pin a puck carries; undefined: none. */
    personOf(puck) {
        if (puck < 0) return undefined;
        return this.#list.find((pin) => pin.number === puck || this.#puckOf(pin) === puck)?.share.message_id;
    }

    /** What is known of how sure each position is. */
    circles() {
        const { me } = this;
        const circles = this.#list
            // An ended one needs none, but where only about where is known the pin alone would say too much.
            .filter((pin) => pin.accuracy > 0 && (pin.element.dataset.phase !== "ended" || isArea(pin.share))
                && this.#puckOf(pin) !== userPuck)
            .map((pin) => ({ position: pin.position, meters: pin.accuracy, color: colorOf(pin.share.user_id) }));
        const place = this.#place?.share;
        if (place?.accuracy > 0) circles.push({ position: place, meters: place.accuracy, color: placeColor });
        if (me.isShown && me.accuracy > 0) circles.push({ position: me.position, meters: me.accuracy, color: me.color });
        return circles;
    }

    /** Where each pin is drawn now; for tests. */
    drawn() {
        return this.#list.map((pin) => {
            const { lng, lat } = this.viewport.puck(this.#puckOf(pin));
            return { message_id: pin.share.message_id, user_id: pin.share.user_id, phase: pin.element.dataset.phase, lng, lat };
        });
    }

    /** A share that is fed from here is where the user is: one truth for both, and the newer one. */
    #puckOf(pin) {
        return pin.isHere && this.me.isShown ? userPuck : pin.number;
    }

    #showPin({ share, user, phase, label, isHere = false }, now) {
        let pin = this.#pins.get(share.message_id);
        const isNew = !pin;
        if (isNew) pin = this.#add(share, user);
        if (isNew || isNews(pin.share, share)) this.viewport.moved(pin.number, share, now);
        pin.isHere = isHere;
        pin.dress(share, user, phase, label);
    }

    #add(share, user) {
        const number = this.#freeNumbers.pop() ?? ++this.#lastNumber;
        const pin = new Pin(number, share, user, () => this.onPick(share.message_id));
        pin.marker.addTo(this.map);
        this.#pins.set(share.message_id, pin);
        this.#list.push(pin);
        return pin;
    }

    #remove(id, pin, now) {
        pin.remove();
        this.#pins.delete(id);
        this.#list.splice(this.#list.indexOf(pin), 1);
        // Nobody must follow whoever gets the number next.
        if (this.viewport.followed === pin.number) this.viewport.idle(now);
        this.viewport.removed(pin.number);
        this.#freeNumbers.push(pin.number);
    }

    #showPlace(place) {
        if (this.#place && this.#place.id !== place?.share.message_id) {
            this.#place.marker.remove();
            this.#place = null;
        }
        if (!place) return;
        if (this.#place) {
            this.#place.share = place.share;
            return;
        }
        const attributes = { class: "place-pin", role: "img", "aria-label": place.label, "data-testid": "place-pin" };
        const element = h("span", attributes, icon("pin"));
        const marker = new maplibregl.Marker({ element, anchor: "bottom", subpixelPositioning: true });
        marker.setLngLat(toLngLat(place.share)).addTo(this.map);
        this.#place = { id: place.share.message_id, share: place.share, marker };
    }
}
