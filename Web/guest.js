// One share, for who has no account but a link. Wiring, as for the chats: no device is made, nothing is sent.
import { Api } from "./api.js";
import { ServerClock } from "./clock.js";
import { forgetLink } from "./entrance.js";
import { Events } from "./events.js";
import { GuestSync, outlivesLink } from "./guestsync.js";
import { Locator } from "./locator.js";
import { onThemeChange } from "./map/theme.js";
import { Renderer } from "./renderer.js";
import { phase } from "./rules.js";
import { Store } from "./store.js";
import { gate, show } from "./views/gate.js";
import { GuestView } from "./views/guest.js";
import { usesMiles, words } from "./words.js";

/** Fills `root` with the share of a message. */
export function startGuest(root, { message, token }) {
    if (!message || !token) return show(root, gate(words.linkPartMissing, words.linkPartMissingMore));
    const ctx = { store: new Store(), clock: new ServerClock(), messageId: message, isOver: false };
    ctx.format = { locale: undefined, miles: usesMiles(navigator.language) };
    ctx.onOver = (code) => finish(root, ctx, code);
    ctx.api = new Api(token, ctx.onOver);
    ctx.locator = new Locator(ctx.clock);
    ctx.sync = new GuestSync(ctx);
    ctx.events = new Events(token, {
        onEvent: (event) => ctx.sync.received(event),
        onState(connection) {
            ctx.store.dispatch({ type: "connectionChanged", connection });
            if (connection === "expired") ctx.onOver("token_expired");
        },
        onConverge: () => ctx.sync.converge(),
        checkToken: () => ctx.api.message(message).then(() => false, (error) => error.status === 401),
    });
    ctx.clock.onJump = () => queueMicrotask(() => ctx.events.renew());
    ctx.sync.attach(ctx);
    ctx.renderer = new Renderer(ctx);
    ctx.requestRender = () => ctx.renderer.request();
    ctx.view = new GuestView(ctx);
    onThemeChange(ctx.requestRender);
    ctx.locator.onChange(ctx.requestRender);
    root.replaceChildren(ctx.view.element);
    ctx.view.start();
    ctx.renderer.start((state, now) => ctx.view.update(state, now));
    ctx.sync.converge();
    ctx.events.start();
    window.yonder = debugHandle(ctx);
}

/** There is no more to come: what ended before our eyes stays to be seen, all else makes place for a word. */
function finish(root, ctx, code) {
    if (ctx.isOver) return;
    ctx.isOver = true;
    forgetLink(ctx.messageId);
    ctx.events.expire();
    ctx.requestRender();
    if (outlivesLink(ctx.store.state.shares[ctx.messageId], ctx.clock.now())) return;
    ctx.renderer.stop();
    ctx.locator.stop();
    document.title = words.appName;
    if (code === "unauthenticated") show(root, gate(words.invalid, words.expiredMore));
    else show(root, gate(words.linkOver, words.linkOverMore));
}

/** For tests and the curious: what the page shows, never the token. */
function debugHandle({ store, clock, view, locator }) {
    return Object.freeze({
        pins: () => view.map.drawnPins(),
        shares: () => Object.values(store.state.shares).map((share) => ({
            message_id: share.message_id, phase: phase(share, clock.now()), recorded_at: share.recorded_at,
        })),
        connection: () => store.state.connection,
        locator: () => locator.state,
        isMapDrawn: () => view.map.isDrawn,
        map: (isAskedAnew) => view.map.told(isAskedAnew),
    });
}
