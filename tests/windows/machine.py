"""Starts programs under wine, in a prefix of its own, and translates paths of its drive C:.

`run` sets the environment.
"""

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import time
import urllib.request

DRIVE = pathlib.Path(os.environ["WINEPREFIX"], "drive_c")
TOOLS = pathlib.Path(os.environ["LUNETTE_WINDOWS_TOOLS"])
PROGRAM = os.environ["LUNETTE_WINDOWS_PROGRAM"]
TIMEOUT = 120


class Ended:
    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err

    def __repr__(self):
        return f"code {self.code}\n{self.out}{self.err}"

    def json(self):
        return json.loads(self.out)


def unix(path):
    """Returns where a path of the drive C: is on this system."""
    assert path.startswith("C:\\"), path
    return DRIVE / path[3:].replace("\\", "/")


def fresh(name):
    """Makes an empty folder on the drive C: and returns its Windows path."""
    path = f"C:\\{name}"
    shutil.rmtree(unix(path), ignore_errors=True)
    unix(path).mkdir(parents=True)
    return path


def write(path, text):
    """Writes a file on the drive C:, with its folder, and returns its path."""
    place = unix(path)
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text, encoding="utf-8")
    return path


def start(*arguments, program=PROGRAM, cwd=None, **more):
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(["wine", program, *arguments], cwd=cwd or DRIVE, **{**pipes, **more})


def run(*arguments, given="", program=PROGRAM, cwd=None):
    process = start(*arguments, program=program, cwd=cwd)
    out, err = process.communicate(given.encode(), timeout=TIMEOUT)
    # Fails unless all output is UTF-8.
    return Ended(process.returncode, out.decode().replace("\r\n", "\n"), err.decode().replace("\r\n", "\n"))


class Service:
    """`lunette serve` on a data folder; `None` is the one of the user."""

    def __init__(self, data):
        named = [] if data is None else ["--data", data]
        self.process = start("serve", "--port", "0", *named, stderr=subprocess.DEVNULL)
        line = self.process.stdout.readline().decode()
        found = re.fullmatch(r"listening on (http://127\.0\.0\.1:\d+)\r?\n", line)
        assert found, f"the service printed {line!r}"
        self.url = found.group(1)

    def ask(self, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.loads(answer.read() or b"null")

    def interrupt(self):
        """Sends Ctrl+C and returns the exit code."""
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(timeout=30)

    def kill(self):
        """Ends it at once, as the Task Manager does."""
        self.process.kill()
        self.process.wait()


class Held:
    """A file that another program holds open until the end of a `with`."""

    def __init__(self, path, mode="all"):
        self.process = start(mode, path, program=str(TOOLS / "hold.exe"))
        line = self.process.stdout.readline().decode().strip()
        assert line == "held", line

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.communicate(b"\n", timeout=30)


def until(fact, what, seconds=60):
    """Waits until `fact` returns something true, and returns that."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = fact()
        if found:
            return found
        time.sleep(0.1)
    raise AssertionError(f"{what}: not there after {seconds} s")


def seed(name, text):
    application = {
        "id": "6f1b4b9e-0000-4000-8000-000000000001", "name": "OPEN_SOURCE", "version": "1", "platform": "WINDOWS",
        "onboarded": True, "privacy": "OPEN", "capabilities": "LOCAL",
    }
    asset = {
        "application": application, "format": {"fragment": {"string": {"raw": text}}}, "metadata": {"name": name},
    }
    return {"type": "SEEDED_ASSET", "asset": asset}
