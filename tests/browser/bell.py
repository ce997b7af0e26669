"""The window's own listener, by which a later start brings it forward, and a page: python3 bell.py PATH/TO/lunette

What is proven: a page that knew the port and even the secret word, and sends the right message as the body of every kind of
request that carries one, is not answered with a single byte: what a browser sends first is not a message. The same message
from a program is answered. It needs a screen of its own (Xvfb).
"""

import json
import os
import shutil
import socket
import socketserver
import subprocess
import sys
import tempfile
import threading

from chromium import Chromium, wait_for
from claims import claim
from door import Attacker

PAGES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "pages")
# Each sends the message as far as its kind of request can.
WAYS = """async (to, message) => {
  const ask = (options) => fetch(to, { method: "POST", mode: "no-cors", ...options }).then(() => "answered", (error) => error.name);
  const form = (encoding) => {
    const element = document.createElement("form");
    Object.assign(element, { action: to, method: "post", enctype: encoding, target: encoding });
    const frame = document.createElement("iframe");
    frame.name = encoding;
    const field = document.createElement("input");
    // In a text form it is the name and the value with an equals sign between; a message that is cut there is whole again.
    [field.name, field.value] = encoding === "text/plain" ? [message.slice(0, -1) + ',"x":"', '"}'] : ["x", message];
    element.append(field);
    document.body.append(frame, element);
    element.submit();
  };
  for (const encoding of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]) form(encoding);
  new WebSocket(to.replace("http", "ws"));
  navigator.sendBeacon(to, message);
  new Image().src = to + "?" + encodeURIComponent(message);
  return Promise.all([ask({ body: message }), ask({ body: new Blob([message]) }), ask({ body: "\\n" + message }), ask({}),
    fetch(to).then(() => "answered", (error) => error.name)]);
}"""


class Wire(socketserver.ThreadingTCPServer):
    """Hands every byte on to a listener, and notes how many requests came and what it said to them."""

    allow_reuse_address, daemon_threads = True, True

    def __init__(self, port):
        self.to, self.came, self.said = port, [], []
        super().__init__(("127.0.0.1", 0), Visit)
        self.port = self.server_address[1]
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.1}, daemon=True).start()


class Visit(socketserver.BaseRequestHandler):
    def handle(self):
        with dialled(self.server.to) as listener:
            threading.Thread(target=self.forward, args=(listener,), daemon=True).start()
            said = b""
            try:
                while chunk := listener.recv(65536):
                    said += chunk
                    self.request.sendall(chunk)
            except OSError:
                pass
            self.server.said.append(said)

    def forward(self, listener):
        came = b""
        try:
            while chunk := self.request.recv(65536):
                if not came:
                    self.server.came.append(chunk.split(b"\r\n", 1)[0])
                came += chunk
                listener.sendall(chunk)
        except OSError:
            pass


def dialled(port):
    return socket.create_connection(("127.0.0.1", port), timeout=30)


class Window:
    """The program with its window on a screen nobody sees. Use it in a `with`."""

    def __init__(self, program):
        self.folder = tempfile.TemporaryDirectory(prefix="lunette-window-", ignore_cleanup_errors=True)
        self.data = os.path.join(self.folder.name, "data")
        number, told = os.pipe()
        screen = ["Xvfb", f":{1000 + os.getpid() % 50000}", "-displayfd", str(told), "-noreset", "-screen", "0", "1000x700x24", "-nolisten", "tcp"]
        self.screen = subprocess.Popen(screen, pass_fds=(told,), stderr=subprocess.DEVNULL)
        os.close(told)
        # It says the number, and then ends the line: who hears only the one makes it fail at the other.
        with os.fdopen(number) as said:
            display = ":" + said.readline().strip()
        environment = {**os.environ, "DISPLAY": display, "LIBGL_ALWAYS_SOFTWARE": "1", "HOME": self.folder.name}
        environment.pop("WAYLAND_DISPLAY", None)
        command = [program, "--embedded", "--data", self.data]
        self.process = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in (self.process, self.screen):
            process.kill()
            process.wait()
        self.folder.cleanup()

    def told(self):
        """Where it listens, and the word that it heeds."""
        path = os.path.join(self.data, "window.address")
        wait_for(lambda: os.path.exists(path) or self.process.poll() is not None, "the window listens")
        claim(self.process.poll() is None, "the window listens", self.process.returncode)
        claim(os.stat(path).st_mode & 0o777 == 0o600, "where it listens can be read by the user alone", oct(os.stat(path).st_mode))
        with open(path, encoding="utf-8") as file:
            return json.load(file)


def main(program):
    claim(shutil.which("Xvfb"), "there is a screen for a window: Xvfb is installed (Debian: xvfb)", None)
    evil = Attacker(PAGES)
    with Window(program) as window, Chromium("--host-resolver-rules=MAP evil.test 127.0.0.2") as browser:
        told = window.told()
        message = json.dumps({"word": told["word"], "wish": {"target": None, "link": None, "paths": []}}, separators=(",", ":")) + "\n"
        wire = Wire(told["port"])
        page = browser.page()
        page.goto(f"http://evil.test:{evil.port}/echo")
        came_to = page.run(f"({WAYS})('http://127.0.0.1:{wire.port}/', {json.dumps(message)})")
        wait_for(lambda: len(wire.came) >= 11 and len(wire.said) >= 11, lambda: f"11 requests arrive: {wire.came}")
        page.close()
        claim("answered" not in came_to, f"{len(came_to)} requests of a script came to nothing", came_to)
        answered = [said for said in wire.said if said]
        claim(not answered, f"{len(wire.said)} requests with the word in them are not answered with one byte", answered)
        with dialled(wire.port) as program_of_ours:
            program_of_ours.sendall(message.encode())
            reply = program_of_ours.makefile().readline()
        claim("Shown" in reply, f"the same message from a program is answered ({reply.strip()})", reply)
        wire.shutdown()
    evil.close()


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]))
