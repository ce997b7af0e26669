"""What a page can tell of answers it may not read, in a real Chromium: python3 sensing.py PATH/TO/lunette

What is proven: a foreign page that asks for an asset that is there and for one that is not, by every element and call that
tells its page anything, is told the same of both; the bytes of the refusals are the same but for their time. A server
without a guard is told apart by the same page, so the page looks closely enough.
"""

import json
import os
import re
import sys

from chromium import Chromium
from claims import claim
from door import Attacker, Door, to_service
from service import Service

PAGES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "pages")
MISSING = "5f0c1a34-0b7e-4c5d-9a51-2f6f3d1ae159"
# Where an answer would differ most between an asset that is there and one that is not.
PATHS = ["/asset/{}", "/asset/{}/export?export_type=RAW", "/asset/{}/formats", "/assets/{}"]

# All that a page is told of one address: events, sizes, errors, and what the browser measured.
SENSE = """async (url) => {
  const told = {};
  const element = (name, attributes) => new Promise((done) => {
    const made = document.createElement(name);
    const end = (word) => done([word, made.naturalWidth, made.videoWidth, made.error && made.error.code, made.sheet && "sheet"]);
    for (const event of ["load", "error", "loadedmetadata"]) made.addEventListener(event, () => end(event));
    Object.assign(made, attributes);
    document.body.append(made);
    setTimeout(() => end("nothing"), 15000);
  });
  const asked = async (options) => {
    try {
      const answer = await fetch(url, options);
      return [answer.type, answer.status, answer.redirected, answer.headers.get("content-length"), (await answer.text()).length];
    } catch (error) { return String(error); }
  };
  told.img = await element("img", { src: url });
  told.script = await element("script", { src: url });
  told.css = await element("link", { rel: "stylesheet", href: url });
  told.iframe = await element("iframe", { src: url });
  told.frames = frames.length && (() => { try { return frames[frames.length - 1].length; } catch (e) { return String(e); } })();
  told.object = await element("object", { data: url });
  told.audio = await element("audio", { src: url });
  told.video = await element("video", { src: url });
  told.opaque = await asked({ mode: "no-cors" });
  told.cors = await asked({});
  told.module = await import(url).then(() => "ran", (error) => error.name);
  told.xhr = await new Promise((done) => {
    const request = new XMLHttpRequest();
    request.onloadend = () => done([request.status, request.responseText, request.getAllResponseHeaders()]);
    request.open("GET", url);
    request.send();
  });
  told.events = await new Promise((done) => {
    const source = new EventSource(url);
    source.onerror = source.onopen = (event) => { done([event.type, source.readyState]); source.close(); };
  });
  told.measured = performance.getEntriesByName(url).map((entry) => [
    entry.initiatorType, entry.transferSize, entry.encodedBodySize, entry.decodedBodySize, entry.responseStatus,
    entry.nextHopProtocol, entry.contentType, entry.redirectStart, entry.deliveryType,
  ]).sort();
  told.count = frames.length;
  return JSON.stringify(told);
}"""


def without_a_guard(raw, seen):
    """What tells things apart: a picture for what is there, a refusal for what is not."""
    if MISSING in seen.target:
        return b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    picture = b'<svg xmlns="http://www.w3.org/2000/svg" width="3" height="3"/>'
    head = b"HTTP/1.1 200 OK\r\nContent-Type: image/svg+xml\r\nContent-Length: %d\r\nConnection: close\r\n\r\n"
    return head % len(picture) + picture


def sense(browser, evil, url):
    """What a fresh page of somebody else is told of an address, the address itself left out."""
    page = browser.page()
    page.goto(f"http://evil.test:{evil.port}/echo")
    told = page.run(f"({SENSE})({json.dumps(url)})")
    page.close()
    return told


def main(program):
    evil = Attacker(PAGES)
    with Service(program) as service, Chromium("--host-resolver-rules=MAP evil.test 127.0.0.2") as browser:
        there = service.asset("kept.svg", "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>")
        control, door = Door(without_a_guard), Door(to_service(service.port))
        pair = [sense(browser, evil, f"http://127.0.0.1:{control.port}/asset/{name}") for name in (there, MISSING)]
        ways = [way for way in json.loads(pair[0]) if json.loads(pair[0])[way] != json.loads(pair[1])[way]]
        claim(len(ways) >= 3, f"without a guard a page tells them apart in {len(ways)} ways ({', '.join(ways)})", pair)
        for path in PATHS:
            base = f"http://127.0.0.1:{door.port}"
            pair = [sense(browser, evil, base + path.format(name)) for name in (there, MISSING)]
            asked = [sum(name in seen.target for seen in door.seen) for name in (there, MISSING)]
            claim(pair[0] == pair[1] and min(asked) >= 10, f"{path}: {len(json.loads(pair[0]))} ways tell nothing", pair)
        bare = {re.sub(rb"\r\ndate: [^\r]*", b"", seen.answer) for seen in door.seen}
        claim(len(bare) == 1, f"{len(door.seen)} refusals are the same, byte for byte but for their time", bare)
        statuses = [service.ask(f"/asset/{there}")["id"] == there, known(service, MISSING)]
        claim(statuses == [True, False], "a program is told which of them is there", statuses)
        for server in (control, door, evil):
            server.close()


def known(service, name):
    try:
        return bool(service.ask(f"/asset/{name}"))
    except OSError:
        return False


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]))
