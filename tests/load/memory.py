"""Whatever clients send, ask for and leave unread, the service stays below a limit; and it answers others meanwhile.

    python memory.py PATH/TO/lunette

One service takes all of it in a row, so that the most memory it ever used (VmHWM) stands for all together.
"""

import base64
import http.client
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile

from common import BROKEN, Client, Ledger, Service, arguments, holds, made, many_files, side_by_side, skipped

MB = 1_000_000
MOST = 700 * MB
RESTORED = 300 * MB
# Changes a database. The SQLite of Python may be too old for its views, and skips them so.
CHANGING = """
import sqlite3, sys
database = sqlite3.connect(sys.argv[1])
database.execute("PRAGMA writable_schema = ON")
database.executescript(sys.argv[2])
"""
APPLICATION = {
    "id": "00000003-0000-4000-8000-000000000003", "name": "OPEN_SOURCE", "version": "1", "platform": "LINUX",
    "onboarded": False, "privacy": "OPEN",
}


def peak(service):
    """The most memory the service ever used, in bytes."""
    status = pathlib.Path(f"/proc/{service.pid}/status").read_text()
    return 1024 * int(next(line for line in status.splitlines() if line.startswith("VmHWM:")).split()[1])


def posted(port, path, body):
    """The status of a POST, and what was answered; None where the connection broke off."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=300)
    try:
        connection.request("POST", path, body, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        return answer.status, answer.read()
    except BROKEN:
        return None, b""
    finally:
        connection.close()


def seeded(form):
    return json.dumps({"type": "SEEDED_ASSET", "asset": {"application": APPLICATION, "format": form}}).encode()


def claim(service, what, evidence, good):
    used = peak(service)
    holds(f"{what}, within {MOST // MB} MB", f"{evidence}, {used / MB:.0f} MB at most so far", good and used <= MOST)


def many_values(service):
    """Bodies of tiny values, one large and several at once."""
    def body(size):
        return b'{"asset":[' + b"1," * (size // 2) + b"1]}"

    status, _ = posted(service.port, "/assets/create", body(60 * MB))
    claim(service, "60 MB of tiny values are refused", str(status), status == 413)
    statuses = []
    side_by_side(6, lambda _: statuses.append(posted(service.port, "/assets/create", body(16 * MB))[0]))
    claim(service, "so are 6 bodies of 16 MB at once", str(statuses), set(statuses) <= {413, 503})
    small = b'{"asset":[' + b"{}," * 80_000 + b"{}]}"
    statuses = []
    side_by_side(24, lambda _: statuses.append(posted(service.port, "/assets/create", small)[0]))
    claim(service, "24 bodies with as many values as are taken are answered", str(set(statuses)),
          set(statuses) <= {400, 503})


def contents(service):
    """Contents as large as they may be, made, replaced, sent back with their record, and read; gives the id of one."""
    text = ("all work and no play \\ \"\n" * (80 * MB // 27))[: 66 * MB]
    status, _ = posted(service.port, "/assets/create?transferables=false", seeded({"fragment": {"string": {"raw": text}}}))
    claim(service, "66 MB of text are taken", str(status), status == 200)
    del text
    encoded = base64.b64encode(bytes(60 * MB)).decode()
    file = {"file": {"string": {"base64": encoded}}}
    status, answer = posted(service.port, "/assets/create", seeded(file))
    claim(service, "a binary of 60 MB is made and given back", f"{status}, {len(answer) / MB:.0f} MB",
          status == 200 and len(answer) > 80 * MB)
    record = json.loads(answer)
    status, _ = posted(service.port, "/asset/update?transferables=false", answer)
    claim(service, "its record can be sent back as it came", str(status), status == 200)
    body = json.dumps({"id": record["original"]["id"], **file}).encode()
    status, answer = posted(service.port, "/format/update/value?transferable=false", body)
    claim(service, "its content can be replaced", f"{status} {answer[:80]!r}", status == 200)
    numbers = ",".join(["17"] * (20 * MB))
    body = seeded({"file": {"bytes": {"raw": []}}}).replace(b"[]", b"[" + numbers.encode() + b"]")
    status, _ = posted(service.port, "/assets/create?transferables=false", body)
    claim(service, "20 MB of bytes as numbers are taken", str(status), status == 200)
    return record["id"]


def unread(service, asset):
    """Clients that ask for the largest answers and read nothing."""
    client = Client(service.port)
    paths = [f"/asset/{asset}", "/assets", "/formats", f"/asset/{asset}?transferables=true"]
    request = "GET {} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    connections = []
    for number in range(60):
        connection = socket.create_connection(("127.0.0.1", service.port), timeout=300)
        connection.sendall(request.format(paths[number % len(paths)]).encode())
        connections.append(connection)
    # The first byte of each comes when it is made.
    begun = sum(bool(connection.recv(1)) for connection in connections[:24])
    status, _ = client.call("GET", "/.well-known/health")
    claim(service, "60 clients that do not read hold nobody up", f"{begun} answers begun, health {status}",
          status == 200 and begun == 24)
    for connection in connections:
        connection.close()
    client.close()


def restored(program, backup, data):
    """The exit code of a restore, what it said, and the most memory it used."""
    command = [program, "restore", backup, "--data", data]
    process = subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    said = process.stdout.read().decode()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, said, 1024 * used.ru_maxrss


def odd_backups(program, work):
    """Small backups whose own SQL would take much memory, if any of it ran."""
    data, backup, odd = work / "restored", work / "backup.sqlite3", work / "odd.sqlite3"
    with Service(program, data) as service:
        client = Client(service.port)
        for number in range(3):
            made(client, Ledger(), f"asset {number}", "small")
        client.close()
        service.stop()
    subprocess.run([str(program), "backup", str(backup), "--data", str(data)], check=True, capture_output=True)
    large = "length(hex(zeroblob(100000000)))"
    for change in (f"CREATE INDEX odd ON asset ({large})",
                   f"CREATE INDEX odd ON asset (name) WHERE {large} > 1",
                   f"ALTER TABLE asset ADD COLUMN odd INTEGER AS ({large}) CHECK (odd > 1)",
                   f"DROP TABLE identity; CREATE VIEW identity AS SELECT {large} AS folder, 'x' AS user"):
        shutil.copy(backup, odd)
        # In a process of its own: what a process used counts for those that it starts.
        subprocess.run([sys.executable, "-c", CHANGING, odd, change], check=True)
        code, said, used = restored(program, odd, data)
        holds(f"a backup with `{change[:40]}…` is refused within {RESTORED // MB} MB", f"{said.strip()}, {used / MB:.0f} MB",
              code == 1 and used < RESTORED)
    code, _, used = restored(program, backup, data)
    holds(f"an ordinary one is restored within {RESTORED // MB} MB", f"{used / MB:.0f} MB", code == 0 and used < RESTORED)


def main():
    given = arguments(__doc__)
    if not pathlib.Path("/proc/self/status").exists():
        sys.exit(skipped("memory", "only Linux tells how much a process used"))
    many_files()
    with tempfile.TemporaryDirectory() as work:
        odd_backups(given.program, pathlib.Path(work))
    with tempfile.TemporaryDirectory() as work, Service(given.program, f"{work}/data") as service:
        client = Client(service.port)
        made(client, Ledger(), "first", "small")
        client.close()
        claim(service, "a service that just started is small", "1 asset", True)
        many_values(service)
        unread(service, contents(service))


if __name__ == "__main__":
    main()
