"""Nothing is acknowledged before the disk has it: an acknowledged write outlives a power cut.

    python order.py PATH/TO/lunette [--full]

The service's calls on files and sockets are logged by strace while clients write. Then the log is read: no answer 2xx
begins before what it acknowledges is in bytes of the database's log that were synced. And it is played back: at cuts
anywhere in it only what had been synced is kept (at every second cut also some sectors of the rest, by chance), a
service is started on that, and must tell everything that had been acknowledged before the cut. That the method can
fail is shown by the same log without its syncs, which must lose acknowledged writes.
"""

import json
import pathlib
import re
import shutil
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor

from claims import arguments, holds, needs
from cuts import ANSWER, CALLS, Disk, chance_of, events, lay_out
from kill import idle
from ledger import Client, Ledger
from script import made, write_until_gone
from service import DATABASE, NotStarted, Service
import strace

CLIENTS = 64
MARK = re.compile(rb"mark-\d+-\d+-end")
WAL = f"{DATABASE}-wal"


def logged(program, base, data, log, work):
    """Has work done on a copy of a store, all its calls logged, and kills the service at its end."""
    shutil.copytree(base, data)
    with Service(program, data, strace.logging(log, CALLS, ("-xx", "-s", "70000"))) as service:
        work(service)


def creates(service, count):
    """64 clients make assets, with an idle moment half way, so that the log is folded into the file."""
    ledger = Ledger()

    def client(number, half):
        connection = Client(service.port)
        for turn in range(count // 2):
            name = f"mark-{number}-{half * count + turn}-end"
            made(connection, ledger, name, f"text of {name} " * 20)
        connection.close()

    for half in range(2):
        threads = [threading.Thread(target=client, args=(number, half)) for number in range(CLIENTS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if not half:
            idle(service)
    return ledger


def early_answers(base, data, log):
    """Answers 2xx that begin while the log has bytes that were not synced: for a client that writes alone."""
    disk, answers, early = Disk(base, data), 0, 0
    for event in events(log):
        disk.take(event)
        if event.begins and ANSWER.match(event.data):
            answers += 1
            early += disk.unsynced("-wal")
    return answers, early


def unsynced_answers(base, data, log):
    """Of answers 2xx to many clients at once: those whose own mark was in no synced bytes of the log."""
    waiting, syncing, safe = set(), set(), set()
    disk, answers, early, syncs = Disk(base, data), 0, 0, 0
    for event in events(log):
        if event.file and disk.name(event.file) == WAL:
            if event.kind == "pwrite64" and event.ends:
                waiting |= set(MARK.findall(event.data))
            elif event.kind in ("fsync", "fdatasync"):
                if event.begins:
                    syncing, waiting = waiting, set()
                if event.ends:
                    safe |= syncing
                    syncs += 1
        elif event.begins and ANSWER.match(event.data):
            mark = MARK.search(event.data)
            answers += mark is not None
            early += mark is not None and mark[0] not in safe
    return answers, early, syncs


def acked_by(event):
    """The id and name of the asset that this answer acknowledges, or None."""
    if event.begins and ANSWER.match(event.data) and MARK.search(event.data):
        asset = json.loads(event.data.split(b"\r\n\r\n", 1)[1])
        return asset["id"], asset["name"]
    return None


def cuts_of(base, data, log, wanted, syncs=True):
    """(number, acked, files) at about this many places, evenly from the first acknowledged write to the end."""
    total = sum(1 for _ in events(log))
    disk, acked = Disk(base, data, syncs), {}
    distance = max(1, total // wanted)
    for number, event in enumerate(events(log)):
        if found := acked_by(event):
            acked[found[0]] = found[1]
        disk.take(event)
        if acked and number % distance == 0:
            count = number // distance
            yield count, dict(acked), disk.cut(chance_of(count))


def lost_at(program, work, number, acked, files):
    """Starts a service on what a cut left; how many of the acknowledged assets it does not tell."""
    folder = pathlib.Path(work) / f"cut-{number}"
    lay_out(files, folder)
    try:
        with Service(program, folder) as service:
            client = Client(service.port)
            found = {asset["id"]: asset.get("name") for asset in client.get("/assets")["iterable"]}
            client.close()
    except NotStarted as ended:
        print(f"    cut {number}: {ended}")
        return len(acked)
    shutil.rmtree(folder)
    return sum(found.get(identifier) != name for identifier, name in acked.items())


def replay(program, work, cuts):
    """How many cuts there were, how many acknowledged writes they were asked for, and how many cuts lost any."""
    with ThreadPoolExecutor(2) as pool:
        waiting, results = [], []
        for number, acked, files in cuts:
            waiting.append(pool.submit(lost_at, program, work, number, acked, files))
            results.append(len(acked))
            if len(waiting) % 8 == 0:
                waiting[-1].result()
        losses = [future.result() for future in waiting]
    return len(results), sum(results), sum(loss > 0 for loss in losses)


def main():
    given = arguments(__doc__)
    needs("strace")
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        base, alone, many = work / "base", work / "alone", work / "many"
        with Service(given.program, base) as service:
            service.stop()
        steps = 900 if given.full else 150
        logged(given.program, base, alone, work / "alone.log",
               lambda service: write_until_gone(service.port, Ledger(), "alone", steps))
        answers, early = early_answers(base, alone, work / "alone.log")
        holds("no 2xx leaves while the log has unsynced bytes (one client, all kinds of writes)",
              f"{early} of {answers} answers", answers >= steps and not early)

        logged(given.program, base, many, work / "many.log", lambda service: creates(service, 60 if given.full else 18))
        answers, early, syncs = unsynced_answers(base, many, work / "many.log")
        holds(f"no 2xx leaves before its own bytes are synced ({CLIENTS} clients, one sync for many)",
              f"{early} of {answers} answers, {syncs} syncs", answers >= 1000 and not early)

        wanted = 240 if given.full else 40
        cuts, asked, losing = replay(given.program, work, cuts_of(base, many, work / "many.log", wanted))
        holds("a power cut anywhere loses nothing that was acknowledged",
              f"{losing} of {cuts} cuts lost any of {asked} writes", cuts > wanted // 3 and not losing)
        control = cuts_of(base, many, work / "many.log", 8, syncs=False)
        cuts, asked, losing = replay(given.program, work, control)
        holds("the same log without its syncs does lose them, so the method can tell",
              f"{losing} of {cuts} cuts", losing == cuts > 3)


if __name__ == "__main__":
    main()
