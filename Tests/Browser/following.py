"""The map that follows: the button, hands, permissions, and where things are drawn, with a position that moves."""
import contextlib
import math

from browser import PLACE, open_page, page_at, testid

LATITUDE_METRES = 111_195
# Puts what was drawn in a frame into `frames`: how far the puck is from the middle of the map and from its own marker, in
# pixels, and the camera. After all that the frame has drawn, and where the engine was asked no more since.
SAMPLER = """() => {
    window.frames_seen = [];
    window.is_sampling = true;
    const sample = () => {
        if (!window.is_sampling) return;
        const { me, status, camera, shown, screen, isAhead } = yonder.map();
        const canvas = document.querySelector(".map-canvas").getBoundingClientRect();
        const dot = document.querySelector('[data-testid="me-dot"]')?.getBoundingClientRect();
        if (me && dot && !isAhead) {
            const at = screen(me);
            const middle = { x: canvas.width / 2, y: canvas.height / 2 };
            const drawn = { x: dot.x + dot.width / 2 - canvas.x, y: dot.y + dot.height / 2 - canvas.y };
            window.frames_seen.push({
                status, zoom: shown.zoom, bearing: shown.bearing, pitch: shown.pitch, lng: shown.center[0], lat: shown.center[1],
                wanted: camera.zoom, off: Math.hypot(at.x - middle.x, at.y - middle.y),
                apart: Math.hypot(at.x - drawn.x, at.y - drawn.y),
            });
        }
        requestAnimationFrame(() => setTimeout(sample));
    };
    requestAnimationFrame(() => setTimeout(sample));
}"""


class Walker:
    """The browser's position, moved by hand: metres east and north of the usual place."""

    def __init__(self, page):
        self.page = page
        self.cdp = page.context.new_cdp_session(page)

    def go(self, east, north=0, heading=None, speed=None, accuracy=9):
        place = {
            "latitude": PLACE["latitude"] + north / LATITUDE_METRES,
            "longitude": PLACE["longitude"] + east / LATITUDE_METRES / math.cos(math.radians(PLACE["latitude"])),
            "accuracy": accuracy,
        }
        if heading is not None:
            place |= {"heading": heading, "speed": speed}
        self.cdp.send("Emulation.setGeolocationOverride", place)

    def lose(self):
        self.cdp.send("Emulation.setGeolocationOverride", {})

    def walk(self, seconds, step=6, **fix):
        """A step every half second."""
        for number in range(int(seconds * 2)):
            self.go(step * (number + 1), **fix)
            self.page.wait_for_timeout(500)


@contextlib.contextmanager
def map_at(browser, links, errors, **options):
    with page_at(browser, links["friend"], errors, **options) as page:
        page.wait_for_function("() => yonder.shares().some((s) => !s.is_mine && s.phase === 'live')", timeout=30_000)
        page.wait_for_function("() => yonder.isMapDrawn()", timeout=30_000)
        yield page, Walker(page)


def told(page):
    return page.evaluate("() => { const { screen, ...rest } = yonder.map(); return rest; }")


def wait_for_button(page, state, timeout=10_000):
    page.wait_for_function("(state) => yonder.map().button === state", arg=state, timeout=timeout)
    assert testid(page, "locate").get_attribute("data-state") == state


def wait_until_there(page):
    page.wait_for_function("() => yonder.map().status !== 'transition'", timeout=10_000)


def frames(page):
    """What was sampled: a dozen frames at least, however busy the machine is."""
    page.wait_for_function("() => window.frames_seen.length > 12", timeout=20_000)
    return page.evaluate("() => { window.is_sampling = false; return window.frames_seen; }")


def follow(page, walker):
    walker.go(0)
    testid(page, "locate").click()
    wait_for_button(page, "followNorth")
    wait_until_there(page)


def the_button_goes_from_north_over_heading_to_free(browser, links, errors, options):
    with map_at(browser, links, errors) as (page, walker):
        button = testid(page, "locate")
        assert told(page)["button"] == "off" and button.get_attribute("aria-pressed") == "false"
        follow(page, walker)
        assert button.get_attribute("aria-pressed") == "true"
        now = told(page)
        assert now["kind"] == "followPuck" and now["camera"]["zoom"] >= 13 and now["camera"]["bearing"] == 0
        walker.go(8, heading=70, speed=4)
        page.wait_for_function("() => yonder.map().me.course === 70")
        button.click()
        wait_for_button(page, "followHeading")
        wait_until_there(page)
        now = told(page)["shown"]
        assert abs(now["bearing"] - 70) < 0.01 and abs(now["pitch"] - 60) < 0.01 and now["zoom"] >= 16.5, now
        assert testid(page, "north-up").is_visible()
        button.click()
        wait_for_button(page, "free")
        page.wait_for_function("() => yonder.map().shown.pitch === 0")
        assert abs(told(page)["shown"]["bearing"] - 70) < 0.01
        testid(page, "north-up").click()
        page.wait_for_function("() => yonder.map().shown.bearing === 0")
        testid(page, "north-up").wait_for(state="hidden")


def the_compass_turns_the_map(browser, links, errors, options):
    with map_at(browser, links, errors) as (page, walker):
        follow(page, walker)
        # An absolute event, as phones with a compass fire it: held flat, its top to the east.
        turn = """(alpha) => dispatchEvent(new DeviceOrientationEvent("deviceorientationabsolute",
            { absolute: true, alpha, beta: 0, gamma: 0 }))"""
        page.evaluate(turn, 270)
        page.wait_for_function("() => Math.abs(yonder.map().me.heading - 90) < 0.01")
        testid(page, "locate").click()
        wait_for_button(page, "followHeading")
        for alpha in (268, 200, 181, 179, 100):
            page.evaluate(turn, alpha)
            page.wait_for_timeout(400)
        wait_until_there(page)
        assert abs(told(page)["shown"]["bearing"] + 100) < 0.01, told(page)["shown"]
        # Without a word from the compass the map turns back, and the button says so.
        wait_for_button(page, "followNorth")
        wait_until_there(page)
        assert told(page)["shown"]["bearing"] == 0


def who_is_followed_stays_in_the_middle(browser, links, errors, options):
    with map_at(browser, links, errors) as (page, walker):
        follow(page, walker)
        page.evaluate(SAMPLER)
        walker.walk(4)
        seen = frames(page)
        off, apart = max(f["off"] for f in seen), max(f["apart"] for f in seen)
        assert off < 1, f"the middle was {off:.2f} px from the puck"
        assert apart < 1, f"the dot was drawn {apart:.2f} px from where the puck is"
        moved = len({f["lng"] for f in seen})
        assert moved > len(seen) / 2, f"the map stood still in all but {moved} of {len(seen)} frames"
        # Turned and tilted it is the same.
        walker.go(0, heading=200, speed=5)
        page.wait_for_function("() => yonder.map().me.course !== undefined")
        testid(page, "locate").click()
        wait_for_button(page, "followHeading")
        wait_until_there(page)
        page.evaluate(SAMPLER)
        walker.walk(3, heading=90, speed=5)
        seen = frames(page)
        off, apart = max(f["off"] for f in seen), max(f["apart"] for f in seen)
        assert off < 1 and apart < 1, f"tilted: {off:.2f} px off, {apart:.2f} px apart"
        return f"{len(seen)} frames"


def a_drag_lets_go_and_the_map_does_not_snap_back(browser, links, errors, options):
    with map_at(browser, links, errors) as (page, walker):
        follow(page, walker)
        box = page.locator(".map-canvas").bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + 160, y + 40, steps=8)
        page.mouse.up()
        wait_for_button(page, "free")
        page.wait_for_timeout(1500)
        left = told(page)["shown"]
        assert told(page)["isLetGo"]
        walker.walk(1.5)
        assert told(page)["shown"] == left, "the map moved by itself"
        testid(page, "locate").click()
        wait_for_button(page, "followNorth")
        # During the flight there, too.
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x - 90, y, steps=5)
        page.mouse.up()
        wait_for_button(page, "free")


def a_pinch_and_a_wheel_keep_following_with_their_zoom(browser, links, errors, options):
    with map_at(browser, links, errors) as (page, walker):
        follow(page, walker)
        before = told(page)["shown"]["zoom"]
        box = page.locator(".map-canvas").bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        page.mouse.move(x + 120, y + 80)
        for _ in range(3):
            page.mouse.wheel(0, 120)
            page.wait_for_timeout(60)
        page.wait_for_timeout(900)
        wait_until_there(page)
        wheeled = told(page)
        assert wheeled["button"] == "followNorth" and wheeled["shown"]["zoom"] < before - 0.1, wheeled
        touch = lambda kind, *points: walker.cdp.send("Input.dispatchTouchEvent", {  # noqa: E731
            "type": kind, "touchPoints": [{"x": px, "y": py, "id": number} for number, (px, py) in enumerate(points)]})
        touch("touchStart", (x - 40, y - 30), (x + 60, y + 50))
        for step in range(1, 16):
            touch("touchMove", (x - 40 - 6 * step, y - 30 - 5 * step), (x + 60 + 8 * step, y + 50 + 6 * step))
            page.wait_for_timeout(25)
        touch("touchEnd")
        page.wait_for_timeout(900)
        wait_until_there(page)
        pinched = told(page)
        assert pinched["button"] == "followNorth" and pinched["shown"]["zoom"] > wheeled["shown"]["zoom"] + 0.5, pinched
        page.evaluate(SAMPLER)
        walker.walk(2)
        seen = frames(page)
        assert max(f["off"] for f in seen) < 1
        assert {f["zoom"] for f in seen} == {pinched["shown"]["zoom"]}, "a fix took the zoom back"


def a_window_of_another_size_still_follows(browser, links, errors, options):
    with map_at(browser, links, errors) as (page, walker):
        follow(page, walker)
        for width, height in ((1100, 700), (390, 844), (1280, 800)):
            page.set_viewport_size({"width": width, "height": height})
            if width < 720:
                continue
            walker.go(width / 20)
            page.wait_for_timeout(300)
            wait_until_there(page)
            page.evaluate(SAMPLER)
            assert max(f["off"] for f in frames(page)) < 1, f"{width} × {height}"
            assert told(page)["button"] == "followNorth"


def a_denied_position_is_said_and_found_when_it_is_allowed(browser, links, errors, options):
    with page_at(browser, links["friend"], errors, granted=False) as page:
        help_text = testid(page, "locate-help")
        testid(page, "locate").click()
        wait_for_button(page, "denied")
        assert help_text.is_visible() and "lock icon" in help_text.text_content()
        assert "off for this site" in testid(page, "locate").get_attribute("aria-label")
        testid(page, "locate").click()
        wait_for_button(page, "denied")
        assert help_text.is_visible()
        walker = Walker(page)
        walker.go(0)
        page.context.grant_permissions(["geolocation"])
        wait_for_button(page, "followNorth", timeout=15_000)
        wait_until_there(page)
        assert help_text.is_hidden()


def a_position_that_is_lost_is_said_and_found_again(browser, links, errors, options):
    with map_at(browser, links, errors) as (page, walker):
        follow(page, walker)
        walker.lose()
        wait_for_button(page, "lost")
        assert testid(page, "locate-help").is_visible() and told(page)["kind"] == "followPuck"
        walker.go(50)
        wait_for_button(page, "followNorth")
        page.wait_for_function("() => Math.abs(yonder.map().shown.center[0] - yonder.map().me.lng) < 1e-7")


def a_hidden_page_asks_nobody_and_goes_on_when_it_is_seen(browser, links, errors, options):
    hide = """(isHidden) => {
        Object.defineProperty(document, "hidden", { configurable: true, get: () => isHidden });
        Object.defineProperty(document, "visibilityState", { configurable: true, get: () => (isHidden ? "hidden" : "visible") });
        document.dispatchEvent(new Event("visibilitychange"));
    }"""
    with map_at(browser, links, errors) as (page, walker):
        follow(page, walker)
        page.evaluate(hide, True)
        page.wait_for_function("() => yonder.locator() === 'off'")
        walker.go(400)
        page.evaluate(hide, False)
        page.wait_for_function("() => yonder.locator() === 'tracking'")
        # Shown at once: nobody walks 400 m in a glide.
        page.wait_for_function("([lng]) => Math.abs(yonder.map().me.lng - lng) < 1e-6", arg=[
            PLACE["longitude"] + 400 / LATITUDE_METRES / math.cos(math.radians(PLACE["latitude"]))])
        wait_until_there(page)
        now = told(page)
        assert now["button"] == "followNorth" and abs(now["shown"]["center"][0] - now["me"]["lng"]) < 1e-7


def everybody_is_seen_and_anybody_is_followed(browser, links, errors, options):
    with map_at(browser, links, errors) as (page, walker):
        follow(page, walker)
        testid(page, "show-all").click()
        wait_for_button(page, "free")
        wait_until_there(page)
        assert told(page)["kind"] == "overview"
        outside = page.evaluate("""() => {
            const box = document.querySelector(".map-canvas").getBoundingClientRect();
            return yonder.pins().filter((pin) => pin.phase !== "ended").map((pin) => yonder.map().screen(pin))
                .filter(({ x, y }) => x < 20 || y < 20 || x > box.width - 20 || y > box.height - 20).length;
        }""")
        assert outside == 0, f"{outside} pins are out of sight"
        testid(page, "people-live").locator("[data-testid=person]").first.click()
        page.wait_for_function("() => yonder.map().kind === 'followPuck' && yonder.map().followed > 0")
        wait_until_there_or_walking = "() => yonder.map().status === 'state'"
        page.wait_for_function(wait_until_there_or_walking, timeout=10_000)
        worst = page.evaluate("""async () => {
            let worst = 0;
            for (let frame = 0; frame < 90; frame++) {
                await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
                const box = document.querySelector(".map-canvas").getBoundingClientRect();
                const { screen, isAhead } = yonder.map();
                if (isAhead) continue;
                const off = yonder.pins().map((pin) => screen(pin)).map(({ x, y }) => Math.hypot(x - box.width / 2, y - box.height / 2));
                worst = Math.max(worst, Math.min(...off));
            }
            return worst;
        }""")
        assert worst < 1, f"whoever is followed was {worst:.2f} px from the middle"


def no_interruption_makes_the_map_jump(browser, links, errors, options):
    with map_at(browser, links, errors) as (page, walker):
        follow(page, walker)
        # So far from the others that the map has a way to go.
        walker.go(4000)
        page.wait_for_timeout(2500)
        before = told(page)["shown"]
        for name in ("show-all", "locate", "show-all", "locate", "show-all"):
            # The camera of the moment before, and of the moment after.
            start, end = page.evaluate("""(name) => {
                const before = yonder.map(true).camera;
                document.querySelector(`[data-testid="${name}"]`).click();
                return [before, yonder.map(true).camera];
            }""", name)
            pixels = math.hypot(*(b - a for a, b in zip(start["center"], end["center"]))) * 512 * 2 ** start["zoom"] / 360
            assert pixels < 20 and abs(end["zoom"] - start["zoom"]) < 0.05, f"{name}: {pixels:.1f} px, {start} {end}"
            page.wait_for_timeout(450)
            now = told(page)
            assert now["camera"] != end, "nothing moved"
        wait_until_there(page)
        assert abs(told(page)["shown"]["center"][0] - before["center"][0]) > 0.01


def without_the_engine_the_page_says_so(browser, links, errors, options):
    known = errors.allowed
    errors.allowed = known + ("net::ERR_FAILED", "Failed to load resource", "yonder.wasm")
    try:
        script = "window.fetch = ((fetch) => (url, ...rest) => String(url).endsWith('yonder.wasm') ? Promise.reject(new TypeError('blocked')) : fetch(url, ...rest))(window.fetch)"
        with open_page(browser, links["friend"], errors, script=script) as page:
            gate = page.locator(".gate")
            gate.wait_for(state="visible")
            assert gate.locator("h1, strong").first.text_content().strip()
            assert gate.get_by_role("button").count() == 1, "no way to try it again"
    finally:
        errors.allowed = known


def with_less_motion_the_map_is_there_at_once(browser, links, errors, options):
    with map_at(browser, links, errors) as (page, walker):
        page.emulate_media(reduced_motion="reduce")
        walker.go(0)
        page.evaluate("() => { window.seen = new Set(); const look = () => { seen.add(yonder.map().status); "
                      "requestAnimationFrame(look); }; look(); }")
        testid(page, "locate").click()
        wait_for_button(page, "followNorth")
        walker.walk(1.5)
        assert "transition" not in page.evaluate("() => [...window.seen]")


FOLLOWING = [
    the_button_goes_from_north_over_heading_to_free, the_compass_turns_the_map, who_is_followed_stays_in_the_middle,
    a_drag_lets_go_and_the_map_does_not_snap_back, a_pinch_and_a_wheel_keep_following_with_their_zoom,
    a_window_of_another_size_still_follows, a_denied_position_is_said_and_found_when_it_is_allowed,
    a_position_that_is_lost_is_said_and_found_again, a_hidden_page_asks_nobody_and_goes_on_when_it_is_seen,
    everybody_is_seen_and_anybody_is_followed, no_interruption_makes_the_map_jump, without_the_engine_the_page_says_so,
    with_less_motion_the_map_is_there_at_once,
]
