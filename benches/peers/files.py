"""Rows over files: the import against `git add`."""

import json
import os
import pathlib
import random
import shutil
import subprocess
import time
import urllib.request

from measure import Missing, median, needs, seconds, shown, smaller
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


def real_tree(folder, count):
    """A tree of at least this many real files: the sources of cargo's registry, and changed copies until it is enough.

    Without hidden files, which the import skips and git does not.
    """
    registry = pathlib.Path(os.environ.get("CARGO_HOME", pathlib.Path.home() / ".cargo")) / "registry" / "src"
    sources = [file for file in sorted(registry.rglob("*")) if file.is_file() and not file.is_symlink()
               and not any(part.startswith(".") for part in file.relative_to(registry).parts)]
    if not sources:
        raise Missing(f"there are no sources in {registry}")
    for number in range(count):
        source = sources[number % len(sources)]
        copy = folder / f"copy{number // len(sources)}" / source.relative_to(registry)
        copy.parent.mkdir(parents=True, exist_ok=True)
        # A copy has another content, since git keeps the same content once.
        changed = f"{number}\n".encode() if number >= len(sources) else b""
        copy.write_bytes(source.read_bytes() + changed)
    return folder


def git_add(source, folder, settings=()):
    """The seconds of adding everything to a new repository."""
    work = folder / "git"
    shutil.rmtree(work, ignore_errors=True)
    shutil.copytree(source, work)
    quiet = {**os.environ, "GIT_CONFIG_NOSYSTEM": "1", "HOME": str(folder)}
    subprocess.run(["git", "init", "--quiet"], cwd=work, check=True, env=quiet)
    # What was copied just now is not written back while it is measured.
    os.sync()
    return seconds(["git", *settings, "add", "."], cwd=work, env=quiet)


def searchable(service):
    """Waits until the contents of all assets are searchable; the seconds of that."""
    began = time.monotonic()
    search = f"http://127.0.0.1:{service.port}/assets/search?query=anything&transferables=false"
    while True:
        with urllib.request.urlopen(search) as answer:
            if "unindexed" not in json.load(answer):
                return time.monotonic() - began
        time.sleep(0.05)


def imported(program, source, folder):
    """The seconds of importing everything into a running service with an empty store, and what the import reports."""
    data = folder / "data"
    shutil.rmtree(data, ignore_errors=True)
    with Service(program, data) as service:
        os.sync()
        began = time.monotonic()
        done = subprocess.run([str(program), "import", "--url", f"http://127.0.0.1:{service.port}", str(source)],
                              capture_output=True, text=True,
                              env={**os.environ, "XDG_DATA_HOME": str(folder / "home"), "HOME": str(folder)})
        took = time.monotonic() - began
        summary = done.stderr.strip().rsplit("\n", 1)[-1]
        if " imported, " not in summary:
            raise AssertionError(f"import: {done.stderr[-500:]}")
        summary += f"; contents searchable after another {shown(searchable(service))}"
    return took, summary


def results(setup, what, source, folder, rounds):
    taken, summary = [], ""
    for _ in range(1 if setup.quick else rounds):
        ours, summary = imported(setup.program, source, folder)
        taken.append((ours, git_add(source, folder, ["-c", "core.fsync=all"]), git_add(source, folder)))
    ours, durable, plain = (median(values) for values in zip(*taken))
    return [
        smaller(f"{what}: {summary}", shown(ours), f"`git add`, `core.fsync=all` {shown(durable)}",
                ours / durable, 0.8),
        smaller("the same", shown(ours), f"`git add`, as it comes {shown(plain)}", ours / plain, 1.2),
    ]


def importing(count, rounds):
    def measure(setup, folder):
        needs("git")
        source = tree(folder / "source", count)
        return results(setup, f"import of {count:,} files of 2 kB", source, folder, rounds)

    return measure


def importing_real(setup, folder):
    needs("git")
    count = 2_000 if setup.quick else 50_000
    source = real_tree(folder / "source", count)
    size = sum(file.stat().st_size for file in source.rglob("*") if file.is_file()) / 1e6
    return results(setup, f"import of {count:,} real source files, {size:,.0f} MB", source, folder, 1)


ROWS = {"import-1000": importing(1_000, 3), "import-10000": importing(10_000, 1), "import-real": importing_real}
