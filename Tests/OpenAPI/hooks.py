"""Makes what Schemathesis asks for as fresh-… (see schemathesis.toml): a channel, a share that is on, a device,
a link, a code. Without it the first call that stops or deletes something would leave nothing for all others.
"""

import datetime
import http.client
import itertools
import json
import os
import urllib.parse

import schemathesis

ADDRESS = urllib.parse.urlsplit(os.environ["YONDER_SERVER"]).netloc
HEADERS = {"Authorization": f"Bearer {os.environ['YONDER_TOKEN']}", "Content-Type": "application/json"}
# What the walk has left there stays as it is: who would change it gets another. Paths come with their escapes.
KEPT = {
    "PATCH /v1/channels/{cid}": ("cid", ("messaging%3Aberlin", "messaging%3Afresh"), "fresh%3Achannel"),
    "DELETE /v1/channels/{cid}": ("cid", ("messaging%3Aberlin", "messaging%3Afresh"), "fresh%3Achannel"),
    "DELETE /v1/messages/{id}": ("id", ("m-text", "m-here", "m-live", "m-over"), "fresh-share"),
    "DELETE /v1/devices/{id}": ("id", ("anna-phone",), "fresh-device"),
}
numbers = itertools.count()


def make(path, body):
    """Makes something as the user who asks; its JSON."""
    connection = http.client.HTTPConnection(ADDRESS, timeout=10)
    connection.request("POST", path, json.dumps(body), HEADERS)
    answer = connection.getresponse()
    text = answer.read()
    connection.close()
    assert answer.status == 201, f"{path}: {answer.status} {text[:200]}"
    return json.loads(text)


def channel():
    return make("/v1/channels", {"type": "fresh", "members": ["bo"]})["id"]


def share():
    end = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(minutes=30)
    location = {"latitude": 1, "longitude": 2, "device_id": "anna-phone", "end_at": end.isoformat(), "keep_trail": True}
    path = "/v1/channels/messaging:fresh/messages"
    return make(path, {"id": f"fresh-{next(numbers)}", "shared_location": location})["id"]


@schemathesis.hook
def before_call(context, case, kwargs):
    parts = case.path_parameters or {}
    name, kept, other = KEPT.get(f"{case.method} {case.path}", (None, (), None))
    if parts.get(name) in kept:
        parts[name] = other
    if parts.get("invite") == "fresh-invite":
        parts["cid"] = channel()
        parts["invite"] = make(f"/v1/channels/{parts['cid']}/invites", {})["id"]
    if parts.get("cid") == "fresh%3Achannel":
        parts["cid"] = channel()
    if parts.get("link") == "fresh-link":
        parts["id"] = share()
        parts["link"] = make(f"/v1/messages/{parts['id']}/links", {})["id"]
    if parts.get("id") == "fresh-share":
        parts["id"] = share()
    if parts.get("id") == "fresh-device":
        parts["id"] = make("/v1/devices", {"id": f"fresh-{next(numbers)}"})["id"]
    if isinstance(case.body, dict) and case.body.get("code") == "fresh-code":
        path = "/v1/users/me/login-links" if case.path == "/v1/login" else f"/v1/channels/{channel()}/invites"
        case.body["code"] = make(path, {})["code"]
