"""Rows over HTTP: one asset against the same bytes as nginx has them in a file, and against json-server; reads and
durable writes together against a bare handler."""

import contextlib
import http.client
import json
import os
import re
import subprocess
import time
import urllib.request

from measure import Missing, Result, in_turn, needs
from service import Service

# The server on one core, the client on the other.
SERVER, CLIENT = ["taskset", "-c", "0"], ["taskset", "-c", "1"]
NGINX = """
worker_processes 1;
daemon off;
pid {folder}/nginx.pid;
error_log stderr error;
events {{ worker_connections 1024; }}
http {{
  access_log off;
  etag on;
  sendfile on;
  keepalive_requests 100000000;
  types {{ application/json json; }}
  client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
  server {{ listen 127.0.0.1:{port}; root {folder}/www; }}
}}
"""


def wrk(setup, url, *more, connections=16):
    """Requests a second, from one thread."""
    duration = 1 if setup.quick else 4
    command = [*CLIENT, "wrk", "-t1", f"-c{connections}", f"-d{duration}s", *more, url]
    said = subprocess.run(command, check=True, text=True, capture_output=True).stdout
    if "Non-2xx" in said and "-H" not in more:
        raise AssertionError(said)
    return float(re.search(r"Requests/sec:\s*([\d.]+)", said).group(1))


def answer(url, headers=None):
    with urllib.request.urlopen(urllib.request.Request(url, headers=headers or {})) as response:
        return response.read(), response.headers


def made_asset(port):
    """Creates an asset of about a screen of text; returns its id."""
    seed = {"type": "SEEDED_ASSET", "asset": {
        "application": {"id": "00000003-0000-4000-8000-000000000003", "name": "OPEN_SOURCE", "version": "1.0.0",
                        "platform": "LINUX", "onboarded": False, "privacy": "OPEN"},
        "format": {"fragment": {"string": {"raw": "fn main() {}\n" * 40}}}, "metadata": {"name": "main.rs"}}}
    return json.loads(post(port, "/assets/create", seed))["id"]


def post(port, path, body):
    connection = http.client.HTTPConnection("127.0.0.1", port)
    connection.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
    response = connection.getresponse()
    said = response.read()
    assert response.status == 200, said[:300]
    return said


@contextlib.contextmanager
def running(command, url, folder):
    """A server of another make, until it answers."""
    with open(folder / "peer.log", "w") as log:
        process = subprocess.Popen([*SERVER, *command], stdout=log, stderr=log)
    try:
        for _ in range(300):
            with contextlib.suppress(OSError):
                answer(url)
                break
            if process.poll() is not None:
                raise Missing(f"{command[0]} ended: {(folder / 'peer.log').read_text()[-300:]}")
            time.sleep(0.1)
        yield
    finally:
        process.terminate()
        process.wait()


def free_port():
    import socket
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def one_asset(setup, folder):
    needs("nginx", "wrk", "taskset")
    with Service(setup.program, folder / "data", before=SERVER) as service:
        ours = f"http://127.0.0.1:{service.port}/asset/{made_asset(service.port)}?transferables=false"
        body, headers = answer(ours)
        (folder / "www").mkdir()
        os.chmod(folder, 0o755)
        (folder / "www" / "asset.json").write_bytes(body)
        port = free_port()
        (folder / "nginx.conf").write_text(NGINX.format(folder=folder, port=port))
        theirs = f"http://127.0.0.1:{port}/asset.json"
        with running(["nginx", "-c", str(folder / "nginx.conf")], theirs, folder):
            known, their_known = (f"If-None-Match: {sent['ETag']}" for sent in (headers, answer(theirs)[1]))
            fast, nginx = in_turn(setup.rounds, lambda: wrk(setup, ours), lambda: wrk(setup, theirs))
            same, nginx_same = in_turn(setup.rounds, lambda: wrk(setup, ours, "-H", known),
                                       lambda: wrk(setup, theirs, "-H", their_known))
        return [
            row(f"`GET /asset/{{id}}?transferables=false`, {len(body)} bytes, one core", fast, "nginx", nginx, 1.0),
            row("the same with 304", same, "nginx", nginx_same, 0.9),
            *json_server(setup, folder, json.loads(body), fast),
        ]


def row(what, ours, peer, theirs, budget):
    return Result(what, f"{ours:,.0f}/s", f"{peer} {theirs:,.0f}/s", ours / theirs, budget)


def json_server(setup, folder, asset, ours):
    needs("npm")
    there = folder / "json-server"
    there.mkdir()
    installed = subprocess.run(["npm", "install", "--silent", "--no-fund", "--no-audit", "json-server@0.17.4"],
                               cwd=there, capture_output=True, text=True)
    if installed.returncode != 0:
        reason = f"json-server: {installed.stderr.strip()[-120:]}"
        return [Result("`GET /asset/{id}`, one core", f"{ours:,.0f}/s", reason, None, 20)]
    (there / "db.json").write_text(json.dumps({"asset": [asset]}))
    port = free_port()
    command = ["node", str(there / "node_modules/json-server/lib/cli/bin.js"), "--quiet", "--port", str(port),
               "--host", "127.0.0.1", str(there / "db.json")]
    url = f"http://127.0.0.1:{port}/asset/{asset['id']}"
    with running(command, url, folder):
        return [row("`GET /asset/{id}`, one core", ours, "json-server", wrk(setup, url), 20)]


# The writes make the rounds differ more than those of other rows.
MIXED_ROUNDS = 7

# One request in ten changes a record: `write` is what its request has after the method.
MIXED = """
local ids = {{}}
for id in io.lines("{ids}") do ids[#ids + 1] = id end
local reads, writes = 0, 0
function request()
  if (reads + writes) % 10 == 9 then
    local id, round = ids[writes % #ids + 1], math.floor(writes / #ids) % 2
    writes = writes + 1
    return wrk.format("POST", {write})
  end
  reads = reads + 1
  return wrk.format("GET", {read})
end
"""


def script(folder, name, ids, read, write):
    (folder / f"{name}.ids").write_text("\n".join(map(str, ids)) + "\n")
    at = folder / f"{name}.lua"
    at.write_text(MIXED.format(ids=folder / f"{name}.ids", read=read, write=write))
    return ["-s", str(at)]


def mixed(setup, folder):
    needs("wrk", "taskset")
    with Service(setup.program, folder / "data", before=SERVER) as service:
        ids = [made_asset(service.port) for _ in range(1_000)]
        ours = f"http://127.0.0.1:{service.port}"
        body = answer(f"{ours}/asset/{ids[0]}?transferables=false")[0]
        tag = json.loads(post(service.port, "/tags/create", {"text": "mixed"}))["id"]
        our_read = '"/asset/" .. ids[reads * 7 % #ids + 1] .. "?transferables=false"'
        counts = ('"/asset/" .. id .. "/scores/increment", { ["Content-Type"] = "application/json" }, '
                  + repr('{"asset":{"reuse":true}}'))
        # Linked in one round, and unlinked in the next.
        links = f'"/asset/" .. id .. (round == 0 and "/tags/associate/" or "/tags/disassociate/") .. "{tag}"'
        our_writes = [("counts", counts), ("links", links)]
        our_scripts = [script(folder, name, ids, our_read, write) for name, write in our_writes]
        (folder / "peer").mkdir()
        peer = [*SERVER, str(setup.programs["peer"]), "server", str(folder / "peer"), str(len(ids)), str(len(body))]
        with subprocess.Popen(peer, stdout=subprocess.PIPE, text=True) as process:
            try:
                theirs = f"http://127.0.0.1:{int(process.stdout.readline())}"
                their_script = script(folder, "theirs", range(len(ids)), '"/record/" .. ids[reads * 7 % #ids + 1]',
                                      '"/record/" .. id .. "/change"')
                counting, linking, bare = in_turn(
                    1 if setup.quick else MIXED_ROUNDS,
                    *(lambda given=given: wrk(setup, ours, *given, connections=64) for given in our_scripts),
                    lambda: wrk(setup, theirs, *their_script, connections=64))
            finally:
                process.kill()
    what, peer = "64 clients, 90 % reads, 10 % durable writes, one core", "bare axum and rusqlite, one row a record,"
    return [
        row(f"{what}: a count of a record", counting, peer, bare, 1.0),
        row(f"{what}: a tag is linked or unlinked, which changes each asset that has it", linking, peer, bare, None),
    ]


ROWS = {"asset": one_asset, "mixed": mixed}
