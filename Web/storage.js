// What the browser keeps for this page. Where storage is blocked, memory stands in for as long as the page lives.

export class Kept {
    #memory = new Map();

    /** area: "sessionStorage" (this tab) or "localStorage" (this browser); blocked, even naming it throws. */
    constructor(area) {
        this.area = area;
    }

    get(key) {
        try {
            return globalThis[this.area].getItem(key) ?? this.#memory.get(key);
        } catch {
            return this.#memory.get(key);
        }
    }

    /** undefined forgets the value. */
    set(key, value) {
        this.#memory.delete(key);
        try {
            if (value === undefined) globalThis[this.area].removeItem(key);
            else globalThis[this.area].setItem(key, value);
        } catch {
            if (value !== undefined) this.#memory.set(key, value);
        }
    }

    /** A kept object; `{}` for none, and for one that cannot be read. */
    getObject(key) {
        try {
            return Object(JSON.parse(this.get(key) ?? "{}"));
        } catch {
            return {};
        }
    }

    setObject(key, value) {
        this.set(key, Object.keys(value).length ? JSON.stringify(value) : undefined);
    }
}

export const inTab = new Kept("sessionStorage");
export const inBrowser = new Kept("localStorage");
