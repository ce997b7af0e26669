"""Claims, one a line, with the figure that was seen; the first that does not hold ends the run."""

import sys
import time

BEGUN = time.monotonic()


def claim(holds, what, told=""):
    """Prints a claim; where it does not hold, says what was seen, and ends with 1."""
    at = f"{time.monotonic() - BEGUN:6.1f} s"
    if holds:
        print(f"{at}  {what}", flush=True)
    else:
        print(f"{at}  BROKEN: {what}\n{told}", file=sys.stderr, flush=True)
        sys.exit(1)
