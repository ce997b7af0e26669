"""A page that the user let in, and its neighbours, in a real Chromium: python3 allowed.py PATH/TO/lunette

What is proven: a page of the one origin on the list (`--allow-origin`) reads, writes JSON after a preflight, and opens a
stream; it may send headers of its own, which grant nothing, and no credentials. From no other origin, be it the next
port, https, null, or a name that holds the allowed one, does a request pass; each of them did reach the service. Pages
under such origins are made up inside the browser, so that no name and no certificate is needed.
"""

import base64
import json
import os
import sys
import threading

from chromium import Chromium, Page, wait_for
from claims import claim
from door import Door, to_service
from service import Service

ALLOWED = "http://localhost:48888"
OTHERS = [
    "http://localhost:48889", "https://localhost:48888", "http://localhost", "http://localhost:8888", "http://localhost:4888",
    "http://127.0.0.1:48888", "http://[::1]:48888", "http://a.localhost:48888", "http://localhost.evil.test:48888",
    "http://evil-localhost:48888", "http://localhost48888.test", "http://localhosts:48888", "https://localhost",
    "http://localhost.:48888", "http://xn--localhost-x7a.test:48888",
]
PAGE = "<!DOCTYPE html><title>A page made up here</title>"
# A frame of the allowed page that has no origin of its own asks for it.
WITHOUT_ORIGIN = """(address) => new Promise((done) => {
  addEventListener("message", (event) => done(event.data));
  const frame = document.createElement("iframe");
  frame.sandbox = "allow-scripts";
  frame.srcdoc = `<script>fetch("${address}/assets").then((a) => a.status, (e) => e.name).then((s) => parent.postMessage(s, "*"))</script>`;
  document.body.append(frame);
})"""

# What a page tries; each gives what it came to.
TRY = """async (base) => {
  const status = (path, options) => fetch(base + path, options).then((answer) => answer.status, (error) => error.name);
  const json = { "content-type": "application/json" };
  return {
    read: await status("/assets"),
    write: await status("/tags/create", { method: "POST", headers: json, body: JSON.stringify({ text: location.origin }) }),
    empty: await status("/applications/session/open", { method: "POST" }),
    stream: await new Promise((done) => {
      const socket = new WebSocket(base.replace("http", "ws") + "/assets/stream/identifiers");
      socket.onmessage = () => { done("opened"); socket.close(); };
      socket.onerror = () => done("refused");
    }),
    credentials: await status("/assets", { credentials: "include" }),
    header: await status("/assets", { headers: { "x-other": "x" } }),
    put: await status("/assets", { method: "PUT", body: "{}" }),
  };
}"""
REFUSED = "TypeError"


class MadeUp(Page):
    """A page whose document is made up here, whatever its address."""

    def __init__(self, browser):
        plain = browser.page()
        super().__init__(browser, plain.target, plain.session)
        self.ask("Fetch.enable", patterns=[{"urlPattern": "*/made-up"}])

    def heard(self, message):
        super().heard(message)
        if message.get("method") == "Fetch.requestPaused":
            threading.Thread(target=self._fulfil, args=(message["params"]["requestId"],), daemon=True).start()

    def _fulfil(self, request):
        headers = [{"name": "Content-Type", "value": "text/html"}]
        body = base64.b64encode(PAGE.encode()).decode()
        self.ask("Fetch.fulfillRequest", requestId=request, responseCode=200, responseHeaders=headers, body=body)


def tried(browser, origin, script, address):
    page = MadeUp(browser)
    page.goto(f"{origin}/made-up")
    came_to = page.run(f"({script})({json.dumps(address)})")
    page.close()
    return came_to


def texts(service):
    return [tag["text"] for tag in service.ask("/tags")["iterable"]]


def main(program):
    # A page that was made up comes from no address, which Chromium takes for the internet: its own guard stands aside.
    options = ["--disable-features=LocalNetworkAccessChecks", "--ignore-certificate-errors"]
    with Service(program, "--allow-origin", ALLOWED) as service, Chromium(*options) as browser:
        came_to = tried(browser, ALLOWED, TRY, service.url)
        wanted = {"read": 200, "write": 200, "empty": 200, "stream": "opened", "header": 200}
        refused = {"credentials": REFUSED, "put": REFUSED}
        claim(came_to == wanted | refused, f"{ALLOWED}: reads, writes and listens; no credentials, no PUT", came_to)
        claim(ALLOWED in texts(service), "what it wrote is there")
        before = service.dump()
        for origin in OTHERS:
            neighbour(service, browser, origin)
        door = Door(to_service(service.port))
        came_to = tried(browser, ALLOWED, WITHOUT_ORIGIN, f"http://127.0.0.1:{door.port}")
        null = [seen for seen in door.seen if seen.headers.get("origin") == "null"]
        claim(came_to == REFUSED and null and {seen.status for seen in null} == {403}, "null: refused", came_to)
        after = service.dump()
        claim(before == after, "what the service holds is unchanged", before.differing(after))


def neighbour(service, browser, origin):
    """No request of a page of this origin passes, and each was sent."""
    door = Door(to_service(service.port))
    came_to = tried(browser, origin, TRY, f"http://127.0.0.1:{door.port}")
    wait_for(lambda: len(door.seen) >= 7, lambda: f"{origin}: {len(door.seen)} of 7 requests arrive, {came_to}")
    door.close()
    said = {seen.headers.get("origin", origin) for seen in door.seen}
    statuses = {seen.status for seen in door.seen}
    passed = [way for way, what in came_to.items() if what not in (REFUSED, "refused")]
    named = [seen for seen in door.seen if b"access-control" in seen.answer.lower()]
    claim(
        not passed and not named and statuses == {403} and len(said) == 1,
        f"{origin}: {len(door.seen)} of {len(door.seen)} requests refused", (came_to, said, statuses),
    )


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]))
