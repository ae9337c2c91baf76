"""Pictures of the screens that a link opens for who has no token yet, and of approximate shares."""
import pathlib

from apps import PHONE, connect, forget_devices, open_apps
from arrivals import make_invite
from browser import OFFLINE, PLACE, open_page, testid, wait_until_live
from guests import Sharer
from passing import open_link_sheet
from precision import open_picker
from shots import SIZES


def open_link(page, url):
    """From nowhere: to a page that is there already another fragment is no new page until it has reloaded itself."""
    page.goto("about:blank")
    page.goto(url)


def show_invite(page, links):
    open_link(page, make_invite(links))
    testid(page, "invite-name").fill("Ada")


def show_invite_trouble(page, links):
    page.route("**/v1/invites/accept", lambda route: route.abort())
    testid(page, "invite-join").click()
    testid(page, "invite-error").wait_for(state="visible")


def show_invite_over(page, links):
    open_link(page, links["base"].rstrip("/") + "/join#nonsense")
    testid(page, "invite-name").fill("Ada")
    page.unroute("**/v1/invites/accept")
    testid(page, "invite-join").click()
    testid(page, "gate").wait_for()


def show_login_used(page, links):
    open_link(page, links["base"].rstrip("/") + "/#login=nonsense")
    page.get_by_role("heading", name="This link was used, or is too old").wait_for()


def open_guest(page, url):
    open_link(page, url)
    wait_until_live(page)
    page.wait_for_function("() => yonder.isMapDrawn()", timeout=20_000)
    page.wait_for_timeout(800)


def show_guest(page, links):
    ada = Sharer(links)
    page.message = ada.share(heading=75, speed=1.3, next_within=1800)
    open_guest(page, ada.link(page.message)["url"])


def show_guest_ended(page, links):
    Sharer(links).stop(page.message)
    testid(page, "share-headline").get_by_text("Live location ended").wait_for()
    page.wait_for_timeout(500)


def show_guest_approximate(page, links):
    ada = Sharer(links)
    open_guest(page, ada.link(ada.share(next_within=1800), precision="approximate")["url"])


def show_guest_place(page, links):
    ada = Sharer(links)
    open_guest(page, ada.link(ada.share(seconds=None))["url"])


def show_guest_over(page, links):
    ada = Sharer(links)
    message = ada.share()
    link = ada.link(message)
    ada.stop(message)
    open_link(page, link["url"])
    testid(page, "gate").wait_for()


def open_chat(page, links):
    """Ada's, with a fix of this moment: the browser hands out the first one for ever."""
    page.context.set_geolocation(PLACE)
    open_link(page, links["friend"])
    wait_until_live(page)


def show_approximate_picker(page, links):
    open_chat(page, links)
    open_picker(page)
    testid(page, "approximate").check()
    testid(page, "share-live").click()
    page.wait_for_timeout(2500)


def show_approximate_message(page, links):
    testid(page, "duration-600").click()
    testid(page, "sharing-bar").wait_for(state="visible")
    page.wait_for_timeout(2500)


def show_approximate_map(page, links):
    if page.viewport_size["width"] < 720:
        testid(page, "live-chip").click()
    testid(page, "people-live").locator(".person").first.click()
    page.wait_for_timeout(3500)


def show_link_sheet(page, links):
    page.context.grant_permissions(["geolocation", "clipboard-write"])
    open_chat(page, links)
    open_link_sheet(page)
    page.wait_for_timeout(400)


def show_link_copied(page, links):
    testid(page, "copy-link").click()
    testid(page, "link-field").wait_for(state="visible")


def show_bar_with_link(page, links):
    page.keyboard.press("Escape")
    page.wait_for_timeout(400)


def show_app_choice(page, links):
    open_chat(page, links)
    open_apps(page)
    page.wait_for_timeout(400)


def show_app_setup(page, links):
    connect(page, "OwnTracks", PHONE)
    page.wait_for_timeout(400)


def show_app_picker(page, links):
    page.keyboard.press("Escape")
    page.wait_for_timeout(400)


def show_app_bar(page, links):
    testid(page, "duration-600").click()
    testid(page, "sharing-trouble").get_by_text(PHONE).wait_for()
    page.wait_for_timeout(400)


def show_invite_sheet(page, links):
    forget_devices(links)
    open_link(page, links["you"])
    wait_until_live(page)
    testid(page, "invite-people").click()
    page.wait_for_timeout(600)


# Those of somebody unknown first: from the chats on the tab has a token.
DOORS = {
    "guest": show_guest, "guest-ended": show_guest_ended, "guest-approximate": show_guest_approximate,
    "guest-place": show_guest_place, "guest-over": show_guest_over,
    "login-used": show_login_used, "invite": show_invite, "invite-trouble": show_invite_trouble,
    "invite-over": show_invite_over,
    "picker-approximate": show_approximate_picker, "chat-approximate": show_approximate_message,
    "map-approximate": show_approximate_map, "sheet-link": show_link_sheet, "sheet-copied": show_link_copied,
    "sheet-bar": show_bar_with_link,
    "app-choice": show_app_choice, "app-setup": show_app_setup, "app-picker": show_app_picker, "app-bar": show_app_bar,
    "sheet-invite": show_invite_sheet,
}


def take_door_shots(browser, links, errors, folder):
    """Writes <door>-<size>-<colours>.png, one door after the other in one page; returns the paths."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    errors.allowed = OFFLINE
    written = []
    for size in ("desktop", "phone", "small"):
        for dark in (False, True):
            with open_page(browser, "about:blank", errors, size=SIZES[size], dark=dark) as page:
                for name, show in DOORS.items():
                    show(page, links)
                    written.append(folder / f"{name}-{size}-{'dark' if dark else 'light'}.png")
                    page.screenshot(path=written[-1])
    errors.allowed = ()
    return written
