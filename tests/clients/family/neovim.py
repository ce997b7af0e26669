"""The Neovim plugin of this family, in a Neovim of its own: neovim.py URL PLUGINS

PLUGINS is the folder that holds the plugin and those that it needs. The plugin looks for the service by itself.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import urllib.request

import pynvim

from rows import row

URL, PLUGINS = sys.argv[1], pathlib.Path(sys.argv[2])
TEXT = "local function saved_from_a_buffer()\n  return 1\nend"
SNIPPETS, CHATS = "pieces.assets.assets", "pieces.copilot.conversations"


def ask(path, body=None):
    """The answer of the service to another client."""
    headers = {"Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(URL + path, data=data, headers=headers), timeout=30) as answer:
        return json.loads(answer.read() or "null")


def create(name, text):
    application = ask("/applications")["iterable"][0]
    seed = {"application": application, "format": {"fragment": {"string": {"raw": text}}}, "metadata": {"name": name}}
    return ask("/assets/create", {"type": "SEEDED_ASSET", "asset": seed})["id"]


def delete(asset):
    urllib.request.urlopen(urllib.request.Request(f"{URL}/assets/{asset}/delete", method="POST"), timeout=30).close()


def contents():
    """Content of each asset in the service."""
    listed = ask("/assets")["iterable"]
    return [asset["original"]["reference"]["fragment"]["string"]["raw"].rstrip("\n") for asset in listed]


def waited(holds, seconds=20):
    end = time.monotonic() + seconds
    while not (found := holds()) and time.monotonic() < end:
        time.sleep(0.05)
    return found


class Editor:
    """A Neovim without a screen but of a size, with nothing of the user's. Use it in a `with`."""

    def __init__(self):
        self.home = tempfile.TemporaryDirectory(prefix="lunette-neovim-", ignore_cleanup_errors=True)
        home = pathlib.Path(self.home.name)
        folders = [f"set runtimepath^={folder}" for folder in sorted(PLUGINS.iterdir()) if folder.is_dir()]
        # Room for messages, so that none of them waits for a key.
        settings = [f"let g:python3_host_prog = '{sys.executable}'", "set cmdheight=12 nomore", *folders, ""]
        (home / "init.vim").write_text("\n".join(settings))
        directories = {f"XDG_{name}_HOME": str(home / name.lower()) for name in ("CONFIG", "DATA", "STATE", "CACHE")}
        environment = {**os.environ, **directories, "HOME": str(home)}
        command = ["nvim", "--headless", "-u", str(home / "init.vim")]
        quiet = {"env": environment, "stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        subprocess.run([*command, "-c", "UpdateRemotePlugins", "-c", "qall!"], timeout=60, check=True, **quiet)
        self.process = subprocess.Popen([*command, "--listen", str(home / "socket")], **quiet)
        assert waited((home / "socket").exists), "Neovim does not start"
        self.nvim = pynvim.attach("socket", path=str(home / "socket"))
        self.nvim.ui_attach(110, 40, rgb=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        self.home.cleanup()

    def says(self, command, text, seconds=20):
        """Whether a command prints this text."""
        self.nvim.command(command)
        return waited(lambda: text in self.messages(), seconds)

    def messages(self):
        if self.nvim.api.get_mode()["blocking"]:  # An error waits for a key.
            self.nvim.input("<CR>")
            return ""
        return self.nvim.command_output("messages")

    def listed(self, module, field):
        """A field of each entry of a list that the plugin keeps."""
        name = module.rsplit(".", 1)[1].replace("assets", "snippets")
        return self.nvim.exec_lua(f"return vim.tbl_map(function(item) return item.{field} end, require('{module}').{name})")

    def shown(self):
        """The text of the window that keys go to."""
        return "\n".join(self.nvim.current.buffer[:])

    def opens(self, command, text):
        """Whether a command opens a window with this text, and goes there."""
        self.nvim.command(command)
        return waited(lambda: text in self.shown())

    def press(self, keys, confirmed=False):
        self.nvim.input(keys)
        if confirmed:
            assert waited(lambda: self.nvim.api.get_mode()["blocking"]), "nothing was asked"
            self.nvim.input("y")


def lists(editor):
    """What was there before the plugin was."""
    return waited(lambda: "print('before')" in [raw.strip() for raw in editor.listed(SNIPPETS, "raw")])


def hears(editor):
    made = create("elsewhere.py", "print('elsewhere')")
    seen = waited(lambda: "elsewhere.py" in editor.listed(SNIPPETS, "name"))
    delete(made)
    return seen and waited(lambda: "elsewhere.py" not in editor.listed(SNIPPETS, "name"))


def saves(editor):
    editor.nvim.command("enew | setfiletype lua")
    editor.nvim.current.buffer[:] = TEXT.split("\n")
    editor.press("ggVG<Esc>")
    waited(lambda: editor.nvim.api.get_mode()["mode"] == "n")
    editor.nvim.command("'<,'>PiecesCreateMaterial")
    return waited(lambda: TEXT in contents()) and waited(lambda: TEXT in editor.listed(SNIPPETS, "raw"))


def edits(editor):
    """Opens the first asset of the list, and writes its buffer."""
    first = editor.listed(SNIPPETS, "raw")[0]
    assert editor.opens("PiecesDrive", editor.listed(SNIPPETS, "name")[0]), editor.shown()
    editor.press("<CR>")
    assert waited(lambda: "\n".join(editor.nvim.current.buffer[:]).strip() == first.strip()), editor.shown()
    editor.nvim.current.buffer[:] = ["edited = True"]
    editor.nvim.command("silent! write")
    return waited(lambda: "edited = True" in contents())


def deletes(editor):
    first = editor.listed(SNIPPETS, "id")[0]
    assert editor.opens("PiecesDrive", editor.listed(SNIPPETS, "name")[0]), editor.shown()
    editor.press("<Del>", confirmed=True)
    return waited(lambda: first not in [asset["id"] for asset in ask("/assets")["iterable"]])


def chats(editor):
    ask("/conversations/create", {"name": "a conversation", "type": "COPILOT"})
    seen = waited(lambda: "a conversation" in editor.listed(CHATS, "name")) and editor.opens("PiecesChats", "a conversation")
    editor.press("<Del>", confirmed=True)
    return seen and waited(lambda: not ask("/conversations")["iterable"])


def answers(editor):
    editor.nvim.call("PiecesCopilotSendQuestion", "why?")
    return waited(lambda: ask("/conversations")["iterable"], 3)


create("before.py", "print('before')")
with Editor() as editor:
    row("list the assets with their contents", lambda: lists(editor))
    row("`:PiecesHealth`", lambda: editor.says("PiecesHealth", "OK"))
    row("`:PiecesOSVersion`", lambda: editor.says("PiecesOSVersion", "12."))
    row("show what others create and delete", lambda: hears(editor))
    row("`:PiecesCreateMaterial` of a selection", lambda: saves(editor))
    row("`:PiecesDrive`: edit an asset", lambda: edits(editor))
    row("`:PiecesDrive`: delete an asset", lambda: deletes(editor))
    row("`:PiecesChats`: show and delete a conversation", lambda: chats(editor))
    row("`:PiecesLogin`", lambda: editor.says("PiecesLogin", "logged in successfully", 3), "the SDK refuses the call of the plugin")
    row("`:PiecesCopilot`: ask a question", lambda: answers(editor), "there are no language models")
