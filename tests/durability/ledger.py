"""What a service was asked, what it acknowledged, and whether all of that is there when it is read back.

A value that was acknowledged must be read, or a later one that was asked for and not answered: an answer can be lost
together with the service. What was never acknowledged may be there or not.
"""

import http.client
import hashlib
import json
import threading

# Why a call has no answer: the service is gone, or cut it off.
BROKEN = (http.client.HTTPException, OSError)
GONE = "gone"


class Client:
    """One kept-alive connection that sends nothing twice."""

    def __init__(self, port, timeout=60):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)

    def call(self, method, path, body=None):
        """Gives back status and body; raises one of BROKEN where there is no answer."""
        data = None if body is None else json.dumps(body).encode()
        headers = {} if body is None else {"Content-Type": "application/json"}
        try:
            self.connection.request(method, path, data, headers)
            answer = self.connection.getresponse()
            return answer.status, answer.read()
        except BROKEN:
            self.connection.close()
            raise

    def get(self, path):
        """The JSON of a read that must succeed."""
        status, body = self.call("GET", path)
        if status != 200:
            raise AssertionError(f"GET {path}: {status} {body[:200]!r}")
        return json.loads(body)

    def close(self):
        self.connection.close()


class Refused(Exception):
    """The service answered that it did not do it."""

    def __init__(self, status, body):
        super().__init__(f"{status} {body[:200]!r}")
        self.status = status
        self.sentence = body.decode("utf-8", "replace")


class Ledger:
    """Acknowledged values by key, and those asked for since. Many threads may write into one."""

    def __init__(self):
        self.lock = threading.Lock()
        self.acked = {}
        self.asked = {}
        self.count = 0

    def asking(self, key, value):
        with self.lock:
            self.asked.setdefault(key, []).append(value)

    def acknowledged(self, key, value):
        with self.lock:
            self.acked[key] = value
            self.asked.pop(key, None)
            self.count += 1

    def refused(self, key, status):
        """The last one asked for was refused: it must not be there, unless it was before.

        Where the disk failed at the last moment the service cannot know what a crash would leave: 500 and 503 promise
        that nothing is shown now, not what the next start finds.
        """
        if status not in (500, 503):
            with self.lock:
                self.asked[key].pop()

    def write(self, client, key, value, method, path, body=None):
        """Makes a call that sets this key to this value, and notes how it ended. Gives back the answer's body."""
        self.asking(key, value)
        status, answer = client.call(method, path, body)
        if not 200 <= status < 300:
            self.refused(key, status)
            raise Refused(status, answer)
        self.acknowledged(key, value)
        return answer

    def unknown_done(self, found):
        """How many values are there that were asked for and not acknowledged."""
        return sum(found.get(key) != value for key, value in self.acked.items()) - len(self.lost(found))

    def lost(self, found):
        """Every acknowledged value that is not there, as sentences."""
        problems = []
        for key, value in self.acked.items():
            seen = found.get(key)
            if seen != value and seen not in self.asked.get(key, ()):
                problems.append(f"{key}: acknowledged {value!r}, found {seen!r}")
        return problems


def read_back(client, keys):
    """The values of these keys as the service tells them now."""
    assets = {asset["id"]: asset for asset in client.get("/assets?transferables=true")["iterable"]}
    tags = {tag["id"]: tag for tag in client.get("/tags")["iterable"]}
    return {key: value_of(client, key, assets, tags) for key in keys}


def value_of(client, key, assets, tags):
    kind, identifier = key[0], key[1]
    if kind == "session":
        status, body = client.call("GET", f"/applications/sessions/{identifier}")
        return "closed" if status == 200 and "closed" in json.loads(body) else "open" if status == 200 else GONE
    if kind == "tag":
        return tags[identifier]["text"] if identifier in tags else GONE
    asset = assets.get(identifier)
    if asset is None:
        return GONE
    if kind == "asset":
        return text_of(asset)
    if kind == "name":
        return asset.get("name")
    if kind == "score":
        return asset["score"].get("reuse", 0)
    if kind == "link":
        return any(tag["id"] == key[2] for tag in asset["tags"]["iterable"])
    raise ValueError(key)


def text_of(asset):
    """The text of an asset's original, by its hash: texts may be long."""
    fragment = asset["formats"]["iterable"][0].get("fragment", {})
    return hashlib.sha256(fragment.get("string", {}).get("raw", "").encode()).hexdigest()


def dump_hash(client):
    """A hash of all that the service tells of its assets, tags, applications and activities."""
    paths = ("/assets?transferables=true", "/tags", "/websites", "/workstream_summaries", "/applications")
    told = [client.get(path) for path in paths]
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()
