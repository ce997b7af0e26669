"""A full disk: what cannot be kept is refused in words, what was kept stays readable, and room is all that is needed.

    python full.py PATH/TO/lunette [--full]

On a small tmpfs (this needs root) the service is written to until it answers 507. Everything acknowledged is read, then
room is made, and the same service takes writes again. It is also started anew while the disk is full.
"""

import contextlib
import pathlib
import random
import subprocess
import tempfile
import time

from claims import arguments, holds, needs_root, nothing_lost
from ledger import Client, Ledger, read_back
from script import Refused, Writer, made
from service import NotStarted, Service

BALLAST = 3 << 20


@contextlib.contextmanager
def small_disk(mebibytes):
    """A tmpfs of this size; taken away afterwards. Raises OSError where none can be mounted."""
    with tempfile.TemporaryDirectory() as place:
        command = ["mount", "-t", "tmpfs", "-o", f"size={mebibytes}m", "tmpfs", place]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            raise OSError(done.stderr.strip())
        try:
            yield pathlib.Path(place)
        finally:
            subprocess.run(["umount", place], check=True)


def fill(service, ledger):
    """Writes until every kind of write is refused for want of room; gives back the sentence."""
    writer, chance, refusals, steps = Writer(service.port, ledger, "full"), random.Random(5), 0, 0
    while refusals < 40:
        steps += 1
        try:
            if steps % 3 == 0:
                writer.step()
            else:
                made(writer.client, ledger, f"large {steps}", chance.randbytes(20_000).hex())
        except Refused as refusal:
            refusals += 1
            last = refusal
            if refusal.status != 507:
                holds("a full disk is answered with 507", str(refusal), False)
    writer.client.close()
    return last.sentence


def slow_read(service, asset):
    """The 99th of 100 times that reading one asset takes, in milliseconds."""
    client, times = Client(service.port), []
    for _ in range(100):
        began = time.monotonic()
        client.get(f"/asset/{asset['id']}?transferables=true")
        times.append(1000 * (time.monotonic() - began))
    client.close()
    return sorted(times)[98]


def all_there(service, ledger, claim):
    client = Client(service.port)
    nothing_lost(claim, ledger, read_back(client, ledger.acked))
    client.close()


def started_full(program, data, ballast, ledger):
    """A start on a full disk after a crash: it serves what is there, or says that the disk is full; never more."""
    try:
        with Service(program, data) as service:
            all_there(service, ledger, "all is readable after a start on a full disk")
            said = "serves what is there"
    except NotStarted as ended:
        if ended.code != 2 or "full" not in ended.said:
            holds("a start on a full disk says so", str(ended), False)
        said = "ends with 2 and says that the disk is full"
    ballast.unlink()
    return said


def filled_by_others(program, size):
    """Ended as it should be, and then others fill the disk to the last byte: the room that is kept lets it start."""
    ledger = Ledger()
    with small_disk(size) as disk:
        with Service(program, disk / "data") as service:
            made(Client(service.port), ledger, "before", "written while there was room")
            service.stop()
        with open(disk / "filler", "wb", buffering=0) as filler:
            try:
                while filler.write(bytes(4096)):
                    pass
            except OSError:
                pass
        with Service(program, disk / "data") as service:
            all_there(service, ledger, "all is readable after a start on a disk that others filled")


def restored_on_a_full_disk(program, size):
    """A restore that has no room fails in words, and what it copied so far is gone at once."""
    with small_disk(size) as disk, tempfile.TemporaryDirectory() as place:
        backup = pathlib.Path(place) / "backup.sqlite3"
        with Service(program, disk / "data") as service:
            client, ledger = Client(service.port), Ledger()
            for number in range(40):
                made(client, ledger, f"large {number}", random.Random(number).randbytes(20_000).hex())
            service.stop()
        run = [str(program), "backup", str(backup), "--data", str(disk / "data")]
        subprocess.run(run, check=True, capture_output=True)
        (disk / "filler").write_bytes(bytes(room(disk) - (1 << 20)))
        run = [str(program), "restore", str(backup), "--data", str(disk / "data")]
        done = subprocess.run(run, capture_output=True, text=True)
        left = [path.name for path in (disk / "data").iterdir() if "restor" in path.name]
        holds("a restore on a full disk fails in words and leaves no copy behind", done.stderr.strip(),
              done.returncode != 0 and "full" in done.stderr and not left)


def once(program, size):
    """One disk of this size, filled up; gives back the ledger and what was said and measured."""
    with small_disk(size) as disk:
        ballast, ledger = disk / "ballast", Ledger()
        ballast.write_bytes(bytes(BALLAST))
        with Service(program, disk / "data") as service:
            asset = made(Client(service.port), ledger, "small", "read again and again")
            before = slow_read(service, asset)
            sentence = fill(service, ledger)
            count, during = ledger.count, slow_read(service, asset)
            all_there(service, ledger, "all is readable on a full disk")
            ballast.unlink()
            for number in range(9):
                made(Client(service.port), ledger, f"after {number}", "there is room again")
            all_there(service, ledger, "all is there once there is room")
            ballast.write_bytes(bytes(min(BALLAST, room(disk))))
            fill(service, ledger)
        said = started_full(program, disk / "data", ballast, ledger)
        with Service(program, disk / "data") as service:
            all_there(service, ledger, "all is there after a full disk, a crash and a start with room")
            made(Client(service.port), ledger, "last", "written")
    return ledger, count, sentence, before, during, said


def room(disk):
    """The bytes that are free."""
    told = subprocess.run(["stat", "-f", "-c", "%a %S", str(disk)], capture_output=True, text=True, check=True).stdout
    blocks, size = map(int, told.split())
    return blocks * size


def main():
    given = arguments(__doc__)
    needs_root("a small disk is mounted")
    for size in (8, 12, 24, 40) if given.full else (8, ):
        ledger, count, sentence, before, during, said = once(given.program, size)
        holds(f"a full disk of {size} MiB is 507 in words", sentence.strip())
        holds("reads go on meanwhile", f"99th of 100: {before:.1f} ms before, {during:.1f} ms full")
        holds("all that was acknowledged is there, and writes go on once there is room",
              f"0 lost of {ledger.count}, {count} of them when the disk was full; a start on a full disk {said}")
    filled_by_others(given.program, 8)
    restored_on_a_full_disk(given.program, 12)
    holds("a start on a disk that others filled to the last byte serves what is there", "by the room that was kept")


if __name__ == "__main__":
    main()
