"""What the scripts of this folder share with those of durability: the service, the clients, and how claims are said."""

import pathlib
import resource
import sys
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "durability"))

from claims import arguments, awaited, holds, needs, nothing_lost, root, skipped, tool  # noqa: E402, F401
from ledger import BROKEN, Client, Ledger, Refused, read_back  # noqa: E402, F401
from script import Writer, made, seed, write_until_gone  # noqa: E402, F401
from service import DATABASE, NotStarted, Service  # noqa: E402, F401

TICK = 100  # of the processor's clock, a second


def many_files():
    """Lets this process have as many sockets as the system lets it."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def side_by_side(count, action):
    """Runs the action in this many threads, each with its number; raises what the first one raised."""
    problems = []

    def run(number):
        try:
            action(number)
        except BaseException as problem:
            problems.append(problem)

    threads = [threading.Thread(target=run, args=(number, )) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if problems:
        raise problems[0]


def processor_seconds(pid):
    """The processor's time that a process has used."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def files_of(pid):
    return len(list(pathlib.Path(f"/proc/{pid}/fd").iterdir()))
