"""Whatever becomes of the settings, the window starts, and the connections that are kept are not lost.

    settings.py PATH/TO/lunette [--full]

Run by `run`. With --full the window is killed ten times as often. It needs root, tmpfs and strace.
"""

import contextlib
import os
import pathlib
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile

from opened import DATABASE, Window, claim, is_set, kept, service
from tree import Missing, Program, waited

CONNECTIONS = [{"name": f"Kept {place}", "url": f"http://127.0.0.1:{place}"} for place in range(1, 7)]
LOG = f"{DATABASE}-wal"
# What a window does to keep its settings, from which one on: moments at which it can be killed.
MOMENTS = [
    ("openat", "inspector.lock", 1), ("openat", DATABASE, 1), ("openat", LOG, 1), ("pwrite64", LOG, 1),
    ("pwrite64", LOG, 2), ("pwrite64", LOG, 4), ("fdatasync", LOG, 1), ("pwrite64", DATABASE, 1), ("fdatasync", DATABASE, 1),
]
NOBODY = 65_534


def is_kept(data):
    """Asserts that the list is in the settings."""
    lost = [connection for connection in CONNECTIONS if not is_set(data, connection)]
    assert not lost, f"lost: {lost}"


def is_shown(window):
    """Asserts that the window shows the list."""
    tree = window.tree()
    tree.press("~Connection: ", "push button")
    for connection in CONNECTIONS:
        tree.wait(connection["name"])
    tree.press("Close", "push button")
    return tree


def opened(program, data, url, **options):
    """A window on a service elsewhere, with the settings of this folder."""
    return Window(program, None, "--url", url, **{"XDG_CONFIG_HOME": str(data.parent), "XDG_DATA_HOME": str(data.parent)} | options)


def starts(program, data, url):
    """Asserts that a window starts there, shows the list, and leaves it kept."""
    with opened(program, data, url) as window:
        is_shown(window)
        code, _ = window.told(signal.SIGTERM)
        assert code == 0, code
    is_kept(data)


def was_used(program, data, url):
    """A folder as a window left it; gives its database."""
    path = kept(data, connections=CONNECTIONS, theme="Dark")
    starts(program, data, url)
    return path


def damaged(program, folder, url):
    """Pages are lost, so that SQLite does not find the rows any more."""
    places = {"the first page": (0, 4096), "the start of the tables": (4096, 4200), "noise": (100, 400)}
    for name, (start, end) in places.items():
        data = folder / name.replace(" ", "-") / "lunette"
        path = was_used(program, data, url)
        # A window that ends while the machine is busy may leave the log, whose pages would replace damaged ones.
        with contextlib.closing(sqlite3.connect(path)) as database:
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        whole = path.read_bytes()
        damage = whole[:start] + bytes(end - start) + whole[end:]
        path.write_bytes(damage)
        # The first start may end before it keeps anything.
        with opened(program, data, url) as window:
            window.seen()
        is_kept(data)
        starts(program, data, url)
        aside = [file.read_bytes() for file in data.glob(f"inspector-damaged-*/{DATABASE}")]
        assert damage in aside, name
    return f"{len(places)} damages ({', '.join(places)}): started, the list shown, what was damaged kept"


def of_an_earlier_build(program, folder, url):
    data = folder / "lunette"
    path = kept(data, connections=CONNECTIONS)
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.executescript("DROP TABLE draft; PRAGMA user_version = 1")
    (data / "settings.json").write_text('{"theme": "Dark"}', encoding="utf-8")
    before = {file: file.read_bytes() for file in data.iterdir()}
    with opened(program, data, url) as window:
        said = window.tree().wait("~Could not read the settings: the inspector's database has version 1").get_name()
        assert "“lunette export” of that build" in said, said
        code, _ = window.told(signal.SIGTERM)
        assert code == 0, code
    assert {file: file.read_bytes() for file in before} == before
    return "the database of a build before the first release: started, the way out said, the files left as they were"


def unreadable(program, folder, url):
    assert os.geteuid() == 0, "this needs root, to become a user who cannot read a file of mode 0"
    assert shutil.which("setpriv"), "setpriv is not installed (Debian: util-linux)"
    data = folder / "lunette"
    path = kept(data, connections=CONNECTIONS)
    before = path.read_bytes()
    home = folder / "home"
    home.mkdir(mode=0o700)
    path.chmod(0)
    folder.chmod(0o755)
    for owned in (data, home, *data.iterdir()):
        os.chown(owned, NOBODY, NOBODY)
    # A user of its own has no place on this one's buses: what is looked at is its window.
    others = {"HOME": str(home), "XDG_RUNTIME_DIR": str(home), "DBUS_SESSION_BUS_ADDRESS": None}
    become = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
    with opened(program, data, url, before=become, **others) as window:
        window.seen()
        code, _ = window.told(signal.SIGTERM)
    assert code == 0, code
    assert path.read_bytes() == before and path.stat().st_mode & 0o777 == 0
    path.chmod(0o600)
    starts(program, data, url)
    return "a file of mode 0: started, the file left as it was, the list shown once it can be read"


def on_a_full_disk(program, folder, url):
    disk = folder / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(disk)], capture_output=True)
    assert mounted.returncode == 0, f"this needs root, to mount a small disk: {mounted.stderr}"
    try:
        data = disk / "lunette"
        was_used(program, data, url)
        subprocess.run(["dd", "if=/dev/zero", f"of={disk}/full", "bs=4k"], capture_output=True)
        with opened(program, data, url) as window:
            tree = is_shown(window)
            tree.press("Preferences", "push button")
            tree.press("Light", "radio button")
            tree.wait("~Could not save the settings")
            code, _ = window.told(signal.SIGTERM)
        assert code == 0, code
        is_kept(data)
        (disk / "full").unlink()
        starts(program, data, url)
    finally:
        subprocess.run(["umount", "--lazy", str(disk)], check=True)
    return "on a full disk it starts, says what could not be kept, and the list is shown after"


def killed(program, folder, url, rounds):
    assert shutil.which("strace"), "strace is not installed (Debian: strace)"
    data = folder / "lunette"
    was_used(program, data, url)
    moments = MOMENTS * rounds
    ended = 0
    for call, name, number in moments:
        strace = ["strace", "-f", "-qq", "-o", "/dev/null", "-P", str(data / name)]
        kill = ["-e", f"trace={call}", "-e", f"inject={call}:signal=KILL:when={number}+"]
        with opened(program, data, url, before=strace + kill) as window:
            ended += until_killed(window, data)
        is_kept(data)
    starts(program, data, url)
    assert ended * 2 > len(moments), f"only {ended} of {len(moments)} were killed while they kept their settings"
    return f"killed {ended} times while it kept or read its settings: the list was there each time, and is shown"


def until_killed(window, data):
    """Chooses one theme after the other until it is killed by what it does; whether it was."""
    dead = lambda: window.process.poll() is not None
    try:
        choose(window, data, dead)
    except (Missing, OSError):
        # It may be killed at any moment, also while it is looked for.
        if not dead():
            raise
    return dead()


def choose(window, data, dead):
    """Chooses one theme after the other, as long as it lives."""
    traced = waited(lambda: dead() or window.traced(), "its tree or its end")
    if dead():
        return
    tree = Program("lunette", traced)
    waited(lambda: dead() or tree.pressed("Preferences", "push button"), "the preferences or its end")
    for theme in ("Light", "Dark", "Light"):
        waited(lambda: dead() or tree.pressed(theme, "radio button"), "the theme or its end")
        waited(lambda: dead() or is_set(data, theme, "theme"), "the theme in the settings")


CLAIMS = [damaged, of_an_earlier_build, unreadable, on_a_full_disk]


def main(program, rounds):
    with tempfile.TemporaryDirectory() as data, service(program, data) as url:
        for shown in [*CLAIMS, lambda *given: killed(*given, rounds)]:
            with tempfile.TemporaryDirectory() as folder:
                claim("settings", shown(program, pathlib.Path(folder), url))


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[2:] not in ([], ["--full"]):
        sys.exit(__doc__)
    main(sys.argv[1], 25 if sys.argv[2:] else 2)
