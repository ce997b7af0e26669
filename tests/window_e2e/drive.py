"""Drives the real window from outside, and asks its service over HTTP what came of it.

    drive.py PATH/TO/lunette [FOLDER FOR PICTURES]

Run by `run`, which gives it a screen. Nodes are found by their accessible names; each press waits for its effect,
because presses within one frame count once.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request

from tree import Program, waited


class Window:
    """The program with its window open, on a service of its own with its data in a folder of its own."""

    def __init__(self, program, pictures):
        self.folder = tempfile.TemporaryDirectory()
        self.data = pathlib.Path(self.folder.name) / "data"
        self.pictures = pictures
        self.process = subprocess.Popen([program, "--embedded", "--data", str(self.data)])
        self.tree = Program("lunette")
        port = waited(lambda: listening(self.process.pid), "the port of the service inside")
        self.url = f"http://127.0.0.1:{port}"

    def ask(self, path):
        """What the service answers, as JSON."""
        with urllib.request.urlopen(self.url + path, timeout=30) as answer:
            return json.load(answer)

    def assets(self):
        return self.ask("/assets?transferables=false")["iterable"]

    def picture(self, name):
        """Keeps what the screen shows, for people to look at."""
        if self.pictures:
            subprocess.run(["import", "-window", "root", f"{self.pictures}/{name}.png"], check=True)

    def end(self):
        self.process.terminate()
        self.process.wait(timeout=30)
        self.folder.cleanup()


def listening(process):
    """The lowest TCP port this process listens on; None where it listens on none."""
    folder = f"/proc/{process}/fd"
    inodes = set()
    for name in os.listdir(folder):
        try:
            found = re.fullmatch(r"socket:\[(\d+)\]", os.readlink(f"{folder}/{name}"))
        except FileNotFoundError:  # Closed in the meantime.
            continue
        if found:
            inodes.add(found.group(1))
    ports = []
    with open(f"/proc/{process}/net/tcp", encoding="ascii") as table:
        for line in list(table)[1:]:
            cells = line.split()
            if cells[3] == "0A" and cells[9] in inodes:
                ports.append(int(cells[1].split(":")[1], 16))
    return min(ports, default=None)


def first_look(window):
    """Every panel is there, and the service inside answers the window."""
    for panel in ["Applications", "External", "Assets", "Operations", "Log"]:
        window.tree.wait(panel, "page tab")
    window.tree.wait("~connected", "push button")
    window.picture("empty")


def samples_become_assets(window):
    window.tree.press("Add samples", "push button")
    window.tree.wait("moon.png", "table row")
    names = {asset["name"] for asset in window.assets()}
    assert {"first steps.md", "moon_phase.rs", "moon.png"} <= names, names
    window.picture("samples")


STEPS = [first_look, samples_become_assets]


def main(program, pictures=None):
    window = Window(program, pictures)
    try:
        for step in STEPS:
            step(window)
            print("window:", step.__name__.replace("_", " "))
    except BaseException:
        window.picture("failed")
        raise
    finally:
        window.end()


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(*sys.argv[1:])
