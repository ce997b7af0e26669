"""The service listens on 127.0.0.1 and ::1 under one port, and on nothing else.

    python loopback.py PATH/TO/lunette
"""

import os
import pathlib
import tempfile

from common import Service, arguments, holds

LISTENING = "0A"


def sockets_of(pid):
    """The inodes of the sockets of a process."""
    links = (os.readlink(file) for file in pathlib.Path(f"/proc/{pid}/fd").iterdir())
    return {link[8:-1] for link in links if link.startswith("socket:[")}


def listeners(pid):
    """(address in hex, port) of each listening TCP socket of a process, of both families."""
    inodes = sockets_of(pid)
    for table in ("tcp", "tcp6"):
        for line in pathlib.Path(f"/proc/net/{table}").read_text().splitlines()[1:]:
            fields = line.split()
            if fields[3] == LISTENING and fields[9] in inodes:
                address, port = fields[1].split(":")
                yield address, int(port, 16)


def main():
    given = arguments(__doc__)
    expected = {"0100007F", "00000000000000000000000001000000"}
    if not pathlib.Path("/proc/net/if_inet6").read_text().strip():
        expected.pop()
    with tempfile.TemporaryDirectory() as work, Service(given.program, f"{work}/data") as service:
        found = sorted(listeners(service.pid))
        holds("it listens on both loopback addresses under one port, and on nothing else",
              ", ".join(f"{address}:{port}" for address, port in found),
              {address for address, _ in found} == expected and {port for _, port in found} == {service.port})


if __name__ == "__main__":
    main()
