"""Pictures of the page in its sizes and colours; also used for those of the documentation."""
import datetime
import pathlib
import secrets

from browser import Account, page_at, testid

SIZES = {"desktop": (1280, 800), "tablet": (900, 700), "phone": (390, 844), "small": (320, 640)}


DOCUMENTATION = {f"page-{size}-{colours}.png" for size in ("desktop", "phone") for colours in ("light", "dark")} | {
    f"page-phone-{colours}-map.png" for colours in ("light", "dark")}
MEETING_POINT = {"latitude": 60.1698, "longitude": 24.9466}


def set_scene(links):
    """What the pictures of the documentation show: two people on their way to a third."""
    you, friend = Account(links["you"]), Account(links["friend"])
    friend.say("Wait for us at the Three Smiths!")
    you.say("Five minutes. I bring the coffee \N{HOT BEVERAGE}")
    friend.call("POST", "/v1/devices", {"id": "ada-phone", "platform": "other"})
    end = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=1)
    friend.call("POST", f"/v1/channels/{friend.channel}/messages", {
        "id": secrets.token_hex(16),
        "shared_location": {**MEETING_POINT, "accuracy": 12, "heading": 75, "speed": 1.3, "next_within": 1800,
                            "end_at": end.isoformat(), "device_id": "ada-phone"}})


def settle(page):
    """Until the map and the small pictures are drawn; there is always one, the walker's."""
    page.wait_for_function("() => yonder.isMapDrawn()", timeout=20_000)
    page.wait_for_function("""() => [...document.querySelectorAll(".still-button")].some((button) => {
        return button.querySelector(".still-image:not([hidden])")?.complete;
    })""", timeout=30_000)
    page.wait_for_function("""() => [...document.querySelectorAll(".still-button")].every((button) => {
        const { top, bottom, height } = button.getBoundingClientRect();
        const isSeen = height > 0 && bottom > 0 && top < innerHeight;
        return !isSeen || button.querySelector(".still-image:not([hidden])")?.complete;
    })""", timeout=30_000)
    page.wait_for_timeout(600)


def take_shots(browser, links, errors, folder, *, who="you", scale=1, names=None):
    """Writes page-<size>-<colours>[-<screen>].png for every combination, or those in `names`; returns the paths."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for size, pixels in SIZES.items():
        for dark in (False, True):
            stem = f"page-{size}-{'dark' if dark else 'light'}"
            screens = ("chat", "picker") if size in ("desktop", "tablet") else ("chat", "map", "picker", "channels")
            wanted = [screen for screen in screens if names is None or file_name(stem, screen) in names]
            if not wanted:
                continue
            with page_at(browser, links[who], errors, size=pixels, dark=dark, scale=scale) as page:
                for screen in wanted:
                    show(page, screen)
                    path = folder / file_name(stem, screen)
                    page.screenshot(path=path)
                    written.append(path)
                    leave(page, screen)
    return written


def file_name(stem, screen):
    return f"{stem}.png" if screen == "chat" else f"{stem}-{screen}.png"


def show(page, screen):
    settle(page)
    if screen == "map":
        open_map = page.locator('[data-testid="live-chip"]:visible, [data-testid="open-map"]:visible').first
        open_map.click()
        settle(page)
    elif screen == "picker":
        testid(page, "share-location").click()
        testid(page, "share-live").click()
        page.wait_for_function("() => !document.querySelector('.sheet-map .still-image').hidden", timeout=20_000)
        page.wait_for_timeout(400)
    elif screen == "channels":
        testid(page, "back").click()
        page.wait_for_timeout(400)


def leave(page, screen):
    if screen == "map":
        testid(page, "map-back").click()
        page.wait_for_timeout(400)
    elif screen == "picker":
        page.keyboard.press("Escape")
        page.wait_for_timeout(300)
