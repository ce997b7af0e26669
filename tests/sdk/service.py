"""What the drivers share: the program as a service, and bodies to send."""

import http.client
import importlib
import json
import pkgutil
import re
import subprocess
import tempfile
import unittest
import uuid

import pieces_os_client
from pieces_os_client import api as apis

PROGRAM = ["lunette"]
ODD = "it's \"odd\" / % .. ü 😀 שלום"


def camel(name):
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


class Client:
    """The client's classes by their names: newer versions no longer have them at the top of the package."""

    def __getattr__(self, name):
        module = re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()
        known = {"ApiClient": "api_client", "Configuration": "configuration", "ApiException": "exceptions"}
        for place in [known.get(name), f"api.{module}", f"models.{module}"]:
            try:
                return getattr(importlib.import_module(f"pieces_os_client.{place}"), name)
            except (ImportError, AttributeError):
                continue
        raise unittest.SkipTest(f"this version of the client has no {name}")


sdk = Client()


def offered():
    """The operations that this version of the client has, by the interface's names."""
    names = set()
    for module in pkgutil.iter_modules(apis.__path__):
        for cls in vars(importlib.import_module(f"pieces_os_client.api.{module.name}")).values():
            if isinstance(cls, type) and cls.__name__.endswith("Api"):
                names.update(camel(name) for name in vars(cls) if not name.startswith("_"))
    return names


class Recording:
    """An API of the client that notes which of its operations were called, and came back."""

    called = set()

    def __init__(self, api):
        self._api = api

    def __getattr__(self, name):
        if not hasattr(self._api, name):
            # The last test of a driver says whether everything that the client has was called.
            raise unittest.SkipTest(f"this version of the client has no {name}")
        method = getattr(self._api, name)

        def call(*arguments, **named):
            answer = method(*arguments, **named)
            self.called.add(camel(name))
            return answer

        return call


class Service:
    """The program, serving."""

    def __init__(self, *more, port="0"):
        self.folder = tempfile.TemporaryDirectory()
        named = [] if port is None else ["--port", port]
        command = [PROGRAM[0], "serve", *named, "--data", self.folder.name, *more]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        found = re.fullmatch(r"listening on (http://127\.0\.0\.1:(\d+))\n", line)
        assert found, f"the service said {line!r}"
        self.url, self.port = found.group(1), int(found.group(2))

    def kill(self):
        """Ends it whatever has happened before."""
        self.process.kill()
        self.process.wait()

    def stop(self):
        self.process.terminate()
        code = self.process.wait(timeout=30)
        self.process.stdout.close()
        self.folder.cleanup()
        assert code == 0, f"the service ended with {code}"

    def raw(self, method, path, body=None, headers=None):
        """Status, content type and bytes of one exchange."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        data = None if body is None else json.dumps(body).encode()
        sent = {"Content-Type": "application/json"} if body is not None else {}
        connection.request(method, path, data, {**sent, **(headers or {})})
        answer = connection.getresponse()
        facts = answer.status, answer.getheader("Content-Type"), answer.read()
        connection.close()
        return facts


def application(**other):
    fields = {
        "id": str(uuid.uuid4()), "name": "OPEN_SOURCE", "version": "1.2.3", "platform": "LINUX", "onboarded": True,
        "privacy": "OPEN", "capabilities": "LOCAL",
    }
    return sdk.Application.from_dict({**fields, **other})


def seed(name, text):
    return sdk.Seed.from_dict({
        "type": "SEEDED_ASSET",
        "asset": {
            "application": application().to_dict(),
            "format": {"fragment": {"string": {"raw": text}}},
            "metadata": {"name": name, "annotations": [{"type": "DESCRIPTION", "text": "made by a test"}]},
        },
    })
