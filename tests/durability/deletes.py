"""Deleting on a full disk: none is refused, whoever filled it, and after a crash as well.

    python deletes.py PATH/TO/lunette [--full]

On small tmpfs disks (this needs root) the service is written to until it answers 507, or another program takes the last
byte. Then 300 assets are deleted, the service is killed and started again on the disk that is still full, the rest is
deleted, and the Trash is emptied. After that, or with room made by the other program, things can be added again.
"""

import contextlib
import json

from claims import arguments, holds, needs_root
from full import small_disk
from ledger import Client
from script import seed
from service import Service

# How many are deleted on a full disk before the crash, and after it.
DELETED = 300
SIZES = (12, 64)
ALL_SIZES = (8, 12, 24, 64, 200)


def create(client, number, length):
    """Makes an asset; gives back the status and, where it was made, the id."""
    text = f"{number} " + "content of an asset " * (length // 20)
    status, body = client.call("POST", "/assets/create?transferables=false", seed(f"asset {number}", text))
    return status, json.loads(body)["id"] if status == 200 else body


def fill(client, length):
    """Makes assets until ten in a row are refused; gives back their ids and the statuses of the refusals."""
    ids, refusals = [], []
    while len(refusals) < 10:
        status, made = create(client, len(ids), length)
        if status == 200:
            ids.append(made)
            refusals.clear()
        else:
            refusals.append(status)
    return ids, refusals


def delete(client, ids):
    """Deletes assets; gives back the answers that are not 2xx."""
    answers = [client.call("POST", f"/assets/{identifier}/delete") for identifier in ids]
    return [(status, body[:120]) for status, body in answers if not 200 <= status < 300]


def take_the_rest(path):
    """Another program that fills a disk to its last byte."""
    with open(path, "wb", buffering=0) as filler:
        block = 1 << 20
        while block:
            try:
                filler.write(bytes(block))
            except OSError:
                block //= 2


def all_gone(client, ids):
    return sum(client.call("GET", f"/asset/{identifier}")[0] == 410 for identifier in ids) == len(ids)


def deleted(claim, client, ids):
    refused = delete(client, ids)
    holds(claim, f"{len(refused)} of {len(ids)} refused {refused[:1] or ''}", not refused)


@contextlib.contextmanager
def deleted_across_a_crash(program, data, service, ids, name):
    """Deletes a part, is killed, and deletes the rest after a start on the disk that is still full. Gives that service."""
    deleted(f"{name}: deletes", Client(service.port), ids[:DELETED])
    service.kill()
    with Service(program, data) as again:
        rest_deleted(Client(again.port), ids, name)
        yield again


def rest_deleted(client, ids, name):
    holds(f"{name}: what was deleted stays so after a kill", f"{len(ids[:DELETED])} assets", all_gone(client, ids[:DELETED]))
    there = sum(client.call("GET", f"/asset/{identifier}")[0] == 200 for identifier in ids[DELETED:])
    holds(f"{name}: and what was not is there", f"{there} assets", there == len(ids) - len(ids[:DELETED]))
    deleted(f"{name}: deletes after a kill and a start", client, ids[DELETED:])
    answers = [client.call("POST", f"/assets/trash/{ids[0]}/delete"), client.call("POST", "/assets/trash/empty")]
    statuses = [status for status, _ in answers]
    holds(f"{name}: deletes permanently, and empties the Trash", f"{statuses} {answers[0][1][:200]}", all(status < 300 for status in statuses))


def filled_by_itself(program, size):
    name = f"a disk of {size} MiB that it filled"
    with small_disk(size) as disk:
        with Service(program, disk / "data") as service:
            ids, refusals = fill(Client(service.port), size << 20 >> 10)
            holds(f"{name}: 507", f"{len(ids)} assets made", set(refusals) == {507})
            with deleted_across_a_crash(program, disk / "data", service, ids, name) as again:
                status, _ = create(Client(again.port), 0, size << 20 >> 10)
                holds(f"{name}: takes things again, since what was deleted left room", f"status {status}", status == 200)
                code, _ = again.stop()
                holds(f"{name}: ends as it should", f"code {code}", code == 0)


def filled_by_another(program, size):
    name = f"a disk of {size} MiB that another program filled"
    with small_disk(size) as disk:
        with Service(program, disk / "data") as service:
            client, length = Client(service.port), size << 20 >> 12
            ids = [create(client, number, length)[1] for number in range(DELETED + 50)]
            take_the_rest(disk / "filler")
            # Folding its log in gives some room back, which the other program takes as well.
            for number in range(20):
                status = create(client, number, length)[0]
                take_the_rest(disk / f"filler {number}")
            holds(f"{name}: 507", f"status {status}", status == 507)
            with deleted_across_a_crash(program, disk / "data", service, ids, name) as again:
                (disk / "filler").unlink()
                status, _ = create(Client(again.port), 0, length)
                holds(f"{name}: takes things again once there is room", f"status {status}", status == 200)


def main():
    given = arguments(__doc__)
    needs_root("small disks are mounted")
    for size in ALL_SIZES if given.full else SIZES:
        filled_by_itself(given.program, size)
        filled_by_another(given.program, size)


if __name__ == "__main__":
    main()
