"""What the page must do with shares that tell only about where somebody is."""
from browser import OFFLINE, PLACE, Account, page_at, testid

ABOUT = "Approximate, about 1 km"
CELL = "async (place) => (await import('/assets/privacygrid.js')).approximated(place)"


def open_picker(page):
    testid(page, "share-location").click()
    testid(page, "approximate").wait_for()


def last_location(page, links):
    """The newest message's location, as the server tells it to somebody else."""
    name = testid(page, "message").last.get_attribute("data-message")
    return Account(links["you"]).call("GET", f"/v1/messages/{name}")["shared_location"]


def about_where_i_am_is_sent_and_said(browser, links, errors, options):
    with page_at(browser, links["friend"], errors) as page:
        open_picker(page)
        assert not testid(page, "approximate").is_checked()
        testid(page, "approximate").click()
        page.locator(".sheet-map .still-circle").wait_for()
        testid(page, "send-current").click()
        testid(page, "picker").wait_for(state="hidden")
        testid(page, "message").last.get_by_text(ABOUT).wait_for()
        sent, cell = last_location(page, links), page.evaluate(CELL, PLACE)
        assert sent["precision"] == "approximate" and sent["accuracy"] == cell["accuracy"]
        for key in ("latitude", "longitude"):
            assert abs(sent[key] - cell[key]) < 1e-9, "the preview showed another cell than the server's"
        testid(page, "message").last.locator(".still-circle").wait_for()


def a_live_share_stays_approximate(browser, links, errors, options):
    with page_at(browser, links["friend"], errors) as page:
        open_picker(page)
        testid(page, "approximate").check()
        testid(page, "share-live").click()
        testid(page, "duration-600").click()
        testid(page, "sharing-trouble").get_by_text(ABOUT).wait_for()
        testid(page, "message").last.get_by_text(ABOUT).wait_for()
        cell, before = page.evaluate(CELL, PLACE), last_location(page, links)["recorded_at"]
        page.context.set_geolocation({**PLACE, "latitude": PLACE["latitude"] + 1e-4})
        name = testid(page, "message").last.get_attribute("data-message")
        page.wait_for_function("([id, at]) => yonder.shares().find((s) => s.message_id === id).recorded_at !== at",
                               arg=[name, before], timeout=15_000)
        told = last_location(page, links)
        assert abs(told["latitude"] - cell["latitude"]) < 1e-9, "a later fix was told exactly"
        pin = page.locator(f'[data-testid="pin"][data-message="{name}"]')
        assert ABOUT in pin.get_attribute("aria-label")
        open_picker(page)
        assert testid(page, "approximate").is_checked(), "the choice was forgotten"
        page.keyboard.press("Escape")
        testid(page, "sharing-stop").click()
        testid(page, "sharing-bar").wait_for(state="hidden")


def another_precision_takes_back_what_failed(browser, links, errors, options):
    errors.allowed = OFFLINE
    with page_at(browser, links["friend"], errors) as page:
        page.route("**/messages", lambda route: route.abort() if route.request.method == "POST" else route.continue_())
        open_picker(page)
        testid(page, "send-current").click()
        testid(page, "picker-again").wait_for()
        testid(page, "approximate").click()
        testid(page, "picker-again").wait_for(state="hidden")
        assert testid(page, "picker-error").is_hidden()
    errors.allowed = ()


PRECISION = [
    about_where_i_am_is_sent_and_said, a_live_share_stays_approximate, another_precision_takes_back_what_failed,
]
