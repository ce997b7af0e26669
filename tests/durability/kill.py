"""A crash at any moment loses nothing that was acknowledged.

    python kill.py PATH/TO/lunette [--full]

The service is ended by SIGKILL at the N-th of its calls that change files: while it makes its store, while it writes,
while it folds its log into the file at an idle moment, and while it ends. Started again, it must come up soon, tell
every acknowledged value, and take writes.
"""

import pathlib
import shutil
import tempfile
import time

from claims import arguments, awaited, holds, needs, nothing_lost
from ledger import Client, Ledger, read_back
from script import write_until_gone
from service import DATABASE, NotStarted, Service
import strace

STEPS = 27
SOON = 10  # seconds; the figure is said, a busy machine is not a fault


def idle(service):
    """Waits until the log has been folded into the file, or the service is gone."""
    log = service.data / f"{DATABASE}-wal"
    end = time.monotonic() + 20
    while service.running() and time.monotonic() < end and log.exists() and log.stat().st_size:
        time.sleep(0.05)


def life(program, data, before, ledger, mark):
    """One life of a service from start to end, with writes; it may be cut off anywhere."""
    try:
        with Service(program, data, before) as service:
            write_until_gone(service.port, ledger, f"{mark}a", STEPS)
            idle(service)
            write_until_gone(service.port, ledger, f"{mark}b", STEPS // 3)
            if service.running():
                service.stop()
            return service.process.returncode
    except NotStarted as ended:
        return ended.code


def comes_back(program, data, ledger, mark):
    """The next start after a cut; gives back the seconds it took, or None where it did not come up."""
    try:
        service = Service(program, data)
    except NotStarted as ended:
        known = "attempt to write a readonly database" in ended.said and not ledger.count
        (awaited if known else holds)("it comes up after SIGKILL", f"{mark}: {ended}", False)
        return None
    with service:
        client = Client(service.port)
        nothing_lost("every acknowledged write is there after SIGKILL", ledger, read_back(client, ledger.acked), mark)
        more = Ledger()
        refusals = write_until_gone(service.port, more, f"{mark}c", 9)
        if refusals or more.lost(read_back(client, more.acked)):
            holds("writes go on after SIGKILL", f"{mark}: {refusals}", False)
        client.close()
        return service.took


def all_kills(program, work, wanted, made):
    """Kills over one life; `made` says whether the store is there before. Gives back lives, kills, acks, slowest."""
    base = work / f"base-{made}"
    if made:
        with Service(program, base) as service:
            service.stop()
    log = work / "calls.log"
    shutil.copytree(base, work / "counted") if made else None
    life(program, work / "counted", strace.logging(log), Ledger(), "count")
    counted = strace.counts(log)
    shutil.rmtree(work / "counted")
    kills, acks, slowest = 0, 0, 0.0
    chosen = strace.spread(counted, wanted)
    for kind, number in chosen:
        data = work / "data"
        shutil.copytree(base, data) if made else data.mkdir()
        ledger = Ledger()
        mark = f"{kind}-{number}"
        code = life(program, data, strace.injecting(kind, "signal=KILL", number), ledger, mark)
        kills += code not in (0, None)
        acks += ledger.count
        slowest = max(slowest, comes_back(program, data, ledger, mark) or 0)
        shutil.rmtree(data)
    return len(chosen), kills, acks, slowest, counted


def main():
    given = arguments(__doc__)
    needs("strace")
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        for made, wanted, name in ((False, 12, "making its store"), (True, 30, "a life with writes")):
            lives, kills, acks, slowest, counted = all_kills(
                given.program, work, wanted * 5 if given.full else wanted, made)
            said = ", ".join(f"{count} {kind}" for kind, count in counted.items())
            holds(f"SIGKILL over {name} ({said}) loses nothing that was acknowledged",
                  f"0 lost of {acks} in {kills} kills, {lives} lives", kills > lives // 2)
            holds("it is up again soon", f"slowest start {slowest:.2f} s", slowest < SOON)


if __name__ == "__main__":
    main()
