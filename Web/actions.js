// What a person can do, in one place; views call these and nothing else.
import { hasPosition, phase } from "./rules.js";
import { linkableShare, myActiveShares } from "./selectors.js";

export function makeActions(ctx) {
    const { store, sync, stops, outbox, navigation, clock } = ctx;

    return {
        openChannel: (cid) => navigation.openChannel(cid),
        openMap: () => navigation.openMap(),
        goBack: () => navigation.goBack(),
        toggleDrawer: () => navigation.change({ isDrawerOpen: !navigation.ui.isDrawerOpen }),
        closeDrawer: () => navigation.change({ isDrawerOpen: false }),
        loadEarlier: () => sync.loadEarlier(navigation.ui.cid).catch((error) => ctx.shell.say(error.message)),
        reload: () => sync.openChannel(navigation.ui.cid),
        /** From the bar: a link to my share; from a chat's bar: a link into the chat. */
        shareLink() {
            const share = linkableShare(store.state, navigation.ui.cid, clock.now());
            if (share) ctx.shell.linkSheet.openForShare(share);
        },
        invite: () => ctx.shell.linkSheet.openForChannel(navigation.ui.cid),
        openPicker: () => ctx.shell.picker.open(navigation.ui.cid),

        sendText: (text) => outbox.add(navigation.ui.cid, text),
        retry: (id) => outbox.retry(navigation.ui.cid, id),
        discard: (id) => store.dispatch({ type: "discarded", cid: navigation.ui.cid, id }),
        stop: (messageId) => stops.stop([messageId]),
        stopAll: () => stops.stop(myActiveShares(store.state, clock.now()).map((share) => share.message_id)),

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
        /** The camera follows nobody any more, by itself or by a hand. */
        unfollow: () => navigation.change({ followed: null }),
    };

    function look(share) {
        const name = phase(share, clock.now());
        const isFollowed = name === "live" || name === "stale";
        navigation.change({ focus: share.message_id, followed: isFollowed ? share.message_id : null });
        ctx.renderer.flush();
        ctx.shell.mapPane.focus(share, clock.now());
    }
}
