"""Clients that say half a request, or a byte a second, keep nobody out, and their places come back. Neither do thousands
that have begun a body.

    python slow.py PATH/TO/lunette
"""

import multiprocessing
import socket
import tempfile
import threading
import time

from common import BROKEN, Client, Service, arguments, files_of, holds, many_files

EACH = 300
HALF = b"GET /.well-known/health HTTP/1.1\r\nHost: 127.0.0.1"
# A head has ten seconds; a busy machine may be late.
PATIENCE = 40
PROMPT = 5000  # milliseconds, on a busy machine; the figure is said
BEGUN = 10_000
WRITTEN = 500  # milliseconds, usually, beside those that have begun a body
BODY = (b"POST /tags/create HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        b"Content-Length: 300000\r\n\r\n{\"text\": \"")


def opened(port, said):
    connection = socket.create_connection(("127.0.0.1", port), timeout=10)
    connection.sendall(said)
    connection.setblocking(False)
    return connection


def is_open(connection):
    """Whether the service has not ended it."""
    try:
        return connection.recv(4096, socket.MSG_PEEK) != b""
    except BlockingIOError:
        return True
    except OSError:
        return False


def drip(connections, ended):
    """Sends a byte a second on each, until the end."""
    number = 0
    while not ended.wait(1):
        for connection in connections:
            try:
                connection.send(HALF[number % len(HALF) : number % len(HALF) + 1])
            except OSError:
                pass
        number += 1


def ordinary(port, ended, times):
    """Asks on fresh connections and notes how long each answer took."""
    while not ended.wait(0.1):
        began = time.monotonic()
        client = Client(port, timeout=PATIENCE)
        try:
            status, _ = client.call("GET", "/.well-known/health")
        except BROKEN as problem:
            status = problem
        client.close()
        times.append((1000 * (time.monotonic() - began), status))


def begin_bodies(port, count, ended):
    """Opens so many connections, as fast as it can, each with a body that goes no further."""
    connections = []
    while not ended.is_set():
        if len(connections) == count:
            ended.wait()
            break
        try:
            connections.append(opened(port, BODY))
        except OSError:
            pass  # It was closed for another one before it was written to.
    for connection in connections:
        connection.close()


def begun_bodies(program):
    """Makes tags beside thousands of bodies that have begun."""
    with tempfile.TemporaryDirectory() as work, Service(program, f"{work}/data") as service:
        ended, times = multiprocessing.Event(), []
        floods = [multiprocessing.Process(target=begin_bodies, args=(service.port, BEGUN // 4, ended)) for _ in range(4)]
        for flood in floods:
            flood.start()
        for number in range(60):
            began = time.monotonic()
            client = Client(service.port, timeout=PATIENCE)
            try:
                status, _ = client.call("POST", "/tags/create", {"text": f"tag {number}"})
            except BROKEN as problem:
                status = problem
            client.close()
            times.append((1000 * (time.monotonic() - began), status))
            ended.wait(0.05)
        ended.set()
        for flood in floods:
            flood.join()
        bad = [status for _, status in times if status != 200]
        took = sorted(took for took, _ in times)
        usual, slowest = took[len(took) // 2], took[-1]
        holds(f"writes go on beside {BEGUN} clients that have begun a body, within {WRITTEN} ms",
              f"{len(times)} made, {len(bad)} without an answer, {usual:.0f} ms usually, {slowest:.0f} ms at most",
              not bad and usual <= WRITTEN and slowest < PROMPT)


def main():
    given = arguments(__doc__)
    many_files()
    begun_bodies(given.program)
    with tempfile.TemporaryDirectory() as work, Service(given.program, f"{work}/data") as service:
        before = files_of(service.pid)
        ended, times = threading.Event(), []
        dripping = []
        threads = [threading.Thread(target=drip, args=(dripping, ended)),
                   threading.Thread(target=ordinary, args=(service.port, ended, times))]
        for thread in threads:
            thread.start()
        began = time.monotonic()
        half = [opened(service.port, HALF) for _ in range(EACH)]
        dripping += [opened(service.port, b"G") for _ in range(EACH)]
        most = 0
        while any(map(is_open, half + dripping)) and time.monotonic() < began + PATIENCE:
            most = max(most, files_of(service.pid) - before)
            time.sleep(0.1)
        left, seconds = sum(map(is_open, half + dripping)), time.monotonic() - began
        ended.set()
        for thread in threads:
            thread.join()
        for connection in half + dripping:
            connection.close()
        bad = [status for _, status in times if status != 200]
        slowest, usual = max(took for took, _ in times), sorted(took for took, _ in times)[len(times) // 2]
        holds(f"an ordinary request goes on beside {EACH} half-open and {EACH} byte-a-second clients",
              f"{len(times)} asked, {len(bad)} without an answer, {usual:.0f} ms usually, {slowest:.0f} ms at most",
              not bad and slowest < PROMPT)
        figure = f"at most {most} held, {left} of {2 * EACH} left after {seconds:.1f} s"
        holds("their places come back", figure, not left)


if __name__ == "__main__":
    main()
