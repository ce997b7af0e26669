"""Kills the service for Windows while it writes; acknowledged changes are there after the next start.

    python kills.py [ROUNDS]

A kill ends the process at once, as the Task Manager does; it is not a power cut, which wine cannot show. What must hold: each
acknowledged change is there, the database is intact, and every start succeeds by itself.
"""

import random
import sys
import threading
import time

from machine import Service, fresh, run, seed

ROUNDS = int(sys.argv[1]) if len(sys.argv) > 1 else 15
WRITERS = 3
SEED = 18


def write_until_killed(service, number, acknowledged):
    count = 0
    while True:
        name = f"{number}-{count}.txt"
        try:
            service.ask("/assets/create", seed(name, f"text of {name} " * 40))
        except OSError:
            return
        acknowledged.append(name)
        count += 1


def one_round(data, delay, before):
    service = Service(data)
    there = {asset["name"] for asset in service.ask("/assets?transferables=false")["iterable"]}
    missing = before - there
    assert not missing, f"{len(missing)} acknowledged assets are gone: {sorted(missing)[:5]}"
    acknowledged = []
    prefix = f"{time.monotonic_ns()}"
    threads = [
        threading.Thread(target=write_until_killed, args=(service, f"{prefix}-{number}", acknowledged))
        for number in range(WRITERS)
    ]
    for thread in threads:
        thread.start()
    time.sleep(delay)
    service.kill()
    for thread in threads:
        thread.join()
    return before | set(acknowledged)


def main():
    data = fresh("kills") + "\\data"
    random.seed(SEED)
    acknowledged = set()
    for _ in range(ROUNDS):
        acknowledged = one_round(data, random.uniform(0.05, 0.8), acknowledged)
    service = Service(data)
    there = {asset["name"] for asset in service.ask("/assets?transferables=false")["iterable"]}
    assert acknowledged <= there, sorted(acknowledged - there)[:5]
    assert service.interrupt() == 0
    # A backup reads and checks every page.
    ended = run("backup", "--data", data)
    assert ended.code == 0, ended
    print(f"windows: {ROUNDS} kills, {len(acknowledged)} acknowledged assets, none lost (seed {SEED})")


main()
