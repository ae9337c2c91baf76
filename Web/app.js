// Wiring: who is made, who hears whom. The truth lives in the store, what is looked at in `ui`.
import { Api } from "./api.js";
import { enter, forgetToken } from "./entrance.js";
import { ServerClock } from "./clock.js";
import { deviceId } from "./device.js";
import { Events } from "./events.js";
import { Locator } from "./locator.js";
import { StillMaps } from "./map/still.js";
import { Navigation } from "./navigation.js";
import { Renderer } from "./renderer.js";
import { Sharing } from "./sharing.js";
import { Store } from "./store.js";
import { Sync } from "./sync.js";
import { makeActions } from "./actions.js";
import { channelShares } from "./selectors.js";
import { phase } from "./rules.js";
import { gate } from "./views/gate.js";
import { Shell } from "./views/shell.js";
import { usesMiles, words } from "./words.js";

const root = document.getElementById("app");
const place = enter();
// A link opened in this very tab changes only the fragment: begin anew with its token.
addEventListener("hashchange", () => location.hash.includes("token=") && location.reload());

if (place.token) start(place);
else root.replaceChildren(gate(words.noToken, words.noTokenMore));

function start({ token, channel, view }) {
    const ctx = { store: new Store(), clock: new ServerClock(), deviceId: deviceId(), stills: new StillMaps() };
    ctx.format = { locale: undefined, miles: usesMiles(navigator.language) };
    ctx.api = new Api(token, () => expire(ctx));
    ctx.locator = new Locator();
    ctx.sharing = new Sharing(ctx);
    ctx.sync = new Sync(ctx);
    ctx.events = new Events(token, {
        onEvent: (event) => ctx.sync.received(event),
        onState(connection) {
            if (connection === "expired") expire(ctx);
            else ctx.store.dispatch({ type: "connectionChanged", connection });
        },
        onConverge: () => ctx.sync.converge(),
        checkToken: () => ctx.api.me().then(() => false, (error) => error.status === 401),
    });
    ctx.renderer = new Renderer(ctx);
    ctx.requestRender = () => ctx.renderer.request();
    ctx.navigation = new Navigation({ channel, view }, {
        onChange: ctx.requestRender,
        onChannel: (cid) => ctx.sync.openChannel(cid).catch(() => {}),
    });
    ctx.actions = makeActions(ctx);
    ctx.shell = new Shell(ctx);
    root.replaceChildren(ctx.shell.element);
    ctx.shell.start();
    ctx.renderer.start((state, now) => {
        ctx.sharing.refresh();
        ctx.shell.update(state, ctx.navigation.ui, now);
    });
    ctx.sync.begin();
    ctx.events.start();
    window.yonder = debugHandle(ctx);
}

let isExpired = false;

function expire(ctx) {
    if (isExpired) return;
    isExpired = true;
    forgetToken();
    ctx.renderer.stop();
    ctx.locator.stop();
    ctx.events.expire();
    root.replaceChildren(gate(words.expired, words.expiredMore));
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
    });
}
