"""A page whose name was made to lead to this machine (DNS rebinding), in a real Chromium: python3 rebound.py PATH/TO/lunette

What is proven: a page that came from a server of its own, and whose name then leads to the service, may read every answer
as its own. It gets the same 403 for every operation that writes, for reads, and for every header by which servers behind
others are told another host; and under no name that looks like one of this machine is that different. The same requests
reach a server without a guard, so it is not the browser that holds them back.
"""

import json
import os
import sys

from chromium import Chromium
from claims import claim
from door import Door, to_service, unguarded
from service import Service

# Names that lead here, and that a careless comparison takes for a name of this machine.
HOSTS = [
    "rebind.test", "localhost.evil.test", "127.0.0.1.nip.io", "evil-localhost", "xlocalhost", "a.localhost",
    "localhost.localdomain", "host.docker.internal", "lunette.local", "localhost.localhost", "127.0.0.1.evil.test",
]
# What the browser itself asks of every page's server.
ICON = "/favicon.ico"
# What proxies say of the host that was asked, and what some servers take for a method or a target.
SPOOFS = [
    {},
    {"X-Forwarded-Host": "localhost"},
    {"Forwarded": "host=localhost;proto=http;for=127.0.0.1"},
    {"X-Forwarded-For": "127.0.0.1", "X-Real-IP": "127.0.0.1", "X-Forwarded-Proto": "http", "X-Forwarded-Port": "80"},
    {"X-Host": "localhost", "X-Original-Host": "localhost", "X-Forwarded-Server": "localhost", "X-HTTP-Host-Override": "localhost"},
    {"X-HTTP-Method-Override": "GET", "X-Original-URL": "/.well-known/health", "X-Rewrite-URL": "/.well-known/health"},
    {"Authorization": "Bearer x", "X-Application-ID": "x", "X-Requested-With": "XMLHttpRequest"},
]
PAGE = b"<!DOCTYPE html><title>A page that came before its name led here</title>"
BLANK = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s" % (len(PAGE), PAGE)

# Asks for everything that is on the list, and gives how often each status came, and how many different bodies.
ASK = """async (calls) => {
  const told = { statuses: {}, bodies: [] };
  const one = async ([path, method, headers, body]) => {
    let status = "failed";
    try {
      const answer = await fetch(path, { method, headers, body: method === "GET" ? undefined : body });
      status = answer.status;
      const text = await answer.text();
      if (!told.bodies.includes(text)) told.bodies.push(text);
    } catch (error) { told.error = String(error); }
    told.statuses[status] = (told.statuses[status] || 0) + 1;
  };
  for (let at = 0; at < calls.length; at += 6) await Promise.all(calls.slice(at, at + 6).map(one));
  return told;
}"""


def calls(service, asset, tag):
    """Every operation that writes, some that read, and what is for assistants, each with all that a page can say of itself."""
    known = {"asset": asset, "tag": tag}
    asked = [("/assets", "GET"), (f"/asset/{asset}", "GET"), ("/.well-known/health", "GET"), *service.writes()]
    asked += [("/mcp", method) for method in ["GET", "POST", "DELETE"]]
    for path, method in asked:
        for name, value in known.items():
            path = path.replace("{%s}" % name, value)
        for spoof in SPOOFS:
            yield path, method, {"Content-Type": "application/json", **spoof}, "{}"
    for body_type in ["text/plain", "application/x-www-form-urlencoded", ""]:
        yield f"/asset/{asset}/tags/associate/{tag}", "POST", {"Content-Type": body_type} if body_type else {}, ""


def before_it_led_here(answer):
    """The attacker's own page, which this name led to before; all else goes on."""
    return lambda raw, seen: BLANK if seen.path == "/page" else answer(raw, seen)


def ask_from(browser, host, answer, asked):
    """What a page under this name is told; and all that came to the door."""
    door = Door(before_it_led_here(answer))
    page = browser.page()
    page.goto(f"http://{host}:{door.port}/page")
    told = page.run(f"({ASK})({json.dumps(asked)})")
    page.close()
    door.close()
    return told, [seen for seen in door.seen if seen.path not in ("/page", ICON)]


def main(program):
    with Service(program) as service:
        asset, tag = service.asset("kept.rs", "fn main() {}\n"), service.make("tagsCreateNewTag", text="kept")
        asked = list(calls(service, asset, tag))
        few = asked[:: len(SPOOFS)]
        names = ", ".join(f"MAP {host} 127.0.0.1" for host in HOSTS)
        with Chromium(f"--host-resolver-rules={names}") as browser:
            told, seen = ask_from(browser, "rebind.test", unguarded, asked)
            claim(
                told["statuses"] == {"200": len(asked)} and len(seen) == len(asked),
                f"a rebound page reads {len(seen)} of {len(asked)} answers of a server without a guard", told,
            )
            before, said = service.dump(), len(service.answered())
            for host in HOSTS:
                tell(service, browser, host, asked if host == "rebind.test" else few)
            passed = [entry for entry in service.answered()[said:] if entry[2] != 403]
            claim(not passed, "no request of a rebound page reached a handler", passed[:9])
            after = service.dump()
            claim(before == after, "what the service holds is unchanged", before.differing(after))


def tell(service, browser, host, asked):
    """The claim for one name."""
    said = len(service.answered())
    told, _ = ask_from(browser, host, to_service(service.port), asked)
    answered = [entry for entry in service.answered()[said:] if entry[1] != ICON]
    refused = sum(status == 403 for _, _, status in answered)
    claim(
        told["statuses"] == {"403": len(asked)} and len(told["bodies"]) == 1 and refused == len(answered) == len(asked),
        f"{host}: {refused} of {len(asked)} requests refused, in the same words", (told, answered[:5]),
    )


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]))
