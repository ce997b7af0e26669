"""Rows over the window, its list, and durable links, from the programs in `benches`."""

import os
import re
import subprocess

from measure import Result, at_most, in_turn, needs, seconds, shown, smaller

ROWS_OF_LIST = 1_000_000


def names(file):
    """The names, languages, tags and scores of the rows that `benches/listing.rs` has."""
    with open(file, "w") as out:
        out.writelines(f"asset_{row:07}.rs Rust http {row % 97}\n" for row in range(ROWS_OF_LIST))
    return file


def listing(setup, folder):
    needs("fzf", "sort")
    file = names(folder / "names")
    ours = setup.bench("listing")
    environment = {**os.environ, "LC_ALL": "C", "FZF_DEFAULT_OPTS": ""}

    def fzf(words):
        # Exact and unsorted is what ours does too. The pipe is what a user has; without a match its code is 1.
        command = f"fzf --exact --no-sort --filter '{words}' < '{file}' | wc -l"
        return seconds(["bash", "-c", command], env=environment)

    def sort(*how):
        return seconds(["sort", *how, str(file), "-o", "/dev/null"], env=environment)

    filters = [("filter, many match", "rust 12"), ("filter, one matches", "0777777"), ("filter, none matches", "zebra")]
    filtering = [lambda words=words: fzf(words) for _, words in filters]
    theirs = in_turn(setup.rounds, *filtering, lambda: sort("-r", "-k1,1"), lambda: sort("-n", "-r", "-k4,4"))
    compared = [(name, f"`fzf --exact --no-sort --filter '{words}'`", 2) for name, words in filters]
    compared += [("sort by name", "`sort`", 1), ("sort by score", "`sort -n`", 1)]
    results = []
    for (name, peer, budget), their_time in zip(compared, theirs):
        mine = ours[f"of 1,000,000 assets/{name}"]
        results.append(Result(f"{name}, 1,000,000 rows", shown(mine),
                              f"{peer}, with reading its list, {shown(their_time)}", their_time / mine, budget))
    return results


def frame(setup, _folder):
    taken = setup.bench("frame")
    few, many, builder = (taken[f"frame/{name}"] for name in ("table/1000", "table/1000000", "table_builder/1000000"))
    return [
        smaller("a frame of 1,000,000 rows", shown(many), f"1,000 rows {shown(few)}", many / few, 1.1),
        smaller("the same", shown(many), f"`TableBuilder` {shown(builder)}", many / builder, 0.7),
    ]


def started(setup, data):
    """The empty window's and our first frame in ms, and the memory of both in MB; with data, ours at rest as well, with
    the list and with an empty store."""
    before = [] if os.environ.get("DISPLAY") else ["xvfb-run", "-a"]
    rounds = "3" if setup.quick else "15"
    done = subprocess.run([*before, str(setup.programs["start"]), rounds, *data], text=True, capture_output=True)
    if done.returncode != 0:
        raise AssertionError(f"start: {done.stderr[-300:]}")
    return [float(figure) for figure in re.findall(r"(?:window|Lunette) ([\d.]+)", done.stdout)]


def start(setup, _folder):
    needs("xvfb-run")
    results = []
    data, _ = setup.store(setup.many)
    for what, arguments in [("", []), (f" with {setup.many:,} assets", [str(data)])]:
        empty, ours, empty_memory, our_memory, *listed = started(setup, arguments)
        results += [
            smaller(f"first frame{what}", f"{ours:.0f} ms", f"empty window {empty:.0f} ms", ours / empty, 1.2),
            at_most(f"memory over an empty window's at the first frame{what}", our_memory - empty_memory, 40, "MB"),
        ]
        if listed:
            what = f"memory over an empty window's with {setup.many:,} assets listed"
            results.append(at_most(what, listed[0] - empty_memory, 60, "MB"))
            results.append(at_most("the same over its own with nothing stored", listed[0] - listed[1], None, "MB"))
    return results


def durable(setup, _folder):
    taken = setup.bench("service", "durable")
    group = "durable changes/"
    one, many = taken[f"{group}one connection, one commit each"], taken[f"{group}link and unlink, 64 clients"]
    return [Result("durable links, 64 clients, without HTTP", f"{1 / many:,.0f}/s",
                   f"one SQLite connection, one commit each {1 / one:,.0f}/s", one / many, 5)]


def first_rows(setup, _folder):
    needs("xvfb-run")
    count = ROWS_OF_LIST if setup.million else setup.many
    data, _ = setup.store(count)
    before = [] if os.environ.get("DISPLAY") else ["xvfb-run", "-a"]
    command = [*before, str(setup.programs["start"]), "--list", str(data)]
    done = subprocess.run(command, text=True, capture_output=True)
    if done.returncode != 0:
        raise AssertionError(f"start: {done.stderr[-300:]}")
    first, complete, longest, memory = (float(figure) for figure in re.findall(r": ([\d.]+)", done.stdout))
    empty_memory = started(setup, [])[2]
    of, memory_budget = f"of {count:,} assets", 350 if setup.million else 60
    return [
        at_most(f"first rows {of} in the window, after it connects", first, 150, "ms"),
        at_most(f"its list {of} complete", complete / 1e3, 12, "s"),
        at_most("the longest frame meanwhile, without painting", longest, 16, "ms"),
        at_most(f"memory over an empty window's with {count:,} assets listed", memory - empty_memory, memory_budget,
                "MB"),
    ]


ROWS = {"first-rows": first_rows, "listing": listing, "frame": frame, "start": start, "durable-links": durable}
