"""Real windows, services and screens that come and go, for the scripts beside this one.

What must hold: everything that is started here ends with its `with`, whatever came in between.
"""

import contextlib
import hashlib
import json
import os
import pathlib
import re
import signal
import socket
import sqlite3
import subprocess
import tempfile
import time
import urllib.request

from tree import Program, application, waited

DATABASE = "inspector.sqlite3"
DATABASES = pathlib.Path(__file__).resolve().parents[2] / "crates" / "lunette-inspector" / "src"
PANIC = ("panicked", "stack backtrace", "RUST_BACKTRACE")


class Window:
    """The program with its window, on data, settings and a screen that the caller chose.

    `data` is the folder of its data and settings; None where it takes those of its user, `HOME` in the environment.
    """

    def __init__(self, program, data, *arguments, before=(), **environment):
        self.data = data
        self.said = tempfile.NamedTemporaryFile(mode="r", errors="replace")
        env = {name: value for name, value in (os.environ | environment).items() if value is not None}
        command = [*before, program, *arguments, *(["--data", str(data)] if data else [])]
        with open(self.said.name, "ab") as said:
            self.process = subprocess.Popen(command, stdout=said, stderr=said, env=env, start_new_session=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(timeout=30)

    def shown(self, display=None):
        """The ids of its windows on the screen now."""
        find = ["xdotool", "search", "--onlyvisible", "--name", "^Lunette"]
        env = os.environ | ({"DISPLAY": display} if display else {})
        return subprocess.run(find, capture_output=True, text=True, env=env).stdout.split()

    def seen(self, display=None):
        """Waits for its window; its id on the screen."""

        def found():
            assert self.process.poll() is None, f"it ended with {self.process.returncode}: {self.text()}"
            return self.shown(display)

        return waited(found, "its window")[0]

    def tree(self, process=None):
        """Its accessibility tree; `process` is its own where it is not the one that was started."""
        tree = Program("lunette", process or self.process.pid)
        subprocess.run(["xdotool", "windowfocus", self.seen()], check=True)
        return tree

    def traced(self):
        """The process of the window where a tracer was started; None while it is not on the bus."""
        tracer = self.process.pid
        children = pathlib.Path(f"/proc/{tracer}/task/{tracer}/children").read_text(encoding="ascii").split()
        return next((int(child) for child in children if application("lunette", int(child))), None)

    def port(self):
        """The port of the service inside."""
        return waited(self._port, "the port of the service inside")

    def _port(self):
        try:
            told = json.loads((self.data / "lunette.address").read_text(encoding="utf-8"))
        except (FileNotFoundError, json.JSONDecodeError):
            return None
        return told["port"] if told["pid"] == self.process.pid else None

    def text(self):
        """What it printed."""
        return pathlib.Path(self.said.name).read_text(encoding="utf-8", errors="replace")

    def ended(self, seconds=30):
        """Waits for its end: how it ended, what it printed, and how long that took."""
        since = time.monotonic()
        code = self.process.wait(timeout=seconds)
        return code, self.text(), time.monotonic() - since

    def told(self, number):
        """Sends it a signal and waits for its end: how it ended, and how long that took."""
        self.process.send_signal(number)
        code, said, took = self.ended()
        assert not panicked(said), said
        return code, took


def panicked(text):
    """Whether a text tells of a panic."""
    return any(word in text for word in PANIC)


@contextlib.contextmanager
def service(program, data):
    """`lunette serve` without any display; its address."""
    env = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    command = [program, "serve", "--port", "0", "--data", str(data)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=env)
    try:
        url = process.stdout.readline().removeprefix("listening on ").strip()
        assert url.startswith("http://"), url
        yield url
    finally:
        process.terminate()
        assert process.wait(timeout=30) == 0


@contextlib.contextmanager
def screen(*arguments):
    """A virtual screen of its own: its name, and its process."""
    inlet, outlet = os.pipe()
    # Beyond those that `run` takes, and small enough for the port that belongs to it.
    number = f":{52_000 + os.getpid() % 5_000}"
    command = ["Xvfb", number, "-displayfd", str(outlet), "-noreset", "-ac", "-screen", "0", "1280x800x24"]
    process = subprocess.Popen([*command, "-nolisten", "tcp", *arguments], pass_fds=[outlet], stderr=subprocess.DEVNULL)
    os.close(outlet)
    try:
        with open(inlet, encoding="ascii") as told:
            number = told.readline().strip()
        assert number, "the virtual screen did not start"
        yield f":{number}", process
    finally:
        process.kill()
        process.wait(timeout=30)


def ask(url, path="/assets?transferables=false"):
    """What a service answers, as JSON."""
    with urllib.request.urlopen(url + path, timeout=30) as answer:
        return json.load(answer)


def names(url):
    """The names of the assets of a service."""
    return {asset["name"] for asset in ask(url)["iterable"]}


def is_free(port):
    """Whether a service could listen there."""
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True


def kept(data, **settings):
    """Writes settings into the database of a new data folder; nothing moves in a window there. Gives the database."""
    data.mkdir(parents=True, exist_ok=True)
    with contextlib.closing(sqlite3.connect(data / DATABASE)) as database:
        database.executescript((DATABASES / "db" / "schema.sql").read_text(encoding="utf-8"))
        version = re.search(r"first: (\d+)", (DATABASES / "db.rs").read_text(encoding="utf-8")).group(1)
        database.execute(f"PRAGMA user_version = {version}")
        database.execute(f"PRAGMA application_id = {int.from_bytes(b'LUNI', 'big')}")
        for name, value in rows({"look": {"motion": "Reduced"}} | settings):
            sealed = seal("setting", name, value)
            database.execute("INSERT INTO setting (name, value, seal) VALUES (?, ?, ?)", (name, value, sealed))
        database.commit()
    return data / DATABASE


def rows(settings):
    """Settings as the rows of the database: one for a field, or one for each entry of an object or a list."""
    for field, value in settings.items():
        entries = []
        if isinstance(value, dict):
            value, entries = {}, value.items()
        elif isinstance(value, list):
            value, entries = [], [(f"#{place:06}", entry) for place, entry in enumerate(value)]
        yield field, json.dumps(value)
        yield from ((f"{field}/{name}", json.dumps(entry)) for name, entry in entries)


def seal(table, *columns):
    """The checksum of a row, by which the program tells a whole one."""
    parts = [(b"n", table), (b"0", ""), *((b"t", column) for column in columns)]
    texts = ((kind, text.encode()) for kind, text in parts)
    return hashlib.sha256(b"".join(kind + len(text).to_bytes(8, "little") + text for kind, text in texts)).digest()[:8]


def is_set(data, value, name=None):
    """Whether a setting of a data folder is this; without a name, whether any is."""
    try:
        with contextlib.closing(sqlite3.connect(f"file:{data / DATABASE}?mode=ro", uri=True)) as database:
            rows = database.execute("SELECT name, value FROM setting").fetchall()
    except sqlite3.Error:
        return False
    return any(json.loads(there) == value and name in (None, known) for known, there in rows)


def claim(script, text):
    """Prints what was shown to hold."""
    print(f"{script}: {text}", flush=True)
