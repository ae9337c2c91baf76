// The chats of somebody with a token. Wiring: who is made, who hears whom. The truth lives in the store, what is looked
// at in `ui`.
import { Api } from "./api.js";
import { forgetToken } from "./entrance.js";
import { ServerClock } from "./clock.js";
import { deviceId } from "./device.js";
import { Devices } from "./devices.js";
import { Events } from "./events.js";
import { Locator } from "./locator.js";
import { StillMaps } from "./map/still.js";
import { Navigation } from "./navigation.js";
import { onThemeChange } from "./map/theme.js";
import { Outbox } from "./outbox.js";
import { Renderer } from "./renderer.js";
import { Sharing } from "./sharing.js";
import { Stops } from "./stops.js";
import { Store } from "./store.js";
import { Sync } from "./sync.js";
import { makeActions } from "./actions.js";
import { channelName, channelShares, isMine, myActiveShares } from "./selectors.js";
import { phase, time } from "./rules.js";
import { gate } from "./views/gate.js";
import { Shell } from "./views/shell.js";
import { makeOnVisible } from "./visibility.js";
import { clockWords, usesMiles, visibleWords, words } from "./words.js";

/** Fills `root`; `channel` and `view` say where to begin. */
export function startChats(root, { token, channel, view }) {
    const ctx = { store: new Store(), clock: new ServerClock(), deviceId: deviceId(), stills: new StillMaps() };
    ctx.format = { locale: undefined, miles: usesMiles(navigator.language) };
    ctx.onVisible = makeOnVisible();
    ctx.whereIAm = (shares) => ctx.locator.lastFix ?? shares.find((share) => isMine(ctx.store.state, share)) ?? null;
    ctx.api = new Api(token, (code) => expire(root, ctx, code));
    ctx.locator = new Locator(ctx.clock);
    ctx.sharing = new Sharing(ctx);
    ctx.devices = new Devices(ctx);
    ctx.stops = new Stops(ctx);
    ctx.outbox = new Outbox(ctx);
    ctx.sync = new Sync(ctx);
    ctx.events = new Events(token, {
        onEvent: (event) => ctx.sync.received(event),
        onState(connection) {
            if (connection === "expired") expire(root, ctx);
            else ctx.store.dispatch({ type: "connectionChanged", connection });
        },
        onConverge: () => ctx.sync.converge(),
        checkToken: () => ctx.api.me().then(() => false, (error) => error.status === 401),
    });
    ctx.clock.onJump = () => queueMicrotask(() => ctx.events.renew());
    ctx.renderer = new Renderer(ctx);
    ctx.requestRender = () => ctx.renderer.request();
    ctx.navigation = new Navigation({ channel, view }, {
        onChange: ctx.requestRender,
        onChannel: (cid) => ctx.sync.openChannel(cid),
    });
    ctx.sync.attach(ctx);
    onThemeChange(ctx.requestRender);
    ctx.actions = makeActions(ctx);
    ctx.shell = new Shell(ctx);
    root.replaceChildren(ctx.shell.element);
    ctx.shell.start();
    ctx.renderer.start((state, now) => {
        ctx.sharing.refresh();
        ctx.shell.update(state, ctx.navigation.ui, now);
    });
    // Before the socket is up: the lists, so that the page shows something at once.
    ctx.sync.converge();
    ctx.events.start();
    window.yonder = debugHandle(ctx);
}

let isExpired = false;

/** The token is no good, whatever still goes on: who shares is told what the others go on seeing. */
function expire(root, ctx, code) {
    if (isExpired) return;
    isExpired = true;
    forgetToken();
    ctx.renderer.stop();
    ctx.locator.stop();
    ctx.events.expire();
    const { state } = ctx.store;
    const shares = myActiveShares(state, ctx.clock.now()).map((share) =>
        visibleWords(channelName(state, share.channel_id), clockWords(time(share.end_at))));
    // Refused before anything was read: not a link that ended, but none that ever was.
    const title = code === "unauthenticated" && !state.me ? words.invalid : words.expired;
    root.replaceChildren(gate(title, words.expiredMore, { shares }));
}

/** For tests and the curious: what the page shows, never the token. */
function debugHandle({ store, clock, shell, navigation, locator }) {
    return Object.freeze({
        pins: () => shell.mapPane.view.drawnPins(),
        shares: () => channelShares(store.state, navigation.ui.cid).map((share) => ({
            message_id: share.message_id, user_id: share.user_id, phase: phase(share, clock.now()), end_at: share.end_at,
            ended_reason: share.ended_reason, recorded_at: share.recorded_at, is_mine: share.user_id === store.state.me?.id,
        })),
        connection: () => store.state.connection,
        locator: () => locator.state,
        serverNow: () => clock.now(),
        isMapDrawn: () => shell.mapPane.view.isDrawn,
        map: (isAskedAnew) => shell.mapPane.view.told(isAskedAnew),
    });
}
