"""An hour of ordinary use: what the service takes must not grow.

    python soak.py PATH/TO/lunette [--minutes N] [--samples FILE]

By hand. A client polls once a second as the window does, others write and read of all kinds. Every ten seconds it notes
memory, open files, threads, the size of the database's log and the processor's time. At the end a minute passes without
a request. What must hold: memory grows by at most 1 MiB an hour once it has warmed up, open files and threads stay
flat, the log stays under 64 MiB and is folded away at rest, where the processor has next to nothing to do.
"""

import argparse
import itertools
import os
import pathlib
import random
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "durability"))

from claims import holds, nothing_lost  # noqa: E402
from ledger import GONE, Client, Ledger, read_back  # noqa: E402
from script import Writer  # noqa: E402
from service import DATABASE, Service  # noqa: E402

EVERY = 10
KEPT = 60
MIB = 1 << 20
TICKS = os.sysconf("SC_CLK_TCK")


def sample(service):
    """What the process has now."""
    process = pathlib.Path("/proc") / str(service.pid)
    status = dict(line.split(":", 1) for line in (process / "status").read_text().splitlines() if ":" in line)
    fields = (process / "stat").read_text().rsplit(")", 1)[1].split()
    log = service.data / f"{DATABASE}-wal"
    return {
        "seconds": time.monotonic(), "rss": int(status["VmRSS"].split()[0]) / 1024,
        "own": int(status["RssAnon"].split()[0]) / 1024, "threads": int(status["Threads"]),
        "files": len(list((process / "fd").iterdir())), "log": log.stat().st_size / MIB if log.exists() else 0,
        "cpu": (int(fields[11]) + int(fields[12])) / TICKS,
    }


def slope_an_hour(samples, what):
    """The least-squares slope of a figure, per hour."""
    moments = [entry["seconds"] for entry in samples]
    values = [entry[what] for entry in samples]
    middle, mean = sum(moments) / len(moments), sum(values) / len(values)
    spread = sum((moment - middle) ** 2 for moment in moments)
    return 3600 * sum((m - middle) * (v - mean) for m, v in zip(moments, values)) / spread


def each_second(action, ended, interval=1.0):
    """A thread that does this once in an interval until the end; whatever goes wrong ends the whole."""
    def run():
        while not ended.is_set():
            try:
                action()
            except BaseException as problem:
                ended.problem = problem
                ended.set()
            ended.wait(interval)

    thread = threading.Thread(target=run)
    thread.start()
    return thread


def poll(client):
    client.call("GET", "/.well-known/health")
    client.get("/assets/identifiers")


def assets_of(ledger):
    """The assets that are there, oldest first."""
    return [key[1] for key, value in list(ledger.acked.items()) if key[0] == "asset" and value != GONE]


def bounded(writer, ledger):
    """Writes, and deletes the oldest asset where there are many, so that it is the hour that adds up, not the data."""
    def step():
        writer.step()
        there = assets_of(ledger)
        if len(there) > KEPT:
            oldest = there[0]
            with ledger.lock:
                for key in [key for key in ledger.acked if key[0] != "asset" and key[1] == oldest]:
                    del ledger.acked[key]
            ledger.write(writer.client, ("asset", oldest), GONE, "POST", f"/assets/{oldest}/delete")

    return step


def reader(client, ledger, chance):
    """Reads of one kind after the other, of assets that were made meanwhile; answers of bounded size."""
    kinds = itertools.cycle((
        "/assets?limit=50", "/asset/{}?transferables=true", "/asset/{}/formats", "/asset/{}/activities",
        "/asset/{}/conversations", "/asset/{}/export?export_type=MD", "/asset/{}/export?export_type=HTML",
        "/assets/search?query={}", "/applications", "/applications/external/related", "/tags/exists", "/openapi.json",
        "/absent",
    ))

    def read():
        there = assets_of(ledger)
        path = next(kinds)
        if there or "{}" not in path:
            status, body = client.call("GET", path.format(chance.choice(there) if there else ""))
            if status >= 500:
                raise AssertionError(f"{path}: {status} {body[:200]!r}")

    return read


def use(service, ledger, minutes, samples_file):
    """The hour itself; gives back the samples."""
    ended = threading.Event()
    ended.problem = None
    clients = [Client(service.port) for _ in range(3)]
    writers = [Writer(service.port, ledger, f"soak {number}") for number in range(2)]
    threads = [each_second(lambda: poll(clients[0]), ended)]
    threads += [each_second(reader(client, ledger, random.Random(number)), ended, 0.5)
                for number, client in enumerate(clients[1:])]
    threads += [each_second(bounded(writers[0], ledger), ended), each_second(writers[1].step, ended)]
    samples, end = [], time.monotonic() + minutes * 60
    while time.monotonic() < end and not ended.is_set():
        samples.append(sample(service))
        print(" ".join(f"{name}={value:.2f}" for name, value in samples[-1].items()), file=samples_file, flush=True)
        ended.wait(EVERY)
    ended.set()
    for thread in threads:
        thread.join()
    for client in [*clients, *(writer.client for writer in writers)]:
        client.close()
    if ended.problem:
        raise ended.problem
    return samples


def judged(samples):
    """What the samples show, after a third of the time in which caches fill: claims, figures, and whether they hold."""
    warm = samples[len(samples) // 3 :]
    half = len(warm) // 2
    for what, name in (("own", "memory of its own, without mapped files,"), ("rss", "memory with mapped files")):
        slope = slope_an_hour(warm, what)
        figure = f"{slope:+.2f} MiB an hour, {warm[0][what]:.1f} to {warm[-1][what]:.1f} MiB"
        yield f"{name} grows by at most 1 MiB an hour", figure, slope <= 1
    for what in ("files", "threads"):
        before, after = (max(entry[what] for entry in part) for part in (warm[:half], warm[half:]))
        yield f"{what} stay flat", f"at most {before}, then {after}", after <= before + 2
    largest = max(entry["log"] for entry in samples)
    yield "the log stays under 64 MiB", f"at most {largest:.2f} MiB", largest <= 64
    used = 100 * (samples[-1]["cpu"] - samples[0]["cpu"]) / (samples[-1]["seconds"] - samples[0]["seconds"])
    yield "processor's time in use", f"{used:.2f} % of one core", True


def rest(service):
    """A minute without a request."""
    time.sleep(EVERY)
    before = sample(service)
    time.sleep(60)
    after = sample(service)
    used = 100 * (after["cpu"] - before["cpu"]) / (after["seconds"] - before["seconds"])
    holds("at rest the processor has next to nothing to do", f"{used:.2f} % of one core", used <= 1)
    holds("at rest the log is folded away", f"{after['log']:.2f} MiB", after["log"] <= 8)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--samples", type=argparse.FileType("w"), default=os.devnull)
    given = parser.parse_args()
    ledger = Ledger()
    with tempfile.TemporaryDirectory() as work, Service(given.program.resolve(), f"{work}/data") as service:
        samples = use(service, ledger, given.minutes, given.samples)
        rest(service)
        client = Client(service.port)
        nothing_lost("all that was acknowledged is there", ledger, read_back(client, ledger.acked))
        holds("all that was acknowledged is there", f"{ledger.count} writes")
        client.close()
        code, seconds = service.stop()
        holds("it ends by SIGTERM", f"{code} after {seconds:.2f} s", code == 0)
    for claim in sorted(judged(samples), key=lambda claim: not claim[2]):
        holds(*claim)


if __name__ == "__main__":
    main()
