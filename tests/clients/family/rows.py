"""What a client can do: a row each, printed as a line of JSON."""

import json
import sys
import traceback


def tried(what, attempt, why=""):
    """Whether an attempt succeeds, which is that it returns something true; `why` says why it cannot."""
    try:
        works = bool(attempt())
        problem = "" if works else "it returned nothing"
    except Exception as error:
        works, problem = False, f"{type(error).__name__}: {str(error)[:300]}"
        if not why:
            problem += "\n" + traceback.format_exc(limit=-3)
    return {"what": what, "works": works, "why": why, "problem": problem}


def row(what, attempt, why=""):
    """Prints the row of an attempt, with the end of its line in one piece: a client may print on threads of its own."""
    sys.stdout.write(json.dumps(tried(what, attempt, why)) + "\n")
    sys.stdout.flush()
