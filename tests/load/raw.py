"""Whatever bytes come, each connection is answered or closed, and nothing of it is a fault of the service.

    python raw.py PATH/TO/lunette [--full]

Requests are made up from a seed: pieces of real ones put together, then bent: cut, repeated, flipped, said twice.
"""

import collections
import random
import socket
import tempfile
import threading

from common import Client, Service, arguments, holds, side_by_side

SEED = 50
# 501 is the answer to a transfer coding that the service does not know (RFC 9112, section 6.1).
FAULTS = set(range(500, 600)) - {501}
WORKERS = 8
METHODS = (b"GET", b"POST", b"HEAD", b"OPTIONS", b"PUT", b"DELETE", b"get", b"G\x00T", b"CONNECT", b"PRI", b"")
TARGETS = (b"/assets", b"/asset/update", b"/asset/%s", b"/asset/..%%2f..", b"/applications?x=%%zz", b"*", b"//",
           b"/\xff",
           b"http://127.0.0.1/assets", b"http://evil.test/", b"/asset/" + b"a" * 9000, b"/assets/create",
           b"/tags/search",
           b"/assets/stream/identifiers", b"/asset/%%00", b"", b"/asset/%s/scores/increment",
           b"/search/full_text?query=%%ff")
VERSIONS = (b"HTTP/1.1", b"HTTP/1.0", b"HTTP/2.0", b"HTTP/0.9", b"http/1.1", b"HTTP/1.10", b"")
HEADERS = (b"Content-Type: application/json", b"Content-Type: \xff", b"Content-Length: 5", b"Content-Length: -1",
           b"Content-Length: 99999999999999999999", b"Content-Length: 3, 3", b"Transfer-Encoding: chunked",
           b"Transfer-Encoding: gzip, chunked", b"Transfer-Encoding: \x0bchunked", b"Expect: 100-continue",
           b"Connection: close", b"Connection: Upgrade", b"Upgrade: websocket", b"Upgrade: h2c", b"Origin: null",
           b"Sec-WebSocket-Version: 13", b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", b"X: " + b"y" * 70000,
           b"Sec-Fetch-Site: none", b" folded: yes", b"No-Colon", b": no name", b"Host: evil.test", b"Range: bytes=0-")
BODIES = (b"", b"{}", b"null", b"[" * 5000, b'{"asset":{"reuse":true}}', b'"\xff\xfe"', b"5\r\nhello\r\n0\r\n\r\n",
          b"ffffffffffffffff\r\nx", b"-1\r\n\r\n", b'{"type":"SEEDED_ASSET","asset":{}}', b"1e400", b'{"a":1,"a":2}')


def made_up(chance):
    """One request, more or less."""
    target = chance.choice(TARGETS)
    target = target.replace(b"%s", b"00000003-0000-4000-8000-000000000003").replace(b"%%", b"%")
    host = [b"Host: 127.0.0.1"] if chance.random() < 0.85 else []
    headers = host + chance.sample(HEADERS, chance.randrange(4))
    body = chance.choice(BODIES)
    if chance.random() < 0.5:
        headers += [b"Content-Type: application/json", b"Content-Length: %d" % len(body)]
    line = b" ".join((chance.choice(METHODS[:2] if chance.random() < 0.7 else METHODS), target,
                      chance.choice(VERSIONS[:1] if chance.random() < 0.8 else VERSIONS)))
    request = b"\r\n".join((line, *headers, b"", body))
    return bent(chance, request) if chance.random() < 0.5 else request


def bent(chance, request):
    request = bytearray(request)
    for _ in range(chance.randrange(1, 4)):
        place, kind = chance.randrange(len(request) + 1), chance.randrange(4)
        if kind == 0:
            del request[place:]
        elif kind == 1 and place < len(request):
            request[place] ^= 1 << chance.randrange(8)
        elif kind == 2:
            request[place:place] = request[: chance.randrange(64)]
        else:
            request[place:place] = bytes(chance.randrange(256) for _ in range(chance.randrange(8)))
    return bytes(request)


def outcome(port, request):
    """The status of the first answer, or how the connection ended."""
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        try:
            connection.sendall(request)
            connection.shutdown(socket.SHUT_WR)
            answer = b""
            while piece := connection.recv(65536):
                answer += piece
        except TimeoutError:
            return "neither answered nor closed"
        except OSError:
            return "closed"
    if not answer.startswith(b"HTTP/1."):
        return "closed" if not answer else "answered in no HTTP"
    return int(answer.split(b" ", 2)[1])


def main():
    given = arguments(__doc__)
    count = 10_000 if given.full else 2_000
    outcomes, lock, bad = collections.Counter(), threading.Lock(), []
    with tempfile.TemporaryDirectory() as work, Service(given.program, f"{work}/data") as service:
        def work(worker):
            for number in range(worker, count, WORKERS):
                request = made_up(random.Random(SEED * 1_000_003 + number))
                ended = outcome(service.port, request)
                with lock:
                    outcomes[ended] += 1
                    if ended in ("neither answered nor closed", "answered in no HTTP") or ended in FAULTS:
                        bad.append((number, ended, request[:200]))

        side_by_side(WORKERS, work)
        for number, ended, request in bad[:5]:
            print(f"    request {number}: {ended}: {request!r}")
        said = ", ".join(f"{times} × {ended}" for ended, times in outcomes.most_common())
        holds(f"{count} made-up requests are answered or closed, none is a fault", said, not bad)
        client = Client(service.port)
        holds("the service is well after them", str(client.call("GET", "/.well-known/health")[0]),
              client.call("GET", "/assets")[0] == 200)
        client.close()


if __name__ == "__main__":
    main()
