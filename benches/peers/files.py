"""Rows over files: the import against `git add`."""

import os
import random
import shutil
import subprocess
import time

from peers import Missing, Result
from service import Service

WORDS = ["retry", "buffer", "socket", "parse", "window", "asset", "stream", "query", "index", "merge", "token", "frame"]


def tree(folder, count, size=2_000):
    """Makes this many files of this size, 50 in a folder, each with other words."""
    chance = random.Random(count)
    for number in range(count):
        at = folder / f"part{number // 50:04}"
        at.mkdir(parents=True, exist_ok=True)
        text = " ".join(chance.choice(WORDS) + str(chance.randrange(1_000)) for _ in range(size // 9))
        (at / f"file{number:05}.md").write_text(text[:size])
    return folder


def seconds(command, **more):
    began = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, **more)
    if done.returncode != 0:
        raise AssertionError(f"{command}: {done.stdout[-500:]}{done.stderr[-500:]}")
    return time.monotonic() - began


def git_add(source, folder, settings=()):
    """The seconds of adding everything to a new repository."""
    work = folder / "git"
    shutil.rmtree(work, ignore_errors=True)
    shutil.copytree(source, work)
    quiet = {**os.environ, "GIT_CONFIG_NOSYSTEM": "1", "HOME": str(folder)}
    subprocess.run(["git", "init", "--quiet"], cwd=work, check=True, env=quiet)
    return seconds(["git", *settings, "add", "."], cwd=work, env=quiet)


def imported(program, source, folder):
    """The seconds of importing everything into a running service with an empty store."""
    data = folder / "data"
    shutil.rmtree(data, ignore_errors=True)
    with Service(program, data) as service:
        return seconds([str(program), "import", "--url", f"http://127.0.0.1:{service.port}", str(source)],
                       env={**os.environ, "XDG_DATA_HOME": str(folder / "home"), "HOME": str(folder)})


def importing(count, rounds):
    def measure(program, folder):
        if not shutil.which("git"):
            raise Missing("git is not installed")
        source = tree(folder / "source", count)
        taken = [(imported(program, source, folder), git_add(source, folder, ["-c", "core.fsync=all"]), git_add(source, folder))
                 for _ in range(rounds)]
        ours, durable, plain = (sorted(values)[rounds // 2] for values in zip(*taken))
        what = f"import of {count:,} files of 2 kB"
        return [
            Result(what, f"{ours:.2f} s", f"`git add`, `core.fsync=all` {durable:.2f} s", ours / durable, 0.8, "smaller"),
            Result(what, f"{ours:.2f} s", f"`git add`, as it comes {plain:.2f} s", ours / plain, 1.2, "smaller"),
        ]

    return measure


ROWS = {"import-1000": importing(1_000, 3), "import-10000": importing(10_000, 1)}
