"""Many clients that read and write everything at once meet no fault of the service, and lose nothing.

    python mixed.py PATH/TO/lunette [--full]
"""

import random
import tempfile
import threading
import time

from common import Client, Ledger, Refused, Service, Writer, arguments, holds, nothing_lost, read_back, side_by_side

CLIENTS = 64
READS = ("/assets?limit=20", "/assets/identifiers", "/assets/search?query=text", "/tags", "/activities",
         "/applications", "/asset/{}?transferables=true", "/asset/{}/export?export_type=HTML", "/asset/{}/activities",
         "/formats")


class Count:
    """What was answered, by status."""

    def __init__(self):
        self.lock = threading.Lock()
        self.statuses = {}

    def add(self, status):
        with self.lock:
            self.statuses[status] = self.statuses.get(status, 0) + 1


def writing(service, ledger, count, number, end):
    writer = Writer(service.port, ledger, f"mixed-{number}")
    while time.monotonic() < end:
        try:
            writer.step()
            count.add(200)
        except Refused as refusal:
            count.add(refusal.status)
    writer.client.close()


def reading(service, ledger, count, number, end):
    client, chance = Client(service.port), random.Random(number)
    while time.monotonic() < end:
        assets = [key[1] for key in list(ledger.acked) if key[0] == "asset"][:50]
        path = chance.choice(READS)
        if assets or "{}" not in path:
            count.add(client.call("GET", path.format(chance.choice(assets) if assets else ""))[0])
    client.close()


def main():
    given = arguments(__doc__)
    seconds = 60 if given.full else 6
    ledger, count = Ledger(), Count()
    with tempfile.TemporaryDirectory() as work, Service(given.program, f"{work}/data") as service:
        end = time.monotonic() + seconds
        side_by_side(CLIENTS, lambda number: (writing if number % 2 else reading)(service, ledger, count, number, end))
        client = Client(service.port)
        nothing_lost("all that was acknowledged under load is there", ledger, read_back(client, ledger.acked))
        client.close()
        faults = sum(times for status, times in count.statuses.items() if status >= 500)
        said = ", ".join(f"{times} × {status}" for status, times in sorted(count.statuses.items()))
        figure = f"{said}; 0 lost of {ledger.count}"
        holds(f"{CLIENTS} clients of all kinds meet no fault in {seconds} s", figure, not faults)


if __name__ == "__main__":
    main()
