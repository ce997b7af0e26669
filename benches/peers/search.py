"""Rows over searches: ten kinds, against ripgrep over the same contents as files, all of it in the page cache; of
1,000,000 assets, and of searches that go on, without a peer."""

import http.client
import json
import time
import urllib.parse

from measure import at_most, median, needs, seconds, shown, smaller
from service import Service


def kinds(contents, count):
    """The searches: what a kind is called, and its words."""
    number = 7 * count // 9
    name = next(file.name for file in contents.rglob(f"* file {number}.*"))
    return [
        ("a common word", "nebabababa"), ("a word of every name", "file"), ("a word of every content", "usual"),
        ("a rare word", "tibarolene"), ("two words", "nebabababa tibabababa"),
        ("two common words", "usual nebabababa"), ("a part of words", "tirol"),
        ("the end of a name", name.rsplit(" ", 1)[1]), ("one letter", "b"), ("nothing", "nowhere"),
    ]


# The steps of a search that finds few assets, each with a query that takes it, and how many milliseconds it may take of
# 100,000 assets.
STEPS = [
    ("any word", "tibarolene nowhere", 50), ("any word, all common", "usual file topic value nowhere", 50),
    ("other forms", "tibarolenes values nowhere", 50), ("parts of identifiers", "tibarolene_nebabababa", 50),
    ("a misspelt word", "tibraolene", 50), ("words of the same meaning", "delete insert", 50),
    ("pieces of words", "xyzlenekaxyz", 50),
    ("all steps", "tibraolene values delete xyzlenekaxyz usual nowhere", 120),
]
# How long any of them may take of 1,000,000 assets, in milliseconds.
STEPS_OF_MILLION = 300


def steps(connection, count):
    """Rows over searches that go on."""
    results = []
    for kind, query, most in STEPS:
        found = ours(connection, query)[1]
        took = median([ours(connection, query)[0] for _ in range(7)])
        results.append(at_most(f"search of {count:,} assets goes on: {kind}, `{query}`, {found} found", took * 1_000,
                               most if count <= 100_000 else STEPS_OF_MILLION, "ms"))
    return results


def ours(connection, query):
    """The seconds of a search, and how many assets it finds."""
    path = "/assets/search?" + urllib.parse.urlencode({"query": query, "transferables": "false"})
    began = time.monotonic()
    connection.request("GET", path)
    response = connection.getresponse()
    body = response.read()
    took = time.monotonic() - began
    assert response.status == 200, body[:300]
    return took, len(json.loads(body)["iterable"])


def ripgrep(contents, query):
    """The seconds in which ripgrep names the files that have all words."""
    first, *others = query.split(" ")
    search = "rg --no-ignore --ignore-case --fixed-strings --files-with-matches"
    command = f"{search} --null -e '{first}' '{contents}'"
    command += "".join(f" | xargs -0 {search} --null -e '{word}'" for word in others)
    # Without a match its code is 1.
    return seconds(["bash", "-c", f"{command} | wc -c"])


def search(setup, _folder):
    needs("rg")
    data, contents = setup.store(setup.many)
    results = []
    with Service(setup.program, data) as service:
        connection = http.client.HTTPConnection("127.0.0.1", service.port)
        for kind, query in kinds(contents, setup.many):
            found = ours(connection, query)[1]
            ripgrep(contents, query)
            taken = [(ours(connection, query)[0], ripgrep(contents, query)) for _ in range(3 if setup.quick else 7)]
            mine, theirs = (median(values) for values in zip(*taken))
            results.append(smaller(f"search of {setup.many:,} assets: {kind}, `{query}`, {found} found", shown(mine),
                                   f"ripgrep {shown(theirs)}", mine / theirs, 0.5))
        results += steps(connection, setup.many)
    return results + (of_million(setup) if setup.million else [])


def of_million(setup):
    count, results = 1_000_000, []
    data, contents = setup.store(count)
    with Service(setup.program, data) as service:
        connection = http.client.HTTPConnection("127.0.0.1", service.port)
        for kind, query in kinds(contents, count):
            found = ours(connection, query)[1]
            took = median([ours(connection, query)[0] for _ in range(7)])
            results.append(at_most(f"search of {count:,} assets: {kind}, `{query}`, {found} found", took * 1_000, 150, "ms"))
        results += steps(connection, count)
    return results


ROWS = {"search": search}
