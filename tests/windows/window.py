"""The window of the program for Windows, driven by keyboard on a virtual screen.

    python window.py

Each step is checked over HTTP at the built-in service, or on disk. The accessibility tree is not checked: wine does not
pass it on.
"""

import json
import os
import pathlib
import subprocess
import time
import urllib.request

from machine import fresh, run, start, unix, until

QUIET = 5.0  # Seconds in which an idle window draws nothing.
PICTURES = os.environ.get("LUNETTE_WINDOWS_PICTURES")


def xdotool(*arguments):
    return subprocess.run(["xdotool", *arguments], capture_output=True, text=True, check=False).stdout.split()


def windows(title):
    return xdotool("search", "--onlyvisible", "--name", title)


def colours(picture):
    """Returns how many colours a picture has; few if the window was not drawn."""
    counted = subprocess.run(["identify", "-format", "%k", picture], capture_output=True, text=True, check=True)
    return int(counted.stdout)


class Window:
    def __init__(self, data, work):
        self.data, self.work = data, work
        self.log = open(pathlib.Path(work, "log"), "w+b")
        os.environ["LUNETTE_LOG"] = "lunette::frame=trace"
        self.process = start("--embedded", "--data", data, stdout=self.log, stderr=self.log)
        del os.environ["LUNETTE_LOG"]
        self.id = until(lambda: windows("^Lunette$"), "the window")[0]
        address = unix(f"{data}\\lunette.address")
        until(lambda: address.exists() and unix(f"{data}\\window.address").exists(), "the addresses")
        self.url = f"http://127.0.0.1:{json.loads(address.read_text())['port']}"
        until(lambda: self.frames() > 3, "the first frames")
        xdotool("windowfocus", "--sync", self.id)

    def ask(self, path):
        with urllib.request.urlopen(self.url + path, timeout=30) as answer:
            return json.load(answer)

    def assets(self):
        return {asset["name"]: asset for asset in self.ask("/assets?transferables=false")["iterable"]}

    def tags(self, asset):
        tags = self.ask(f"/asset/{asset['id']}?transferables=false").get("tags") or {}
        return [tag["text"] for tag in tags.get("iterable", [])]

    def frames(self):
        return pathlib.Path(self.log.name).read_bytes().count(b"a frame is drawn")

    def still(self):
        """Waits until the window draws nothing for a moment; 3 s at most, since a blinking cursor is drawn too."""
        last, end = -1, time.monotonic() + 3.0
        while last != self.frames() and time.monotonic() < end:
            last = self.frames()
            time.sleep(0.4)

    def keys(self, *keys):
        for key in keys:
            xdotool("key", "--clearmodifiers", key)
            self.still()

    def type(self, text):
        xdotool("type", "--delay", "30", text)
        self.still()

    def command(self, title):
        """Runs a command from the palette."""
        self.keys("ctrl+k")
        self.type(title)
        self.keys("Return")

    def picture(self, name):
        self.still()
        path = pathlib.Path(PICTURES or self.work, f"{name}.png")
        subprocess.run(["import", "-window", "root", path], check=True)
        assert colours(path) > 50, f"{name}: the window is not drawn"


def samples(window):
    window.picture("welcome")
    window.command("Import samples")
    until(lambda: len(window.assets()) == 8, "the samples")
    window.picture("assets")


def second_start_and_link(window):
    made = window.assets()["moon_phase.rs"]
    shown = run("open", f"lunette://asset/{made['id']}", "--data", window.data)
    assert shown.code == 0 and "shown in the window already open" in shown.err, shown
    assert len(windows("^Lunette$")) == 1, "a second window"
    window.still()
    window.picture("link")


def tag(window):
    made = window.assets()["moon_phase.rs"]
    xdotool("windowfocus", "--sync", window.id)
    window.keys("ctrl+t")
    window.type("lunar")
    window.keys("Return")
    until(lambda: window.tags(made) == ["lunar"], "the tag")
    window.keys("Escape")
    window.picture("tagged")


def idle(window):
    window.still()
    time.sleep(2)
    before = window.frames()
    time.sleep(QUIET)
    assert window.frames() == before, f"{window.frames() - before} frames in {QUIET} idle seconds"


def about(window):
    window.command("About Lunette")
    window.picture("about")
    window.keys("Escape")


def quit_and_open_again(window):
    window.keys("ctrl+q")
    assert window.process.wait(timeout=30) == 0
    assert not unix(f"{window.data}\\window.address").exists()
    again = Window(window.data, window.work)
    assert len(again.assets()) == 8
    again.process.kill()
    # A kill leaves nothing in the way.
    third = Window(window.data, window.work)
    third.keys("ctrl+q")
    assert third.process.wait(timeout=30) == 0


def main():
    work = unix(fresh("work"))
    window = Window(fresh("window") + "\\data ü", str(work))
    for step in (samples, second_start_and_link, tag, about, idle, quit_and_open_again):
        step(window)
        print(f"windows: window: {step.__name__.replace('_', ' ')}", flush=True)


main()
