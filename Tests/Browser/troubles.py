"""What the page must do on a bad line, with a dead token, and in a browser that lacks something."""
import secrets

from browser import OFFLINE, Account, page_at, testid

NO_WEBGL = """
    const getContext = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
        return /webgl/.test(kind) ? null : getContext.call(this, kind, ...rest);
    };
"""
NO_STORAGE = """
    for (const name of ["localStorage", "sessionStorage"]) {
        Object.defineProperty(window, name, { get() { throw new DOMException("blocked", "SecurityError"); } });
    }
"""
MINE_LIVE = "() => yonder.shares().some((s) => s.is_mine && (s.phase === 'live' || s.phase === 'stale'))"


def start_share(page, seconds=600):
    testid(page, "share-location").click()
    testid(page, "share-live").click()
    testid(page, f"duration-{seconds}").click()


def hold_sends(page):
    """Keeps what is posted as a message from the server; the list fills with the routes."""
    held = []
    page.route("**/messages", lambda route: held.append(route) if route.request.method == "POST" else route.continue_())
    return held


def wait_for_hold(page, held):
    for _ in range(50):
        if held:
            return held[0]
        page.wait_for_timeout(100)
    raise AssertionError("nothing was sent")


def a_failed_share_is_no_matter_of_the_next_chat(browser, links, errors, options):
    errors.allowed = OFFLINE
    friend = Account(links["friend"])
    name = f"Work {secrets.token_hex(4)}"
    friend.call("POST", "/v1/channels", {"type": "messaging", "name": name})
    with page_at(browser, links["friend"], errors) as page:
        held = hold_sends(page)
        start_share(page)
        route = wait_for_hold(page, held)
        page.keyboard.press("Escape")
        page.get_by_text("Cancelled. Nothing is shared.").wait_for()
        page.get_by_role("button", name=name).click()
        testid(page, "share-location").click()
        route.abort()
        page.wait_for_timeout(400)
        assert testid(page, "picker").is_visible(), "the end of another request closed the picker"
        assert testid(page, "picker-again").is_hidden() and testid(page, "picker-error").is_hidden()
        assert len(held) == 1
    errors.allowed = ()


def a_share_that_was_taken_back_ends_when_it_got_through(browser, links, errors, options):
    with page_at(browser, links["friend"], errors) as page:
        held = hold_sends(page)
        start_share(page)
        route = wait_for_hold(page, held)
        page.keyboard.press("Escape")
        route.continue_()
        testid(page, "message").last.get_by_text("Message deleted").wait_for()
        assert not page.evaluate(MINE_LIVE)
        testid(page, "sharing-bar").wait_for(state="hidden")


def a_stop_without_a_line_outlives_a_reload(browser, links, errors, options):
    errors.allowed = OFFLINE
    with page_at(browser, links["friend"], errors) as page:
        start_share(page)
        testid(page, "sharing-bar").wait_for(state="visible")
        page.route("**/live-location", lambda route: route.abort())
        testid(page, "sharing-stop").click()
        page.get_by_text("it stops as soon as there is one").first.wait_for()
        assert testid(page, "sharing-text").text_content() == "Stopping\N{HORIZONTAL ELLIPSIS}"
        assert page.evaluate("() => yonder.locator()") == "off", "the position still goes out"
        assert page.evaluate("() => document.activeElement.dataset.testid") == "share-location"
        page.reload()
        testid(page, "sharing-bar").get_by_text("Stopping").wait_for()
        page.unroute("**/live-location")
        testid(page, "sharing-bar").wait_for(state="hidden", timeout=45_000)
        assert not page.evaluate(MINE_LIVE)
    errors.allowed = ()


def a_dead_token_tells_what_others_still_see(browser, links, errors, options):
    errors.allowed = OFFLINE
    with page_at(browser, links["friend"], errors) as page:
        start_share(page)
        testid(page, "sharing-bar").wait_for(state="visible")
        testid(page, "composer").fill("half a thought")
        page.route("**/v1/**", lambda route: route.fulfill(status=401, json={"code": "token_expired"}))
        page.context.set_geolocation({"latitude": 60.17, "longitude": 24.95, "accuracy": 9})
        page.get_by_text("This link has expired").wait_for()
        page.get_by_text("You are still visible").wait_for()
        page.unroute("**/v1/**")
        page.goto(links["friend"])
        page.wait_for_function("() => window.yonder?.connection() === 'live'")
        assert testid(page, "composer").input_value() == "half a thought"
        testid(page, "sharing-stop").click()
        testid(page, "sharing-bar").wait_for(state="hidden")
    errors.allowed = ()


def without_webgl_the_chat_and_stop_work(browser, links, errors, options):
    with page_at(browser, links["friend"], errors, script=NO_WEBGL) as page:
        testid(page, "no-map").wait_for()
        start_share(page)
        testid(page, "sharing-stop").click()
        testid(page, "sharing-bar").wait_for(state="hidden")
        composer = testid(page, "composer")
        composer.fill("no map, still talking")
        composer.press("Enter")
        page.get_by_text("no map, still talking").last.wait_for()


def with_blocked_storage_the_page_works_and_hides_the_token(browser, links, errors, options):
    with page_at(browser, links["friend"], errors, script=NO_STORAGE) as page:
        assert "token" not in page.url
        testid(page, "message").first.wait_for()


def a_wrong_channel_is_told_on_a_phone(browser, links, errors, options):
    errors.allowed = OFFLINE
    link = links["friend"].split("&channel=")[0] + "&channel=messaging:nowhere"
    with page_at(browser, link, errors, size=(390, 844)) as page:
        page.get_by_text("You are not in this chat, or it is gone").wait_for()
        testid(page, "channel-row").first.wait_for(state="visible")
    errors.allowed = ()


TROUBLES = [
    a_failed_share_is_no_matter_of_the_next_chat, a_share_that_was_taken_back_ends_when_it_got_through,
    a_stop_without_a_line_outlives_a_reload, a_dead_token_tells_what_others_still_see,
    without_webgl_the_chat_and_stop_work, with_blocked_storage_the_page_works_and_hides_the_token,
    a_wrong_channel_is_told_on_a_phone,
]
