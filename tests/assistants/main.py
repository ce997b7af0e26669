"""Runs each client on a service of its own, and the conformance suite on one."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
PROGRAM, ENVIRONMENTS = sys.argv[1], pathlib.Path(sys.argv[2])
NODE = ENVIRONMENTS / "node/node_modules/node/bin/node"
REVISIONS = ["2025-11-25", "2026-07-28"]
# What the suite asks of any server, without fixtures of its own.
WITHOUT_FIXTURES = {
    "2025-11-25": ["server-initialize", "server-session-lifecycle", "ping", "tools-list", "resources-list", "prompts-list",
                   "dns-rebinding-protection"],
    "2026-07-28": ["tools-list", "resources-list", "prompts-list", "caching", "sep-2164-resource-not-found",
                   "dns-rebinding-protection", "http-header-validation"],
}


class Service:
    """The program, serving a folder of its own."""

    def __init__(self, *options):
        self.options = options

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.data = str(pathlib.Path(self.folder.name, "data"))
        self.process = subprocess.Popen([PROGRAM, "serve", "--port", "0", "--data", self.data, *self.options], stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().removeprefix("listening on ").strip()
        assert self.url.startswith("http://"), self.url
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(10)
        self.folder.cleanup()

    def run(self, *arguments, text=None):
        done = subprocess.run([PROGRAM, *arguments, "--data", self.data], input=text, capture_output=True, text=True)
        assert done.returncode == 0, (arguments, done)
        return done.stdout


def client(name, command):
    """Lets a client do its part, and decides for the person when it asks for that."""
    for transport in ["stdio", "http"]:
        with Service() as service:
            asset = json.loads(service.run("new", "--name", "a.txt", "--json", text="hello\n"))["id"]
            token = service.run("assistants", "token").strip()
            environment = {**os.environ, "PROGRAM": PROGRAM, "DATA": service.data, "URL": f"{service.url}/mcp",
                           "TOKEN": token, "ASSET": asset, "TRANSPORT": transport}
            process = subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            asked = process.stdout.readline().strip()
            assert asked == "decide", (name, transport, asked)
            service.run("proposals", "apply", "1")
            assert json.loads(service.run("show", asset, "--json"))["name"] == "b.txt"
            process.stdin.write("decided\n")
            process.stdin.flush()
            rest = process.stdout.read()
            assert process.wait(60) == 0, (name, transport, rest)
            assert json.loads(service.run("show", asset, "--json"))["name"] == "a.txt", "taken back"
            print(f"assistants: {name} over {transport}: {rest.strip()}")


def conformance(*options):
    """Runs exactly what each revision requires against the fixtures that the suite expects, behind the transport, the guard
    and the token of everything else; and what needs no fixtures against the tools."""
    with Service(*options) as service:
        token = service.run("assistants", "token").strip()
        # The suite sends no token of its own.
        proxy = subprocess.Popen([NODE, HERE / "proxy.mjs", service.url, token], stdout=subprocess.PIPE, text=True)
        url = proxy.stdout.readline().strip()
        suite = [NODE, ENVIRONMENTS / "node/node_modules/.bin/conformance", "server", "--url", url]
        runs = {revision: [["--requirements", revision]] for revision in REVISIONS} if options else {
            revision: [["--scenario", name, "--spec-version", revision] for name in names] for revision, names in WITHOUT_FIXTURES.items()
        }
        for revision, each in runs.items():
            running = [subprocess.Popen([*suite, *which], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=service.folder.name) for which in each]
            outputs = [process.communicate()[0] for process in running]
            failed = [output for process, output in zip(running, outputs) if process.returncode != 0]
            assert not failed, f"{revision}: {failed[0][-6000:]}"
            passed = sum(len(re.findall(r"^✓ ", output, re.M)) for output in outputs) if options else len(outputs)
            print(f"assistants: conformance {revision}, {'fixtures' if options else 'tools'}: {passed} scenarios passed")
        proxy.terminate()


def main():
    for version in ["2.3.0", "1.30.0"]:
        python = ENVIRONMENTS / f"mcp-{version}/bin/python"
        client(f"Python {version}", [python, HERE / f"python_{version.split('.')[0]}.py"])
    if (ENVIRONMENTS / "node/installed.txt").exists():
        for name in ["client-2.4.0", "sdk-1.32.2"]:
            client(f"TypeScript {name}", [NODE, HERE / f"{name.split('-')[0]}.mjs"])
        conformance()
        conformance("--conformance")
    else:
        print("assistants: npm is not reached, so the TypeScript clients and the suite were left out")


main()
