"""An end by SIGTERM at any moment is soon and whole, and the port is free for the next start at once.

    python quit.py PATH/TO/lunette [--full]

Clients write all the while. After each SIGTERM the exit code is 0, no log is left beside the file, and the next start
on the same folder and port comes at once and tells every acknowledged value.
"""

import pathlib
import random
import re
import signal
import sqlite3
import subprocess
import tempfile
import threading
import time

from claims import arguments, holds, nothing_lost
from ledger import Client, Ledger, read_back
from script import write_until_gone
from service import DATABASE, Service

CLIENTS = 8
SOON = 5  # seconds; two are aimed at, and said below, on a machine at rest


def life(service, ledger, number, delay):
    """Writes from many clients until a SIGTERM after this delay. Gives back the exit code and its seconds."""
    threads = [
        threading.Thread(target=write_until_gone, args=(service.port, ledger, f"{number}-{client}"))
        for client in range(CLIENTS)
    ]
    for thread in threads:
        thread.start()
    time.sleep(delay)  # the random moment itself
    ended = service.stop()
    for thread in threads:
        thread.join()
    return ended


def hears(pid):
    """Whether a process has said what it does at SIGTERM."""
    caught = re.search(r"SigCgt:\s*(\w+)", pathlib.Path(f"/proc/{pid}/status").read_text())
    return bool(int(caught.group(1), 16) >> (signal.SIGTERM - 1) & 1)


def while_it_opens(program, data):
    """SIGTERM while the database is still being opened: somebody else holds it, so that this takes seconds."""
    holder = sqlite3.connect(data / DATABASE)
    holder.execute("PRAGMA locking_mode = EXCLUSIVE")
    holder.execute("BEGIN EXCLUSIVE")
    command = [str(program), "serve", "--port", "0", "--data", str(data)]
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while process.poll() is None and not hears(process.pid):
        time.sleep(0.01)
    process.terminate()
    out, said = process.communicate(timeout=60)
    holder.close()
    holds("SIGTERM while it opens its database ends it at once, with 0", f"{process.returncode} {out}{said}".strip(),
          process.returncode == 0 and not out)


def main():
    given = arguments(__doc__)
    rounds = 100 if given.full else 15
    moments = random.Random(6)
    ledger, port, slowest, starts = Ledger(), 0, 0.0, 0.0
    with tempfile.TemporaryDirectory() as work:
        data = pathlib.Path(work) / "data"
        for number in range(rounds + 1):
            with Service(given.program, data, port=port) as service:
                port = service.port
                starts = max(starts, service.took)
                client = Client(port)
                nothing_lost("every acknowledged write is there after SIGTERM", ledger, read_back(client, ledger.acked))
                client.close()
                code, seconds = life(service, ledger, number, moments.uniform(0, 0.6))
                slowest = max(slowest, seconds)
                if code != 0:
                    holds("SIGTERM ends it with 0", f"{code} in round {number}: {service.said()}", False)
                if (data / f"{DATABASE}-wal").exists():
                    holds("no log is left beside the file", f"round {number}", False)
        while_it_opens(given.program, data)
    holds("SIGTERM under load loses nothing, leaves no log, ends with 0, and the port is free at once",
          f"{rounds} ends, 0 lost of {ledger.count}, slowest end {slowest:.2f} s, start {starts:.2f} s", slowest < SOON)


if __name__ == "__main__":
    main()
