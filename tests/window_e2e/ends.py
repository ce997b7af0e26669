"""A signal ends the window as its user would: soon, with everything kept; and while nobody touches it, it rests.

    ends.py PATH/TO/lunette

Run by `run`. Each window has its own service inside, with data of its own.
"""

import json
import pathlib
import signal
import socket
import sys
import tempfile
import time
import urllib.request

from journey import ticks
from opened import Window, claim, is_free, is_set, kept, names, service
from tree import keys, waited

FILES = 1_500
MANY = 10_000
QUIET = 5.0  # Seconds in which an idle window does nothing at all.
SOON = 10.0  # Seconds: ten times what it takes on a machine that does nothing else.


def is_kept(data):
    """Asserts that an end folded the log into the database and kept the settings."""
    assert not list(data.glob("lunette*-wal")), list(data.iterdir())
    assert is_set(data, "Light", "theme")


def chosen(tree):
    """Chooses the light theme, so that there is something to keep."""
    tree.wait("~connected", "push button")
    tree.press("Preferences", "push button")
    tree.press("Light", "radio button")
    tree.press("Close", "push button")


def starts_again(program, data, at_least):
    """Asserts that the next start has it all."""
    with Window(program, data, "--embedded") as window:
        url = f"http://127.0.0.1:{window.port()}"
        window.tree().wait("~connected", "push button")
        there = names(url)
        assert at_least <= there, sorted(at_least - there)
        code, _ = window.told(signal.SIGTERM)
        assert code == 0, code


def an_idle_window(program, data, number):
    kept(data, theme="Dark")
    with Window(program, data, "--embedded") as window:
        chosen(window.tree())
        port = window.port()
        code, took = window.told(number)
    assert code == 0 and took < SOON, (code, took)
    assert is_free(port)
    is_kept(data)
    starts_again(program, data, set())
    return f"{number.name} while it rests: ended with 0 after {took:.2f} s, nothing left behind, starts again"


def a_window_that_imports(program, data, number):
    files = data.parent / "files"
    files.mkdir()
    for place in range(FILES):
        (files / f"{place:04}.rs").write_text(f"fn number_{place}() {{}}\n" * 20, encoding="utf-8")
    kept(data, theme="Dark")
    with Window(program, data, "--embedded") as window:
        tree = window.tree()
        chosen(tree)
        port = window.port()
        url = f"http://127.0.0.1:{port}"
        tree.press("Import", "push button")
        tree.press("From a path…", "push button")
        tree.type("Path to import", str(files))
        keys("Return")
        before = waited(lambda: len(there := names(url)) >= 50 and there, "some of the files at the service")
        code, took = window.told(number)
    assert len(before) < FILES, "it was over before the signal"
    assert code == 0 and took < SOON, (code, took)
    assert is_free(port)
    is_kept(data)
    starts_again(program, data, before)
    return f"{number.name} with {len(before)} of {FILES} files imported: ended with 0 after {took:.2f} s, all kept"


def a_window_with_a_client_that_waits(program, data, number):
    kept(data, theme="Dark")
    with Window(program, data, "--embedded") as window:
        chosen(window.tree())
        port = window.port()
        with socket.create_connection(("127.0.0.1", port)) as half:
            half.sendall(b"POST /assets/create HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n")
            code, took = window.told(number)
    assert code == 0 and took < SOON, (code, took)
    is_kept(data)
    return f"{number.name} with half a request open: ended with 0 after {took:.2f} s"


def filled(program, data, count):
    """Makes a store of so many assets, each with a tag."""
    application = {"id": "00000003-0000-4000-8000-000000000003", "name": "OPEN_SOURCE", "version": "1",
                   "platform": "LINUX", "onboarded": False, "privacy": "OPEN"}

    def seed(number):
        return {"type": "SEEDED_ASSET", "asset": {
            "application": application, "format": {"fragment": {"string": {"raw": f"text {number}"}}},
            "metadata": {"name": f"{number}.txt", "tags": [{"text": f"tag {number % 100}"}]}}}

    with service(program, data) as url:
        for first in range(0, count, 250):
            body = json.dumps({"iterable": [seed(first + place) for place in range(250)]}).encode()
            request = urllib.request.Request(f"{url}/assets/create/batch", body, {"Content-Type": "application/json"})
            with urllib.request.urlopen(request) as answer:
                assert answer.status == 200, answer.status


def an_idle_window_rests(program, data, count):
    if count:
        filled(program, data, count)
    kept(data, theme="Dark")
    log = {"LUNETTE_LOG": "warn,winit=error,lunette::frame=trace"}
    with Window(program, data, "--embedded", **log) as window:
        window.tree().wait("~connected", "push button")
        state = lambda: (window.text().count("a frame is drawn"), ticks(window.process.pid))
        known, since = state(), time.monotonic()
        end = since + 60.0
        while time.monotonic() - since < QUIET:
            time.sleep(0.25)
            now = state()
            if now != known:
                known, since = now, time.monotonic()
            assert time.monotonic() < end, f"it did not rest for {QUIET} s; frames and ticks: {known}"
        assert known[0] > 0, "its frames are counted"
    return f"0 frames and 0 ticks in {QUIET:.0f} s at rest with {count:,} assets, its service inside; {known[0]} frames before"


SIGNALS = [
    (an_idle_window, signal.SIGTERM), (an_idle_window, signal.SIGINT),
    (a_window_that_imports, signal.SIGTERM), (a_window_that_imports, signal.SIGINT),
    (a_window_with_a_client_that_waits, signal.SIGTERM),
]


def main(program):
    for shown, number in SIGNALS:
        with tempfile.TemporaryDirectory() as folder:
            claim("ends", shown(program, pathlib.Path(folder) / "data", number))
    for count in (0, MANY):
        with tempfile.TemporaryDirectory() as folder:
            claim("ends", an_idle_window_rests(program, pathlib.Path(folder) / "data", count))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
