#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A guarded API: gives tokens as OAuth 2.0 (client credentials) and Keystone (Identity API v3) do,
and passes on to another server what shows a good one, or a good key.

    gate.py '{"upstream": "http://127.0.0.1:8080", "wants": "bearer"}'

prints where it listens, and ends when its input does. GET /_gate tells what was counted,
GET /_gate/revoke makes every token that was given a bad one.

wants       bearer (a token of /token), subject (one of /v3/auth/tokens), header NAME, query NAME, nothing
lifetime    seconds that a token is said to live; absent: nothing is said
uses        a token is refused with 401 after so many requests; absent: never
proof       both, header, body: where the client's secret is taken
trouble     slow, html, empty, mac, list, down, huge, busy, moved, echo: what the token's server does instead
tokens      so many tokens are given, then only 401
origin      where a redirect of /away leads
service     what a token's catalogue calls what is guarded, at /v1; absent: the catalogue is left out
"""

import base64
import http.client
import json
import sys
import threading
import urllib.parse
from datetime import datetime, timedelta, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

settings = {"wants": "bearer", "client": "the client", "secret": "s3cret:of+the client/1",
            "user": "alice", "password": "pass word of alice", "domain": "Default",
            "project": "lab", "project_domain": "Default", "key": "key-0123456789/abc+d",
            "proof": "both"} | json.loads(sys.argv[1])
lock = threading.Lock()
good = {}  # token -> how often it was used
seen = {"tokens": 0, "questions": 0, "requests": 0, "refused": 0, "scopes": [], "proofs": [],
        "leaks": 0}


def count(name, more=None):
    with lock:
        if more is None:
            seen[name] += 1
        else:
            seen[name].append(more)
        return seen[name]


def new_token():
    """None: no more are given."""
    with lock:
        if seen["tokens"] >= settings.get("tokens", 1 << 30):
            return None
        seen["tokens"] += 1
        token = "token-%04d-of-the-gate" % seen["tokens"]
        good[token] = 0
        return token


def is_good(token):
    with lock:
        if token not in good:
            return False
        good[token] += 1
        return good[token] <= settings.get("uses", 1 << 30)


class Gate(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, body=b"", headers=(), kind="application/json"):
        if not isinstance(body, bytes):
            body = json.dumps(body).encode()
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        if body or status != 204:
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def handle_any(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        path = self.path.split("?")[0]
        if path == "/_gate":
            with lock:
                text = json.dumps(seen).encode()
            self.answer(200, text)
        elif path == "/_gate/revoke":
            with lock:
                good.clear()
            self.answer(204)
        elif path == "/token":
            self.give_token(lambda: self.oauth(body))
        elif path.endswith("/v3/auth/tokens") and self.command == "POST":
            self.give_token(lambda: self.keystone(body))
        elif path.rstrip("/").endswith("/v3") and self.command == "GET":
            self.answer(200, {"version": {"id": "v3.14", "status": "stable", "links": [
                {"rel": "self", "href": "http://" + self.headers["Host"] + "/v3/"}]}})
        else:
            self.guarded(body)

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = handle_any

    # ---- Tokens

    def give_token(self, give):
        number = count("questions")
        if self.headers.get("X-Auth-Token") or self.headers.get("Authorization", "").startswith("Bearer"):
            count("leaks")  # a question for a token shows none
        trouble = settings.get("trouble")
        if trouble == "down" or (trouble == "down later" and number > 1):
            self.close_connection = True
            self.connection.close()
        elif trouble == "slow":
            threading.Event().wait()  # never
        elif trouble == "html":
            self.answer(200, b"<html>Sign in</html>", kind="text/html")
        elif trouble == "empty":
            self.answer(200, {})
        elif trouble == "list":
            self.answer(200, b"[1]")
        elif trouble == "mac":
            self.answer(200, {"access_token": "x", "token_type": "mac"})
        elif trouble == "two lines":
            self.answer(200, {"access_token": "x\r\nX-Y: z"})
        elif trouble == "huge":
            self.answer(200, b" " * (3 << 20))
        elif trouble == "busy":
            self.answer(503, b"busy")
        elif trouble == "moved":
            self.answer(307, b"", [("Location", settings["origin"] + "/token")])
        elif trouble == "echo":
            self.answer(400, {"error": "invalid_scope", "error_description":
                              "not for " + settings["secret"] + " or " + settings["password"]})
        else:
            give()

    def oauth(self, body):
        form = dict(urllib.parse.parse_qsl(body.decode()))
        header = self.headers.get("Authorization", "")
        named = (form.get("client_id"), form.get("client_secret"))
        proof = "body" if named[0] else "none"
        if header.startswith("Basic "):
            pair = base64.b64decode(header[6:]).decode().partition(":")
            named = (urllib.parse.unquote_plus(pair[0]), urllib.parse.unquote_plus(pair[2]))
            proof = "header"
        count("proofs", proof)
        if form.get("grant_type") != "client_credentials":
            self.answer(400, {"error": "unsupported_grant_type"})
            return
        if settings["proof"] not in ("both", proof):
            self.answer(400, {"error": "invalid_request", "error_description":
                              "the client's secret belongs in the " + settings["proof"]})
            return
        if named != (settings["client"], settings["secret"]):
            self.answer(401, {"error": "invalid_client", "error_description": "no such client"})
            return
        count("scopes", form.get("scope", ""))
        token = new_token()
        if not token:
            self.answer(401, {"error": "invalid_client", "error_description": "enough tokens"})
            return
        given = {"access_token": token, "token_type": "Bearer"}
        if "lifetime" in settings:
            given["expires_in"] = settings["lifetime"]
        self.answer(200, given, [("Cache-Control", "no-store")])

    def keystone(self, body):
        auth = json.loads(body)["auth"]
        user = auth["identity"]["password"]["user"]
        wanted = {"name": settings["user"], "password": settings["password"],
                  "domain": {"name": settings["domain"]}}
        project = auth.get("scope", {}).get("project")
        count("scopes", project["name"] if project else "")
        scope_is_good = project is None or project == {
            "name": settings["project"], "domain": {"name": settings["project_domain"]}}
        is_known = auth["identity"]["methods"] == ["password"] and user == wanted and scope_is_good
        token = new_token() if is_known else None
        if not token:
            self.answer(401, {"error": {"code": 401, "title": "Unauthorized", "message":
                              "The request you have made requires authentication."}})
            return
        now = datetime.now(timezone.utc) + timedelta(hours=settings.get("ahead", 0))
        ends = now + timedelta(seconds=settings.get("lifetime", 3600))
        form = "%Y-%m-%dT%H:%M:%S.%fZ"
        told = {"methods": ["password"], "issued_at": now.strftime(form), "expires_at": ends.strftime(form),
                "audit_ids": ["x"], "user": {"name": user["name"], "id": "1", "domain": {
                    "id": "default", "name": "Default"}}}
        if "service" in settings:
            told["catalog"] = [{"type": settings["service"], "name": "guarded", "id": "1", "endpoints": [
                {"interface": "public", "region": "here", "region_id": "here", "id": "1",
                 "url": "http://" + self.headers["Host"] + "/v1"}]}]
        self.answer(201, {"token": told}, [("X-Subject-Token", token)])

    # ---- What is guarded

    def lets_in(self):
        wants = settings["wants"].split()
        if wants[0] == "bearer":
            scheme, _, token = self.headers.get("Authorization", "").partition(" ")
            return scheme == "Bearer" and is_good(token)
        if wants[0] == "subject":
            return is_good(self.headers.get("X-Auth-Token", ""))
        if wants[0] == "header":
            return self.headers.get(wants[1]) == settings["key"]
        if wants[0] == "query":
            query = urllib.parse.parse_qs(self.path.partition("?")[2])
            return query.get(wants[1]) == [settings["key"]]
        return True

    def guarded(self, body):
        count("requests")
        if not self.lets_in():
            count("refused")
            shown = self.headers.get("Authorization", "") + self.headers.get("X-Auth-Token", "")
            self.answer(401, {"error": {"code": "Unauthorized",
                                        "message": "not with " + shown + self.path}})
            return
        if self.path.startswith("/away"):
            self.answer(302, b"", [("Location", settings["origin"] + self.path[5:])])
            return
        upstream = urllib.parse.urlsplit(settings["upstream"])
        path, _, query = self.path.partition("?")
        wants = settings["wants"].split()
        if wants[0] == "query":
            items = [(n, v) for n, v in urllib.parse.parse_qsl(query) if n != wants[1]]
            query = urllib.parse.urlencode(items)
        hidden = {"authorization", "x-auth-token", "connection", "content-length"}
        headers = {n: v for n, v in self.headers.items() if n.lower() not in hidden}
        connection = http.client.HTTPConnection(upstream.hostname, upstream.port)
        connection.request(self.command, path + ("?" + query if query else ""), body or None, headers)
        told = connection.getresponse()
        content = told.read()
        connection.close()
        left = {"connection", "content-length", "transfer-encoding", "content-type"}
        self.answer(told.status, content, [h for h in told.getheaders() if h[0].lower() not in left],
                    told.getheader("Content-Type", "application/json"))


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, *_):
        pass


server = Server(("127.0.0.1", 0), Gate)
print("http://127.0.0.1:%d" % server.server_address[1], flush=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
sys.stdin.read()
