"""What cannot be written or read is refused by its name, and left as it is; what becomes so while serving is told.

    python locked.py PATH/TO/lunette [--full]

The refusals are looked at as an ordinary user (this needs root, which may write everywhere). A database of a later
version is not touched. Files that are made immutable while the service runs stand for a disk that the system has
turned read-only: reads go on, writes are refused in words, and all is well again without a new start.
"""

import contextlib
import hashlib
import os
import pathlib
import shutil
import struct
import subprocess
import tempfile
import time

from claims import arguments, awaited, holds, needs, needs_root, nothing_lost, skipped
from ledger import Client, Ledger, read_back
from script import write_until_gone
from service import DATABASE, Service, refused

PATIENCE = 20  # seconds
NOBODY = 65534
AS_NOBODY = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
# Where SQLite keeps the version of a file, big-endian.
USER_VERSION = 60


def hashes(folder):
    """What every file of a folder holds."""
    return {str(file.relative_to(folder)): hashlib.sha256(file.read_bytes()).hexdigest()
            for file in sorted(pathlib.Path(folder).rglob("*")) if file.is_file()}


def one_line(said):
    return len([line for line in said.splitlines() if line.strip()]) == 1


def made_store(program, folder):
    """A store with some assets in it; gives back its ledger."""
    ledger = Ledger()
    with Service(program, folder) as service:
        write_until_gone(service.port, ledger, "before", 9)
        service.stop()
    return ledger


def owned(folder, mode_of_folder, mode_of_file):
    """Gives a folder to nobody, with these modes."""
    for file in folder.iterdir():
        os.chown(file, NOBODY, NOBODY)
        os.chmod(file, mode_of_file)
    os.chown(folder, NOBODY, NOBODY)
    os.chmod(folder, mode_of_folder)


def places(program, work):
    """(what it is, the folder, the path the refusal must name) of places that cannot be a store's."""
    store = work / "store"
    made_store(program, store)

    def copy(name):
        shutil.copytree(store, work / name)
        return work / name

    empty = work / "empty"
    empty.mkdir()
    owned(empty, 0o555, 0o444)
    yield "a read-only folder without a store", empty, empty
    folder = copy("folder")
    owned(folder, 0o555, 0o644)
    yield "a read-only folder with a store", folder, folder
    file = copy("file")
    owned(file, 0o755, 0o644)
    os.chmod(file / DATABASE, 0o444)
    yield "a read-only database", file, file
    unreadable = copy("unreadable")
    owned(unreadable, 0o755, 0o644)
    os.chmod(unreadable / DATABASE, 0)
    yield "a database that cannot be read", unreadable, unreadable
    foreign = copy("foreign")
    os.chmod(foreign, 0o755)
    yield "the folder of another user", foreign, foreign
    os.chmod(work, 0o755)
    yield "a folder that cannot be made", work / "absent" / "data", work / "absent"
    a_file = work / "a-file"
    a_file.write_text("no folder")
    yield "a file where the folder is to be", a_file, a_file
    inside = work / "inside"
    (inside / DATABASE).mkdir(parents=True)
    owned(inside, 0o755, 0o755)
    yield "a folder where the database is to be", inside, inside


def refusals(program, work):
    """Every such place is refused with 2, in one line that names it, and nothing is changed."""
    total, unnamed = 0, []
    for what, folder, named in places(program, work):
        before = hashes(folder) if folder.is_dir() else None
        code, said, _ = refused(program, folder, AS_NOBODY)
        after = hashes(folder) if folder.is_dir() else None
        total += 1
        if code != 2 or not one_line(said) or "panicked" in said:
            holds(f"{what} is refused with 2 in one line", f"{code}: {said}", False)
        if before and {**before, "lunette.lock": 0} != {**(after or {}), "lunette.lock": 0}:
            holds(f"{what} is left as it is", f"{before} became {after}", False)
        if str(named) not in said:
            unnamed.append(f"{what}: {said.strip()}")
    holds("places that cannot be written are refused with 2, in one line, and left as they are", f"{total} places")
    awaited("the refusal names the path", "; ".join(unnamed) or f"{total} of {total}", not unnamed)


def newer(program, work):
    """A database of version 9999."""
    folder = work / "newer"
    made_store(program, folder)
    with open(folder / DATABASE, "r+b") as file:
        file.seek(USER_VERSION)
        file.write(struct.pack(">I", 9999))
    before = hashes(folder)
    code, said, _ = refused(program, folder)
    after = hashes(folder)
    for files in (before, after):
        files.pop("lunette.lock", None)
    good = code == 2 and one_line(said) and "9999" in said and str(folder) in said
    holds("a database of a later version is refused with 2 in one line and not touched",
          f"sha256 {before[DATABASE][:16]} before and {after.get(DATABASE, 'gone')[:16]} after; {said.strip()}",
          good and before.items() <= after.items())
    beside = sorted(set(after) - set(before))
    awaited("nothing is left beside a database that was refused", ", ".join(beside) or "nothing", not beside)


class NotPossible(Exception):
    """The system does not let us make this."""


@contextlib.contextmanager
def immutable(folder):
    """The database and its log cannot be written, not by root either, and nothing can be made beside them.

    The index of the log (-shm) is left out: it is mapped, and the system ends a program that writes to such a mapping.
    """
    files = [str(folder / DATABASE), str(folder / f"{DATABASE}-wal")]

    def change(how):
        done = subprocess.run(["chattr", how, *files, str(folder)], capture_output=True, text=True)
        if done.returncode:
            raise NotPossible(done.stderr.strip().splitlines()[0])

    change("+i")
    try:
        yield
    finally:
        change("-i")


def well_again(service, ledger):
    """Writes until nothing of it is refused; gives back the seconds until then, and how many were refused."""
    began, refused_still = time.monotonic(), 0
    while time.monotonic() < began + PATIENCE:
        refusals = write_until_gone(service.port, ledger, f"after-{refused_still}", 9)
        if not refusals:
            break
        refused_still += len(refusals)
        time.sleep(0.2)
    return time.monotonic() - began, refused_still


def turned_read_only(program, work):
    """A store that cannot be written for a while, while it is served."""
    folder, ledger = work / "turned", Ledger()
    with Service(program, folder) as service:
        write_until_gone(service.port, ledger, "before", 9)
        try:
            with immutable(folder):
                refusals = write_until_gone(service.port, ledger, "meanwhile", 9)
                client = Client(service.port)
                nothing_lost("reads go on while nothing can be written", ledger, read_back(client, ledger.acked))
        except NotPossible as problem:
            return skipped("a disk that turns read-only while serving", f"chattr +i: {problem}")
        statuses = sorted({refusal.status for refusal in refusals})
        holds("what turns read-only while serving refuses writes and reads on", f"{len(refusals)} refused, {statuses}",
              bool(refusals) and min(statuses) >= 500)
        sentence = refusals[-1].sentence.strip()
        holds("writes are then refused with 503 and the reason", f"{statuses[-1]}: {sentence}",
              statuses == [503] and "see the log of the service" not in sentence)
        seconds, refused_still = well_again(service, ledger)
        holds("writes go on without a new start once it can be written",
              f"after {seconds:.1f} s, {refused_still} refused till then", seconds < PATIENCE)
        nothing_lost("nothing is lost over it", ledger, read_back(client, ledger.acked))
        client.close()
    return None


def main():
    given = arguments(__doc__)
    needs_root("files are given to another user")
    needs("setpriv", "util-linux")
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        newer(given.program, work)
        with tempfile.TemporaryDirectory() as home:
            os.chmod(home, 0o755)
            program = shutil.copy(given.program, home)
            refusals(program, work)
        turned_read_only(given.program, work)


if __name__ == "__main__":
    main()
