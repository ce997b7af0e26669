"""Data of a newer version is left alone to the byte, while other services can be used; and no shell is ever started.

    newer.py PATH/TO/lunette

Run by `run`.
"""

import hashlib
import pathlib
import shutil
import signal
import sys
import tempfile

from journey import NAME, TEXT
from opened import Window, ask, claim, names, service
from tree import keys, waited

VERSION = slice(60, 64)  # Where the head of a database file tells the version of its tables.
NEWER = 9_999


def made_newer(program, data):
    """A store that a newer version wrote: its file, and the version that this program knows."""
    with service(program, data):
        pass
    file = data / "lunette.sqlite3"
    content = bytearray(file.read_bytes())
    known = int.from_bytes(content[VERSION], "big")
    content[VERSION] = NEWER.to_bytes(4, "big")
    file.write_bytes(content)
    return file, known


def newer_data_is_named_and_left_alone(program, folder):
    data = folder / "share" / "lunette"
    file, known = made_newer(program, data)
    digest = lambda: hashlib.sha256(file.read_bytes()).hexdigest()
    before = digest()
    with Window(program, data, "--embedded") as window:
        tree = window.tree()
        said = tree.wait("~Not connected").get_name()
        assert str(NEWER) in said and f" {known}" in said, said
        code, _ = window.told(signal.SIGTERM)
        assert code == 0, code
    assert digest() == before
    with service(program, folder / "elsewhere") as url:
        # The data folder of its user is the newer one.
        home = {"XDG_DATA_HOME": str(folder / "share"), "XDG_CONFIG_HOME": str(folder / "config")}
        with Window(program, None, "--url", url, **home) as window:
            tree = window.tree()
            tree.press("Add samples", "push button")
            tree.wait("moon.png", "table row")
            assert "moon.png" in names(url)
            code, _ = window.told(signal.SIGTERM)
            assert code == 0, code
    assert digest() == before
    assert all(log.stat().st_size == 0 for log in data.glob("*-wal")), "nothing of it waits to be put into its file"
    return f"data of version {NEWER}: both numbers said ({NEWER}, {known}), another service used, its file the same"


def no_shell_is_started(program, folder):
    assert shutil.which("strace"), "strace is not installed (Debian: strace)"
    log = folder / "started"
    strace = ["strace", "-f", "--seccomp-bpf", "-qq", "-s", "300", "-e", "trace=execve,execveat", "-o", str(log)]
    with service(program, folder / "elsewhere") as url:
        file = folder / NAME
        file.write_text(TEXT, encoding="utf-8")
        home = {"XDG_DATA_HOME": str(folder / "share"), "XDG_CONFIG_HOME": str(folder / "config")}
        with Window(program, None, "--url", url, before=strace, **home) as window:
            used(window, url, file)
        started = [line.split("(", 1)[1] for line in log.read_text(encoding="utf-8").splitlines() if "exec" in line]
    assert started and all(program in line.split(", ")[0] for line in started), started
    return f"a session that imports, links a website, copies: {len(started)} program started, which is itself"


def used(window, url, file):
    """A short session: a file imported and opened, a website linked, a text copied, the window closed."""
    tree = window.tree(waited(window.traced, "the window's process"))
    tree.press("Import", "push button")
    tree.press("From a path…", "push button")
    tree.type("Path to import", str(file))
    keys("Return")
    tree.press(NAME, "table row")
    tree.wait("import math", "label")
    tree.press("Add a website", "push button")
    tree.type("Add a website", "https://example.org/?$(id)")
    tree.wait("~https://example.org/", "list item")
    keys("Return")
    tree.press("Add website", "push button")
    waited(lambda: websites(url), "the website at the service")
    tree.press("Copy the id", "push button")
    keys("ctrl+q")
    code, said, _ = window.ended()
    assert code == 0, said


def websites(url):
    """The websites that the service has."""
    return ask(url, "/websites")["iterable"]


def main(program):
    for shown in [newer_data_is_named_and_left_alone, no_shell_is_started]:
        with tempfile.TemporaryDirectory() as folder:
            claim("newer", shown(program, pathlib.Path(folder)))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
