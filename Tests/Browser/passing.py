"""What the page must do for who passes a link on: to a share of theirs, or into a chat."""
from browser import OFFLINE, open_page, page_at, testid, wait_until_live
from troubles import start_share

CLIPBOARD = ["geolocation", "clipboard-read", "clipboard-write"]
NO_CLIPBOARD = "Object.defineProperty(navigator, 'clipboard', { value: undefined });"


def open_link_sheet(page):
    start_share(page)
    testid(page, "share-link").click()
    testid(page, "copy-link").wait_for()


def close_and_stop(page):
    page.keyboard.press("Escape")
    testid(page, "link-sheet").wait_for(state="hidden")
    testid(page, "sharing-stop").click()
    testid(page, "sharing-bar").wait_for(state="hidden")


def a_link_to_my_share_is_copied_and_works(browser, links, errors, options):
    with page_at(browser, links["friend"], errors) as page:
        page.context.grant_permissions(CLIPBOARD)
        open_link_sheet(page)
        assert page.evaluate("() => document.activeElement.dataset.testid") == "copy-link"
        page.keyboard.press("Enter")
        testid(page, "link-status").get_by_text("Copied.").wait_for()
        exact = page.evaluate("() => navigator.clipboard.readText()")
        assert exact == testid(page, "link-field").input_value()
        testid(page, "link-approximate").check()
        testid(page, "link-field").wait_for(state="hidden")
        testid(page, "copy-link").click()
        testid(page, "link-status").get_by_text("Copied.").wait_for()
        vague = page.evaluate("() => navigator.clipboard.readText()")
        assert vague != exact
        for url, is_vague in ((exact, False), (vague, True)):
            with page_at(browser, url, errors, granted=False) as guest:
                testid(guest, "guest-name").get_by_text("Ada").wait_for()
                assert ("Approximate" in testid(guest, "share-detail").text_content()) == is_vague
        close_and_stop(page)


def without_a_clipboard_the_link_can_be_selected(browser, links, errors, options):
    errors.allowed = OFFLINE
    with page_at(browser, links["friend"], errors, size=(320, 640), script=NO_CLIPBOARD) as page:
        page.route("**/links", lambda route: route.abort())
        open_link_sheet(page)
        testid(page, "copy-link").click()
        testid(page, "link-error").get_by_text("No connection to the server.").wait_for()
        page.unroute("**/links")
        testid(page, "copy-link").click()
        testid(page, "link-status").get_by_text("Select the link and copy it.").wait_for()
        chosen = "() => { const { value, selectionStart, selectionEnd } = document.activeElement; " \
                 "return value.slice(selectionStart, selectionEnd); }"
        assert "/s/" in page.evaluate(chosen)
        assert testid(page, "link-sheet").evaluate("(node) => node.scrollWidth <= node.clientWidth")
        close_and_stop(page)
    errors.allowed = ()


def who_looks_after_a_chat_invites(browser, links, errors, options):
    with page_at(browser, links["friend"], errors) as page:
        assert testid(page, "invite-people").is_hidden(), "a plain member may not invite"
    with page_at(browser, links["you"], errors, size=(390, 844)) as page:
        testid(page, "invite-people").click()
        assert testid(page, "link-approximate").is_hidden()
        testid(page, "copy-link").click()
        testid(page, "link-field").wait_for(state="visible")
        url = testid(page, "link-field").input_value()
    with open_page(browser, url, errors) as page:
        page.get_by_label("Your name").fill("Grace")
        testid(page, "invite-join").click()
        wait_until_live(page)


PASSING = [
    a_link_to_my_share_is_copied_and_works, without_a_clipboard_the_link_can_be_selected, who_looks_after_a_chat_invites,
]
