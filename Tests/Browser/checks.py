"""What the page must do, each a function (browser, links, errors, options) that raises when it does not."""
import subprocess
import time

from apps import APPS
from arrivals import ARRIVALS
from browser import OFFLINE, Account, page_at, testid
from following import FOLLOWING
from guests import GUESTS
from hands import HANDS
from passing import PASSING
from precision import PRECISION
from reading import READING
from troubles import TROUBLES

LOCATION_OFF = "Location is off for this site. Open the site's settings (lock icon) and allow Location."


def the_walkers_pin_moves_three_times(browser, links, errors, options):
    with page_at(browser, links["friend"], errors) as page:
        page.wait_for_function("() => yonder.shares().some((s) => !s.is_mine && s.phase === 'live')", timeout=30_000)
        moved = page.evaluate("""async () => {
            const places = new Map();
            for (let i = 0; i < 300; i++) {
                for (const share of yonder.shares().filter((s) => !s.is_mine && s.phase === "live")) {
                    const pin = yonder.pins().find((p) => p.message_id === share.message_id);
                    if (!pin) continue;
                    const seen = places.get(pin.message_id) ?? new Map();
                    seen.set(share.recorded_at, `${pin.lng.toFixed(6)} ${pin.lat.toFixed(6)}`);
                    places.set(pin.message_id, seen);
                }
                const most = Math.max(0, ...[...places.values()].map((seen) => new Set(seen.values()).size));
                if (most >= 4) return most;
                await new Promise((resolve) => setTimeout(resolve, 200));
            }
            return 0;
        }""")
        assert moved >= 4, "the walker's pin stood still for a minute"


def a_share_of_one_minute_ends_by_itself(browser, links, errors, options):
    with page_at(browser, links["friend"], errors) as page:
        testid(page, "share-location").click()
        testid(page, "share-live").click()
        testid(page, "duration-60").click()
        testid(page, "picker").wait_for(state="hidden")
        testid(page, "sharing-bar").wait_for(state="visible")
        mine = page.evaluate("() => yonder.shares().find((s) => s.is_mine && s.phase === 'live')")
        page.context.set_geolocation({"latitude": 60.1692, "longitude": 24.9469, "accuracy": 7})
        page.wait_for_function("([id, at]) => yonder.shares().find((s) => s.message_id === id).recorded_at !== at",
                               arg=[mine["message_id"], mine["recorded_at"]], timeout=15_000)
        page.reload()
        testid(page, "sharing-bar").wait_for(state="visible", timeout=15_000)
        late = page.evaluate("""async (id) => {
            for (;;) {
                const bubble = document.querySelector(`[data-message="${id}"] .location`);
                const share = yonder.shares().find((s) => s.message_id === id);
                if (bubble?.dataset.phase === "ended") return yonder.serverNow() - Date.parse(share.end_at);
                await new Promise((resolve) => setTimeout(resolve, 20));
            }
        }""", mine["message_id"])
        assert -50 <= late < 2000, f"ended {late:.0f} ms after the server's end"
        testid(page, "sharing-bar").wait_for(state="hidden")
        assert testid(page, "people-ended").locator(f'[data-message="{mine["message_id"]}"]').is_visible()


def a_share_is_stopped_at_once(browser, links, errors, options):
    with page_at(browser, links["friend"], errors) as page:
        testid(page, "share-location").click()
        testid(page, "share-live").click()
        testid(page, "duration-600").click()
        testid(page, "sharing-stop").click()
        testid(page, "sharing-bar").wait_for(state="hidden")
        page.wait_for_function("() => yonder.locator() === 'off'")


def a_location_is_sent_once(browser, links, errors, options):
    with page_at(browser, links["friend"], errors) as page:
        testid(page, "share-location").click()
        testid(page, "send-current").click()
        testid(page, "picker").wait_for(state="hidden")
        last = testid(page, "message").last
        last.locator('.location[data-phase="static"]').wait_for()
        last.locator('[data-testid="location-bubble"]').click()
        testid(page, "place-pin").wait_for()


def denied_permission_is_explained(browser, links, errors, options):
    with page_at(browser, links["friend"], errors, granted=False) as page:
        testid(page, "share-location").click()
        status = testid(page, "picker-status")
        page.wait_for_function("(text) => document.querySelector('[data-testid=picker-status]').textContent === text",
                               arg=LOCATION_OFF)
        assert status.is_visible() and testid(page, "send-current").is_disabled()
        page.keyboard.press("Escape")
        testid(page, "picker").wait_for(state="hidden")


def sharing_pauses_when_permission_is_revoked(browser, links, errors, options):
    with page_at(browser, links["friend"], errors) as page:
        testid(page, "share-location").click()
        testid(page, "share-live").click()
        testid(page, "duration-600").click()
        testid(page, "sharing-bar").wait_for(state="visible")
        page.context.clear_permissions()
        page.wait_for_function("() => document.querySelector('[data-testid=sharing-text]').textContent === 'Sharing paused'",
                               timeout=15_000)
        assert page.evaluate("() => yonder.shares().some((s) => s.is_mine && s.phase !== 'ended')")
        page.context.grant_permissions(["geolocation"])
        page.wait_for_function("() => yonder.locator() === 'tracking'", timeout=15_000)
        testid(page, "sharing-stop").click()
        testid(page, "sharing-bar").wait_for(state="hidden")


def a_text_is_sent_by_enter_and_shown_as_text(browser, links, errors, options):
    with page_at(browser, links["friend"], errors) as page:
        text = f"<b>hello</b> <img src=x onerror=alert(1)> {time.time()}"
        composer = testid(page, "composer")
        composer.fill(text)
        composer.press("Enter")
        last = testid(page, "message").last
        page.wait_for_function("() => document.querySelector('[data-testid=message]:last-child').dataset.mode === 'sent'")
        assert last.locator(".text").text_content() == text
        assert composer.input_value() == ""


def the_token_leaves_the_address(browser, links, errors, options):
    with page_at(browser, links["friend"], errors) as page:
        assert "token" not in page.url
        assert Account(links["friend"]).token not in page.content()


def the_page_converges_after_a_restart(browser, links, errors, options):
    if not options.restart:
        return "skipped: no --restart command"
    errors.allowed = OFFLINE
    you = Account(links["you"])
    with page_at(browser, links["friend"], errors) as page:
        subprocess.run(options.restart, shell=True, check=True, timeout=60)
        text = f"after the restart {time.time()}"
        you.say(text)
        page.get_by_text(text).last.wait_for(timeout=45_000)
        page.wait_for_function("() => yonder.connection() === 'live'", timeout=45_000)
        testid(page, "connection").wait_for(state="hidden")
        before = page.evaluate("() => JSON.stringify(yonder.shares().map((s) => s.recorded_at))")
        page.wait_for_function("(old) => JSON.stringify(yonder.shares().map((s) => s.recorded_at)) !== old", arg=before,
                               timeout=45_000)
    errors.allowed = ()


def earlier_messages_come_in_without_a_jump(browser, links, errors, options):
    you = Account(links["you"])
    for number in range(35):
        you.say(f"line {number}")
        time.sleep(0.11)
    with page_at(browser, links["friend"], errors) as page:
        earlier = testid(page, "load-earlier")
        earlier.wait_for()
        count = testid(page, "message").count()
        assert count == 30
        page.evaluate("() => { document.querySelector('.message-scroll').scrollTop = 0; }")
        first = testid(page, "message").first
        name = first.get_attribute("data-message")
        page.wait_for_timeout(300)
        before = first.bounding_box()["y"]
        earlier.click()
        page.wait_for_function("(n) => document.querySelectorAll('[data-testid=message]').length > n", arg=count)
        page.wait_for_timeout(300)
        after = page.locator(f'[data-testid="message"][data-message="{name}"]').bounding_box()["y"]
        assert abs(after - before) < 60, f"what was read moved by {after - before:.0f} pixels"


def the_drawer_opens_and_escape_closes_it(browser, links, errors, options):
    with page_at(browser, links["friend"], errors, size=(900, 700)) as page:
        assert testid(page, "channels").is_hidden()
        testid(page, "menu").click()
        testid(page, "channel-row").first.wait_for(state="visible")
        page.keyboard.press("Escape")
        testid(page, "channels").wait_for(state="hidden")


def a_phone_goes_from_chats_to_the_map_and_back(browser, links, errors, options):
    with page_at(browser, links["friend"], errors, size=(390, 844)) as page:
        testid(page, "back").click()
        row = testid(page, "channel-row").first
        row.wait_for(state="visible")
        row.press("Enter")
        testid(page, "conversation").wait_for(state="visible")
        page.locator('[data-testid="live-chip"]:visible, [data-testid="open-map"]:visible').first.click()
        testid(page, "people").wait_for(state="visible")
        page.wait_for_function("() => yonder.isMapDrawn()", timeout=20_000)
        page.go_back()
        testid(page, "composer").wait_for(state="visible")
        page.wait_for_function("() => !document.querySelector('.conversation').inert && document.querySelector('.map-pane').inert")


def without_a_good_token_the_page_says_so(browser, links, errors, options):
    errors.allowed = OFFLINE
    context = browser.new_context()
    try:
        page = context.new_page()
        errors.watch(page)
        page.goto(links["base"] + "/")
        page.get_by_text("Open the link you were sent").wait_for()
        page.goto(links["base"] + "/#token=nonsense")
        page.get_by_text("This link is not valid").wait_for()
    finally:
        context.close()
        errors.allowed = ()


def nothing_is_wider_than_a_small_phone(browser, links, errors, options):
    too_wide = """() => [...document.querySelectorAll('.screen, .scroll, .sheet-choices, .composer, .sharing-bar, .bubble')]
        .filter((node) => node.scrollWidth > Math.max(1, node.clientWidth)).map((node) => node.className)"""
    for place in ("", "&view=map"):
        with page_at(browser, links["friend"] + place, errors, size=(320, 640)) as page:
            assert page.evaluate(too_wide) == [], "wider than a screen of 320 pixels"
            if not place:
                testid(page, "share-location").click()
                testid(page, "share-live").click()
                assert page.evaluate(too_wide) == [], "the picker is wider than 320 pixels"


CHECKS = [
    the_token_leaves_the_address, the_walkers_pin_moves_three_times, a_text_is_sent_by_enter_and_shown_as_text,
    a_location_is_sent_once, a_share_is_stopped_at_once, denied_permission_is_explained,
    sharing_pauses_when_permission_is_revoked, the_drawer_opens_and_escape_closes_it,
    a_phone_goes_from_chats_to_the_map_and_back, *FOLLOWING, *HANDS, *TROUBLES, *READING, *ARRIVALS, *GUESTS, *PRECISION, *PASSING, *APPS,
    without_a_good_token_the_page_says_so,
    earlier_messages_come_in_without_a_jump, nothing_is_wider_than_a_small_phone, a_share_of_one_minute_ends_by_itself,
    the_page_converges_after_a_restart,
]
