"""Whatever size, place or zoom stands in the settings, the window is on the screen, large enough, and drawn.

    laid_out.py PATH/TO/lunette

Run by `run`, on a screen of 1280 × 800.
"""

import json
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

from opened import Window, claim, kept
from tree import waited

SCREEN = (1280, 800)
SMALLEST = (800, 600)
# Numbers as they stand in the file: JSON knows no infinity, but 1e39 is one where it is read.
ABSURD = {
    "far away": ('-32000', '-32000', '1', '"left": -32000, "top": -32000,'),
    "2 × 2": ('2', '2', '1', ''),
    "beyond all numbers": ('1e39', '1e39', '1e39', ''),
    "no number": ('"NaN"', '"Infinity"', '"NaN"', ''),
    "a zoom of 1000": ('1280', '800', '1000', ''),
    "as large as any": ('16384', '16384', '3', ''),
}


def view(width, height, zoom, place):
    """A view as it stands in the settings."""
    window = f'{{{place} "width": {width}, "height": {height}, "maximised": false}}'
    return f'{{"panel": "Assets", "zoom": {zoom}, "window": {window}}}'


def is_seen(program, data, text):
    """Opens a window with these settings; its size once it is seen to be usable."""
    kept(data, **json.loads(text))
    with Window(program, data, "--embedded") as window:
        tree = window.tree()
        known = window.seen()
        waited(lambda: fits(place(known)), "a window inside the screen", outline=lambda: str(place(known)))
        tree.wait("~Connection: ", "push button")
        tree.wait("Panels", "page tab list")
        waited(lambda: colours(known) > 32, "something drawn")
        width, height = place(known)[2:]
        code, _ = window.told(signal.SIGTERM)
    assert code == 0, code
    return width, height


def place(window):
    """Where a window is, and how large: left, top, width, height."""
    told = subprocess.run(["xwininfo", "-id", window], check=True, capture_output=True, text=True).stdout
    number = lambda name: int(re.search(rf"{name}:\s+(-?\d+)", told).group(1))
    return number("Absolute upper-left X"), number("Absolute upper-left Y"), number("Width"), number("Height")


def fits(found):
    """Whether a window there can be seen and used."""
    left, top, width, height = found
    inside = left >= 0 and top >= 0 and left + width <= SCREEN[0] and top + height <= SCREEN[1]
    return inside and width >= SMALLEST[0] and height >= SMALLEST[1]


def colours(window):
    """How many colours it shows: text and signs have many."""
    command = ["import", "-window", window, "-format", "%k", "info:"]
    return int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def main(program):
    for name, (width, height, zoom, where) in ABSURD.items():
        shown = view(width, height, zoom, where)
        # What was kept of all connections before each had its own is read too, where it is a number.
        zooms = f'"zoom": {zoom}, ' if zoom != '"NaN"' else ""
        text = f'{{"look": {{"motion": "Reduced"}}, {zooms}"views": {{"embedded": {shown}}}}}'
        with tempfile.TemporaryDirectory() as folder:
            size = is_seen(program, pathlib.Path(folder) / "data", text)
        claim("laid out", f"{name}: a window of {size[0]} × {size[1]} inside the screen, drawn")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
