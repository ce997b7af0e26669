"""The real window with fixed data and fixed settings, and pictures of it."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "window_e2e"))

from opened import kept  # noqa: E402
from tree import Atspi, Program, keys, waited  # noqa: E402

SAMPLES = pathlib.Path(__file__).resolve().parents[2] / "assets" / "samples"
# What is never twice the same: times, addresses, ids, folders, counts of calls.
CHANGING = re.compile(
    r"\bago\b|\bnow\b|yesterday|today|\d+ (ms|s|min|h|µs)\b|127\.0\.0\.1|[0-9a-f]{8}-[0-9a-f]{4}|[0-9a-f]{4}…[0-9a-f]{4}|/tmp/|\d\d:\d\d|\d{4}-\d\d-\d\d"
)


def still(path):
    """A picture of the screen once it no longer changes."""
    before = None
    end = time.monotonic() + 8
    while True:
        time.sleep(0.15)
        subprocess.run(["import", "-window", "root", str(path)], check=True)
        digest = subprocess.run(["identify", "-format", "%#", str(path)], check=True, capture_output=True).stdout
        if digest == before or time.monotonic() > end:
            return
        before = digest


class Window:
    """The program with its window as large as the screen."""

    def __init__(self, program, size, settings, samples=True, arguments=()):
        self.program = program
        self.folder = tempfile.TemporaryDirectory()
        self.data = pathlib.Path(self.folder.name) / "data"
        # Nothing moves, so that two pictures of one state are the same.
        look = {"motion": "Reduced"} | settings.pop("look", {})
        kept(self.data, **{"theme": "Dark", "look": look} | settings)
        if samples:
            # One after the other, so that they are always in the same order.
            for name in sorted(os.listdir(SAMPLES)):
                command = [program, "import", str(SAMPLES / name), "--data", str(self.data)]
                subprocess.run(command, check=True, capture_output=True)
        target = arguments or ("--embedded",)
        # Not those of this machine, which are others on each.
        desktop = os.environ | {"XDG_DATA_DIRS": str(pathlib.Path(__file__).resolve().parent / "desktop")}
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self.process = subprocess.Popen([program, *target, "--data", str(self.data)], env=desktop, **quiet)
        self.tree = Program("lunette")
        find = ["xdotool", "search", "--sync", "--onlyvisible", "--name", "^Lunette"]
        self.id = subprocess.run(find, check=True, capture_output=True, text=True).stdout.split()[0]
        self.width, self.height = size
        for words in (["windowmove", self.id, "0", "0"], ["windowsize", "--sync", self.id, *map(str, size)]):
            subprocess.run(["timeout", "5", "xdotool", *words], check=False)
        subprocess.run(["xdotool", "windowfocus", self.id], check=True)
        self.away()

    def point(self, x, y):
        """Puts the pointer there."""
        subprocess.run(["xdotool", "mousemove", str(x), str(y)], check=True)

    def away(self):
        """Puts the pointer where it lights nothing up."""
        self.point(self.width - 1, self.height // 2)

    def still(self, path):
        """A picture of the screen once it no longer changes."""
        still(path)

    def masks(self):
        """Where what is never twice the same stands: left, top, width, height. What a dialog covers is not behind it."""
        behind, before, dialogs = [], [], []

        def walk(node, within):
            name, role = node.get_name() or "", node.get_role_name()
            # A node without a place of its own, as the program itself is.
            box = node.get_extents(Atspi.CoordType.WINDOW) if node.get_component_iface() else Atspi.Rect()
            place = (box.x - 2, box.y - 2, box.width + 4, box.height + 4)
            if role == "dialog":
                dialogs.append(None)
            elif within and box.width > 0 and box.height > 0:
                # The dialog has no place of its own: it is where its parts are.
                edges = dialogs[-1] or (box.x, box.y, box.x, box.y)
                dialogs[-1] = (
                    min(edges[0], box.x), min(edges[1], box.y),
                    max(edges[2], box.x + box.width), max(edges[3], box.y + box.height),
                )
            count = node.get_child_count()
            # How many calls there were is a matter of time.
            if box.width > 0 and ((not count and CHANGING.search(name)) or (role == "page tab" and name == "Log")):
                (before if within or role == "dialog" else behind).append(place)
            for number in range(count):
                child = node.get_child_at_index(number)
                if child is not None:
                    walk(child, within or role == "dialog")

        walk(self.tree.root, False)
        for dialog in filter(None, dialogs):
            behind = [part for place in behind for part in outside(place, dialog)]
        # How wide the connection is, and where the field beside it begins, depends on how fast it answered.
        bar = (190, 0, self.width - 290, 43)
        return [list(place) for place in [bar, *behind, *before]]

    def end(self):
        self.process.terminate()
        self.process.wait(timeout=30)
        self.folder.cleanup()


def outside(place, dialog):
    """What of a place is not below a dialog."""
    x, y, width, height = place
    left, top, right, bottom = dialog[0] - 16, dialog[1] - 16, dialog[2] + 16, dialog[3] + 16
    if x >= right or x + width <= left or y >= bottom or y + height <= top:
        return [place]
    parts = [(x, y, left - x, height), (right, y, x + width - right, height)]
    return [part for part in parts if part[2] > 0]


__all__ = ["Atspi", "Window", "keys", "waited"]
