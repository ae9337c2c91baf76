"""Chromium with the page in it: launching, permissions, what the console said."""
import contextlib
import json
import os
import secrets
import shutil
import time
import urllib.error
import urllib.request

from playwright.sync_api import sync_playwright

PLACE = {"latitude": 60.1688, "longitude": 24.9465, "accuracy": 9}
# Chromium's own remarks about software rendering are no fault of the page.
HARMLESS = ("GPU stall due to ReadPixels",)
# What the browser itself writes while a server is down; only the restart check may see these.
OFFLINE = ("net::ERR_", "WebSocket connection to", "Failed to load resource")


class Errors:
    """Console errors and uncaught exceptions of all pages; a check may allow some for its time."""

    def __init__(self):
        self.seen = []
        self.allowed = ()

    def watch(self, page):
        page.on("console", lambda message: message.type == "error" and self.add(message.text))
        page.on("pageerror", lambda error: self.add(f"uncaught: {error}"))

    def add(self, text):
        if not any(part in text for part in HARMLESS + self.allowed):
            self.seen.append(text)


@contextlib.contextmanager
def chromium():
    path = os.environ.get("YONDER_CHROMIUM") or shutil.which("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, headless=True, args=["--no-sandbox"])
        try:
            yield browser
        finally:
            browser.close()


@contextlib.contextmanager
def open_page(browser, url, errors, *, size=(1280, 800), dark=False, granted=True, scale=1, locale="en-GB", place=PLACE,
              script=None):
    """A page in a fresh context at `url`; `script` runs in it before anything of the page."""
    options = {"geolocation": place, "permissions": ["geolocation"]} if granted else {}
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]}, color_scheme="dark" if dark else "light",
        device_scale_factor=scale, locale=locale, **options)
    if script:
        context.add_init_script(script)
    page = context.new_page()
    errors.watch(page)
    try:
        page.goto(url)
        yield page
    finally:
        context.close()


@contextlib.contextmanager
def page_at(browser, url, errors, **options):
    """The same, once it is connected."""
    with open_page(browser, url, errors, **options) as page:
        wait_until_live(page)
        yield page


def wait_until_live(page):
    page.wait_for_function("() => window.yonder && yonder.connection() === 'live'", timeout=20_000)


def testid(page, name):
    return page.locator(f'[data-testid="{name}"]')


class Account:
    """The HTTP interface with the token of a link, for what another person does meanwhile."""

    def __init__(self, link):
        self.base = link.split("/#")[0].rstrip("/")
        fields = dict(part.split("=", 1) for part in link.split("#", 1)[1].split("&"))
        self.token = fields["token"]
        self.channel = fields.get("channel") or self.call("GET", "/v1/channels")["channels"][0]["id"]

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        request = urllib.request.Request(self.base + path, data=data, method=method, headers=headers)
        with urllib.request.urlopen(request, timeout=10) as answer:
            return json.loads(answer.read() or b"null")

    def say(self, text):
        """Sends a text; waits up to 20 s for a server that is just starting."""
        for attempt in range(40):
            try:
                return self.call("POST", f"/v1/channels/{self.channel}/messages", {"id": secrets.token_hex(16), "text": text})
            except urllib.error.HTTPError:
                raise
            except OSError:
                time.sleep(0.5)
        raise TimeoutError("the server did not come back")
