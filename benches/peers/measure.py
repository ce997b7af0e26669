"""What the rows share: results, the programs that are measured, made stores, and medians taken in turn."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass, field


class Missing(Exception):
    """A peer that this machine does not have, with the reason."""


@dataclass
class Result:
    """One row of the table. `ratio` is ours to the peer's; `better` says whether a larger one is better.

    With a `unit`, `ratio` is a figure without a peer, such as milliseconds.
    """

    what: str
    ours: str
    peer: str
    ratio: float | None
    budget: float | None
    better: str = "larger"
    unit: str = ""

    def met(self):
        if self.ratio is None or self.budget is None:
            return "not measured" if self.ratio is None else ""
        within = self.ratio >= self.budget if self.better == "larger" else self.ratio <= self.budget
        return "yes" if within else "**no**"

    def cells(self):
        sign = "≥" if self.better == "larger" else "≤"
        ratio = "" if self.ratio is None or self.unit else f"{self.ratio:.2f}"
        budget = "" if self.budget is None else f"{sign} {self.budget:g}{' ' if self.unit else ''}{self.unit}"
        return [self.what, self.ours, self.peer, ratio, budget, self.met()]


def smaller(what, ours, peer, ratio, budget):
    """A row in which less is better."""
    return Result(what, ours, peer, ratio, budget, "smaller")


def at_most(what, value, budget, unit):
    """A row without a peer: a figure and its limit."""
    return Result(what, f"{value:,.1f} {unit}", "", value, budget, "smaller", unit)


def shown(seconds):
    """A time, in the unit that fits."""
    for unit, size in [("s", 1), ("ms", 1e-3)]:
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-6:.3g} µs"


def needs(*tools):
    for tool in tools:
        if not shutil.which(tool):
            raise Missing(f"{tool} is not installed")


def median(values):
    values = sorted(values)
    return values[len(values) // 2]


def in_turn(rounds, *measures):
    """The medians of several measures, taken in turn."""
    taken = [[measure() for measure in measures] for _ in range(rounds)]
    return [median(values) for values in zip(*taken)]


def seconds(command, **more):
    """How long a command takes. Fails if the command does."""
    began = time.monotonic()
    done = subprocess.run(command, capture_output=True, **more)
    took = time.monotonic() - began
    if done.returncode != 0:
        said = (done.stdout[-500:] + done.stderr[-500:])
        raise AssertionError(f"{command}: {said if isinstance(said, str) else said.decode(errors='replace')}")
    return took


BENCHES = ["make_store", "peer", "listing", "frame", "start", "service"]


def built(root):
    """Builds the release program and the benches that the rows run; gives the path of each by its name."""
    benches = [part for name in BENCHES for part in ("--bench", name)]
    command = ["cargo", "bench", "--locked", "--no-run", "--features", "bench", *benches, "--message-format",
               "json-render-diagnostics"]
    said = subprocess.run(command, cwd=root, check=True, text=True, stdout=subprocess.PIPE).stdout
    messages = (json.loads(line) for line in said.splitlines() if line.startswith("{"))
    programs = {}
    for message in messages:
        if message.get("executable"):
            programs[message["target"]["name"]] = pathlib.Path(message["executable"])
    return programs


UNITS = {"s": 1, "ms": 1e-3, "µs": 1e-6, "us": 1e-6, "ns": 1e-9}


@dataclass
class Setup:
    """The programs by name, a folder for the whole run, and how much is to be measured."""

    programs: dict
    folder: pathlib.Path
    quick: bool
    million: bool
    made: dict = field(default_factory=dict)

    @property
    def program(self):
        return self.programs["lunette"]

    @property
    def many(self):
        """How many assets "many" are."""
        return 10_000 if self.quick else 100_000

    @property
    def rounds(self):
        return 1 if self.quick else 3

    def store(self, count):
        """A data folder with so many assets, and a folder with their contents as files. Made once in a run."""
        if count not in self.made:
            data, contents = self.folder / f"store-{count}", self.folder / f"contents-{count}"
            took = seconds([str(self.programs["make_store"]), str(data), str(count), str(contents)])
            print(f"made a store of {count:,} assets: {took:.0f} s", file=sys.stderr, flush=True)
            self.made[count] = (data, contents)
        return self.made[count]

    def bench(self, name, *arguments, before=()):
        """Runs a bench; gives the seconds of each of its measures by name."""
        short = ["--quick"] if self.quick else []
        command = [*before, str(self.programs[name]), "--bench", *short, *arguments]
        done = subprocess.run(command, text=True, capture_output=True,
                              env={**os.environ, "CRITERION_HOME": str(self.folder / "criterion")})
        if done.returncode != 0:
            raise AssertionError(f"{name}: {done.stderr[-300:]}")
        # A long name has its own line.
        found = re.findall(r"^(\S.*?)\s+time:\s+\[\S+ \S+ ([\d.]+) (\S+) ", done.stdout, re.M)
        return {measure: float(figure) * UNITS[unit] for measure, figure, unit in found}


def memory(pid, name):
    """A figure of the process's memory, in MB."""
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(re.search(rf"^{name}:\s+(\d+)", status, re.M).group(1)) / 1_000


def reset_peak(pid):
    """Lets the kernel's peak of the process's memory begin anew."""
    pathlib.Path(f"/proc/{pid}/clear_refs").write_text("5")
