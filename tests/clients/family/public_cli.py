"""The public command line of this family, verb by verb, in a terminal."""

import os
import subprocess
import tempfile

import terminal

# A menu is drawn, and its first entry chosen.
FIRST = ("▶ 1:", b"\r")
NO_ACCOUNTS, NO_MODELS = "there are no accounts", "there are no language models"
MEMORY = "there is no long-term memory"


class CommandLine:
    """The program with a home of its own, and the service that it finds."""

    def __init__(self, service, program, home):
        self.service, self.program = service, str(program)
        self.environment = {**os.environ, "HOME": home, "TERM": "xterm-256color", "LANG": "C.UTF-8", "EDITOR": "true"}
        self.found = []

    def run(self, *words, keys=(), seconds=60):
        """The exit status and what was drawn."""
        return terminal.run([self.program, "--ignore-onboarding", *words], keys, self.environment, seconds)

    def assets(self):
        """Name and content of each asset."""
        listed = self.service.ask("/assets")["iterable"]
        return [(asset.get("name"), asset["original"]["reference"]["fragment"]["string"]["raw"]) for asset in listed]

    def row(self, what, attempt, why=""):
        """Notes whether an attempt, which gives its success and what was drawn, succeeds."""
        works, drawn = attempt()
        self.found.append({"what": what, "works": bool(works), "why": why, "problem": drawn[-2000:]})

    def says(self, what, words, *texts, keys=(), why="", seconds=60):
        """A verb that draws these texts and ends well."""
        def attempt():
            status, drawn = self.run(*words, keys=keys, seconds=seconds)
            return status == 0 and all(text in drawn for text in texts), drawn
        self.row(what, attempt, why)


def rows(service, program):
    """What each verb does."""
    with tempfile.TemporaryDirectory() as home:
        line = CommandLine(service, program, home)
        materials(line)
        chats(line)
        others(line)
        return line.found


def materials(line):
    """Assets, which this client calls materials."""
    text = "fn needle() {\n    println!(\"thread\");\n}"

    def create():
        command = [line.program, "--ignore-onboarding", "create", "-c"]
        ended = subprocess.run(command, input=text, env=line.environment, capture_output=True, text=True, timeout=60)
        made = any("needle" in content for _, content in line.assets())
        return ended.returncode == 0 and made, ended.stdout + ended.stderr

    def rename():
        status, drawn = line.run("edit", "-n", "renamed.rs", keys=[FIRST])
        return status == 0 and "renamed.rs" in [name for name, _ in line.assets()], drawn

    def delete():
        status, drawn = line.run("delete", keys=[FIRST, ("[y/n]", b"y\r")])
        return status == 0 and not line.assets(), drawn

    line.says("`version`", ["version"], "PiecesOS Version: 12.")
    line.row("`create -c`, content through a pipe", create)
    line.says("`list materials`", ["list", "materials"], "needle", keys=[FIRST])
    line.says("`search`", ["search", "needle"], "Results Found: 1", keys=[FIRST])
    line.says("`search --mode fts`", ["search", "--mode", "fts", "thread"], "Results Found: 1", keys=[FIRST])
    line.says("`search --mode ncs`", ["search", "--mode", "ncs", "thread"], "Results Found: 1", keys=[FIRST],
              why="answered by words")
    line.row("`edit -n`", rename)
    line.says("`share`", ["share"], "https://", keys=[FIRST], why=NO_ACCOUNTS)
    line.row("`delete`", delete)
    line.says("`list apps`", ["list", "apps"], "OPEN_SOURCE")
    line.says("`list models`", ["list", "models"], "GPT-4o", keys=[("▶ 1:", b"q")], why="placeholders")


def chats(line):
    """Conversations, which this client calls chats."""
    talk = {"type": "COPILOT", "name": "a talk", "messages": [
        {"role": "USER", "fragment": {"string": {"raw": "How do I thread a needle?\nAt night."}}}]}
    line.service.ask("/conversations/create", "POST", talk)

    def names():
        return [talk.get("name") for talk in line.service.ask("/conversations")["iterable"]]

    def named(words, name):
        def attempt():
            status, drawn = line.run(*words)
            return status == 0 and names() == [name], drawn
        return attempt

    def delete():
        status, drawn = line.run("chat", "1", "-d", keys=[("[y/n]", b"y\r"), ("delete", b"y\r")])
        return status == 0 and not names(), drawn

    line.says("`chats`", ["chats"], "a talk")
    line.says("`chat 1`", ["chat", "1"], "How do I thread a needle?")
    line.row("`chat 1 -r NAME`", named(["chat", "1", "-r", "named"], "named"))
    line.row("`chat 1 -r`", named(["chat", "1", "-r"], "How do I thread a needle?"), "after the first message")
    line.row("`chat 1 -d`", delete)
    line.says("`chat --new`", ["chat", "--new"], "New chat created")


def others(line):
    """Everything else, and what this service does not have."""
    line.says("`run`, a loop of verbs", ["run"], "CLI Version", keys=[("User", b"version\r"), ("CLI Version", b"exit\r")])
    line.says("`config`", ["config"], "Current configuration")
    line.says("`mcp list`", ["mcp", "list"], "Claude Code")
    line.says("`mcp status`", ["mcp", "status"], why=MEMORY)
    line.says("`restart`", ["restart"], why="Lunette is restarted where it was started")
    line.says("`open -d`", ["open", "-d"], why="there are no applets")
    line.says("`commit`", ["commit"], why=NO_MODELS)
    line.says("`ask`: fails at once with the reason", ["ask", "why?"], "no language models", why=NO_MODELS)
    line.says("`login`", ["login"], "Signed in", "Connected", why=NO_ACCOUNTS, seconds=20)
