"""A rescue that is killed at any moment goes on where it was, and stores nothing twice.

    python rescue.py PATH/TO/lunette [--full]

`lunette rescue` is ended by SIGKILL at the N-th of its calls that change files: while it keeps what it receives, while it
stores and links it, and while it writes its receipt. Each folder is killed several times, at another place each time. Run
again, it must end with a receipt that says that every record is equal; the service on the folder must have each record once
and under its id; nothing may have been written to the other service, and no record may be asked for again that was
received.
"""

import json
import pathlib
import shutil
import subprocess
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from claims import arguments, holds, needs
from ledger import Client
from service import Service
import strace

ASSETS = 40
TAGS = 8
PLACES = 50
# What is received is appended by `write`.
KINDS = (*strace.KINDS, "write")
# How often one folder is killed before it may end.
KILLS = 5


def identifier(kind, number):
    return f"{kind:08x}-0000-4000-8000-{number:012x}"


def at(number):
    return {"value": f"2024-{1 + number % 12:02}-{1 + number % 28:02}T08:09:10.123Z"}


def asset(number):
    form = f"f0000000-0000-4000-8000-{number:012x}"
    whole = {
        "id": form, "role": "BOTH", "fragment": {"string": {"raw": f"text {number}\n" * 50}},
        "asset": {"id": identifier(1, number)}, "classification": {"generic": "CODE", "specific": "rs"},
        "created": at(number), "updated": at(number),
    }
    return {
        "id": identifier(1, number), "name": f"asset {number}", "created": at(number), "updated": at(number),
        "original": {"id": form, "reference": whole}, "formats": {"iterable": [whole]},
        "tags": {"iterable": [{"id": identifier(2, number % TAGS)}]},
    }


def tag(number):
    return {"id": identifier(2, number), "text": f"tag {number}", "created": at(number), "updated": at(number)}


class Old(ThreadingHTTPServer):
    """The service that ends: it counts what it is asked for."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.assets = {identifier(1, number): asset(number) for number in range(ASSETS)}
        self.lists = {
            "assets/identifiers": [{"id": key} for key in self.assets],
            "assets": [{key: value for key, value in one.items() if key not in ("formats", "original")}
                       for one in self.assets.values()],
            "tags": [tag(number) for number in range(TAGS)],
            "ranges": [{"id": identifier(3, number), "odd": [1, 2.50]} for number in range(5)],
        }
        self.lock = threading.Lock()
        self.reads, self.writes = {}, 0
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, *_):
        """A client that is killed resets its connections."""

    def begin(self):
        with self.lock:
            self.reads, self.writes = {}, 0


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        path = self.path.split("?")[0].strip("/")
        if path == ".well-known/health":
            return self.answer(200, "ok")
        if path.startswith("asset/"):
            with self.server.lock:
                self.server.reads[path] = self.server.reads.get(path, 0) + 1
            found = self.server.assets.get(path.removeprefix("asset/"))
            return self.answer(200, json.dumps(found)) if found else self.answer(404, "unknown")
        found = self.server.lists.get(path)
        return self.answer(404, "unknown") if found is None else self.answer(200, json.dumps({"iterable": found}))

    def do_POST(self):
        with self.server.lock:
            self.server.writes += 1
        self.answer(403, "read-only")

    def answer(self, status, text):
        body = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def rescue(program, old, data, before=()):
    url = f"http://127.0.0.1:{old.server_address[1]}"
    command = [*before, str(program), "rescue", "--from", url, "--to", str(data), "--json"]
    ended = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120, check=False)
    return ended.returncode, ended.stdout, ended.stderr


def whole(program, old, data, mark):
    """Lets it end, and checks the receipt and what is served then."""
    code, out, err = rescue(program, old, data)
    if code != 0:
        return holds("it ends with everything after SIGKILL", f"{mark}: {code}: {out} {err}", False)
    rows = {row["kind"]: row for row in json.loads(out)["kinds"]}
    counts = {"assets": ASSETS, "tags": TAGS}
    for kind, count in counts.items():
        row = rows[kind]
        if (row["named"], row["received"], row["equal"], row["missing"]) != (count, count, count, []):
            holds("the receipt says that each record is equal", f"{mark}: {row}", False)
    with Service(program, data) as service:
        client = Client(service.port)
        for path, kind, count in (("/assets/identifiers", 1, ASSETS), ("/tags", 2, TAGS)):
            ids = sorted(entry["id"] for entry in client.get(path)["iterable"])
            if ids != [identifier(kind, number) for number in range(count)]:
                holds("each record is there once and under its id", f"{mark}: {ids}", False)
        client.close()
        service.stop()


def main():
    given = arguments(__doc__)
    needs("strace")
    old = Old()
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        log = work / "calls.log"
        rescue(given.program, old, work / "counted", strace.logging(log, KINDS))
        counted = strace.counts(log, KINDS)
        places = strace.spread(counted, PLACES * (4 if given.full else 1))
        kills, most, writes = 0, 0, 0
        for start in range(0, len(places), KILLS):
            data = work / "data"
            old.begin()
            for kind, number in places[start:start + KILLS]:
                code, _, _ = rescue(given.program, old, data, strace.injecting(kind, "signal=KILL", number))
                kills += code not in (0, 1)
            whole(given.program, old, data, f"places {start} to {start + KILLS}")
            # A record that was being written when it was killed is asked for again.
            most = max(most, max(old.reads.values()))
            writes += old.writes
            shutil.rmtree(data)
        said = ", ".join(f"{count} {kind}" for kind, count in counted.items())
        holds(f"SIGKILL over a rescue ({said}) loses nothing and doubles nothing", f"{kills} kills at {len(places)} places",
              kills > len(places) // 2)
        holds("nothing is written to the other service", f"{writes} writes", writes == 0)
        holds("a record is asked for again only where it was being received", f"at most {most} times in {KILLS + 1} runs",
              most <= KILLS + 1)


if __name__ == "__main__":
    main()
