"""Asks a running server for every success that its OpenAPI document promises, and for errors of each kind;
holds every answer against the document. Leaves people, a channel, messages and shares for others to find.

usage: walk.py BASE YONDER SECRET-FILE KEY-FILE   (the last is written: an ingest key)
"""

import datetime
import http.client
import json
import subprocess
import sys
import urllib.parse

from document import Document

PIXEL = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5E"
    "rkJggg=="
)
HANDSHAKE = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
}


def soon(seconds):
    time = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=seconds)
    return time.isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Walk:
    def __init__(self, base, yonder, secret_file, key_file):
        self.key_file = key_file
        self.address = urllib.parse.urlsplit(base).netloc
        self.yonder = [yonder, "token", "--secret-file", secret_file]
        self.tokens = {}
        self.seen = {}
        self.problems = []
        status, _, body = self.ask("GET", "/v1/openapi.json", {}, None)
        assert status == 200, status
        self.document = Document(json.loads(body))
        self.problems += self.document.problems_of_examples()

    def token(self, who):
        if who not in self.tokens:
            role = ["--role", "admin"] if who == "root" else []
            made = subprocess.run([*self.yonder, "--user", who, *role], check=True, capture_output=True, text=True)
            self.tokens[who] = made.stdout.strip()
        return self.tokens[who]

    def ask(self, method, path, headers, body):
        connection = http.client.HTTPConnection(self.address, timeout=10)
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        result = (answer.status, answer.headers, b"" if answer.status == 101 else answer.read())
        connection.close()
        return result

    def call(self, method, path, status, who="anna", body=None, token=None, headers={}):
        """Asks, expects a status, holds the answer against the document; its JSON, else its headers."""
        headers = dict(headers)
        if token or who:
            headers["Authorization"] = f"Bearer {token or self.token(who)}"
        sent = body if isinstance(body, (bytes, type(None))) else json.dumps(body).encode()
        if sent is not None:
            headers.setdefault("Content-Type", "application/json")
        got, heads, answer = self.ask(method, path, headers, sent)
        problems = [] if got == status else [f"{got} in place of {status}: {answer[:200]}"]
        problems += self.document.problems_of_answer(method, path, got, heads, answer)
        if got < 300 and isinstance(body, dict):
            problems += self.document.problems_of_request(method, path, body)
        self.problems += [f"{method} {path}: {problem}" for problem in problems]
        pattern, _ = self.document.operation(method, path)
        self.seen.setdefault((method, pattern), set()).add(str(got))
        return json.loads(answer) if "json" in heads.get("Content-Type", "") else heads

    def unseen(self):
        """The successes that the document promises and the walk did not meet."""
        return [
            f"{method} {path}: no {status} was met"
            for method, path, operation in self.document.operations()
            for status in operation["responses"]
            if status[0] in "12" and status not in self.seen.get((method, path), ())
        ]

    def server(self):
        for path in ("/healthz", "/readyz", "/v1/openapi.json", "/map/style-light.json", "/map/style-dark.json"):
            self.call("GET", path, 200, who=None)
        self.call("GET", "/metrics", 200, who="root")
        self.call("GET", "/metrics", 403)
        self.call("GET", "/tiles/world/0/0/0.mvt", 200, who=None)
        self.call("GET", "/tiles/world/0/0/0.mvt", 200, who=None, headers={"Accept-Encoding": "gzip"})
        self.call("GET", "/tiles/world/0/9/9.mvt", 204, who=None)
        self.call("GET", "/tiles/nowhere/0/0/0.mvt", 404, who=None)

    def users(self):
        self.call("GET", "/v1/users/me", 200)
        self.call("GET", "/v1/users/me", 401, who=None)
        self.call("GET", "/v1/users/me", 401, token="no.such.token")
        self.call("PATCH", "/v1/users/me", 200, body={"name": "Anna", "image": PIXEL})
        self.call("PATCH", "/v1/users/me", 422, body={"name": ""})
        self.call("PATCH", "/v1/users/me", 400, body=b"{")
        self.call("PATCH", "/v1/users/me", 415, body=b"x", headers={"Content-Type": "text/plain"})
        self.call("PATCH", "/v1/users/me", 413, body=b" " * 65_537)
        for status in (201, 200):
            self.call("PUT", "/v1/users/bo", status, who="root", body={"name": "Bo", "role": "user"})
        self.call("PUT", "/v1/users/bo", 403, body={"name": "Bo"})
        for status in (201, 200):
            self.call("POST", "/v1/devices", status, body={"id": "anna-phone", "name": "Phone", "platform": "ios"})
        self.call("POST", "/v1/devices", 201, body={"id": "old", "name": None})
        self.call("GET", "/v1/devices", 200)
        self.call("DELETE", "/v1/devices/old", 204)
        self.call("DELETE", "/v1/devices/old", 404)

    def account(self):
        self.call("POST", "/v1/token", 200)
        code = self.call("POST", "/v1/users/me/login-links", 201)["code"]
        self.call("POST", "/v1/login", 200, who=None, body={"code": code})
        self.call("POST", "/v1/login", 404, who=None, body={"code": code})
        self.call("DELETE", "/v1/session", 404)
        self.call("POST", "/v1/session", 403, headers={"Origin": "https://elsewhere.example"})
        cookie = self.call("POST", "/v1/session", 204)["Set-Cookie"].partition(";")[0]
        self.call("GET", "/v1/users/me", 200, who=None, headers={"Cookie": cookie})
        self.call("POST", "/v1/token", 403, who=None, headers={"Cookie": cookie})
        self.call("DELETE", "/v1/session", 204, who=None, headers={"Cookie": cookie, "X-Yonder": "1"})

    def channels(self):
        body = {"type": "messaging", "id": "berlin", "name": "Berlin", "members": ["bo"], "config": {"replies": True}}
        self.call("POST", "/v1/channels", 201, body=body)
        self.call("POST", "/v1/channels", 409, body=body)
        self.call("POST", "/v1/channels", 422, body={"type": "messaging", "members": ["nobody-of-this-name"]})
        self.call("GET", "/v1/channels", 200)
        channel = "/v1/channels/messaging:berlin"
        self.call("GET", channel, 200)
        self.call("PATCH", channel, 200, body={"name": "Berlin", "config": {"max_live_seconds": 3600}})
        self.call("PATCH", channel, 403, who="bo", body={"name": "Bonn"})
        self.call("GET", f"{channel}/members", 200)
        self.call("GET", "/v1/users/me", 200, who="cleo")
        self.call("PUT", f"{channel}/members/cleo", 201)
        self.call("PUT", f"{channel}/members/cleo", 200, body={"role": "moderator"})
        self.call("PUT", f"{channel}/members/anna", 409, body={"role": "member"})
        self.call("DELETE", f"{channel}/members/anna", 409)
        self.call("DELETE", f"{channel}/members/cleo", 204)
        self.call("POST", "/v1/channels", 201, body={"type": "team", "id": "brief"})
        self.call("DELETE", "/v1/channels/team:brief", 204)
        self.call("DELETE", "/v1/channels/team:brief", 404)

    def invites(self):
        invites = "/v1/channels/messaging:berlin/invites"
        made = self.call("POST", invites, 201, body={"uses": 5, "expires_in_seconds": 3600})
        self.call("POST", invites, 403, who="bo")
        self.call("POST", invites, 422, body={"uses": 0})
        accept, newcomer = "/v1/invites/accept", {"code": made["code"], "name": "Dan", "key": "0123456789abcdef"}
        for status in (201, 200):
            self.call("POST", accept, status, who=None, body=newcomer)
        self.call("POST", accept, 200, who="cleo", body={"code": made["code"]})
        self.call("POST", accept, 404, who="cleo", body={"code": "none"})
        self.call("GET", invites, 200)
        gone = self.call("POST", invites, 201)["id"]
        self.call("DELETE", f"{invites}/{gone}", 204)

    def messages(self):
        messages = "/v1/channels/messaging:berlin/messages"
        for status in (201, 200):
            self.call("POST", messages, status, body={"id": "m-text", "text": "On my way"})
        self.call("POST", messages, 409, body={"id": "m-text", "text": "Another"})
        self.call("POST", messages, 201, who="bo", body={"id": "m-reply", "text": "Fine", "parent_id": "m-text"})
        self.call("POST", messages, 201, who="bo", body={"id": "m-gone", "text": "Oops"})
        here = {"latitude": 52.52, "longitude": 13.405, "accuracy": 12}
        self.call("POST", messages, 201, body={"id": "m-here", "text": "Here", "shared_location": here})
        about = {**here, "precision": "approximate"}
        self.call("POST", messages, 201, body={"quoted_message_id": "m-here", "shared_location": about})
        for wrong in (
            {"text": ""},
            {"shared_location": {**here, "latitude": 91}},
            {"shared_location": {**here, "end_at": soon(600)}},
            {"parent_id": "m-text", "shared_location": here},
        ):
            self.call("POST", messages, 422, body=wrong)
        self.call("GET", messages, 200)
        self.call("GET", f"{messages}?limit=2&before=m-here", 200)
        self.call("GET", f"{messages}?limit=0", 422)
        self.call("GET", "/v1/messages/m-text", 200)
        self.call("GET", "/v1/messages/m-text/replies", 200)
        self.call("PATCH", "/v1/messages/m-text", 200, body={"text": "On my way!"})
        self.call("PATCH", "/v1/messages/m-text", 403, who="bo", body={"text": "No"})
        self.call("DELETE", "/v1/messages/m-gone", 200)
        self.call("GET", "/v1/messages/m-gone", 200)
        self.call("GET", "/v1/messages/m-gone", 401, who=None)

    def shares(self):
        messages = "/v1/channels/messaging:berlin/messages"
        here = {"latitude": 52.52, "longitude": 13.405, "accuracy": 5, "heading": 90, "speed": 1.4, "altitude": 34}
        live = {**here, "device_id": "anna-phone", "end_at": soon(3000), "keep_trail": True}
        fix = {**here, "latitude": 52.5201, "device_id": "anna-phone", "message_ids": ["m-live", "m-none"]}
        for id in ("m-over", "m-live"):  # the second ends the first
            self.call("POST", messages, 201, body={"id": id, "shared_location": live})
            self.call("GET", f"/v1/messages/{id}/trail", 200)
        self.call("GET", "/v1/live-locations", 200)
        self.call("PUT", "/v1/live-locations", 200, body=fix)
        self.call("PUT", "/v1/live-locations", 422, body={**fix, "longitude": "13"})
        self.call("POST", "/v1/live-locations/batch", 200, body={"fixes": [{**here, "recorded_at": soon(0)}]})
        self.call("POST", "/v1/live-locations/batch", 200, body=b'{"fixes":[{"latitude":91}]}')
        share = "/v1/messages/m-live/live-location"
        self.call("PATCH", share, 200, body={"end_at": soon(3300)})
        self.call("PATCH", share, 422, body={"end_at": soon(99_999)})
        self.call("PATCH", "/v1/messages/m-over/live-location", 409, body={"end_at": soon(3300)})
        self.call("DELETE", "/v1/messages/m-over/live-location", 200)
        self.call("DELETE", "/v1/messages/m-text/live-location", 409)
        self.call("GET", "/v1/messages/m-live/trail?format=gpx&simplify=10", 200, who="bo")
        self.call("GET", "/v1/messages/m-live/trail", 200)
        self.call("GET", "/v1/messages/m-here/trail", 404)

    def links(self):
        links = "/v1/messages/m-live/links"
        made = self.call("POST", links, 201, body={"expires_at": soon(600), "precision": "approximate"})
        self.call("GET", "/v1/messages/m-live", 200, token=made["token"])
        self.call("GET", "/v1/messages/m-text", 404, token=made["token"])
        self.call("GET", links, 200)
        self.call("GET", "/v1/messages/m-live/audience", 200)
        self.call("GET", "/v1/messages/m-live/audience", 403, who="bo")
        self.call("POST", "/v1/messages/m-text/links", 409)
        gone = self.call("POST", links, 201)
        self.call("DELETE", f"{links}/{gone['id']}", 204)
        self.call("GET", "/v1/messages/m-live", 401, token=gone["token"])

    def ingest(self):
        self.call("POST", "/v1/devices", 201, who="bo", body={"id": "app"})
        key = self.call("POST", "/v1/devices/app/ingest-key", 201, who="bo")["key"]
        self.call("POST", "/v1/devices/none/ingest-key", 404)
        message = {"_type": "location", "lat": 52.5, "lon": 13.4, "tst": 1_700_000_000, "acc": 8}
        for body in (message, {"_type": "lwt"}, b"", b"{"):
            self.call("POST", "/ingest/owntracks", 200, token=key, body=body)
        self.call("POST", "/ingest/owntracks", 401, body=message)
        place = {"type": "Feature", "geometry": {"type": "Point", "coordinates": [13.4, 52.5]}, "properties": {}}
        self.call("POST", "/ingest/overland", 200, token=key, body={"locations": [place]})
        for app in ("osmand", "gpslogger"):
            for method in ("GET", "POST") if app == "osmand" else ("GET", "POST", "PUT"):
                self.call(method, f"/ingest/{app}?id={key}&lat=52.5&lon=13.4", 200, who=None)
                self.call(method, f"/ingest/{app}?lat=52.5&lon=13.4", 401, who=None)
        self.call("DELETE", "/v1/devices/app/ingest-key", 204, who="bo")
        self.call("POST", "/ingest/overland", 401, token=key, body={"locations": []})

    def ends(self):
        self.call("GET", "/v1/events", 101, headers={**HANDSHAKE, "Sec-WebSocket-Protocol": "yonder.v1"})
        self.call("GET", "/v1/events", 400)
        self.call("GET", "/v1/events", 426, headers={**HANDSHAKE, "Sec-WebSocket-Version": "12"})
        self.call("GET", "/v1/users/me/export", 200)
        self.call("DELETE", "/v1/live-locations", 204, who="bo")
        self.call("GET", "/v1/users/me", 200, who="eve")
        self.call("DELETE", "/v1/users/me", 204, who="eve")
        self.call("GET", "/v1/users/me", 401, who="eve")


    def leftovers(self):
        """A channel for what others make themselves, and a phone app's key."""
        self.call("POST", "/v1/devices", 201, body={"id": "phone-app"})
        with open(self.key_file, "w") as file:
            file.write(self.call("POST", "/v1/devices/phone-app/ingest-key", 201)["key"])
        self.call("POST", "/v1/channels", 201, body={"type": "messaging", "id": "fresh", "members": ["bo"]})


def main():
    walk = Walk(*sys.argv[1:])
    for part in (
        walk.server, walk.users, walk.account, walk.channels, walk.invites, walk.messages, walk.shares, walk.links,
        walk.ingest, walk.ends, walk.leftovers,
    ):
        part()
    problems = walk.problems + walk.unseen()
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"walk: {len(walk.seen)} operations, {len(problems)} problems")
    sys.exit(1 if problems else 0)


main()
