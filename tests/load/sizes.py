"""Bodies with a content are taken up to 88 MiB, larger ones are refused with 413 and the number.

    python sizes.py PATH/TO/lunette
"""

import http.client
import json
import tempfile

from common import Client, Ledger, Service, arguments, holds, made

MIB = 1 << 20


def update(service, asset, size):
    """An update whose body has exactly this many bytes; gives back the status and what was said."""
    asset["formats"]["iterable"][0]["fragment"] = {"string": {"raw": ""}}
    asset["original"]["reference"]["fragment"] = {"string": {"raw": ""}}
    empty = len(json.dumps(asset))
    asset["formats"]["iterable"][0]["fragment"]["string"]["raw"] = "x" * (size - empty)
    body = json.dumps(asset).encode()
    connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=120)
    try:
        connection.request("POST", "/asset/update?transferables=false", body, {"Content-Type": "application/json"})
    except (BrokenPipeError, ConnectionResetError):
        pass  # Refused by its announced length; the answer is there all the same.
    answer = connection.getresponse()
    said = answer.read(300)
    connection.close()
    return len(body), answer.status, said


def main():
    given = arguments(__doc__)
    with tempfile.TemporaryDirectory() as work, Service(given.program, f"{work}/data") as service:
        client = Client(service.port)
        identifier = made(client, Ledger(), "large", "small at first")["id"]
        for mebibytes, expected in ((1.9, 200), (2.1, 200), (87, 200), (89, 413)):
            asset = client.get(f"/asset/{identifier}?transferables=true")
            length, status, said = update(service, asset, int(mebibytes * MIB))
            good = status == expected and (status == 200 or str(88 * MIB).encode() in said)
            holds(f"an update of {mebibytes} MiB is answered with {expected}",
                  f"{length} bytes: {status}{'' if status == 200 else ' ' + said.decode()}", good)
        client.close()


if __name__ == "__main__":
    main()
