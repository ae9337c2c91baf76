// Joining by an invite: with this tab's token as oneself, without one as somebody new.
import { Api } from "./api.js";
import { backoffMillis, pause } from "./backoff.js";
import { forgetInvite, forgetToken, goHome, keepToken } from "./entrance.js";
import { gate, show, waitingGate } from "./views/gate.js";
import { InvitationView } from "./views/invitation.js";
import { words } from "./words.js";

/** Who is asked, and what came of it. No DOM: the server is passed in. */
export class Invitation {
    me = null;
    #before = new Set();

    /** api: with the token of who has one. wait(): before a lost answer is asked for again. */
    constructor({ code, key }, api, wait = () => pause(backoffMillis(0))) {
        Object.assign(this, { code, key, api, wait });
    }

    /** Reads who joins, and their chats, so that the new one is known later. Nothing for who has no token. */
    async prepare() {
        if (!this.api.token) return;
        const [me, channels] = await Promise.all([this.api.me(), this.api.channels()]);
        this.#before = new Set(channels.map((channel) => channel.id));
        this.me = me;
    }

    /** Joins; returns {token, channel}, the channel undefined where it is not known which one it is. */
    async join(name) {
        const { code, key, api } = this;
        const acceptance = this.me ? { code } : { code, name, key };
        const { token } = await this.#withoutLosing(() => api.acceptInvite(acceptance));
        return { token: token ?? api.token, channel: await this.#newChannel(token) };
    }

    /** The same code and key give the same person, so a call whose answer was lost may be repeated. */
    async #withoutLosing(call) {
        try {
            return await call();
        } catch (error) {
            if (error.status !== 0) throw error;
            await this.wait();
            return call();
        }
    }

    /** Joined is joined: a list that cannot be read now is read by the page itself. */
    async #newChannel(token) {
        const api = token ? this.api.as(token) : this.api;
        const channels = await api.channels().catch(() => []);
        return channels.find((channel) => !this.#before.has(channel.id))?.id;
    }
}

/** Whether an invite is good for nothing any more, as opposed to an attempt that failed. Pure. */
export const isOver = (error) => error.status === 404;

/** Fills `root`, until onJoined(token, channel). */
export async function openInvitation(root, place, onJoined) {
    const api = new Api(place.token);
    const invitation = new Invitation(place, api);
    const begin = () => openInvitation(root, place, onJoined);
    show(root, waitingGate(words.loading));
    try {
        await invitation.prepare();
    } catch (error) {
        if (error.status !== 401) return show(root, gate(words.invited, error.message, { action: again(begin) }));
        // The token of this tab has expired: whoever looks at it may come in as somebody new.
        forgetToken();
        return openInvitation(root, { ...place, token: undefined }, onJoined);
    }
    const view = new InvitationView(invitation.me, (name) => join(name));
    root.replaceChildren(view.element);
    view.focus();

    async function join(name) {
        view.work();
        try {
            const { token, channel } = await invitation.join(name);
            forgetInvite();
            keepToken(token);
            goHome({ channel });
            onJoined(token, channel);
        } catch (error) {
            if (error.status === 401) return begin();
            if (!isOver(error)) return view.fail(error.message);
            forgetInvite();
            show(root, gate(words.inviteOver, words.inviteOverMore, { action: place.token && chats() }));
        }
    }

    function chats() {
        return { label: words.myChats, run: () => { goHome({}); onJoined(place.token); } };
    }
}

const again = (run) => ({ label: words.tryAgain, run });
