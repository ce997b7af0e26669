"""Short of files, connections or memory the service waits instead of spinning, and is well again afterwards.

    python limits.py PATH/TO/lunette [--full]

With prlimit it has 32 files, or little memory; with strace accepting fails for a while. Where memory ends the service
altogether, what it had acknowledged must be there at its next start.
"""

import pathlib
import socket
import tempfile
import time

from common import (
    BROKEN, Client, Ledger, NotStarted, Service, arguments, holds, needs, nothing_lost, processor_seconds,
    read_back, side_by_side, skipped, write_until_gone,
)

SHARE = 20  # percent of one core


def well(service, ledger, claim):
    """Writes and reads again; waits for it, since places come back by themselves."""
    client = Client(service.port)
    try:
        refusals = write_until_gone(service.port, ledger, claim, 9)
        nothing_lost(claim, ledger, read_back(client, ledger.acked))
        return not refusals
    finally:
        client.close()


def few_files(program, data):
    """A hundred connections where 32 files are allowed."""
    ledger = Ledger()
    with Service(program, data, ["prlimit", "--nofile=32"]) as service:
        write_until_gone(service.port, ledger, "before", 9)
        connections = [socket.create_connection(("127.0.0.1", service.port)) for _ in range(100)]
        before, began = processor_seconds(service.pid), time.monotonic()
        time.sleep(3)
        share = 100 * (processor_seconds(service.pid) - before) / (time.monotonic() - began)
        client = Client(service.port)
        meanwhile = client.call("GET", "/.well-known/health")[0]
        client.close()
        for connection in connections:
            connection.close()
        holds("with 32 files and 100 connections it does not spin", f"{share:.1f} % of one core", share <= SHARE)
        holds("an ordinary request is answered meanwhile", str(meanwhile), meanwhile == 200)
        holds("with 32 files it is well again afterwards", f"0 lost of {ledger.count}", well(service, ledger, "after"))


def failing_accept(program, data):
    """Accepting fails with EMFILE nine times for each thread that accepts."""
    ledger = Ledger()
    inject = "inject=accept4:error=EMFILE:when=1..9"
    before = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=accept4", "-e", inject]
    with Service(program, data, before) as service:
        spent = processor_seconds(service.pid)
        began = time.monotonic()
        answered = write_until_gone(service.port, ledger, "accepted at last", 9)
        seconds = time.monotonic() - began
        spent = 100 * (processor_seconds(service.pid) - spent) / seconds
        holds("after accepting has failed for a while it is well again",
              f"{ledger.count} writes after {seconds:.1f} s, {len(answered)} refused, {spent:.1f} % of one core",
              ledger.count > 0 and well(service, ledger, "after"))


def little_memory(program, data, mebibytes):
    """Large bodies from many clients where memory is short: refused or ended, never lost."""
    ledger, ends = Ledger(), []
    body = b'{"type":"SEEDED_ASSET","asset":"' + b"x" * (48 << 20) + b'"}'

    def send(port):
        try:
            client = Client(port)
            client.connection.request("POST", "/assets/create", body, {"Content-Type": "application/json"})
            ends.append(client.connection.getresponse().status)
        except BROKEN:
            ends.append("cut off")

    try:
        with Service(program, data, ["prlimit", f"--as={mebibytes << 20}"]) as service:
            write_until_gone(service.port, ledger, "before", 9)
            side_by_side(8, lambda _: send(service.port))
            alive = service.running()
            if alive:
                alive = well(service, ledger, "after")
    except NotStarted as ended:
        return skipped(f"{mebibytes} MiB of memory", f"it does not start in them: {ended}")
    with Service(program, data) as service:
        recovered = well(service, ledger, "at the next start")
    holds(f"with {mebibytes} MiB of memory and 8 bodies of 48 MiB nothing is lost",
          f"answers {sorted(map(str, ends))}, {'it went on' if alive else 'memory ended it'}, 0 lost of {ledger.count}",
          recovered)
    return None


def main():
    given = arguments(__doc__)
    needs("prlimit", "util-linux")
    needs("strace")
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        few_files(given.program, work / "files")
        failing_accept(given.program, work / "accept")
        for mebibytes in (600, 800, 1200, 2000) if given.full else (800, ):
            little_memory(given.program, work / f"memory-{mebibytes}", mebibytes)


if __name__ == "__main__":
    main()
