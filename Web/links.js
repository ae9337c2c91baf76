// A link to be passed on: to one share of mine, or into a chat. Made when it is first wanted, once for each choice.
export class LinkMaker {
    #made = new Map();

    /** target: {messageId} of a share of mine, or {cid} of a chat to invite into. */
    constructor(api, target) {
        Object.assign(this, { api, target });
    }

    /** precision: "exact" or "approximate"; of no meaning for an invite. A failed attempt is no obstacle to the next. */
    async url(precision) {
        if (!this.#made.has(precision)) this.#made.set(precision, this.#make(precision));
        try {
            return await this.#made.get(precision);
        } catch (error) {
            this.#made.delete(precision);
            throw error;
        }
    }

    async #make(precision) {
        const { api, target } = this;
        const { url } = target.cid ? await api.makeInvite(target.cid) : await api.makeLink(target.messageId, { precision });
        return url;
    }
}
