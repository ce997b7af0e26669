"""Measures Lunette against its peers, row by row, and writes the table of all rows into benches/README.md.

A row is a function that returns what was measured, the ratio, and its budget. Both sides of a row run in turn on the
same machine in the same run. A row whose peer cannot be had stands in the table with the reason.
"""

import argparse
import datetime
import os
import pathlib
import platform
import re
import sys
import tempfile
from dataclasses import dataclass

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
README = ROOT / "benches" / "README.md"
BEGIN, END = "<!-- peers: begin -->", "<!-- peers: end -->"


class Missing(Exception):
    """A peer that this machine does not have, with the reason."""


@dataclass
class Result:
    """One row of the table. `ratio` is ours to the peer's; `better` says whether a larger ratio is better."""

    what: str
    ours: str
    peer: str
    ratio: float | None
    budget: float | None
    better: str = "larger"

    def met(self):
        if self.ratio is None or self.budget is None:
            return "not measured" if self.ratio is None else ""
        within = self.ratio >= self.budget if self.better == "larger" else self.ratio <= self.budget
        return "yes" if within else "**no**"

    def cells(self):
        sign = "≥" if self.better == "larger" else "≤"
        ratio = "" if self.ratio is None else f"{self.ratio:.2f}"
        budget = "" if self.budget is None else f"{sign} {self.budget:g}"
        return [self.what, self.ours, self.peer, ratio, budget, self.met()]


def machine():
    """The machine, in a sentence."""
    model = re.search(r"model name\s*:\s*(.*)", pathlib.Path("/proc/cpuinfo").read_text())
    memory = re.search(r"MemTotal:\s*(\d+)", pathlib.Path("/proc/meminfo").read_text())
    name = re.sub(r"\s+", " ", model.group(1)) if model else platform.processor()
    return f"{os.cpu_count()} cores ({name}), {int(memory.group(1)) // 1_000_000} GB, Linux {platform.release().split('-')[0]}"


def table(results):
    head = ["", "Lunette", "peer", "ratio", "budget", "met"]
    rows = [head, ["---"] * len(head), *(result.cells() for result in results)]
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def write(results):
    """Replaces the table in benches/README.md."""
    text = README.read_text()
    began, ended = text.index(BEGIN) + len(BEGIN), text.index(END)
    said = f"\n{datetime.date.today()}, {machine()}.\n\n{table(results)}\n"
    README.write_text(text[:began] + said + text[ended:])


def main():
    sys.path.insert(0, str(ROOT / "tests" / "durability"))
    import files
    import web

    rows = {**web.ROWS, **files.ROWS}
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", type=pathlib.Path, help="the release build of lunette")
    parser.add_argument("rows", nargs="*", help="which rows; without any, all of them, and the table is written")
    parser.add_argument("--list", action="store_true", help="print the names of the rows")
    arguments = parser.parse_args()
    if arguments.list:
        print("\n".join(rows))
        return
    results = []
    for name in arguments.rows or rows:
        print(f"{name} …", file=sys.stderr, flush=True)
        with tempfile.TemporaryDirectory() as folder:
            try:
                results += rows[name](arguments.program.resolve(), pathlib.Path(folder))
            except Missing as reason:
                results.append(Result(name, "", str(reason), None, None))
    print(table(results))
    if not arguments.rows:
        write(results)


if __name__ == "__main__":
    main()
