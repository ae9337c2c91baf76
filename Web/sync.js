// Keeps the store true: applies events, and after every connection asks for what may have been missed.
export const pageSize = 30;

const previewsAtMost = 15;

export class Sync {
    #isConverging = false;
    #again = false;
    #asked = new Set();

    constructor({ api, store, clock, sharing }) {
        Object.assign(this, { api, store, clock, sharing });
        store.onChange((state) => this.#askDoubted(state));
    }

    attach({ events, navigation }) {
        Object.assign(this, { events, navigation });
    }

    /** Before the socket is up: the lists, so that the page shows something at once. */
    begin() {
        this.converge();
    }

    async converge() {
        if (this.#isConverging) {
            this.#again = true;
            return;
        }
        this.#isConverging = true;
        try {
            await this.#readAll();
        } catch {
            // Offline or refused: the connection's machine knows and comes back.
        } finally {
            this.#isConverging = false;
        }
        if (this.#again) {
            this.#again = false;
            await this.converge();
        }
    }

    /** Subscribes before it reads, so that nothing falls between the two. */
    async #readAll() {
        const { store, api } = this;
        if (!store.state.me) store.dispatch({ type: "meReceived", user: await api.me() });
        store.dispatch({ type: "channelsReceived", channels: await api.channels() });
        this.#subscribe();
        const { cid } = this.navigation.ui;
        if (cid) await this.openChannel(cid);
        await this.sharing.resume();
        for (const [channel, entries] of Object.entries(store.state.outbox)) {
            for (const entry of entries) if (entry.state === "failed" && entry.temporary) this.deliver(channel, entry);
        }
        await this.#readPreviews();
    }

    #subscribe() {
        const channels = this.store.state.order;
        if (channels.length) this.events.send("subscribe", { channels });
    }

    async #readPreviews() {
        const { order, timelines } = this.store.state;
        for (const cid of order.slice(0, previewsAtMost)) {
            if (timelines[cid]?.isKnown) continue;
            const messages = await this.api.messages(cid, { limit: 1 });
            for (const message of messages) this.store.dispatch({ type: "messageChanged", message });
        }
    }

    async openChannel(cid) {
        const read = async (what) => what.catch((error) => this.#channelFailed(cid, error));
        await Promise.all([
            read(this.api.messages(cid, { limit: pageSize }).then((messages) =>
                this.store.dispatch({ type: "newestPageReceived", cid, messages, limit: pageSize }))),
            read(this.#readMembers(cid)),
        ]);
    }

    async loadEarlier(cid) {
        const oldest = this.store.state.timelines[cid]?.messages[0];
        if (!oldest) return;
        const messages = await this.api.messages(cid, { limit: pageSize, before: oldest.id });
        this.store.dispatch({ type: "earlierPageReceived", cid, messages, limit: pageSize });
    }

    /** Sends or sends again one outbox entry; the id makes a repeat harmless. */
    async deliver(cid, { id, text }) {
        this.store.dispatch({ type: "resent", cid, id });
        try {
            const message = await this.api.send(cid, { id, text, sent_at: this.clock.isoNow() });
            this.store.dispatch({ type: "messageReceived", message });
        } catch (error) {
            this.store.dispatch({ type: "sendFailed", cid, id, reason: error.message, temporary: error.isTemporary });
        }
    }

    received(event) {
        const { store, clock } = this;
        switch (event.event) {
            case "hello":
                clock.restart(event.server_time);
                return store.dispatch({ type: "meReceived", user: event.user });
            case "heartbeat":
                return clock.observe(event.server_time);
            case "channel.state":
                return store.dispatch({
                    type: "channelStateReceived", cid: event.channel_id, shares: event.active_live_locations,
                });
            case "message.new":
                return store.dispatch({ type: "messageReceived", message: event.message });
            case "message.updated":
            case "message.deleted":
                return store.dispatch({ type: "messageChanged", message: event.message });
            case "location.started":
            case "location.changed":
            case "location.ended":
                this.#knowUser(event.location);
                return store.dispatch({ type: "shareReceived", share: event.location });
            case "location.updated":
                return store.dispatch({ type: "fixReceived", fix: event });
            case "resync":
                return this.converge();
            default:
                if (/^(channel|member)\./.test(event.event)) this.converge();
        }
    }

    async #readMembers(cid) {
        const members = await this.api.members(cid);
        this.store.dispatch({ type: "membersReceived", cid, members });
    }

    #knowUser(share) {
        if (!this.store.state.users[share.user_id]) this.#readMembers(share.channel_id).catch(() => {});
    }

    #channelFailed(cid, error) {
        if (error.status !== 404) throw error;
        this.store.dispatch({ type: "channelLost", cid });
    }

    /** A share that a later truth did not list is asked for by itself: it has ended, or it began in between. */
    #askDoubted(state) {
        for (const id of Object.keys(state.doubted)) {
            if (this.#asked.has(id)) continue;
            this.#asked.add(id);
            this.api.message(id)
                .then((message) => this.store.dispatch({ type: "messageChanged", message }))
                .catch((error) => error.status === 404 && this.store.dispatch({ type: "messageLost", id }))
                .finally(() => this.#asked.delete(id));
        }
    }
}
