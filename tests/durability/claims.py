"""How a script says what it found: one line a claim, the first broken one ends it."""

import argparse
import os
import pathlib
import shutil
import sys
import time

BEGAN = time.monotonic()


def arguments(doc):
    """The program under test, and whether all the counts are wanted."""
    parser = argparse.ArgumentParser(description=doc)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--full", action="store_true", help="the large counts, by hand")
    given = parser.parse_args()
    given.program = given.program.resolve()
    return given


def holds(claim, figure, true=True):
    """Says that a claim holds, with its figure; ends the script where it does not."""
    moment = f"{time.monotonic() - BEGAN:6.1f} s"
    print(f"  {moment}  {'holds ' if true else 'BROKEN'}  {claim}: {figure}", flush=True)
    if not true:
        sys.exit(1)


def awaited(claim, figure, true):
    """A claim that does not hold yet and is known not to: said, and no end of the script."""
    if true:
        return holds(claim, figure)
    print(f"            AWAITED {claim}: {figure}", flush=True)


def skipped(claim, reason):
    """Says that a claim was not looked at, and why."""
    print(f"            skipped {claim}: {reason}", flush=True)


def nothing_lost(claim, ledger, found, figure=""):
    """No acknowledged value is missing among what was read back."""
    lost = ledger.lost(found)
    for sentence in lost[:5]:
        print(f"    lost: {sentence}", flush=True)
    if lost:
        holds(claim, f"{len(lost)} of {len(ledger.acked)} acknowledged values lost {figure}", False)


def tool(name):
    """The path of a program, or None."""
    return shutil.which(name)


def root():
    return os.geteuid() == 0


def needs(program, package=None):
    """Ends the script as failed where a program is missing: a claim that is not looked at is not one that holds."""
    if not tool(program):
        sys.exit(f"this needs {program}, which is not installed (Debian: {package or program})")


def needs_root(what):
    """Ends the script as failed where it is not run by root: a claim that is not looked at is not one that holds."""
    if not root():
        sys.exit(f"this needs root, since {what}: run it by sudo")
