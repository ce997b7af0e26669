"""Servers that see every byte of what a browser sends: a door before the service, one before nothing, and the attacker's."""

import http.server
import re
import socket
import socketserver
import threading
import urllib.parse

PATIENCE = 30


class Seen:
    """One request as it came, and how it was answered."""

    def __init__(self, head, body):
        first, *lines = head.decode("latin-1").split("\r\n")
        self.method, self.target, _ = (first.split(" ") + ["", ""])[:3]
        self.path, _, query = self.target.partition("?")
        self.kind = urllib.parse.parse_qs(query).get("kind", [""])[0]
        self.headers = {}
        for name, _, value in (line.partition(":") for line in lines):
            self.headers.setdefault(name.strip().lower(), value.strip())
        self.body = body
        self.status, self.answer = 0, b""


class Door:
    """A server on this machine that notes each request and lets `answer(raw, seen)` say what comes back."""

    def __init__(self, answer, host="127.0.0.1"):
        self.seen, self.answer = [], answer
        self.server = _Threads((host, 0), _Visit)
        self.server.door = self
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.1}, daemon=True).start()

    def kinds(self):
        """The kinds of which a request came; a preflight is one: the browser asks it of this server."""
        return {seen.kind for seen in list(self.seen)} - {""}

    def close(self):
        self.server.shutdown()
        self.server.server_close()


class _Threads(socketserver.ThreadingTCPServer):
    allow_reuse_address, daemon_threads, request_queue_size = True, True, 256


class _Visit(socketserver.BaseRequestHandler):
    def handle(self):
        self.request.settimeout(PATIENCE)
        try:
            raw, seen = read_request(self.request)
        except OSError:
            return
        if seen is None:
            return
        door = self.server.door
        answer = door.answer(raw, seen)
        status = re.match(rb"HTTP/1\.[01] (\d{3})", answer)
        seen.status, seen.answer = int(status.group(1)) if status else 0, answer
        door.seen.append(seen)
        try:
            self.request.sendall(answer)
        except OSError:
            pass  # The page has gone.


def read_request(stream):
    """The bytes of one request, and what they say."""
    raw = b""
    while b"\r\n\r\n" not in raw:
        chunk = stream.recv(65536)
        if not chunk:
            return raw, None
        raw += chunk
    head, _, body = raw.partition(b"\r\n\r\n")
    length = re.search(rb"(?im)^content-length: *(\d+)", head)
    while length and len(body) < int(length.group(1)):
        chunk = stream.recv(65536)
        if not chunk:
            break
        body += chunk
    return head + b"\r\n\r\n" + body, Seen(head, body)


def to_service(port):
    """Hands each request to the service, its head untouched, and gives back what it answers; the connection is closed."""

    def answer(raw, seen):
        with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as upstream:
            upstream.sendall(raw)
            return closing(read_answer(upstream, seen.method == "HEAD"))

    return answer


def read_answer(upstream, to_head=False):
    """One answer, whole; that to HEAD has no body whatever its head says."""
    raw = b""
    while b"\r\n\r\n" not in raw:
        chunk = upstream.recv(65536)
        if not chunk:
            return raw
        raw += chunk
    length = re.search(rb"(?im)^content-length: *(\d+)", raw)
    wanted = raw.index(b"\r\n\r\n") + 4 + (int(length.group(1)) if length and not to_head else 0)
    while len(raw) < wanted:
        chunk = upstream.recv(65536)
        if not chunk:
            break
        raw += chunk
    return raw


def closing(answer):
    first, _, rest = answer.partition(b"\r\n")
    return first + b"\r\nconnection: close\r\n" + rest


def unguarded(_raw, seen):
    """What a service without a guard would say: whoever asks may do it."""
    origin = seen.headers.get("origin", "*")
    asked = seen.headers.get("access-control-request-headers", "content-type")
    return (
        "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\nConnection: close\r\n"
        f"Access-Control-Allow-Origin: {origin}\r\nAccess-Control-Allow-Headers: {asked}\r\n"
        "Access-Control-Allow-Methods: GET, POST, PUT, PATCH, DELETE\r\nAccess-Control-Allow-Credentials: true\r\n\r\nok"
    ).encode()


class Attacker:
    """A web server of somebody else: it serves the files of a folder, and sends on where it is asked to.

    `/go?status=307&to=URL` redirects; `/refresh?to=URL` is a page that goes there by itself; `/style?to=URL` a style
    sheet that imports it; `/report?to=URL` a page whose policy reports a breach there; `/echo` says 200.
    """

    def __init__(self, folder, host="127.0.0.2"):
        attacker = self
        self.heard = []

        class Handler(http.server.SimpleHTTPRequestHandler):
            def __init__(self, *arguments):
                super().__init__(*arguments, directory=folder)

            def do_GET(self):
                attacker.heard.append(self.path)
                path, _, query = self.path.partition("?")
                to = urllib.parse.parse_qs(query).get("to", [""])[0]
                pages = {"/refresh": refresh, "/style": style, "/report": report}
                if path == "/go":
                    self.go(query, to)
                elif path in pages:
                    kind, text, *more = pages[path](to)
                    self.say(kind, text, **(more[0] if more else {}))
                elif path == "/echo":
                    self.say("text/plain", "ok")
                else:
                    super().do_GET()

            def do_POST(self):
                self.rfile.read(int(self.headers.get("content-length") or 0))
                self.do_GET()

            def go(self, query, to):
                self.send_response(int(urllib.parse.parse_qs(query)["status"][0]))
                self.send_header("Location", to)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def say(self, kind, text, **headers):
                self.send_response(200)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(text.encode())))
                for name, value in headers.items():
                    self.send_header(name.replace("_", "-"), value)
                self.end_headers()
                self.wfile.write(text.encode())

            def end_headers(self):
                self.send_header("Access-Control-Allow-Origin", "*")
                super().end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer((host, 0), Handler)
        self.server.daemon_threads = True
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.1}, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


def refresh(to):
    return "text/html", f'<!DOCTYPE html><meta http-equiv="refresh" content="0;url={to}">'


def style(to):
    return "text/css", f'@import "{to}";'


def report(to):
    policy = f"img-src 'none'; report-uri {to}"
    return "text/html", '<!DOCTYPE html><meta charset="utf-8"><img src="/echo">', {"Content_Security_Policy": policy}
