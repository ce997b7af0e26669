"""After many have read everything, a service at rest is as small as it was.

    python rest.py PATH/TO/lunette

16 clients read all assets with their contents at once. The memory they needed goes back to the system soon after, although
nobody asks for anything any more.
"""

import http.client
import pathlib
import subprocess
import sys
import tempfile
import time

from common import Service, arguments, holds, side_by_side, skipped

MB = 1_000_000
ASSETS = 4_000
READERS = 16
# How much more than before the readers, and how soon.
MOST = 24 * MB
SOON = 60


def memory(service):
    """The memory of its own that a service has now, in bytes."""
    status = pathlib.Path(f"/proc/{service.pid}/status").read_text()
    return 1024 * int(next(line for line in status.splitlines() if line.startswith("RssAnon:")).split()[1])


def read_everything(service):
    """Reads all assets; gives back how many bytes that were."""
    connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=120)
    connection.request("GET", "/assets?transferables=true")
    answer = connection.getresponse()
    length = 0
    while piece := answer.read(1 << 20):
        length += len(piece)
    connection.close()
    return length


def main():
    given = arguments(__doc__)
    if not pathlib.Path("/proc/self/status").exists():
        skipped("memory is measured where /proc is")
        sys.exit(0)
    with tempfile.TemporaryDirectory() as work:
        files = pathlib.Path(work, "files")
        files.mkdir()
        for number in range(ASSETS):
            (files / f"{number}.txt").write_text(f"text {number}\n" + "a line of the text\n" * 200)
        with Service(given.program, f"{work}/data") as service:
            url = f"http://127.0.0.1:{service.port}"
            subprocess.run([given.program, "import", files, "--url", url, "--allow-writes"], check=True,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            before = memory(service)
            lengths = []
            side_by_side(READERS, lambda _: lengths.append(read_everything(service)))
            read = memory(service)
            began = time.monotonic()
            while (more := memory(service) - before) > MOST and time.monotonic() - began < SOON:
                time.sleep(0.5)
            claim = f"within {SOON} s after {READERS} clients read {lengths[0] // MB} MB each it has at most {MOST // MB} MB more"
            holds(claim,
                  f"{before // MB} MB before, {read // MB} MB when they had read, {more // MB} MB more after "
                  f"{time.monotonic() - began:.0f} s", len(set(lengths)) == 1 and more <= MOST)


if __name__ == "__main__":
    main()
