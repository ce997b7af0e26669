"""A Chromium without a screen, spoken to over a pipe (the DevTools protocol): pages, what runs in them, what they ask for."""

import itertools
import json
import os
import queue
import shutil
import subprocess
import tempfile
import threading
import time

PATIENCE = 60
NAMES = ["chromium", "chromium-browser", "google-chrome"]
# Nothing but what a page asks for leaves: no updates, no first-run pages, no guesses at what is looked at next.
QUIET = [
    "--headless=new", "--no-sandbox", "--no-first-run", "--no-default-browser-check", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-default-apps", "--disable-extensions", "--mute-audio",
    "--disable-gpu", "--disable-dev-shm-usage", "--disable-popup-blocking", "--remote-debugging-pipe",
    "--autoplay-policy=no-user-gesture-required",
]


def program():
    """The browser of this machine, or None."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class Broken(Exception):
    """The browser refused a command, or did not answer."""


class Chromium:
    """One browser with a profile of its own. Use it in a `with`."""

    def __init__(self, *options):
        self.profile = tempfile.TemporaryDirectory(prefix="lunette-browser-", ignore_cleanup_errors=True)
        command = [program(), *QUIET, f"--user-data-dir={self.profile.name}", *options, "about:blank"]
        to_browser, self.out = os.pipe()
        self.back, from_browser = os.pipe()
        # The browser reads commands from descriptor 3 and answers on 4.
        shell = f'exec "$@" 3<&{to_browser} 4>&{from_browser}'
        self.process = subprocess.Popen(
            ["bash", "-c", shell, "chromium", *command], pass_fds=(to_browser, from_browser),
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
        )
        os.close(to_browser)
        os.close(from_browser)
        self.numbers = itertools.count(1)
        self.waiting, self.pages = {}, {}
        self.lock = threading.Lock()
        threading.Thread(target=self._listen, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.ask("Browser.close")
        except (Broken, OSError):
            self.process.kill()
        try:
            self.process.wait(timeout=15)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.out)
        self.profile.cleanup()

    def ask(self, method, session=None, **parameters):
        """One command and its answer."""
        number, answer = next(self.numbers), queue.Queue()
        message = {"id": number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        with self.lock:
            self.waiting[number] = answer
            os.write(self.out, json.dumps(message).encode() + b"\0")
        try:
            said = answer.get(timeout=PATIENCE)
        except queue.Empty:
            raise Broken(f"no answer to {method}") from None
        if "error" in said:
            raise Broken(f"{method}: {said['error'].get('message')}")
        return said["result"]

    def page(self, **settings):
        """A new, empty page."""
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        return Page(self, target, session, **settings)

    def targets(self):
        return self.ask("Target.getTargets")["targetInfos"]

    def close_others(self, *kept):
        """Closes what pages opened."""
        kept = {page.target for page in kept}
        for target in self.targets():
            if target["type"] == "page" and target["targetId"] not in kept and target["url"] != "about:blank":
                self.ask("Target.closeTarget", targetId=target["targetId"])

    def _listen(self):
        rest = b""
        while chunk := os.read(self.back, 1 << 20):
            *whole, rest = (rest + chunk).split(b"\0")
            for message in map(json.loads, whole):
                if answer := self.waiting.pop(message.get("id"), None):
                    answer.put(message)
                elif page := self.pages.get(message.get("sessionId")):
                    page.heard(message)
        os.close(self.back)


class Page:
    """One page, and what was heard of it: requests, dialogs, words on the console."""

    def __init__(self, browser, target, session):
        self.browser, self.target, self.session = browser, target, session
        self.requests, self.dialogs, self.console = [], [], []
        browser.pages[session] = self
        for domain in ["Page", "Runtime", "Network"]:
            self.ask(f"{domain}.enable")

    def ask(self, method, **parameters):
        return self.browser.ask(method, self.session, **parameters)

    def heard(self, message):
        method, said = message.get("method"), message.get("params", {})
        if method == "Network.requestWillBeSent":
            self.requests.append(said["request"]["url"])
        elif method == "Runtime.consoleAPICalled":
            self.console.append(" ".join(str(part.get("value")) for part in said["args"]))
        elif method == "Page.javascriptDialogOpening":
            self.dialogs.append(said["message"])
            # Not from this thread: it is the one that hears the answer.
            threading.Thread(target=self._dismiss, daemon=True).start()

    def _dismiss(self):
        """Closes a dialog; it is told of a moment before it can be closed."""
        for _ in range(100):
            try:
                return self.ask("Page.handleJavaScriptDialog", accept=False)
            except Broken:
                time.sleep(0.05)

    def goto(self, url):
        """Opens an address, and waits until the document has been read; what it loads may still come."""
        self.ask("Page.navigate", url=url)
        self.until(f"location.href == {json.dumps(url)} && document.readyState != 'loading'")

    def run(self, script):
        """The value of an expression in the page; a promise is waited for."""
        said = self.ask("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in said:
            raise Broken(f"{script[:80]}: {said['exceptionDetails'].get('exception', {}).get('description')}")
        return said["result"].get("value")

    def until(self, condition):
        def holds():
            try:
                return self.run(condition)
            except Broken:
                return False  # The page is being changed for another.
        wait_for(holds, condition)

    def close(self):
        self.browser.pages.pop(self.session, None)
        self.browser.ask("Target.closeTarget", targetId=self.target)


def wait_for(holds, what, patience=PATIENCE):
    """Waits for a state, and fails where it does not come."""
    until = time.monotonic() + patience
    while not holds():
        if time.monotonic() > until:
            raise Broken(f"it did not come to be: {what() if callable(what) else what}")
        time.sleep(0.02)
