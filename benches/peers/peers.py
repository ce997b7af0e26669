"""Measures Lunette against its peers, row by row, and writes the table of all rows into benches/README.md.

A row is a function that returns what was measured, the ratio, and its budget. Both sides of a row run in turn on the
same machine in the same run. A row whose peer cannot be had, or that fails, is in the table with the reason.
"""

import argparse
import datetime
import os
import pathlib
import platform
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "durability"))

from measure import Missing, Result, Setup, built  # noqa: E402

README = ROOT / "benches" / "README.md"
BEGIN, END = "<!-- peers: begin -->", "<!-- peers: end -->"


def rows():
    """All rows, by name, in the order of the table."""
    import files
    import growth
    import instructions
    import lists
    import search
    import web
    import window

    return {**web.ROWS, **instructions.ROWS, **lists.ROWS, **files.ROWS, **search.ROWS, **window.ROWS, **growth.ROWS}


def machine():
    """The machine, in a sentence."""
    model = re.search(r"model name\s*:\s*(.*)", pathlib.Path("/proc/cpuinfo").read_text())
    memory = re.search(r"MemTotal:\s*(\d+)", pathlib.Path("/proc/meminfo").read_text())
    name = re.sub(r"\s+", " ", model.group(1)) if model else platform.processor()
    system = platform.release().split("-")[0]
    return f"{os.cpu_count()} cores ({name}), {int(memory.group(1)) // 1_000_000} GB, Linux {system}"


def table(results):
    head = ["", "Lunette", "peer", "ratio", "budget", "met"]
    lines = [head, ["---"] * len(head), *(result.cells() for result in results)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def write(results):
    """Replaces the table in benches/README.md."""
    text = README.read_text()
    began, ended = text.index(BEGIN) + len(BEGIN), text.index(END)
    said = f"\n{datetime.date.today()}, {machine()}.\n\n{table(results)}\n"
    README.write_text(text[:began] + said + text[ended:])


def measured(name, measure, setup):
    """The results of a row, or the reason why there are none."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        try:
            results = measure(setup, pathlib.Path(folder))
        except Missing as reason:
            results = [Result(name, "", str(reason), None, None)]
        except (AssertionError, OSError, ValueError, LookupError, subprocess.SubprocessError) as problem:
            reason = re.sub(r"\s+", " ", f"failed: {problem!r}").replace("|", "/")
            results = [Result(name, "", reason[:300], None, None)]
    print(f"{name}: {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
    return results


def main():
    known = rows()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows", nargs="*", help="which rows; without any, all of them, and the table is written")
    parser.add_argument("--list", action="store_true", help="print the names of the rows")
    parser.add_argument("--quick", action="store_true",
                        help="small counts and short rounds, to try the rows; the table is not written")
    parser.add_argument("--million", action="store_true",
                        help="growth up to 1,000,000 assets as well, and the rows and the list of the window with as many")
    arguments = parser.parse_args()
    if arguments.list:
        print("\n".join(known))
        return
    if unknown := [name for name in arguments.rows if name not in known]:
        parser.error(f"no such row: {', '.join(unknown)}; see --list")
    with tempfile.TemporaryDirectory() as folder:
        setup = Setup(built(ROOT), pathlib.Path(folder), arguments.quick, arguments.million)
        results = []
        for name in arguments.rows or known:
            new = measured(name, known[name], setup)
            results += new
            # A run that is cut off has said what it found.
            print(*(" | ".join(result.cells()) for result in new), sep="\n", file=sys.stderr, flush=True)
    print(table(results))
    if not arguments.rows and not arguments.quick:
        write(results)


if __name__ == "__main__":
    main()
