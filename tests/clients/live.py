"""Real clients against the service, behind a door that sees each byte: python3 live.py PATH/TO/lunette

What is proven: all that curl, node's own fetch and the public TypeScript client send, writes with and without a body among
it, passes the guard and the rule that a body is JSON, and is answered as its client wants it. What curl sends for `-d`
alone says that it is a form: it is refused with 415, in words that say what to type.
"""

import json
import os
import shutil
import subprocess
import sys

from claims import claim
from door import Door, to_service
from service import Service

HERE = os.path.dirname(os.path.abspath(__file__))
JSON = ["-H", "Content-Type: application/json"]


class Stage:
    """The service with things in it, and a door before it."""

    def __init__(self, service):
        self.service = service
        self.ids = {
            "asset": service.asset("greeting.py", "print('hello')\n"),
            "tag": service.make("tagsCreateNewTag", text="a tag"),
            "website": service.make("websitesCreateNewWebsite", url="https://example.org/", name="example"),
            "session": service.ask("/applications/session/open", "POST")["id"],
        }

    def drive(self, command, **more):
        """Runs a client; gives what came to the door, and what the client said."""
        door = Door(to_service(self.service.port))
        environment = {**os.environ, "LUNETTE_URL": f"http://localhost:{door.port}", "LUNETTE_IDS": json.dumps(self.ids), **more}
        ended = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
        door.close()
        return door.seen, ended

    def curl(self, path, *options):
        door = Door(to_service(self.service.port))
        command = ["curl", "-sS", "--max-time", "30", *options, f"http://127.0.0.1:{door.port}{path.format(**self.ids)}"]
        ended = subprocess.run(command, capture_output=True, text=True, timeout=60)
        door.close()
        return door.seen, ended


def with_curl(stage):
    claim(shutil.which("curl"), "curl is installed (Debian: curl)", None)
    calls = [
        ("/.well-known/health", []), ("/asset/{asset}", []), ("/assets", ["--compressed"]), ("/assets", ["-I"]), ("/assets", ["-0"]),
        ("/applications/session/open", ["-X", "POST"]), ("/asset/{asset}/tags/associate/{tag}", ["-X", "POST"]),
        ("/asset/{asset}/tags/disassociate/{tag}", ["-d", ""]), ("/asset/{asset}", ["-X", "POST", *JSON]),
        ("/tags/create", [*JSON, "-d", '{"text": "made by curl"}']), ("/tags/create", [*JSON, "-d", json.dumps({"text": "made by curl with more", "more": "x" * 5000})]),
        ("/asset/{asset}/scores/increment", [*JSON, "-d", '{"reuse": 1}']),
    ]
    seen = [request for path, options in calls for request in stage.curl(path, *options)[0]]
    passed(seen, "curl", len(calls))
    (refused,), ended = stage.curl("/tags/create", "-d", '{"text": "x"}')
    claim(
        refused.status == 415 and "-H 'Content-Type: application/json'" in ended.stdout,
        "curl -d without a type: 415, and the words to type", ended.stdout,
    )


def with_node(stage):
    claim(shutil.which("node"), "node is installed (Debian: nodejs)", None)
    seen, ended = stage.drive(["node", os.path.join(HERE, "fetch.js")])
    claim(ended.returncode == 0, "node's fetch takes every answer", ended.stderr)
    passed(seen, "node's fetch", 8)
    probe = subprocess.run(["node", "-e", "require('@pieces.app/pieces-os-client')"], capture_output=True, text=True)
    if probe.returncode != 0:
        return print("skipped: the public TypeScript client is not here (npm is missing, or does not reach it)")
    seen, ended = stage.drive(["node", os.path.join(HERE, "typescript.js")])
    claim(ended.returncode == 0, "the public TypeScript client takes every answer", ended.stderr)
    passed(seen, "the public TypeScript client 4.1.0", 16)


def passed(seen, client, wanted):
    """Every request of a client is answered with what it asked for."""
    wrong = [(request.method, request.target, request.status, request.answer[-300:]) for request in seen if request.status >= 300]
    claim(not wrong and len(seen) >= wanted, f"{client}: {len(seen)} of {len(seen)} requests pass", wrong or len(seen))


def main(program):
    with Service(program) as service:
        stage = Stage(service)
        with_curl(stage)
        with_node(stage)


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]))
