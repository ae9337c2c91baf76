"""Pictures of the screens that a link opens for who has no token yet."""
import pathlib

from arrivals import make_invite
from browser import OFFLINE, open_page, testid
from shots import SIZES


def show_invite(page, links):
    page.goto(make_invite(links))
    testid(page, "invite-name").fill("Ada")


def show_invite_trouble(page, links):
    page.route("**/v1/invites/accept", lambda route: route.abort())
    testid(page, "invite-join").click()
    testid(page, "invite-error").wait_for(state="visible")


def show_invite_over(page, links):
    page.goto(links["base"].rstrip("/") + "/join#nonsense")
    testid(page, "invite-name").fill("Ada")
    page.unroute("**/v1/invites/accept")
    testid(page, "invite-join").click()
    testid(page, "gate").wait_for()


def show_login_used(page, links):
    page.goto(links["base"].rstrip("/") + "/#login=nonsense")
    page.get_by_role("heading", name="This link was used, or is too old").wait_for()


DOORS = {
    "login-used": show_login_used, "invite": show_invite, "invite-trouble": show_invite_trouble, "invite-over": show_invite_over,
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
