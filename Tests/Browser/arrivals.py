"""What the page must do for who comes in by an invite or by a login link."""
from browser import OFFLINE, Account, open_page, page_at, testid, wait_until_live

ACCEPT = "**/v1/invites/accept"


def make_invite(links, uses=1):
    you = Account(links["you"])
    made = you.call("POST", f"/v1/channels/{you.channel}/invites", {"uses": uses})
    return links["base"].rstrip("/") + "/join#" + made["code"]


def who_is_invited_joins_with_a_name(browser, links, errors, options):
    invite = make_invite(links)
    with open_page(browser, invite, errors, size=(390, 844)) as page:
        page.get_by_role("heading", name="You are invited").wait_for()
        assert page.url == invite.split("#")[0], "the code stands in the address"
        page.wait_for_function("() => document.activeElement.dataset.testid === 'invite-name'")
        page.keyboard.type("\N{HEBREW LETTER NUN}\N{HEBREW LETTER VAV}\N{HEBREW LETTER AYIN}\N{HEBREW LETTER HE}")
        page.keyboard.press("Enter")
        wait_until_live(page)
        testid(page, "composer").wait_for(state="visible")
        page.wait_for_function("() => document.querySelector('[data-testid=channel-title]').textContent === 'Sunday walk'")
        assert page.url.endswith("/#channel=messaging:demo")
        page.reload()
        wait_until_live(page)
    with open_page(browser, invite, errors) as page:
        errors.allowed = OFFLINE
        page.get_by_label("Your name").fill("Too late")
        testid(page, "invite-join").click()
        page.get_by_role("heading", name="This invite is over").wait_for()
        errors.allowed = ()


def a_lost_answer_to_joining_makes_nobody_twice(browser, links, errors, options):
    errors.allowed = OFFLINE
    with open_page(browser, make_invite(links), errors) as page:
        answers = []

        def lose(route):
            answers.append(route.fetch().json() if len(answers) != 1 else None)
            route.abort()

        page.route(ACCEPT, lose)
        page.get_by_label("Your name").fill("Once")
        testid(page, "invite-join").click()
        page.get_by_text("Joining\N{HORIZONTAL ELLIPSIS}").wait_for()
        testid(page, "invite-error").get_by_text("No connection to the server.").wait_for()
        assert len(answers) == 2
        page.unroute(ACCEPT)
        page.reload()
        page.get_by_label("Your name").fill("Once")
        testid(page, "invite-join").click()
        wait_until_live(page)
        you = Account(links["you"])
        members = you.call("GET", f"/v1/channels/{you.channel}/members")["members"]
        assert sum(member["user"]["name"] == "Once" for member in members) == 1
    errors.allowed = ()


def who_is_known_joins_as_themselves(browser, links, errors, options):
    friend = Account(links["friend"])
    channel = friend.call("POST", "/v1/channels", {"type": "messaging", "name": "Book club"})["id"]
    code = friend.call("POST", f"/v1/channels/{channel}/invites")["code"]
    with page_at(browser, links["you"], errors) as page:
        page.goto(links["base"].rstrip("/") + "/join#" + code)
        button = testid(page, "invite-join")
        button.wait_for()
        assert button.text_content() == "Join as Kim"
        assert testid(page, "invite-name").count() == 0
        button.click()
        wait_until_live(page)
        testid(page, "channel-title").get_by_text("Book club").wait_for()
        assert Account(links["you"]).call("GET", "/v1/users/me")["name"] == "Kim"
        errors.allowed = OFFLINE
        page.goto(links["base"].rstrip("/") + "/join#nonsense")
        testid(page, "invite-join").click()
        page.get_by_role("heading", name="This invite is over").wait_for()
        testid(page, "gate-action").click()
        wait_until_live(page)
        errors.allowed = ()
    friend.call("DELETE", f"/v1/channels/{channel}")


def a_login_link_is_good_once(browser, links, errors, options):
    code = Account(links["you"]).call("POST", "/v1/users/me/login-links")["code"]
    link = links["base"].rstrip("/") + "/#login=" + code
    with open_page(browser, link, errors) as page:
        wait_until_live(page)
        assert "login" not in page.url
        testid(page, "channels").get_by_text("Kim", exact=True).wait_for()
        page.reload()
        wait_until_live(page)
    errors.allowed = OFFLINE
    with open_page(browser, link, errors) as page:
        page.get_by_role("heading", name="This link was used, or is too old").wait_for()
        page.get_by_text("Make a new one on your other device").wait_for()
        assert testid(page, "gate-action").count() == 0
    errors.allowed = ()


def a_login_without_a_line_is_tried_again(browser, links, errors, options):
    errors.allowed = OFFLINE
    code = Account(links["you"]).call("POST", "/v1/users/me/login-links")["code"]
    with open_page(browser, links["base"], errors) as page:
        page.route("**/v1/login", lambda route: route.abort())
        page.goto(links["base"].rstrip("/") + "/#login=" + code)
        page.get_by_text("No connection to the server.").wait_for()
        page.reload()
        page.get_by_text("No connection to the server.").wait_for()
        page.unroute("**/v1/login")
        testid(page, "gate-action").click()
        wait_until_live(page)
    errors.allowed = ()


ARRIVALS = [
    who_is_invited_joins_with_a_name, a_lost_answer_to_joining_makes_nobody_twice, who_is_known_joins_as_themselves,
    a_login_link_is_good_once, a_login_without_a_line_is_tried_again,
]
