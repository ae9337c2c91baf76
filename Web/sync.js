// Keeps the store true: applies events, and after every connection asks for what may have been missed.
import { backoffMillis } from "./backoff.js";

export const pageSize = 30;

const previewsAtMost = 15;

export class Sync {
    #isConverging = false;
    #again = false;
    #asked = new Set();
    #previewed = new Set();
    #rereading = null;
    #failures = 0;

    constructor({ api, store, clock, sharing, stops, outbox }) {
        Object.assign(this, { api, store, clock, sharing, stops, outbox });
        store.onChange((state) => this.#askDoubted(state));
    }

    attach({ events, navigation }) {
        Object.assign(this, { events, navigation });
    }

    async converge() {
        if (this.#isConverging) {
            this.#again = true;
            return;
        }
        this.#isConverging = true;
        try {
            await this.#readAll();
        } catch (error) {
            this.#convergeLater(error);
        } finally {
            this.#isConverging = false;
        }
        if (this.#again) {
            this.#again = false;
            await this.converge();
        }
    }

    /** Where the line itself is down the connection's machine comes back; a server in trouble is asked again. */
    #convergeLater(error) {
        clearTimeout(this.#rereading);
        if (!error.isTemporary || this.store.state.connection !== "live") return;
        this.#rereading = setTimeout(() => this.converge(), backoffMillis(this.#failures++));
    }

    /** Subscribes before it reads, so that nothing falls between the two. */
    async #readAll() {
        const { store, api } = this;
        if (!store.state.me) store.dispatch({ type: "meReceived", user: await api.me() });
        store.dispatch({ type: "channelsReceived", channels: await api.channels() });
        this.#subscribe();
        this.stops.retry();
        this.outbox.wake();
        await this.sharing.resume();
        const { cid } = this.navigation.ui;
        if (cid) await this.openChannel(cid);
        await this.#readPreviews();
    }

    #subscribe() {
        const channels = this.store.state.order;
        if (channels.length) this.events.send("subscribe", { channels });
    }

    /** Once per connection: while it lives, events keep the previews true. */
    async #readPreviews() {
        const { order, timelines } = this.store.state;
        for (const cid of order.slice(0, previewsAtMost)) {
            if (timelines[cid]?.isKnown || this.#previewed.has(cid)) continue;
            const messages = await this.api.messages(cid, { limit: 1 });
            this.#previewed.add(cid);
            for (const message of messages) this.store.dispatch({ type: "messageChanged", message });
        }
    }

    /** Reads a chat, and again with longer and longer waits while it is looked at and the server is in trouble. */
    async openChannel(cid) {
        clearTimeout(this.#rereading);
        try {
            await Promise.all([
                this.api.messages(cid, { limit: pageSize }).then((messages) =>
                    this.store.dispatch({ type: "newestPageReceived", cid, messages, limit: pageSize })),
                this.#readMembers(cid),
            ]);
            this.#failures = 0;
        } catch (error) {
            if (error.status === 404) return this.store.dispatch({ type: "channelLost", cid });
            this.store.dispatch({ type: "readFailed", cid, reason: error.message });
            if (error.isTemporary) this.#rereadLater(cid);
        }
    }

    #rereadLater(cid) {
        clearTimeout(this.#rereading);
        this.#rereading = setTimeout(() => this.navigation.ui.cid === cid && this.openChannel(cid),
            backoffMillis(this.#failures++));
    }

    async loadEarlier(cid) {
        const oldest = this.store.state.timelines[cid]?.messages[0];
        if (!oldest) return;
        const messages = await this.api.messages(cid, { limit: pageSize, before: oldest.id });
        this.store.dispatch({ type: "earlierPageReceived", cid, messages, limit: pageSize });
    }

    received(event) {
        const { store, clock } = this;
        switch (event.event) {
            case "hello":
                clock.restart(event.server_time);
                this.#previewed.clear();
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

    /** A share that a later truth did not list is asked for by itself: it has ended, or it began in between. */
    #askDoubted(state) {
        for (const id of Object.keys(state.doubted)) {
            if (this.#asked.has(id)) continue;
            this.#asked.add(id);
            this.#ask(id, 0);
        }
    }

    async #ask(id, attempt) {
        if (!this.store.state.doubted[id]) return this.#asked.delete(id);
        try {
            const message = await this.api.message(id);
            this.#asked.delete(id);
            this.store.dispatch({ type: "messageChanged", message });
        } catch (error) {
            if (error.isTemporary) return setTimeout(() => this.#ask(id, attempt + 1), backoffMillis(attempt));
            this.#asked.delete(id);
            this.store.dispatch({ type: "messageLost", id });
        }
    }
}
