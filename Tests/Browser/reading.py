"""What the page must be for keys, screen readers and small screens, and how it shows what messages can be."""
import secrets

from browser import Account, page_at, testid
from troubles import start_share

FOCUSED = "() => document.activeElement.dataset.testid"


def the_focus_goes_into_the_drawer_and_back(browser, links, errors, options):
    with page_at(browser, links["friend"], errors, size=(900, 700)) as page:
        menu = testid(page, "menu")
        menu.focus()
        page.keyboard.press("Enter")
        page.wait_for_function("() => document.activeElement.dataset.testid === 'channels'")
        assert menu.get_attribute("aria-expanded") == "true"
        assert page.evaluate("() => document.querySelector('.conversation').inert && document.querySelector('.map-pane').inert")
        page.keyboard.press("Escape")
        page.wait_for_function("() => document.activeElement.dataset.testid === 'menu'")
        assert menu.get_attribute("aria-expanded") == "false"


def keys_scroll_the_messages(browser, links, errors, options):
    with page_at(browser, links["friend"], errors, size=(1280, 400)) as page:
        log = page.get_by_role("log", name="Messages")
        testid(page, "message").first.wait_for()
        log.focus()
        assert log.evaluate("(node) => node.tabIndex === 0 && node === document.activeElement")
        page.keyboard.press("Home")
        page.wait_for_function("() => document.querySelector('.message-scroll').scrollTop === 0")


def what_moves_leaves_the_scroll_of_the_messages_alone(browser, links, errors, options):
    # A write to scrollTop breaks off a scroll that a key or a finger has just begun.
    with page_at(browser, links["friend"], errors, size=(1280, 400)) as page:
        page.wait_for_function("() => yonder.shares().some((s) => !s.is_mine && s.phase === 'live')", timeout=30_000)
        page.wait_for_timeout(1000)
        page.evaluate("""() => {
            const node = document.querySelector('.message-scroll');
            const own = Object.getOwnPropertyDescriptor(Element.prototype, 'scrollTop');
            window.scrollWrites = 0;
            Object.defineProperty(node, 'scrollTop', {
                get() { return own.get.call(this); },
                set(value) { window.scrollWrites += 1; own.set.call(this, value); },
            });
            window.before = JSON.stringify(yonder.shares().map((s) => s.recorded_at));
        }""")
        page.wait_for_function("() => JSON.stringify(yonder.shares().map((s) => s.recorded_at)) !== window.before")
        page.wait_for_timeout(1500)
        assert page.evaluate("() => window.scrollWrites") == 0


def arrow_keys_let_go_of_who_is_followed(browser, links, errors, options):
    with page_at(browser, links["friend"], errors) as page:
        page.wait_for_function("() => yonder.shares().some((s) => !s.is_mine && s.phase === 'live')", timeout=30_000)
        testid(page, "people-live").locator("[data-testid=person]").first.click()
        testid(page, "map-notice").wait_for(state="visible")
        page.wait_for_timeout(2500)
        page.locator(".maplibregl-canvas").first.focus()
        page.keyboard.press("ArrowLeft")
        page.wait_for_function("() => !document.querySelector('[data-testid=map-notice]').textContent.startsWith('Following')")


def showing_where_i_am_ends_with_the_map(browser, links, errors, options):
    with page_at(browser, links["friend"] + "&view=map", errors, size=(390, 844)) as page:
        testid(page, "locate").click()
        page.wait_for_function("() => yonder.locator() === 'tracking'")
        testid(page, "map-back").click()
        page.wait_for_function("() => yonder.locator() === 'off'")


def a_paused_bar_leaves_room_on_a_small_phone(browser, links, errors, options):
    with page_at(browser, links["friend"], errors, size=(320, 640)) as page:
        start_share(page)
        testid(page, "sharing-bar").wait_for(state="visible")
        page.context.clear_permissions()
        testid(page, "sharing-text").get_by_text("Sharing paused").wait_for(timeout=15_000)
        assert testid(page, "sharing-bar").bounding_box()["height"] <= 125
        assert testid(page, "sharing-trouble").bounding_box()["width"] >= 200
        testid(page, "sharing-stop").click()
        testid(page, "sharing-bar").wait_for(state="hidden")


def quotes_edits_and_deletions_are_shown(browser, links, errors, options):
    you = Account(links["you"])
    path = f"/v1/channels/{you.channel}/messages"
    first, second, reply, place, answer = (secrets.token_hex(16) for _ in range(5))
    with page_at(browser, links["friend"], errors) as page:
        you.call("POST", path, {"id": first, "text": "Where shall we meet?"})
        you.call("POST", path, {"id": second, "text": "Hre!", "quoted_message_id": first})
        you.call("POST", path, {"id": reply, "text": "only in the thread", "parent_id": first})
        you.call("POST", path, {"id": place, "shared_location": {"latitude": 60.17, "longitude": 24.95}})
        you.call("POST", path, {"id": answer, "text": "This place", "quoted_message_id": place})
        you.call("PATCH", f"/v1/messages/{second}", {"text": "Here!"})
        shown = {name: page.locator(f'[data-testid="message"][data-message="{name}"]') for name in (first, second, answer)}
        shown[second].get_by_text("edited").wait_for()
        assert "Here!" in shown[second].text_content()
        assert "Where shall we meet?" in testid(shown[second], "quote").text_content()
        assert testid(shown[answer], "quote").get_attribute("data-kind") == "location"
        you.call("DELETE", f"/v1/messages/{first}")
        shown[first].get_by_text("Message deleted").wait_for()
        testid(shown[second], "quote").get_by_text("Message deleted").wait_for()
        assert page.get_by_text("only in the thread").count() == 0


def the_small_maps_show_the_place_itself(browser, links, errors, options):
    you = Account(links["you"])
    name = you.call("POST", f"/v1/channels/{you.channel}/messages",
                    {"id": secrets.token_hex(16), "shared_location": {"latitude": 60.17, "longitude": 24.95}})["id"]
    middles = """([map, thing, part]) => {
        const [a, b] = [map, thing].map((name) => document.querySelector(name).getBoundingClientRect());
        return [b.x + b.width / 2 - a.x - a.width / 2, b.y + part * b.height - a.y - a.height / 2];
    }"""
    with page_at(browser, links["friend"], errors) as page:
        message = f'[data-message="{name}"]'
        page.locator(f"{message} .place-pin").wait_for()
        page.wait_for_timeout(500)
        for off in page.evaluate(middles, [f"{message} .still", f"{message} .still .place-pin", 1]):
            assert abs(off) < 2, f"the pin's tip is {off:.0f} pixels off"
        testid(page, "share-location").click()
        page.locator(".sheet-map .pin-disc").wait_for()
        page.wait_for_timeout(500)
        for off in page.evaluate(middles, [".sheet-map .still", ".sheet-map .pin-disc", 0.5]):
            assert abs(off) < 2, f"the disc is {off:.0f} pixels off"


READING = [
    the_focus_goes_into_the_drawer_and_back, keys_scroll_the_messages,
    what_moves_leaves_the_scroll_of_the_messages_alone, arrow_keys_let_go_of_who_is_followed,
    showing_where_i_am_ends_with_the_map, a_paused_bar_leaves_room_on_a_small_phone, quotes_edits_and_deletions_are_shown,
    the_small_maps_show_the_place_itself,
]
