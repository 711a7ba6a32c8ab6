#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A guarded API: gives tokens as Keystone (Identity API v3) does, and passes on to another server
what shows a good one.

    gate.py '{"upstream": "http://127.0.0.1:8080"}'

prints where it listens, and ends when its input does. GET /_gate tells what was counted.

service     what a token's catalogue calls what is guarded, at /v1; absent: the catalogue is left out
"""

import http.client
import json
import sys
import threading
import urllib.parse
from datetime import datetime, timedelta, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

settings = {"user": "alice", "password": "pass word of alice", "domain": "Default",
            "project": "lab"} | json.loads(sys.argv[1])
lock = threading.Lock()
good = set()
seen = {"tokens": 0, "requests": 0, "refused": 0}


def count(name):
    with lock:
        seen[name] += 1
        return seen[name]


def new_token():
    token = "token-%04d-of-the-gate" % count("tokens")
    with lock:
        good.add(token)
    return token


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
        elif path.endswith("/v3/auth/tokens") and self.command == "POST":
            self.keystone(body)
        elif path.rstrip("/").endswith("/v3") and self.command == "GET":
            self.answer(200, {"version": {"id": "v3.14", "status": "stable", "links": [
                {"rel": "self", "href": "http://" + self.headers["Host"] + "/v3/"}]}})
        else:
            self.guarded(body)

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = handle_any

    # ---- Tokens

    def keystone(self, body):
        auth = json.loads(body)["auth"]
        user = auth["identity"]["password"]["user"]
        wanted = {"name": settings["user"], "password": settings["password"],
                  "domain": {"name": settings["domain"]}}
        project = auth.get("scope", {}).get("project")
        scope_is_good = project is None or project == {
            "name": settings["project"], "domain": {"name": settings["domain"]}}
        is_known = auth["identity"]["methods"] == ["password"] and user == wanted and scope_is_good
        token = new_token() if is_known else None
        if not token:
            self.answer(401, {"error": {"code": 401, "title": "Unauthorized", "message":
                              "The request you have made requires authentication."}})
            return
        now = datetime.now(timezone.utc)
        ends = now + timedelta(hours=1)
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

    def guarded(self, body):
        count("requests")
        with lock:
            is_good = self.headers.get("X-Auth-Token", "") in good
        if not is_good:
            count("refused")
            self.answer(401, {"error": {"code": "Unauthorized", "message": "no good token"}})
            return
        upstream = urllib.parse.urlsplit(settings["upstream"])
        hidden = {"x-auth-token", "connection", "content-length"}
        headers = {n: v for n, v in self.headers.items() if n.lower() not in hidden}
        connection = http.client.HTTPConnection(upstream.hostname, upstream.port)
        connection.request(self.command, self.path, body or None, headers)
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
