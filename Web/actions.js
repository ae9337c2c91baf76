// What a person can do, in one place; views call these and nothing else.
import { randomId } from "./ids.js";
import { hasPosition, phase } from "./rules.js";
import { words } from "./words.js";

export function makeActions(ctx) {
    const { store, sync, sharing, navigation, clock } = ctx;
    sync.attach(ctx);
    const attempt = (work, trouble) => work.catch(() => ctx.shell.say(trouble));

    return {
        openChannel: (cid) => navigation.openChannel(cid),
        openMap: () => navigation.openMap(),
        goBack: () => navigation.goBack(),
        toggleDrawer: () => navigation.change({ isDrawerOpen: !navigation.ui.isDrawerOpen }),
        closeDrawer: () => navigation.change({ isDrawerOpen: false }),
        loadEarlier: () => attempt(sync.loadEarlier(navigation.ui.cid), words.unreachable),
        openPicker: () => ctx.shell.picker.open(navigation.ui.cid),

        sendText(text) {
            const { cid } = navigation.ui;
            const entry = { id: randomId(), text, createdAt: clock.isoNow() };
            store.dispatch({ type: "queued", cid, entry });
            sync.deliver(cid, entry);
        },
        retry(id) {
            const { cid } = navigation.ui;
            const entry = store.state.outbox[cid]?.find((waiting) => waiting.id === id);
            if (entry) sync.deliver(cid, entry);
        },
        discard: (id) => store.dispatch({ type: "discarded", cid: navigation.ui.cid, id }),
        stop: (messageId) => attempt(sharing.stop(messageId), words.stopFailed),
        stopAll: () => attempt(sharing.stopAll(), words.stopFailed),

        /** From a message: opens the map on that position. */
        showOnMap(messageId) {
            const share = store.state.shares[messageId];
            if (!share || !hasPosition(share)) return;
            navigation.openMap();
            look(share);
        },
        /** From a pin or the people list. */
        pickPerson(messageId) {
            const share = store.state.shares[messageId];
            if (share && hasPosition(share)) look(share);
        },
        letGo() {
            ctx.shell.mapPane.view.letGo();
            navigation.change({ followed: null });
        },
    };

    function look(share) {
        const name = phase(share, clock.now());
        const isFollowed = name === "live" || name === "stale";
        navigation.change({ focus: share.message_id, followed: isFollowed ? share.message_id : null });
        ctx.renderer.flush();
        ctx.shell.mapPane.focus(share, clock.now());
    }
}
