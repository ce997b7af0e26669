"""Pages of somebody else, in a real Chromium, against the service: python3 attack.py PATH/TO/lunette

What is proven: of every way by which a page makes the browser ask (`pages/attack.js`), from a foreign site, from another
port of this machine, from a file and from a frame without an origin, each request leaves the browser, is refused by the
service before any handler with one and the same answer, and changes nothing that the service holds. A server without a
guard in the same place gets them all, so what is missing was not held back by the browser. With Chromium's own guard of
the local network on, what it lets through is refused as well.
"""

import json
import os
import sys
import urllib.parse

from chromium import Chromium, wait_for
from claims import claim
from door import Attacker, Door, to_service, unguarded
from service import Service

PAGES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "pages")
NAMES = "--host-resolver-rules=MAP evil.test 127.0.0.2"
# The kinds that leave the page are tried one by one; a frame without an origin may not send its whole page away.
LEAVING = ["top-form", "top-location", "top-307"]
FEWEST = 27
# Where assistants are answered.
ASSISTANTS = {"read": "/mcp", "write": "/mcp", "socket": "/mcp"}
# What a page is given that asks for the icon of a refusal: the browser itself asks, as a page of ours, for nothing.
ICON = ("GET", "/favicon.ico", 404)


class Sender:
    """A place from which a page attacks, and the name under which it reaches the service."""

    def __init__(self, name, page, home, host="127.0.0.1", leaving=True):
        self.name, self.page, self.home, self.host = name, page, home, host
        self.leaving = LEAVING if leaving else []

    def address(self, door, paths, only=None):
        base = f"http://{self.host}:{door.port}"
        aim = {"base": base, **paths, "home": self.home, "only": only}
        return f"{self.page}#{urllib.parse.quote(json.dumps(aim))}"


def visit(browser, sender, door, paths, only):
    """Opens the sender's page, which asks for everything, or for the one kind that leaves the page."""
    page = browser.page()
    page.ask("Page.navigate", url=sender.address(door, paths, only))
    if only is None:
        page.until("window.fired === true")
        # What it opened lies over it, and a page that is not seen does not begin to load sound and video.
        page.ask("Page.bringToFront")
    return page


def attack(browser, sender, door, paths, expected):
    """Fires everything there is from this sender at a door; waits until every kind that is expected has arrived."""
    for only in [None, *sender.leaving]:
        page = visit(browser, sender, door, paths, only)
        here = ({only} & expected) if only else expected - set(LEAVING)
        wait_for(lambda: here <= door.kinds(), lambda: f"{sender.name}: {sorted(here - door.kinds())} arrive")
        browser.close_others(page)
        page.close()


def kinds_of(browser, sender, paths):
    """The kinds that reach a server without a guard: those that a browser sends from there at all."""
    door = Door(unguarded)
    everything = Quiet(door)
    for only in [None, *sender.leaving]:
        page = visit(browser, sender, door, paths, only)
        everything.wait(only)
        browser.close_others(page)
        page.close()
    door.close()
    return door.kinds()


def reached(service, browser, sender, paths, sent, what):
    """What reaches the service at these paths, none of it a handler."""
    said, door = len(service.answered()), Door(to_service(service.port))
    attack(browser, sender, door, paths, sent)
    Quiet(door, 20).wait()
    door.close()
    answers = [entry for entry in service.answered()[said:] if entry != ICON]
    passed = [entry for entry in answers if entry[2] != 403]
    arrived = [seen for seen in door.seen if seen.kind]
    claim(
        not passed and len(answers) >= len(arrived) and sent <= door.kinds(),
        f"{sender.name}: {len(arrived)} requests of {len(door.kinds())} kinds reach {what}, 0 a handler", passed[:9],
    )
    return arrived


class Quiet:
    """Waits until nothing new has come to a door for a while; how long decides nothing but how much is counted."""

    def __init__(self, door, rounds=75):
        self.door, self.rounds = door, rounds

    def wait(self, kind=None):
        """Ends at once where the one kind that is waited for has come."""
        seen = {"count": -1, "still": 0}

        def quiet():
            if kind in self.door.kinds():
                return True
            count = len(self.door.seen)
            seen["still"] = seen["still"] + 1 if count == seen["count"] else 0
            seen["count"] = count
            return seen["still"] >= self.rounds

        wait_for(quiet, "the page has asked for everything")


def judge(service, browser, sender, paths, fewest):
    """All claims for one sender; what is for assistants is asked for in every way as well."""
    sent = kinds_of(browser, sender, paths)
    named = f" ({', '.join(sorted(sent))})" if len(sent) < FEWEST else ""
    claim(len(sent) >= fewest, f"{sender.name}: {len(sent)} kinds of request reach a server without a guard{named}", sent)
    before = service.dump()
    arrived = reached(service, browser, sender, paths, sent, "the service")
    arrived += reached(service, browser, sender, ASSISTANTS, sent, "what is for assistants")
    bodies = {seen.answer.partition(b"\r\n\r\n")[2] for seen in arrived if seen.method != "HEAD"}
    lengths = {len(seen.answer.partition(b"date:")[0]) for seen in arrived}
    claim(len(bodies) == 1 and len(lengths) == 1, f"{sender.name}: every refusal is the same", (bodies, lengths))
    after = service.dump()
    claim(before == after, f"{sender.name}: what the service holds is unchanged", before.differing(after))


def senders(evil, here):
    """Each place that a page may come from, and how many kinds it has to send at the least."""
    foreign, near = f"http://evil.test:{evil.port}", f"http://localhost:{here.port}"
    yield Sender("a foreign site", f"{foreign}/attack.html", foreign), 50
    yield Sender("another port of this machine", f"{near}/attack.html", near, host="localhost"), 50
    yield Sender("a file", f"file://{PAGES}/attack.html", foreign), FEWEST
    yield Sender("a frame without an origin", f"{foreign}/sandbox.html", foreign, leaving=False), FEWEST


def main(program):
    evil, here = Attacker(PAGES), Attacker(PAGES, "127.0.0.1")
    with Service(program) as service:
        asset, tag = service.asset("kept.rs", "fn main() {}\n"), service.make("tagsCreateNewTag", text="kept")
        paths = {
            "read": f"/asset/{asset}/export?export_type=HTML",
            "write": f"/asset/{asset}/tags/associate/{tag}",
            "socket": "/assets/stream/identifiers",
        }
        claim(service.dump() == service.dump(), f"two readings of the service are the same ({service.dump().known()} answers)")
        with Chromium(NAMES) as browser:
            for sender, fewest in senders(evil, here):
                judge(service, browser, sender, paths, fewest)
        # As Chromium takes a page of the internet; these two are what it lets through to this machine all the same.
        with Chromium(NAMES, f"--ip-address-space-overrides=127.0.0.2:{evil.port}=public") as browser:
            foreign = f"http://evil.test:{evil.port}"
            judge(service, browser, Sender("a site of the internet", f"{foreign}/attack.html", foreign), paths, 2)
        service.ask(paths["write"], "POST")
        claim(tagged(service, asset), "a program may do what the pages tried")
    evil.close()
    here.close()


def tagged(service, asset):
    """Whether the write that every page tried has its effect when a program asks for it."""
    return "kept" in json.dumps(service.ask(f"/asset/{asset}").get("tags", {}))


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]))
