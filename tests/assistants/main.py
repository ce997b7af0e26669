"""Runs each client on a service of its own, and the conformance suite on one."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
PROGRAM, ENVIRONMENTS = sys.argv[1], pathlib.Path(sys.argv[2])
NODE = ENVIRONMENTS / "node/node_modules/node/bin/node"
# What needs no fixtures of the suite's own.
SCENARIOS = {
    "2025-11-25": ["server-initialize", "ping", "tools-list", "prompts-list", "dns-rebinding-protection"],
    "2026-07-28": ["tools-list", "prompts-list", "dns-rebinding-protection", "caching", "http-header-validation"],
}


class Service:
    """The program, serving a folder of its own."""

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.data = str(pathlib.Path(self.folder.name, "data"))
        self.process = subprocess.Popen([PROGRAM, "serve", "--port", "0", "--data", self.data], stdout=subprocess.PIPE, text=True)
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


def conformance():
    with Service() as service:
        token = service.run("assistants", "token").strip()
        # The suite sends no token of its own.
        proxy = subprocess.Popen([NODE, HERE / "proxy.mjs", service.url, token], stdout=subprocess.PIPE, text=True)
        url = proxy.stdout.readline().strip()
        failed = []
        for revision, scenarios in SCENARIOS.items():
            for scenario in scenarios:
                command = [NODE, ENVIRONMENTS / "node/node_modules/.bin/conformance", "server", "--url", url, "--scenario",
                           scenario, "--spec-version", revision]
                done = subprocess.run(command, capture_output=True, text=True, cwd=service.folder.name)
                print(f"assistants: conformance {revision} {scenario}: {'passed' if done.returncode == 0 else 'FAILED'}")
                if done.returncode != 0:
                    failed.append((revision, scenario, (done.stdout + done.stderr)[-3000:]))
        proxy.terminate()
        for revision, scenario, output in failed:
            print(f"--- {revision} {scenario}\n{output}")
        assert not failed, [scenario for _, scenario, _ in failed]


def main():
    for version in ["2.3.0", "1.30.0"]:
        python = ENVIRONMENTS / f"mcp-{version}/bin/python"
        client(f"Python {version}", [python, HERE / f"python_{version.split('.')[0]}.py"])
    if (ENVIRONMENTS / "node/installed.txt").exists():
        for name in ["client-2.4.0", "sdk-1.32.2"]:
            client(f"TypeScript {name}", [NODE, HERE / f"{name.split('-')[0]}.mjs"])
        conformance()
    else:
        print("assistants: npm is not reached, so the TypeScript clients and the suite were left out")


main()
