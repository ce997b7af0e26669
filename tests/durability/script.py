"""What the scripted clients do: every kind of write, each with a mark of its own that is known again when read back."""

import hashlib
import itertools
import json
import random
import time

from ledger import BROKEN, GONE, Client, Refused

APPLICATION = {
    "id": "00000003-0000-4000-8000-000000000003", "name": "OPEN_SOURCE", "version": "1.0.0", "platform": "LINUX",
    "onboarded": False, "privacy": "OPEN",
}


def seed(name, text):
    fragment = {"fragment": {"string": {"raw": text}}}
    asset = {"application": APPLICATION, "metadata": {"name": name}, "format": fragment}
    return {"type": "SEEDED_ASSET", "asset": asset}


def made(client, ledger, name, text):
    """Makes an asset; its id is known only once it is acknowledged. Gives back the record."""
    status, body = client.call("POST", "/assets/create?transferables=false", seed(name, text))
    if status != 200:
        raise Refused(status, body)
    asset = json.loads(body)
    ledger.acknowledged(("asset", asset["id"]), hashlib.sha256(text.encode()).hexdigest())
    ledger.acknowledged(("name", asset["id"]), name)
    ledger.count -= 1
    return asset


class Writer:
    """A client that goes through all kinds of writes in turn, on assets of its own."""

    def __init__(self, port, ledger, mark):
        self.client = Client(port)
        self.ledger = ledger
        self.mark = mark
        self.number = itertools.count()
        self.asset = self.tag = None
        self.score = 0

    def step(self):
        """One write, of the kind whose turn it is. Raises Refused, or one of BROKEN."""
        number = next(self.number)
        kinds = (self.create, self.make_tag, self.link, self.increment, self.rename, self.session, self.unlink,
                 self.increment, self.create_and_delete)
        kinds[number % len(kinds)](f"{self.mark}-{number}")

    def create(self, name):
        text = f"text of {name}\n" * (1 + len(name) * 37 % 200)
        self.asset, self.tag, self.score = made(self.client, self.ledger, name, text), None, 0

    def make_tag(self, name):
        status, body = self.client.call("POST", "/tags/create", {"text": f"tag {name}"})
        if status != 200:
            raise Refused(status, body)
        self.tag = json.loads(body)["id"]
        self.ledger.acknowledged(("tag", self.tag), f"tag {name}")

    def link(self, _):
        self.set_link("associate", True)

    def unlink(self, _):
        self.set_link("disassociate", False)

    def set_link(self, verb, there):
        if self.asset and self.tag:
            path = f"/asset/{self.asset['id']}/tags/{verb}/{self.tag}"
            self.ledger.write(self.client, ("link", self.asset["id"], self.tag), there, "POST", path)

    def increment(self, _):
        if self.asset:
            self.score += 1
            path = f"/asset/{self.asset['id']}/scores/increment"
            key, body = ("score", self.asset["id"]), {"asset": {"reuse": True}}
            try:
                self.ledger.write(self.client, key, self.score, "POST", path, body)
            except Refused:
                self.score -= 1
                raise

    def rename(self, name):
        if self.asset:
            changed = {**self.asset, "name": f"renamed {name}"}
            key = ("name", self.asset["id"])
            path = "/asset/update?transferables=false"
            self.ledger.write(self.client, key, changed["name"], "POST", path, changed)

    def session(self, _):
        status, body = self.client.call("POST", "/applications/session/open")
        if status != 200:
            raise Refused(status, body)
        identifier = json.loads(body)["id"]
        self.ledger.acknowledged(("session", identifier), "open")
        path = "/applications/session/close"
        self.ledger.write(self.client, ("session", identifier), "closed", "POST", path, identifier)

    def create_and_delete(self, name):
        asset = made(self.client, self.ledger, name, f"to be deleted: {name}")
        for kind in ("asset", "name"):
            self.ledger.asking((kind, asset["id"]), GONE)
        status, body = self.client.call("POST", f"/assets/{asset['id']}/delete")
        if status != 200:
            for kind in ("asset", "name"):
                self.ledger.refused((kind, asset["id"]), status)
            raise Refused(status, body)
        for kind in ("asset", "name"):
            self.ledger.acknowledged((kind, asset["id"]), GONE)
        self.ledger.count -= 1


def write_until_gone(port, ledger, mark, steps=None, pause=0):
    """Writes on until the service is gone or all steps are done; gives back the refusals met. Rests after a refusal."""
    writer = Writer(port, ledger, mark)
    refusals = []
    for number in itertools.count():
        if steps is not None and number >= steps:
            break
        try:
            writer.step()
        except Refused as refusal:
            refusals.append(refusal)
            time.sleep(pause)
        except BROKEN:
            break
    writer.client.close()
    return refusals


def marks(seed_number):
    """Marks that no two runs share."""
    numbers = random.Random(seed_number)
    return lambda: f"{numbers.getrandbits(64):016x}"
