"""A service under test: `lunette serve` on a free port, on its own or under another program such as strace.

Whoever starts one ends it: `with Service(...) as service` kills what still runs.
"""

import os
import pathlib
import select
import signal
import subprocess
import tempfile
import time

# How long a start may take on a busy machine before it counts as hung.
PATIENCE = 60
DATABASE = "lunette.sqlite3"
# What tells a program under test from what the tests need themselves.
QUIET = {"LUNETTE_LOG": "error"}


class NotStarted(Exception):
    """The program ended, or stayed silent, instead of serving."""

    def __init__(self, code, said):
        super().__init__(f"ended with {code}: {said.strip()}")
        self.code, self.said = code, said


class Service:
    """A service that listens. `before` is put in front of the command, `environment` is added to ours."""

    def __init__(self, program, data, before=(), environment=None, port=0, extra=()):
        self.data = pathlib.Path(data)
        self.log = tempfile.TemporaryFile("w+", errors="replace")
        command = [*before, str(program), "serve", "--port", str(port), "--data", str(data), *extra]
        began = time.monotonic()
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self.log, text=True,
            env={**os.environ, **QUIET, **(environment or {})},
        )
        try:
            self.port = self._listening()
        except BaseException:
            self.kill()
            raise
        self.took = time.monotonic() - began

    def _listening(self):
        ready, _, _ = select.select([self.process.stdout], [], [], PATIENCE)
        line = self.process.stdout.readline() if ready else ""
        if not line.startswith("listening on http://127.0.0.1:"):
            code = None if not ready else self.process.wait(PATIENCE)
            raise NotStarted(code, line + self.said())
        return int(line.rsplit(":", 1)[1])

    def said(self):
        """What it wrote to stderr so far."""
        self.log.seek(0)
        return self.log.read()

    @property
    def pid(self):
        """The program's own process, also where another one runs it."""
        return int((self.data / "lunette.lock").read_text().split()[0])

    def running(self):
        return self.process.poll() is None

    def signal(self, number):
        """Tells the program itself; one that is gone is told nothing."""
        try:
            os.kill(self.pid, number)
        except (ProcessLookupError, ValueError, IndexError, FileNotFoundError):
            pass

    def stop(self, patience=PATIENCE):
        """Ends it as a user's session does, and gives back its exit code and the seconds it took."""
        began = time.monotonic()
        self.signal(signal.SIGTERM)
        code = self.process.wait(patience)
        return code, time.monotonic() - began

    def kill(self):
        """Ends it as a crash does."""
        if self.running():
            if getattr(self, "port", None):
                self.signal(signal.SIGKILL)
            else:
                self.process.kill()
            try:
                self.process.wait(5)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.process.stdout.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kill()
        if "panicked" in self.said():
            raise AssertionError(f"the service panicked:\n{self.said()}")


def refused(program, data, before=(), environment=None):
    """Starts one that must not come up; gives back its exit code, what it said, and the seconds it took."""
    began = time.monotonic()
    try:
        service = Service(program, data, before, environment)
    except NotStarted as ended:
        return ended.code, ended.said, time.monotonic() - began
    service.kill()
    raise AssertionError(f"a service came up on {data}, which must be refused")
