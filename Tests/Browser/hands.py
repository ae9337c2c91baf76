"""What hands do to a map that follows, and that it goes on from where they leave it."""
from browser import testid
from following import SAMPLER, follow, frames, map_at, told, wait_for_button, wait_until_there

# The engine's camera and the map's, as far as they differ: nothing may jump when one takes over from the other.
GAP = """() => {
    const { camera, shown } = yonder.map();
    const turn = (((camera.bearing - shown.bearing + 540) % 360) + 360) % 360 - 180;
    return [camera.center[0] - shown.center[0], camera.center[1] - shown.center[1], camera.zoom - shown.zoom, turn,
        camera.pitch - shown.pitch].map(Math.abs);
}"""


def middle(page):
    box = page.locator(".map-canvas").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def touch(walker, kind, *points):
    walker.cdp.send("Input.dispatchTouchEvent", {
        "type": kind, "touchPoints": [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]})


def assert_of_one_mind(page):
    page.wait_for_function("() => yonder.map().isStill && yonder.map().status !== 'transition'")
    page.wait_for_function(f"() => Math.max(...({GAP})()) < 1e-6", timeout=5_000)


def a_pinch_on_the_way_keeps_the_middle(browser, links, errors, options):
    with map_at(browser, links, errors) as (page, walker):
        follow(page, walker)
        x, y = middle(page)
        page.evaluate(SAMPLER)
        touch(walker, "touchStart", (x - 40, y - 30), (x + 60, y + 50))
        for step in range(1, 31):
            if step % 10 == 1:
                walker.go(step * 2)
            touch(walker, "touchMove", (x - 40 - 3 * step, y - 30 - 2 * step), (x + 60 + 4 * step, y + 50 + 3 * step))
            page.wait_for_timeout(40)
        zoomed = told(page)
        touch(walker, "touchEnd")
        seen = frames(page)
        places = [f for f in seen if f["zoom"] != seen[0]["zoom"]]
        assert len({f["lng"] for f in places}) > 3, "nobody walked under the hand"
        # What MapLibre draws for a hand it draws with the middle of the frame before.
        worst = max(f["off"] for f in seen)
        assert worst < 1, f"under the hand the middle was {worst:.2f} px from the puck"
        assert zoomed["button"] == "followNorth" and zoomed["shown"]["zoom"] > seen[0]["zoom"] + 0.5
        wait_until_there(page)
        assert_of_one_mind(page)
        assert abs(told(page)["shown"]["zoom"] - zoomed["shown"]["zoom"]) < 0.5, "the zoom was taken back"


def a_turn_by_hand_keeps_following(browser, links, errors, options):
    with map_at(browser, links, errors) as (page, walker):
        follow(page, walker)
        x, y = middle(page)
        page.mouse.move(x, y)
        page.mouse.down(button="right")
        page.mouse.move(x + 120, y - 60, steps=12)
        page.mouse.up(button="right")
        page.wait_for_timeout(600)
        wait_until_there(page)
        turned = told(page)
        assert turned["button"] == "followNorth" and turned["followed"] == 0
        assert abs(turned["shown"]["bearing"]) > 10 and turned["shown"]["pitch"] > 5, turned["shown"]
        assert_of_one_mind(page)
        page.evaluate(SAMPLER)
        walker.walk(3)
        seen = frames(page)
        assert max(f["off"] for f in seen) < 1
        assert max(abs(f["bearing"] - turned["shown"]["bearing"]) for f in seen) < 1e-6, "a fix took the turn back"
        testid(page, "north-up").click()
        page.wait_for_function("() => yonder.map().shown.bearing === 0 && yonder.map().shown.pitch === 0")
        assert told(page)["button"] == "followNorth", "north up ended the following"


def taps_that_zoom_let_go(browser, links, errors, options):
    with map_at(browser, links, errors) as (page, walker):
        follow(page, walker)
        x, y = middle(page)
        before = told(page)["shown"]["zoom"]
        page.mouse.dblclick(x + 90, y + 60)
        wait_for_button(page, "free")
        assert_of_one_mind(page)
        assert told(page)["shown"]["zoom"] > before + 0.5 and told(page)["isLetGo"]
        testid(page, "locate").click()
        wait_for_button(page, "followNorth")
        wait_until_there(page)
        before = told(page)["shown"]["zoom"]
        touch(walker, "touchStart", (x - 40, y), (x + 40, y))
        page.wait_for_timeout(40)
        touch(walker, "touchEnd")
        wait_for_button(page, "free")
        assert_of_one_mind(page)
        assert told(page)["shown"]["zoom"] < before - 0.5


def a_hand_that_leaves_at_once_leaves_no_gap(browser, links, errors, options):
    with map_at(browser, links, errors) as (page, walker):
        follow(page, walker)
        x, y = middle(page)
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + 70, y + 30)
        page.wait_for_timeout(400)
        page.mouse.up()
        wait_for_button(page, "free")
        assert_of_one_mind(page)
        # An arrow key is a hand, too.
        testid(page, "locate").click()
        wait_for_button(page, "followNorth")
        wait_until_there(page)
        page.locator(".maplibregl-canvas").first.focus()
        page.keyboard.press("ArrowLeft")
        wait_for_button(page, "free")
        assert_of_one_mind(page)


def a_hand_that_rests_on_a_flying_map_makes_it_wait(browser, links, errors, options):
    with map_at(browser, links, errors) as (page, walker):
        follow(page, walker)
        walker.go(4000)
        page.wait_for_timeout(2500)
        testid(page, "show-all").click()
        page.wait_for_function("() => yonder.map().status === 'transition'")
        x, y = middle(page)
        page.mouse.move(x, y)
        page.mouse.down()
        page.wait_for_timeout(200)
        held = told(page)["shown"]
        page.wait_for_timeout(600)
        assert told(page)["shown"] == held, "the map moved under the hand"
        page.evaluate("""() => new Promise((resolve) => {
            window.zooms = [yonder.map().shown.zoom];
            addEventListener("pointerup", () => {
                const look = (left) => { zooms.push(yonder.map().shown.zoom); left ? requestAnimationFrame(() => look(left - 1)) : 0; };
                requestAnimationFrame(() => look(60));
            }, { once: true });
            resolve();
        })""")
        page.mouse.up()
        page.wait_for_function("() => zooms.length > 60", timeout=20_000)
        zooms = page.evaluate("() => zooms")
        whole = max(zooms) - min(zooms)
        step = max(abs(b - a) for a, b in zip(zooms, zooms[1:]))
        wait_until_there(page)
        assert told(page)["kind"] == "overview", "a hand that only rests took the map"
        assert whole > 0.2, "the hand came too late for the flight"
        assert step < 0.5 * whole, f"the map jumped by {step / whole:.0%} of its way when the hand left"


HANDS = [
    a_pinch_on_the_way_keeps_the_middle, a_turn_by_hand_keeps_following, taps_that_zoom_let_go,
    a_hand_that_leaves_at_once_leaves_no_gap, a_hand_that_rests_on_a_flying_map_makes_it_wait,
]
