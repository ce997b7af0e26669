"""A disk that fails: no failed commit is acknowledged, nothing acknowledged is lost, and one failure is over at once.

    python failing.py PATH/TO/lunette [--full]

strace has the N-th write or sync of a thread fail with EIO or ENOSPC, once or from there on. A client that writes alone
notes what it is told; afterwards the service is killed, started on a sound disk, and read back. With libfiu writes fail
at random.
"""

import pathlib
import shutil
import tempfile
import time

from claims import arguments, holds, needs, nothing_lost
from ledger import Client, Ledger, read_back
from script import write_until_gone
from service import NotStarted, Service
import strace

STEPS = 18
# What fails, how, whether from there on, and which statuses say so.
FATES = (
    ("fsync", "error=EIO", False, (500, 503)),
    ("pwrite64", "error=EIO", False, (500, 503)),
    ("pwrite64", "error=ENOSPC", False, (507, )),
    ("fsync", "error=EIO", True, (500, 503)),
    ("pwrite64", "error=EIO", True, (500, 503)),
    ("pwrite64", "error=ENOSPC", True, (507, )),
)


class Outcome:
    """What the runs of one fate came to."""

    def __init__(self):
        self.runs = self.hits = self.refused = self.acks = self.not_started = self.still_failing = self.there = 0
        self.other_statuses = {}

    def figure(self):
        return (f"{self.runs} runs, {self.hits} hit a commit, {self.refused} refused, 0 lost of {self.acks}, "
                f"{self.not_started} did not start, {self.there} refused ones were there after the crash")


def hit_log(log):
    """Whether the first failure that was injected met a commit: a write or sync of the database's log."""
    for line in log.read_text(errors="replace").splitlines():
        if "(INJECTED)" in line:
            return "-wal>" in line
    return False


def run(program, base, work, fate, number, outcome):
    """One service that meets one fate."""
    kind, what, lasting, statuses = fate
    data, log, ledger = work / "data", work / "calls.log", Ledger()
    mark = f"{kind} {what} {number}{'+' if lasting else ''}"
    shutil.copytree(base, data)
    outcome.runs += 1
    try:
        before = strace.injecting(kind, what, f"{number}{'+' if lasting else ''}", log)
        with Service(program, data, before) as service:
            refusals = write_until_gone(service.port, ledger, f"{kind}-{number}", STEPS)
            for refusal in refusals:
                if refusal.status not in statuses:
                    outcome.other_statuses.setdefault(str(refusal), mark)
            if hit_log(log):
                outcome.hits += 1
                # A deletion that meets a full disk is done again, with the space that is kept back for it.
                if not refusals and (lasting or 507 not in statuses):
                    holds("no failed commit is acknowledged", f"{mark}: no refusal", False)
            outcome.refused += len(refusals)
            if not lasting and refusals and write_until_gone(service.port, ledger, f"{kind}-{number}-after", 9):
                outcome.still_failing += 1
            client = Client(service.port)
            nothing_lost("all is readable beside a failing disk", ledger, read_back(client, ledger.acked), mark)
            client.close()
    except NotStarted as ended:
        outcome.not_started += 1
        if ended.code != 2:
            holds("a start on a failing disk ends with 2", f"{mark}: {ended}", False)
    outcome.there += after(program, data, ledger, mark)
    outcome.acks += ledger.count
    shutil.rmtree(data)


def after(program, data, ledger, mark):
    """On a sound disk again, after a kill: all is there, and writes go on. How many refused writes are there too."""
    with Service(program, data) as service:
        client = Client(service.port)
        found = read_back(client, ledger.acked)
        nothing_lost("all is there after a failing disk and a crash", ledger, found, mark)
        client.close()
        refusals = write_until_gone(service.port, Ledger(), "after", 9)
        if refusals:
            holds("writes go on on a sound disk", f"{mark}: {refusals[0]}", False)
    return ledger.unknown_done(found)


def counted(program, base, work, steps):
    """How many calls one run of so many writes makes that does not fail."""
    shutil.copytree(base, work / "data")
    with Service(program, work / "data", strace.logging(work / "calls.log")) as service:
        write_until_gone(service.port, Ledger(), "count", steps)
    shutil.rmtree(work / "data")
    return strace.counts(work / "calls.log")


def at_random(program, base, work, steps):
    """Every twentieth write fails by chance, all the time."""
    data, ledger = work / "data", Ledger()
    shutil.copytree(base, data)
    before = ["fiu-run", "-x", "-c", "enable_random name=posix/io/rw/pwrite,probability=0.05"]
    for _ in range(20):
        try:
            with Service(program, data, before) as service:
                refusals = write_until_gone(service.port, ledger, f"chance-{time.monotonic_ns()}", steps, 0.2)
            break
        except NotStarted:
            pass
    after(program, data, ledger, "at random")
    statuses = sorted({refusal.status for refusal in refusals})
    holds("of writes that fail at random none is acknowledged and lost",
          f"{len(refusals)} refused with {statuses}, 0 lost of {ledger.count}",
          len(refusals) > 0 and statuses[0] >= 500)


def over_quota(program, base, work, number):
    """A quota that is used up is told as a full disk when it is met, though SQLite knows it as a failed write only; while
    the file is read again after that, it may be told as a failing disk."""
    data, ledger = work / "data", Ledger()
    shutil.copytree(base, data)
    before = strace.injecting("pwrite64,fallocate", "error=EDQUOT", "1+")
    before[-1:] = [f"inject=pwrite64:error=EDQUOT:when={number}+", "-e", "inject=fallocate:error=EDQUOT"]
    with Service(program, data, before) as service:
        refusals = write_until_gone(service.port, ledger, "quota", STEPS)
    after(program, data, ledger, "over quota")
    statuses = [refusal.status for refusal in refusals]
    holds("a quota that is used up is answered with 507", f"{len(refusals)} refused with {sorted(set(statuses))}, 0 lost "
          f"of {ledger.count}", statuses[0] == 507 and set(statuses) <= {503, 507})
    shutil.rmtree(data)


def starting(program, base, work):
    """What a start says of a disk on which no write succeeds from its first call on: the reason that the system gave."""
    for error, words, not_said in (("EIO", "I/O error", "full"), ("ENOSPC", "full", "I/O error"),
                                   ("EDQUOT", "full", "I/O error")):
        data = work / "data"
        shutil.copytree(base, data)
        calls = "pwrite64" if error == "EIO" else "pwrite64,fallocate"
        before = strace.injecting(calls, f"error={error}", "1+")
        try:
            with Service(program, data, before):
                said = "it started"
        except NotStarted as ended:
            said = str(ended)
        good = words in said and not_said not in said
        holds(f"a start on a disk where every write fails with {error} says so", said, good)
        shutil.rmtree(data)


def main():
    given = arguments(__doc__)
    needs("strace")
    needs("fiu-run", "fiu-utils")
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        base = work / "base"
        with Service(given.program, base) as service:
            service.stop()
        at_start, calls = counted(given.program, base, work, 0), counted(given.program, base, work, STEPS)
        for fate in FATES:
            kind, what, lasting, statuses = fate
            outcome, wanted = Outcome(), 100 if given.full else 5
            numbers = {number for _, number in strace.spread({kind: calls[kind]}, wanted)}
            # The first one after the start too: nobody has read by then.
            for number in sorted(numbers | {at_start.get(kind, 0) + 2}):
                run(given.program, base, work, fate, number, outcome)
            name = f"{what.removeprefix('error=')} at {kind} N{' and after' if lasting else ''}"
            said = "; ".join(f"{said} ({mark})" for said, mark in outcome.other_statuses.items()) or "always"
            holds(f"{name}: no failed commit is acknowledged, all that was is there", outcome.figure(),
                  outcome.hits > 0)
            holds(f"{name} is answered with {' or '.join(map(str, statuses))}", said, not outcome.other_statuses)
            if not lasting:
                figure = f"{outcome.still_failing} of {outcome.runs} went on failing"
                holds(f"{name} once is over once it is over", figure, not outcome.still_failing)
        starting(given.program, base, work)
        over_quota(given.program, base, work, at_start["pwrite64"] + 60)
        at_random(given.program, base, work, 300 if given.full else 60)


if __name__ == "__main__":
    main()
