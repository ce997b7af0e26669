"""Rows over HTTP: one asset against the same bytes as nginx has them in a file, and against json-server."""

import contextlib
import http.client
import json
import os
import re
import shutil
import subprocess
import time
import urllib.request

from service import Service

from peers import Missing, Result

# The server on one core, the client on the other.
SERVER, CLIENT = ["taskset", "-c", "0"], ["taskset", "-c", "1"]
SECONDS, ROUNDS = 4, 3
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


def needs(*tools):
    for tool in tools:
        if not shutil.which(tool):
            raise Missing(f"{tool} is not installed")


def wrk(url, header=None):
    """Requests a second, from 16 connections of one thread."""
    headers = ["-H", header] if header else []
    said = subprocess.run([*CLIENT, "wrk", "-t1", "-c16", f"-d{SECONDS}s", *headers, url], check=True, text=True,
                          capture_output=True).stdout
    if "Non-2xx" in said and not header:
        raise AssertionError(said)
    return float(re.search(r"Requests/sec:\s*([\d.]+)", said).group(1))


def in_turn(*measures):
    """The medians of several measures, taken in turn."""
    rounds = [[measure() for measure in measures] for _ in range(ROUNDS)]
    return [sorted(values)[ROUNDS // 2] for values in zip(*rounds)]


def answer(url, headers=None):
    with urllib.request.urlopen(urllib.request.Request(url, headers=headers or {})) as response:
        return response.read(), response.headers


def made_asset(port):
    """Creates an asset of about a screen of text; returns its id."""
    seed = {"type": "SEEDED_ASSET", "asset": {
        "application": {"id": "00000003-0000-4000-8000-000000000003", "name": "OPEN_SOURCE", "version": "1.0.0",
                        "platform": "LINUX", "onboarded": False, "privacy": "OPEN"},
        "format": {"fragment": {"string": {"raw": "fn main() {}\n" * 40}}}, "metadata": {"name": "main.rs"}}}
    connection = http.client.HTTPConnection("127.0.0.1", port)
    connection.request("POST", "/assets/create", json.dumps(seed), {"Content-Type": "application/json"})
    return json.load(connection.getresponse())["id"]


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


def one_asset(program, folder):
    needs("nginx", "wrk", "taskset")
    with Service(program, folder / "data", before=SERVER) as service:
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
            fast, nginx = in_turn(lambda: wrk(ours), lambda: wrk(theirs))
            same, nginx_same = in_turn(lambda: wrk(ours, known), lambda: wrk(theirs, their_known))
        return [
            row(f"`GET /asset/{{id}}?transferables=false`, {len(body)} bytes, one core", fast, "nginx", nginx, 1.0),
            row("the same with 304", same, "nginx", nginx_same, 0.9),
            *json_server(folder, json.loads(body), fast),
        ]


def row(what, ours, peer, theirs, budget):
    return Result(what, f"{ours:,.0f}/s", f"{peer} {theirs:,.0f}/s", ours / theirs, budget)


def json_server(folder, asset, ours):
    needs("npm")
    there = folder / "json-server"
    there.mkdir()
    installed = subprocess.run(["npm", "install", "--silent", "--no-fund", "--no-audit", "json-server@0.17.4"],
                               cwd=there, capture_output=True, text=True)
    if installed.returncode != 0:
        return [Result("the same", f"{ours:,.0f}/s", f"json-server: {installed.stderr.strip()[-120:]}", None, 20)]
    (there / "db.json").write_text(json.dumps({"asset": [asset]}))
    port = free_port()
    command = ["node", str(there / "node_modules/json-server/lib/cli/bin.js"), "--quiet", "--port", str(port),
               "--host", "127.0.0.1", str(there / "db.json")]
    url = f"http://127.0.0.1:{port}/asset/{asset['id']}"
    with running(command, url, folder):
        return [row("the same", ours, "json-server", wrk(url), 20)]


ROWS = {"asset": one_asset}
