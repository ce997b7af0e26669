"""Rows over the whole list of assets: its first byte, its last byte, the memory that it takes, and what it leaves."""

import http.client
import socket
import subprocess
import time

from measure import at_most, memory, reset_peak, shown, smaller
from service import Service


def save(port, path, file):
    """Keeps a response's body in a file."""
    connection = http.client.HTTPConnection("127.0.0.1", port)
    connection.request("GET", path)
    response = connection.getresponse()
    assert response.status == 200, f"{path}: {response.status}"
    with open(file, "wb") as out:
        while chunk := response.read(1 << 20):
            out.write(chunk)


def read(port, path):
    """The seconds to the first byte of a response and to its last."""
    buffer = bytearray(1 << 20)
    with socket.create_connection(("127.0.0.1", port)) as connection:
        began = time.monotonic()
        connection.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n".encode())
        first = None
        while connection.recv_into(buffer):
            first = first or time.monotonic() - began
        return first, time.monotonic() - began


def whole(path, last_byte):
    """A list that is read whole; its last byte has this budget."""
    def measure(setup, folder):
        data, _ = setup.store(setup.many)
        with Service(setup.program, data) as service:
            rounds = 3 if setup.quick else 5
            before, taken, skipped = memory(service.pid, "VmRSS"), [], []
            save(service.port, path, folder / "list.json")
            peak = memory(service.pid, "VmHWM")
            for _ in range(rounds):
                reset_peak(service.pid)
                taken.append(read(service.port, path))
                peak = max(peak, memory(service.pid, "VmHWM"))
                skipped.append(float(subprocess.run(
                    [str(setup.programs["peer"]), "skip", str(folder / "list.json"), "1"],
                    check=True, text=True, capture_output=True).stdout))
        first, last = (sorted(values)[rounds // 2] for values in zip(*taken))
        skip = sorted(skipped)[rounds // 2]
        size = (folder / "list.json").stat().st_size / 1e6
        what = f"`GET {path}`, {setup.many:,} assets, {size:.0f} MB"
        return [
            at_most(f"{what}: first byte", first * 1_000, 20, "ms"),
            smaller(f"{what}: last byte", shown(last), f"`serde_json` skips the same bytes in {shown(skip)}",
                    last / skip, last_byte),
            at_most(f"{what}: growth of the service's memory", peak - before, 32, "MB"),
        ]

    return measure


# Freed memory is given back for the second time 13.5 s after it was freed.
AT_REST = 16


def rest(setup, _folder):
    data, _ = setup.store(setup.many)
    with Service(setup.program, data) as service:
        read(service.port, "/assets")
        time.sleep(AT_REST)
        what = f"the service's memory at rest after `GET /assets` of {setup.many:,} assets with their contents"
        return [at_most(what, memory(service.pid, "VmRSS"), 64, "MB")]


# The rows are what our own clients read instead of the records, whose last byte they are to be compared with.
ROWS = {"list": whole("/assets?transferables=false", 3), "list-rows": whole("/assets/rows", None), "rest": rest}
