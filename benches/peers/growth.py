"""Rows over growth: what one asset, one link, one page and one picker cost when there are ten times as many assets."""

import contextlib
import http.client
import json
import random
import time

from measure import median, shown, smaller
from service import Service


class Client:
    """A connection that is kept alive."""

    def __init__(self, port):
        self.connection = http.client.HTTPConnection("127.0.0.1", port)

    def call(self, method, path):
        """The seconds of a request, and its body."""
        began = time.monotonic()
        self.connection.request(method, path, headers={"Content-Length": "0"} if method == "POST" else {})
        response = self.connection.getresponse()
        body = response.read()
        took = time.monotonic() - began
        assert response.status in (200, 204), f"{path}: {response.status} {body[:200]}"
        return took, body


def ids(client, path):
    return [each["id"] for each in json.loads(client.call("GET", path)[1])["iterable"]]


class Measured:
    """A service with so many assets, and what is asked of it."""

    def __init__(self, port, count):
        self.client = Client(port)
        self.assets = ids(self.client, "/assets/rows")
        self.tags = ids(self.client, "/tags?assets=false")
        assert len(self.assets) == count, f"{len(self.assets)} assets"
        # Different assets each time: none is known from before.
        random.Random(count).shuffle(self.assets)

    def open_one(self):
        return self.client.call("GET", f"/asset/{self.assets.pop()}?transferables=false")[0]

    def link_one(self):
        asset, tag = self.assets.pop(), random.choice(self.tags)
        took = self.client.call("POST", f"/asset/{asset}/tags/associate/{tag}")[0]
        self.client.call("POST", f"/asset/{asset}/tags/disassociate/{tag}")
        return took

    def first_page(self):
        return self.client.call("GET", "/assets/rows?limit=200")[0]

    def picker(self):
        return self.client.call("GET", "/tags?assets=false")[0]


KINDS = [("open one asset", Measured.open_one, 200), ("link one", Measured.link_one, 200),
         ("first page of the list", Measured.first_page, 60), ("list of the tag picker", Measured.picker, 60)]


def growth(setup, _folder):
    counts = [2_000, 10_000] if setup.quick else [10_000, 100_000] + [1_000_000] * setup.million
    results = []
    # Made first: the service closes a connection that is idle while the next store is made.
    stores = [setup.store(count)[0] for count in counts]
    with contextlib.ExitStack() as stack:
        services = []
        for count, data in zip(counts, stores):
            service = stack.enter_context(Service(setup.program, data))
            services.append(Measured(service.port, count))
        for name, measure, rounds in KINDS:
            taken = [[measure(service) for service in services] for _ in range(rounds)]
            least, *more = (median(values) for values in zip(*taken))
            for count, value in zip(counts[1:], more):
                results.append(smaller(f"{name}, {count:,} assets", shown(value), f"with {counts[0]:,}: {shown(least)}",
                                       value / least, 1.2))
    return results


ROWS = {"growth": growth}
