"""Rows that do not depend on the machine: the instructions that a server executes in user mode for one request, counted by
callgrind.

A server is run twice, with few and with many requests on one connection that is kept alive. The difference is what the
requests cost, without start and stop.
"""

import os
import re
import socket

from measure import needs, smaller
from service import Service
from web import NGINX, SERVER, answer, free_port, made_asset, running

FEW, MANY = 500, 2_500
CALLGRIND = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]


def ask(url, count, etag=None):
    """Makes so many requests on one connection, with the headers that curl sends."""
    host, path = re.fullmatch(r"http://([^/]+)(.*)", url).groups()
    known = f"If-None-Match: {etag}\r\n" if etag else ""
    request = f"GET {path} HTTP/1.1\r\nHost: {host}\r\nUser-Agent: curl/8.5.0\r\nAccept: */*\r\n{known}\r\n".encode()
    with socket.create_connection((host.split(":")[0], int(host.split(":")[1]))) as connection:
        for _ in range(count):
            connection.sendall(request)
            response = b""
            while not complete(response):
                part = connection.recv(256 * 1024)
                assert part, f"the connection was closed after {response[:200]}"
                response += part
            assert response.startswith(b"HTTP/1.1 304" if etag else b"HTTP/1.1 200"), response[:200]


def complete(response):
    head, end, body = response.partition(b"\r\n\r\n")
    length = re.search(rb"\r\ncontent-length: (\d+)", head, re.IGNORECASE)
    return end and len(body) == (int(length.group(1)) if length else 0)


def collected(said):
    """The instructions of a run that has ended."""
    return int(re.search(r"Collected : (\d+)", said).group(1))


def ours(setup, folder, count, conditional):
    """The instructions of a run of the program, and the body that it responds with."""
    with Service(setup.program, folder / f"data-{count}-{conditional}", before=[*SERVER, *CALLGRIND]) as service:
        url = f"http://127.0.0.1:{service.port}/asset/{made_asset(service.port)}?transferables=false"
        body, headers = answer(url)
        ask(url, count, headers["ETag"] if conditional else None)
        service.stop()
        return collected(service.said()), body


def nginx(folder, count, conditional):
    """The instructions of a run of nginx with the same bytes in a file."""
    port = free_port()
    (folder / "nginx.conf").write_text(NGINX.format(folder=folder, port=port))
    url = f"http://127.0.0.1:{port}/asset.json"
    command = [*CALLGRIND, "nginx", "-c", str(folder / "nginx.conf"), "-g", "master_process off;"]
    with running(command, url, folder):
        ask(url, count, answer(url)[1]["ETag"] if conditional else None)
    return collected((folder / "peer.log").read_text())


def instructions(setup, folder):
    needs("nginx", "taskset", "valgrind")
    (folder / "www").mkdir()
    os.chmod(folder, 0o755)
    results = []
    for conditional in (False, True):
        (few, body), (many, _) = (ours(setup, folder, count, conditional) for count in (FEW, MANY))
        (folder / "www" / "asset.json").write_bytes(body)
        a_request = (many - few) / (MANY - FEW)
        few, many = (nginx(folder, count, conditional) for count in (FEW, MANY))
        theirs = (many - few) / (MANY - FEW)
        status = "304" if conditional else f"`GET /asset/{{id}}?transferables=false`, {len(body)} bytes"
        results.append(smaller(f"user instructions a request, {status}", f"{a_request:,.0f}", f"nginx {theirs:,.0f}",
                               a_request / theirs, 1.6 if not conditional else None))
    return results


ROWS = {"instructions": instructions}
