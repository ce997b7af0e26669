"""strace in front of the service: to log its calls on files, to end it at one of them, or to have one of them fail.

strace counts the calls of each kind and each thread for itself, so "the N-th" is said of one kind at a time.
"""

import collections
import re

# The calls that change files. `-e trace=none` would disable injections in silence.
KINDS = ("pwrite64", "fsync", "fdatasync", "ftruncate", "unlink", "rename")
CALL = re.compile(r"^(\d+)\s+(\w+)\(", re.MULTILINE)


def logging(path, kinds=KINDS, more=()):
    """Logs these calls to a file."""
    return ["strace", "-f", "-qq", "-y", "--seccomp-bpf", "-o", str(path), *more, "-e", "trace=" + ",".join(kinds)]


def injecting(kind, what, when, path="/dev/null"):
    """Has the calls of this kind meet this fate at these counts: `signal=KILL`, `error=EIO`.

    With --seccomp-bpf strace 6.1 leaves injections out, without a word.
    """
    command = ["strace", "-f", "-qq", "-y", "-o", str(path), "-e", f"trace={kind}"]
    return [*command, "-e", f"inject={kind}:{what}:when={when}"]


def counts(path, kinds=KINDS):
    """How many calls of each kind the busiest thread of a log made."""
    calls = collections.Counter(CALL.findall(path.read_text(errors="replace")))
    most = collections.Counter()
    for (_, kind), count in calls.items():
        most[kind] = max(most[kind], count)
    return {kind: most[kind] for kind in kinds if most[kind]}


def spread(counts_by_kind, wanted):
    """At most about `wanted` (kind, N) over all that were counted, each kind with its first and its last."""
    total = sum(counts_by_kind.values())
    chosen = []
    for kind, count in counts_by_kind.items():
        places = max(2, round(wanted * count / total))
        numbers = {1 + round(place * (count - 1) / (places - 1)) for place in range(places)}
        chosen += [(kind, number) for number in sorted(numbers)]
    return chosen
