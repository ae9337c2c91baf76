"""What the page must do for a guest, who has nothing but the link to one share."""
import datetime
import secrets

from browser import OFFLINE, Account, open_page, page_at, testid

MEETING_POINT = {"latitude": 60.1698, "longitude": 24.9466, "accuracy": 12}
DEVICE = "ada-phone"


class Sharer:
    """Ada, with a share of hers and the links to it."""

    def __init__(self, links):
        self.account = Account(links["friend"])
        self.base = links["base"].rstrip("/")
        self.account.call("POST", "/v1/devices", {"id": DEVICE, "platform": "other"})

    def share(self, *, seconds=600, **fields):
        """A live share; static for seconds=None. Returns the message's id."""
        end = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=seconds or 0)
        location = {**MEETING_POINT, **({"end_at": end.isoformat(), "device_id": DEVICE} if seconds else {}), **fields}
        message = {"id": secrets.token_hex(16), "shared_location": location}
        return self.account.call("POST", f"/v1/channels/{self.account.channel}/messages", message)["id"]

    def link(self, message, **body):
        """{id, url}"""
        made = self.account.call("POST", f"/v1/messages/{message}/links", body)
        return {"id": made["id"], "url": f"{self.base}/s/{message}#{made['token']}"}

    def move(self, latitude, longitude):
        fix = {"latitude": latitude, "longitude": longitude, "accuracy": 8, "device_id": DEVICE}
        self.account.call("PUT", "/v1/live-locations", fix)

    def stop(self, message):
        self.account.call("DELETE", f"/v1/messages/{message}/live-location")


def headline(page):
    return testid(page, "share-headline").text_content()


def a_guest_sees_one_share_move_and_end(browser, links, errors, options):
    errors.allowed = OFFLINE
    ada = Sharer(links)
    message = ada.share()
    link = ada.link(message)
    with page_at(browser, link["url"], errors, granted=False) as page:
        assert page.url == f"{ada.base}/s/{message}", "the token stands in the address"
        testid(page, "guest-name").get_by_text("Ada").wait_for()
        assert headline(page).startswith("Live until ")
        page.wait_for_function("() => yonder.pins().length === 1 && yonder.pins()[0].phase === 'live'")
        for name in ("composer", "messages", "share-location", "people", "channels"):
            assert testid(page, name).count() == 0, f"a guest sees {name}"
        assert page.evaluate("() => yonder.locator()") == "off"
        assert page.evaluate("() => localStorage.length") == 0, "a guest's browser was made a device"
        assert testid(page, "follow").get_attribute("aria-pressed") == "true"
        ada.move(60.1712, 24.9420)
        page.wait_for_function("() => Math.abs(yonder.pins()[0].lat - 60.1712) < 1e-6")
        page.reload()
        page.wait_for_function("() => window.yonder?.pins().length === 1 && yonder.connection() === 'live'")
        ada.stop(message)
        testid(page, "share-headline").get_by_text("Live location ended").wait_for()
        page.wait_for_function("() => yonder.connection() === 'expired'")
        testid(page, "announcer").get_by_text("Ada: live location ended").wait_for(state="attached")
        page.wait_for_timeout(2000)
        assert headline(page) == "Live location ended" and testid(page, "connection").is_hidden()
    with open_page(browser, link["url"], errors) as page:
        page.get_by_role("heading", name="This link shows nothing any more").wait_for()
    errors.allowed = ()


def a_link_that_was_taken_back_shows_nothing(browser, links, errors, options):
    errors.allowed = OFFLINE
    ada = Sharer(links)
    message = ada.share()
    link = ada.link(message)
    with page_at(browser, link["url"], errors) as page:
        testid(page, "guest-name").get_by_text("Ada").wait_for()
        ada.account.call("DELETE", f"/v1/messages/{message}/links/{link['id']}")
        page.get_by_role("heading", name="This link shows nothing any more").wait_for()
        assert testid(page, "map").count() == 0
    with open_page(browser, f"{ada.base}/s/{message}#nonsense", errors) as page:
        page.get_by_role("heading", name="This link is not valid").wait_for()
    with open_page(browser, f"{ada.base}/s/{message}", errors) as page:
        page.get_by_role("heading", name="A part of this link is missing").wait_for()
    ada.stop(message)
    errors.allowed = ()


def an_approximate_link_shows_about_where(browser, links, errors, options):
    ada = Sharer(links)
    message = ada.share()
    link = ada.link(message, precision="approximate")
    with page_at(browser, link["url"], errors, size=(390, 844)) as page:
        testid(page, "share-detail").get_by_text("Approximate, about 1 km").wait_for()
        before = page.evaluate("() => yonder.pins()[0]")
        assert abs(before["lat"] - MEETING_POINT["latitude"]) > 1e-5, "the exact position came through"
        ada.move(MEETING_POINT["latitude"] + 1e-4, MEETING_POINT["longitude"])
        page.wait_for_timeout(1500)
        after = page.evaluate("() => yonder.pins()[0]")
        assert (after["lat"], after["lng"]) == (before["lat"], before["lng"])
    ada.stop(message)


def a_guest_sees_a_place_and_may_look_for_their_own(browser, links, errors, options):
    ada = Sharer(links)
    link = ada.link(ada.share(seconds=None))
    with page_at(browser, link["url"], errors, size=(320, 640)) as page:
        testid(page, "place-pin").wait_for()
        assert headline(page) == "Location"
        assert testid(page, "follow").get_attribute("aria-label") == "Show the place"
        assert testid(page, "follow").get_attribute("aria-pressed") is None
        assert page.evaluate("() => yonder.locator()") == "off"
        testid(page, "locate").click()
        testid(page, "me-dot").wait_for()
        wide = "() => [...document.querySelectorAll('.guest *')].filter((n) => n.getBoundingClientRect().right > innerWidth + 1)"
        assert page.evaluate(wide + ".filter((n) => !n.closest('.map-canvas')).length") == 0


def a_guest_comes_back_after_a_lost_line(browser, links, errors, options):
    errors.allowed = OFFLINE
    ada = Sharer(links)
    message = ada.share()
    with page_at(browser, ada.link(message)["url"], errors) as page:
        testid(page, "guest-name").get_by_text("Ada").wait_for()
        page.context.set_offline(True)
        page.evaluate("() => dispatchEvent(new Event('online'))")
        testid(page, "connection").get_by_text("Reconnecting").wait_for(timeout=20_000)
        ada.move(60.1705, 24.9440)
        page.context.set_offline(False)
        page.wait_for_function("() => Math.abs(yonder.pins()[0].lat - 60.1705) < 1e-6", timeout=45_000)
        testid(page, "connection").wait_for(state="hidden")
    ada.stop(message)
    errors.allowed = ()


GUESTS = [
    a_guest_sees_one_share_move_and_end, a_link_that_was_taken_back_shows_nothing, an_approximate_link_shows_about_where,
    a_guest_sees_a_place_and_may_look_for_their_own, a_guest_comes_back_after_a_lost_line,
]
