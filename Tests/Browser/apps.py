"""What the page must do for who lets a phone app move their share."""
import base64
import json
import secrets
import urllib.error
import urllib.parse
import urllib.request

from browser import OFFLINE, PLACE, Account, page_at, testid
from passing import CLIPBOARD, NO_CLIPBOARD

PHONE = "\N{HEBREW LETTER TET}\N{HEBREW LETTER LAMED} of Ada"
PIN = """([id, latitude]) => {
    const pin = yonder.pins().find((p) => p.message_id === id);
    return pin && Math.abs(pin.lat - latitude) < 1e-5;
}"""


def open_apps(page):
    testid(page, "share-location").click()
    testid(page, "share-live").click()
    testid(page, "connect-app").click()
    testid(page, "app").wait_for()


def connect(page, app, name=None):
    testid(page, "app").select_option(label=app)
    if name:
        testid(page, "device-name").fill(name)
    testid(page, "connect").click()
    testid(page, "app-setup").wait_for(state="visible")


def told(page):
    """What the sheet says to type in, by its labels."""
    return dict(page.evaluate("""() => [...document.querySelectorAll('[data-testid=app-value]')]
        .map((row) => [row.querySelector('.detail').textContent, row.querySelector('code').textContent])"""))


def send(url, headers=None, body=None):
    request = urllib.request.Request(url, data=body, headers=headers or {})
    with urllib.request.urlopen(request, timeout=10) as answer:
        return answer.status


def osmand_url(setup, latitude, longitude):
    """A fix as Traccar Client sends it."""
    return setup["Server URL"] + "?" + urllib.parse.urlencode(
        {"id": setup["Device identifier"], "lat": latitude, "lon": longitude, "accuracy": 6})


def stop(page):
    testid(page, "sharing-stop").click()
    testid(page, "sharing-bar").wait_for(state="hidden")


def forget_devices(links):
    friend = Account(links["friend"])
    for device in friend.call("GET", "/v1/devices")["devices"]:
        if device.get("platform") != "web":
            friend.call("DELETE", f"/v1/devices/{device['id']}")


def a_phone_app_moves_the_share_and_the_browser_does_not(browser, links, errors, options):
    with page_at(browser, links["friend"], errors) as page:
        page.wait_for_function("() => yonder.isMapDrawn()", timeout=20_000)
        open_apps(page)
        assert page.evaluate("() => document.activeElement.dataset.testid") == "app"
        connect(page, "Traccar Client", PHONE)
        setup = told(page)
        assert setup["Server URL"] == links["base"].rstrip("/") + "/ingest/osmand"
        key = setup["Device identifier"]
        assert len(key) == 32 and key not in page.url
        kept = page.evaluate("() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state])")
        assert key not in kept
        testid(page, "app-done").click()
        testid(page, "phone-apps").wait_for(state="hidden")
        page.wait_for_function("(key) => !document.documentElement.outerHTML.includes(key)", arg=key, timeout=5_000)
        assert page.evaluate("() => document.activeElement.dataset.testid") == "connect-app"
        assert testid(page, "feeder").evaluate("(node) => node.selectedOptions[0].textContent") == PHONE
        testid(page, "duration-600").click()
        bar = testid(page, "sharing-trouble")
        bar.get_by_text(f"Updated by \u2068{PHONE}\u2069").wait_for()
        page.wait_for_function("() => yonder.locator() === 'off'")
        mine = testid(page, "message").last.get_attribute("data-message")

        send(osmand_url(setup, 60.1702, 24.9441))
        page.wait_for_function(PIN, arg=[mine, 60.1702], timeout=15_000)
        page.context.set_geolocation({**PLACE, "latitude": 60.1650})
        # Whoever looks for themselves on the map has the browser's position, and shares none of it.
        page.get_by_role("button", name="Show where I am").click()
        page.wait_for_function("() => yonder.locator() === 'tracking'", timeout=15_000)
        page.wait_for_timeout(3000)
        assert page.evaluate(PIN, [mine, 60.1702]), "the browser's own position moved the phone's share"
        send(osmand_url(setup, 60.1705, 24.9445))
        page.wait_for_function(PIN, arg=[mine, 60.1705], timeout=15_000)

        page.reload()
        bar.get_by_text(PHONE).wait_for(timeout=15_000)
        share = Account(links["friend"]).call("GET", f"/v1/messages/{mine}")["shared_location"]
        assert abs(share["latitude"] - 60.1705) < 1e-6 and share["fed_by"] != share["device_id"]
        stop(page)
    forget_devices(links)


def what_each_app_is_told_is_taken_by_the_server(browser, links, errors, options):
    fix = json.dumps({"_type": "location", "lat": 60.17, "lon": 24.94, "acc": 8}).encode()
    feature = {"type": "Feature", "geometry": {"type": "Point", "coordinates": [24.94, 60.17]}, "properties": {}}
    with page_at(browser, links["friend"], errors) as page:
        for app in ("OwnTracks", "Overland", "OsmAnd", "GPSLogger"):
            page.reload()
            open_apps(page)
            connect(page, app)
            setup = told(page)
            if app == "OwnTracks":
                link = urllib.parse.urlsplit(testid(page, "app-link").get_attribute("href"))
                inline = urllib.parse.parse_qs(link.query)["inline"][0]
                asked = json.loads(base64.b64decode(inline))
                assert asked["password"] == setup["Password"] and "encryptionKey" not in asked
                pair = base64.b64encode(f"{asked['username']}:{asked['password']}".encode()).decode()
                assert send(asked["url"], {"Authorization": f"Basic {pair}"}, fix) == 200
                testid(page, "app-encrypts").check()
                link = urllib.parse.urlsplit(testid(page, "app-link").get_attribute("href"))
                asked = json.loads(base64.b64decode(urllib.parse.parse_qs(link.query)["inline"][0]))
                assert asked["encryptionKey"] == setup["Encryption key (optional)"]
            elif app == "Overland":
                query = urllib.parse.parse_qs(urllib.parse.urlsplit(testid(page, "app-link").get_attribute("href")).query)
                headers = {"Authorization": f"Bearer {query['token'][0]}", "Content-Type": "application/json"}
                assert send(query["url"][0], headers, json.dumps({"locations": [feature]}).encode()) == 200
            else:
                assert testid(page, "app-link").is_hidden()
                url = setup["Web address" if app == "OsmAnd" else "URL"]
                for name, value in (("0", 60.17), ("1", 24.94), ("2", 1796040000000), ("3", 5), ("4", 12), ("5", 1.5), ("6", 90)):
                    url = url.replace("{%s}" % name, str(value))
                for name, value in (("LAT", 60.17), ("LON", 24.94), ("TIMESTAMP", 1796040000), ("ACC", 5), ("ALT", 12),
                                    ("SPD", 1.5), ("DIR", 90), ("BATT", 80)):
                    url = url.replace(f"%{name}", str(value))
                assert send(url) == 200
    forget_devices(links)


def values_are_copied_or_selected(browser, links, errors, options):
    with page_at(browser, links["friend"], errors, size=(360, 640)) as page:
        page.context.grant_permissions(CLIPBOARD)
        open_apps(page)
        connect(page, "GPSLogger")
        page.get_by_role("button", name="Copy URL").click()
        testid(page, "app-status").get_by_text("URL: copied.").wait_for()
        assert page.evaluate("() => navigator.clipboard.readText()") == told(page)["URL"]
        wide = "(node) => [...node.querySelectorAll('*')].filter((part) => part.scrollWidth > part.clientWidth + 1 " \
               "&& part.clientWidth > 1 && getComputedStyle(part).display !== 'inline').map((part) => part.className)"
        assert testid(page, "phone-apps").evaluate(wide) == []
    with page_at(browser, links["friend"], errors, script=NO_CLIPBOARD) as page:
        open_apps(page)
        connect(page, "Traccar Client")
        page.get_by_role("button", name="Copy Server URL").click()
        testid(page, "app-status").get_by_text("Select it and copy it.").wait_for()
        assert page.evaluate("() => String(getSelection())") == told(page)["Server URL"]
    forget_devices(links)


def a_disconnected_app_is_refused_and_not_offered(browser, links, errors, options):
    errors.allowed = OFFLINE
    with page_at(browser, links["friend"], errors) as page:
        open_apps(page)
        connect(page, "Traccar Client", "Old phone")
        setup = told(page)
        page.keyboard.press("Escape")
        testid(page, "phone-apps").wait_for(state="hidden")
        assert testid(page, "picker").is_visible()
        testid(page, "connect-app").click()
        row = page.locator(".device-row", has_text="Old phone")
        row.get_by_role("button", name="Disconnect").click()
        row.get_by_role("button", name="Disconnected").wait_for()
        try:
            send(osmand_url(setup, 60.17, 24.94))
            raise AssertionError("a revoked key was taken")
        except urllib.error.HTTPError as error:
            assert error.code == 401
        page.keyboard.press("Escape")
        assert testid(page, "feeder").evaluate("(node) => node.value") == ""
        assert testid(page, "feeder").locator("option").count() == 1
        # One without a key has nothing to be taken away.
        Account(links["friend"]).call("POST", "/v1/devices", {"id": f"old-{secrets.token_hex(4)}", "name": "Keyless"})
        testid(page, "connect-app").click()
        row.wait_for()
        assert page.locator(".device-row").count() == 1
    forget_devices(links)
    errors.allowed = ()


APPS = [
    a_phone_app_moves_the_share_and_the_browser_does_not, what_each_app_is_told_is_taken_by_the_server,
    values_are_copied_or_selected, a_disconnected_app_is_refused_and_not_offered,
]
