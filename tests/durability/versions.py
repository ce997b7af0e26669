"""Earlier versions of assets survive a crash at any moment: each as it was acknowledged, in order, and none twice.

    python versions.py PATH/TO/lunette [--full]

The service is ended by SIGKILL at the N-th of its calls that change files, while two clients change assets, while it moves
versions into order, and while it deletes the oldest. Started again, every version that it lists must be the state that was
acknowledged under its number; the oldest may be gone, and then it says so.
"""

import concurrent.futures
import json
import pathlib
import shutil
import tempfile
import threading
import time

from claims import arguments, holds, needs
from ledger import BROKEN, Client
from script import seed
from service import NotStarted, Service
import strace

ASSETS = 2
LARGE = "asset 1"
BEFORE = 12
EDITS = 24
BOUNDS = ("--history-versions", "6")
# The first look for what is beyond the bounds comes 5 s after the start.
LIFE = 7.5


class Story:
    """The states of an asset, in order: those that were acknowledged, and one that may have been made."""

    def __init__(self, port, name):
        client = Client(port)
        text = text_of(name, 0)
        status, body = client.call("POST", "/assets/create?transferables=true", seed(name, text))
        assert status == 200, body
        asset = json.loads(body)
        client.close()
        self.name, self.identifier = name, asset["id"]
        self.format = asset["formats"]["iterable"][0]["id"]
        self.states, self.asked = [text], None

    def edit(self, client):
        """Changes the text once; returns whether the service is still there."""
        self.asked = text_of(self.name, len(self.states))
        body = {"id": self.format, "fragment": {"string": {"raw": self.asked}}}
        try:
            status, _ = client.call("POST", "/format/update/value", body)
        except BROKEN:
            return False
        assert status == 200, status
        self.states.append(self.asked)
        self.asked = None
        return True


def text_of(name, number):
    """Of one asset a small text, of the other one that is compared before it is written."""
    lines = [f"line {line} of {name}" for line in range(4_000 if name == LARGE else 60)]
    lines[number % 60] = f"changed by {number}"
    return "\n".join(lines)


def life(program, data, before, stories):
    """One life of a service in which its assets are changed; it may be cut off anywhere."""
    try:
        with Service(program, data, before, extra=BOUNDS) as service:
            end = time.monotonic() + LIFE

            def change(story):
                client = Client(service.port)
                for number in range(EDITS):
                    if not story.edit(client):
                        return
                    # A pause in which versions are moved into order.
                    if number % 6 == 5:
                        time.sleep(0.6)
                client.close()

            threads = [threading.Thread(target=change, args=(story,)) for story in stories]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            while service.running() and time.monotonic() < end:
                time.sleep(0.05)
            if service.running():
                service.stop()
            return service.process.returncode
    except NotStarted as ended:
        return ended.code


def told(program, data, story_list, mark):
    """Compares all versions with what was acknowledged; gives back how many there are, and how many were deleted."""
    read, ended = 0, 0
    with Service(program, data) as service:
        client = Client(service.port)
        for story in story_list:
            listed = client.get(f"/asset/{story.identifier}/versions")
            numbers = [version["version"] for version in listed["iterable"]]
            states = story.states + [story.asked] * (len(numbers) and numbers[0] > len(story.states))
            first = listed.get("ended", 0) + 1
            if numbers != list(range(len(states), first - 1, -1)):
                holds("versions are numbered without a gap after SIGKILL", f"{mark}: {numbers} of {len(states)}", False)
            for version in listed["iterable"]:
                number = version["version"]
                path = f"/asset/{story.identifier}/versions/{number}/content"
                if "missing" in version or client.get(path)["text"] != states[number - 1]:
                    holds("each version is what was acknowledged under its number", f"{mark}: {version}", False)
                read += 1
            ended += first - 1
        client.close()
    return read, ended


def main():
    given = arguments(__doc__)
    needs("strace")
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        base = work / "base"
        with Service(given.program, base) as service:
            made = [Story(service.port, f"asset {number}") for number in range(ASSETS)]
            client = Client(service.port)
            for story in made:
                for _ in range(BEFORE):
                    story.edit(client)
            client.close()
            service.stop()

        def begin(data):
            """The store as it was made, and its stories so far."""
            shutil.copytree(base, data)
            stories = []
            for story in made:
                copy = object.__new__(Story)
                copy.__dict__.update(vars(story), states=list(story.states), asked=None)
                stories.append(copy)
            return stories

        counted = begin(work / "counted")
        log = work / "calls.log"
        life(given.program, work / "counted", strace.logging(log), counted)
        _, ended = told(given.program, work / "counted", counted, "no kill")
        holds("the oldest versions are deleted", f"{ended} of {sum(len(story.states) for story in counted)}", ended > 0)
        def killed(place):
            """A life that ends at one place: whether it was killed, how many versions were read, and whether some were deleted."""
            kind, number = place
            data = work / f"{kind}-{number}"
            stories = begin(data)
            code = life(given.program, data, strace.injecting(kind, "signal=KILL", number), stories)
            found, gone = told(given.program, data, stories, data.name)
            shutil.rmtree(data)
            return code not in (0, None), found, gone > 0

        # A life mostly waits for the maintenance.
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            ends = list(pool.map(killed, strace.spread(strace.counts(log), 200 if given.full else 10)))
        kills, read, pruned = (sum(column) for column in zip(*ends))
        lives = len(ends)
        holds("SIGKILL while versions are appended, ordered and deleted leaves each as it was acknowledged",
              f"{read} versions read in {lives} lives, {kills} kills, {pruned} after some were deleted", kills > lives // 2)


if __name__ == "__main__":
    main()
