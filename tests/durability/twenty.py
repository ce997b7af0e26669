"""Of many that start at once on one folder exactly one serves; the others say who does, and end with 2.

    python twenty.py PATH/TO/lunette [--full]

The owner of one round is ended by SIGKILL, so that the next round meets what a crash leaves behind.
"""

import pathlib
import re
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

from claims import arguments, holds, nothing_lost
from ledger import Client, Ledger, read_back
from script import write_until_gone
from service import NotStarted, Service

TOLD = re.compile(r"another instance of Lunette uses this folder(?: \(process (\d+)\))?")
MANY = 20
SOON = 20  # seconds, on a machine where twenty debug programs start at once


def start(program, data):
    """A service that runs, or how its start ended, with its seconds."""
    began = time.monotonic()
    try:
        return Service(program, data), None, time.monotonic() - began
    except NotStarted as ended:
        return None, ended, time.monotonic() - began


def round_of(program, data, ledger, number, named):
    """One round; gives back the seconds of the slowest refusal."""
    with ThreadPoolExecutor(MANY) as pool:
        started = list(pool.map(lambda _: start(program, data), range(MANY)))
    owners = [service for service, _, _ in started if service]
    try:
        if len(owners) != 1:
            holds("one owner", f"{len(owners)} in round {number}", False)
        owner = owners[0]
        for _, ended, _ in started:
            told = ended and TOLD.search(ended.said)
            if ended and (ended.code != 2 or not told):
                holds("the others end with 2 and say that another one serves", f"{ended} (owner {owner.pid})", False)
            named.append(bool(ended) and told[1] and int(told[1]) == owner.pid)
        client = Client(owner.port)
        nothing_lost("the writes of earlier rounds are there", ledger, read_back(client, ledger.acked))
        client.close()
        write_until_gone(owner.port, ledger, f"round-{number}", 9)
    finally:
        for owner in owners:
            owner.kill()
    return max(seconds for service, _, seconds in started if not service)


def main():
    given = arguments(__doc__)
    rounds = 50 if given.full else 4
    ledger, named = Ledger(), []
    with tempfile.TemporaryDirectory() as work:
        data = pathlib.Path(work) / "data"
        slowest = max(round_of(given.program, data, ledger, number, named) for number in range(rounds))
    # One that is refused while the owner is still writing its number down can name none: that is not a fault.
    holds(f"of {MANY} starts at once one serves, {MANY - 1} end with 2 and say so; after its SIGKILL all is there",
          f"{rounds} rounds, {sum(map(bool, named))} of {rounds * (MANY - 1)} named the owner's process, "
          f"slowest refusal {slowest:.2f} s, 0 lost of {ledger.count}", slowest < SOON)


if __name__ == "__main__":
    main()
