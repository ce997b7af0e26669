"""The program as a service, with things in it: what it holds, and what it says it answered."""

import hashlib
import json
import os
import re
import subprocess
import tempfile
import urllib.error
import urllib.request

ANSWERED = re.compile(r'answered method=(\S+) path="([^"]*)" status=(\d+)')


class Service:
    """`lunette serve` on a free port, with a folder of its own. Use it in a `with`."""

    def __init__(self, program, *options):
        # In memory where there is such a place: many writes, none of which is to outlive a power cut.
        memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
        self.folder = tempfile.TemporaryDirectory(prefix="lunette-service-", dir=memory)
        self.log = os.path.join(self.folder.name, "log")
        command = [program, "serve", *([] if "--port" in options else ["--port", "0"]), "--data", os.path.join(self.folder.name, "data"), *options]
        environment = {**os.environ, "LUNETTE_LOG": "lunette=debug", "NO_COLOR": "1"}
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True, env=environment)
        line = self.process.stdout.readline()
        found = re.fullmatch(r"listening on (http://127\.0\.0\.1:(\d+))\n", line)
        assert found, f"the service said {line!r}"
        self.url, self.port = found.group(1), int(found.group(2))
        self.document = self.ask("/openapi.json")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()
        self.folder.cleanup()

    def ask(self, path, method="GET", body=None):
        """The answer to a program; JSON as a value."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data=data, method=method)
        if body is not None:
            request.add_header("Content-Type", "application/json")
        with urllib.request.urlopen(request, timeout=60) as answer:
            text = answer.read()
            return json.loads(text) if answer.headers.get_content_type() == "application/json" else text.decode()

    def example(self, operation):
        """What the service's own document gives as an example of this operation's body."""
        for path, methods in self.document["paths"].items():
            for method, row in methods.items():
                if row.get("operationId") == operation:
                    (media,) = row["requestBody"]["content"].values()
                    example = media.get("example") or next(iter(media.get("examples", {}).values()))["value"]
                    return path, method.upper(), example
        raise KeyError(operation)

    def make(self, operation, **fields):
        """Makes a thing of the example; gives its id."""
        path, method, example = self.example(operation)
        return self.ask(path, method, {**example, **fields})["id"]

    def asset(self, name, text):
        seed = {"format": {"fragment": {"string": {"raw": text}}}, "metadata": {"name": name}}
        _, _, example = self.example("assetsCreateNewAsset")
        seed = {"type": "SEEDED_ASSET", "asset": {**seed, "application": example["asset"]["application"]}}
        return self.ask("/assets/create", "POST", seed)["id"]

    def answered(self):
        """Method, path and status of each request so far, as the service itself says."""
        with open(self.log, encoding="utf-8") as log:
            return [(method, path, int(status)) for method, path, status in ANSWERED.findall(log.read())]

    def writes(self):
        """The paths and methods of every operation that changes something."""
        return [
            (path, method.upper())
            for path, methods in sorted(self.document["paths"].items())
            for method in methods if method in ("post", "put", "delete", "patch")
        ]

    def dump(self):
        """A digest of all that the service gives away: each list, and each thing in it by its id."""
        whole, ids = {}, set()
        reads = [path for path, methods in sorted(self.document["paths"].items()) if "get" in methods]
        for path in (path for path in reads if "{" not in path):
            whole[path] = self._read(path)
            ids |= set(re.findall(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", whole[path]))
        for path in (path for path in reads if path.count("{") == 1):
            for name in sorted(ids):
                asked = re.sub(r"\{\w+\}", name, path)
                whole[asked] = self._read(asked + ("?export_type=MD" if path.endswith("/export") else ""))
        return Dump(whole)

    def _read(self, path):
        if path.endswith("/stream/identifiers"):
            return ""
        try:
            return json.dumps(self.ask(path), sort_keys=True)
        except urllib.error.HTTPError as error:
            return f"{error.code}"


class Dump:
    """What the service held at a time."""

    def __init__(self, whole):
        self.whole = whole
        self.digest = hashlib.sha256(json.dumps(whole, sort_keys=True).encode()).hexdigest()

    def __eq__(self, other):
        return self.digest == other.digest

    def known(self):
        """How many reads were answered with something."""
        return sum(not text.isdigit() and text != "" for text in self.whole.values())

    def differing(self, other):
        return [path for path in self.whole | other.whole if self.whole.get(path) != other.whole.get(path)]
