"""An assistant: a client of the Model Context Protocol that talks to the program on standard input and output."""

import json
import subprocess


class Assistant:
    """A client of this name, on the data of a window."""

    def __init__(self, window, name):
        command = [window.program, "mcp", "--data", str(window.data)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.asked = 0
        info = {"name": name, "version": "1"}
        self.ask("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": info})
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait(timeout=30)

    def send(self, message):
        """Sends a message, and waits for nothing."""
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def ask(self, method, params):
        """Sends a request; returns its result."""
        self.asked += 1
        self.send({"jsonrpc": "2.0", "id": self.asked, "method": method, "params": params})
        return json.loads(self.process.stdout.readline())["result"]

    def call(self, tool, **arguments):
        """Calls a tool; returns its data."""
        answer = self.ask("tools/call", {"name": tool, "arguments": arguments})["structuredContent"]
        if "data" not in answer:
            raise AssertionError(answer)
        return answer["data"]

    def assets(self):
        """The ids of the assets by their names."""
        return {row["name"]: row["id"] for row in self.call("find", limit=50)["rows"]}
