"""What many clients add up at once is exact, and what they link at once is linked once.

    python exact.py PATH/TO/lunette [--full]
"""

import json
import tempfile
import time

from common import Client, Ledger, Service, arguments, holds, made, side_by_side

CLIENTS = 64


def post(client, path, body=None):
    status, answer = client.call("POST", path, body)
    if not 200 <= status < 300:
        raise AssertionError(f"{path}: {status} {answer[:200]!r}")
    return answer


def main():
    given = arguments(__doc__)
    each = 1000 if given.full else 50
    with tempfile.TemporaryDirectory() as work, Service(given.program, f"{work}/data") as service:
        client = Client(service.port)
        asset = made(client, Ledger(), "counted", "by many")["id"]
        tag = json.loads(post(client, "/tags/create", {"text": "linked by many"}))["id"]

        def work(number):
            own = Client(service.port)
            for turn in range(each):
                post(own, f"/asset/{asset}/scores/increment", {"asset": {"reuse": True}})
                if turn % 10 == 0:
                    post(own, f"/asset/{asset}/tags/{'associate' if (turn + number) % 2 else 'disassociate'}/{tag}")
            post(own, f"/asset/{asset}/tags/associate/{tag}")
            own.close()

        began = time.monotonic()
        side_by_side(CLIENTS, work)
        seconds = time.monotonic() - began
        found = client.get(f"/asset/{asset}")
        links = [entry for entry in found["tags"]["iterable"] if entry["id"] == tag]
        holds(f"{CLIENTS} clients add up exactly", f"{found['score']['reuse']} of {CLIENTS * each} in {seconds:.1f} s",
              found["score"]["reuse"] == CLIENTS * each)
        holds("what all of them link and unlink is linked once", f"{len(links)}", len(links) == 1)
        client.close()


if __name__ == "__main__":
    main()
