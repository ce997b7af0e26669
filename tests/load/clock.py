"""A clock that is wrong, far away or steps back harms nothing: writes are taken, kept, and told in the same order.

    python clock.py PATH/TO/lunette

libfaketime stands before the system's clock; the monotonic one, by which time-outs are counted, goes on.
"""

import glob
import pathlib
import sys
import tempfile

from common import (
    BROKEN, Client, Ledger, NotStarted, Service, arguments, awaited, holds, nothing_lost, read_back,
    write_until_gone,
)

LIBRARIES = "/usr/lib/*/faketime/libfaketimeMT.so.1"
MOMENTS = ("2038-01-20 03:14:08", "9999-12-01 00:00:00", "9999-12-31 23:00:00")
# The header `Date` cannot say this one.
BEFORE = "1969-07-20 20:17:40"
# The last that jiff takes; beyond it, it panics.
LAST = "9999-12-30 22"


def order(client):
    return [asset["id"] for asset in client.get("/assets?transferables=false")["iterable"]]


def lived(program, data, environment, ledger, mark):
    """One life under this clock; gives back the order of assets at its end."""
    with Service(program, data, environment=environment) as service:
        client = Client(service.port)
        nothing_lost("what was written under another clock is there", ledger, read_back(client, ledger.acked), mark)
        refusals = write_until_gone(service.port, ledger, mark, 18)
        found = read_back(client, ledger.acked)
        nothing_lost("what is written under this clock is there", ledger, found, mark)
        told = order(client)
        again = order(client)
        client.close()
        code, seconds = service.stop()
        if refusals or code != 0 or told != again:
            holds(f"writes are taken at {mark}", f"{refusals}, ended with {code}, order stable: {told == again}", False)
        return told, seconds


def panic_of(problem):
    """The first lines of a panic, without its trace."""
    return " ".join(str(problem).split("stack backtrace")[0].split())[-200:]


def main():
    given = arguments(__doc__)
    libraries = glob.glob(LIBRARIES)
    if not libraries:
        sys.exit("this needs libfaketime, which is not installed (Debian: faketime)")
    fake = {"LD_PRELOAD": libraries[0], "FAKETIME_DONT_FAKE_MONOTONIC": "1", "DONT_FAKE_MONOTONIC": "1", "TZ": "UTC"}
    with tempfile.TemporaryDirectory() as work:
        data, ledger = pathlib.Path(work) / "data", Ledger()
        unsayable(given.program, data, {**fake, "FAKETIME": f"@{BEFORE}"})
        for moment in MOMENTS:
            try:
                told, seconds = lived(given.program, data, {**fake, "FAKETIME": f"@{moment}"}, ledger, moment)
            except (*BROKEN, NotStarted, AssertionError) as problem:
                if moment < LAST:
                    raise
                awaited(f"at {moment} it serves", panic_of(problem), False)
                continue
            holds(f"at {moment} writes are taken, kept and told", f"{len(told)} assets, 0 lost of {ledger.count}, "
                  f"ended in {seconds:.2f} s")
        stepping(given.program, data, fake, work, ledger)
        with Service(given.program, data) as service:
            client = Client(service.port)
            nothing_lost("with the right clock all is there", ledger, read_back(client, ledger.acked))
            holds("with the right clock all is there, in the same order", f"0 lost of {ledger.count}",
                  sorted(order(client)) == sorted(set(order(client))))
            client.close()
    return None


def unsayable(program, data, environment):
    """A clock under which no answer could be written: the service says so, and does not start."""
    try:
        with Service(program, data, environment=environment):
            holds(f"at {BEFORE} it says that it cannot serve", "it serves", False)
    except NotStarted as ended:
        said = ended.said.strip().splitlines()
        plain = ended.code == 2 and len(said) == 1 and "clock" in said[0]
        holds(f"at {BEFORE} it says that it cannot serve", f"ended with {ended.code}: {said}", plain)


def stepping(program, data, fake, work, ledger):
    """The clock steps back an hour while the service runs."""
    clock = pathlib.Path(work) / "clock"
    clock.write_text("+0\n")
    environment = {**fake, "FAKETIME_TIMESTAMP_FILE": str(clock), "FAKETIME_NO_CACHE": "1"}
    with Service(program, data, environment=environment) as service:
        refusals = write_until_gone(service.port, ledger, "before the step", 18)
        client = Client(service.port)
        newest = client.get("/assets?limit=1")["iterable"][0]["updated"]["value"]
        clock.write_text("-1h\n")
        refusals += write_until_gone(service.port, ledger, "after the step", 18)
        nothing_lost("nothing is lost over a step back", ledger, read_back(client, ledger.acked))
        before = order(client)
        after = order(client)
        later = client.get("/assets?limit=1")["iterable"][0]["updated"]["value"]
        client.close()
        code, _ = service.stop()
        figure = f"newest {newest}, then {later}, ended with {code}"
        holds("a step back of an hour is survived, and the order stays", figure,
              not refusals and before == after and code == 0)


if __name__ == "__main__":
    main()
