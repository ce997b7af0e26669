"""The JupyterLab extension of this family, in a JupyterLab of its own and a real Chromium.

The extension talks to the service from the page, whose origin the user lets in with `--allow-origin`. Nothing outside this
machine is reached: the browser resolves no other name.
"""

import json
import os
import pathlib
import socket
import subprocess
import tempfile
import urllib.request

from chromium import Chromium, wait_for
from rows import tried

OFFLINE = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1"
CODE, TEXT = "def stored_from_a_cell():\n    return 1\n", "The needle is in the haystack."
# What the extension keeps of each asset, in the workspace that JupyterLab stores for it.
LIST = """jupyterapp.serviceManager.workspaces.fetch('default')
    .then((workspace) => workspace.data.jupyter_pieces?.assets ?? [], () => [])"""
NOTEBOOK = """(() => {
    const notebook = [...jupyterapp.shell.widgets('main')].find((widget) => widget.title.label == 'notebook.ipynb');
    jupyterapp.shell.activateById(notebook.id);
    return notebook.content;
})()"""
SELECT_TEXT = "getSelection().selectAllChildren(document.querySelector('.jp-RenderedMarkdown p'))"
# What the vendor's settings page stores, whose views this service does not have. The extension reads it when it saves.
SETTINGS = """jupyterapp.serviceManager.workspaces.fetch('default').then((workspace) => {
    workspace.data.jupyter_pieces.remoteSettingsState = { savedMaterials: { autoOpen: false } };
    return jupyterapp.serviceManager.workspaces.save('default', workspace);
})"""
ACCOUNT = ("POST", "/allocations/connect")
NO_ACCOUNTS, NO_MODELS = "there are no accounts", "there are no language models"


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


class Lab:
    """A JupyterLab with a home of its own and one notebook. Use it in a `with`."""

    def __init__(self, program, port):
        self.home = tempfile.TemporaryDirectory(prefix="lunette-jupyter-", ignore_cleanup_errors=True)
        home = pathlib.Path(self.home.name)
        (home / "files").mkdir()
        (home / "files" / "notebook.ipynb").write_text(json.dumps(notebook()))
        command = [
            program, "--no-browser", "--allow-root", f"--ServerApp.port={port}", "--ServerApp.port_retries=0",
            "--IdentityProvider.token=", f"--ServerApp.root_dir={home / 'files'}", "--LabApp.expose_app_in_browser=True",
        ]
        folders = {f"JUPYTER_{name}_DIR": str(home / name.lower()) for name in ("CONFIG", "DATA", "RUNTIME")}
        with open(home / "log", "wb") as log:
            self.process = subprocess.Popen(
                command, stdout=log, stderr=log, env={**os.environ, **folders, "HOME": str(home), "IPYTHONDIR": str(home)},
            )
        self.url, self.log = f"http://localhost:{port}", home / "log"

    def __enter__(self):
        wait_for(self._answers, lambda: f"JupyterLab does not start:\n{self.log.read_text()[-2000:]}")
        return self

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(timeout=20)
        except subprocess.TimeoutExpired:  # It may wait for its own children without end.
            self.process.kill()
            self.process.wait()
        self.home.cleanup()

    def _answers(self):
        try:
            with urllib.request.urlopen(f"{self.url}/api", timeout=5) as answer:
                return answer.status == 200
        except OSError:
            return False


def notebook():
    """A cell of code, and one of text."""
    code = {"id": "code", "cell_type": "code", "metadata": {}, "source": CODE, "outputs": [], "execution_count": None}
    text = {"id": "text", "cell_type": "markdown", "metadata": {}, "source": TEXT}
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return {"nbformat": 4, "nbformat_minor": 5, "metadata": {"kernelspec": kernel}, "cells": [code, text]}


class Extension:
    """The extension in its page, and the service that it uses."""

    def __init__(self, service, page):
        self.service, self.page = service, page

    def open(self, url):
        """Opens the notebook, and waits until the extension has added its commands and opened its first page."""
        self.page.goto(f"{url}/lab/tree/notebook.ipynb")
        self.page.until("window.jupyterapp?.commands.hasCommand('jupyter_pieces:save-cell-to-pieces')")
        self.page.until("document.querySelectorAll('.jp-RenderedMarkdown p').length > 0")

    def take_settings(self, url):
        """Gives the extension its settings, and opens it again."""
        waited(self.listed)
        self.page.run(SETTINGS)
        self.open(url)

    def listed(self):
        """Name and content of each asset in the extension's own list."""
        return {(asset["title"], asset["raw"]) for asset in self.page.run(LIST)}

    def does(self, command, prepared="true"):
        """Runs a command on the first cell, as the menu of a cell does, until it has ended."""
        self.page.run(f"{NOTEBOOK}.activeCellIndex = 0; {prepared}; jupyterapp.commands.execute('jupyter_pieces:{command}')")

    def assets(self):
        return self.service.ask("/assets")["iterable"]

    def stored(self, content):
        """The assets of this content in the service."""
        raw = [(asset["original"]["reference"]["fragment"]["string"]["raw"], asset) for asset in self.assets()]
        return [asset for text, asset in raw if text.strip() == content.strip()]


def waited(holds):
    """Whether this comes to hold."""
    wait_for(holds, "what the extension was expected to do", 30)
    return True


def registered(extension):
    def holds():
        names = [application["name"] for application in extension.service.ask("/applications")["iterable"]]
        return "JUPYTER_HUB" in names
    return waited(holds)


def saves_cell(extension):
    extension.does("save-cell-to-pieces")
    asset = extension.stored(CODE)[0]
    descriptions = [annotation["text"] for annotation in extension.service.ask("/annotations")["iterable"]]
    points = [point for anchor in asset["anchors"]["iterable"] for point in anchor["points"]["iterable"]]
    return (any("cell 1 of notebook.ipynb" in text for text in descriptions)
            and any(point["reference"]["fullpath"].endswith("/notebook.ipynb") for point in points))


def saves_once(extension):
    """It searches for what it saved, and saves nothing twice."""
    described = extension.stored(CODE)[0]["annotations"]["iterable"][0]["id"]
    waited(lambda: any(described in url for url in extension.page.requests))
    extension.does("save-cell-to-pieces")
    return len(extension.stored(CODE)) == 1


def saves_selection(extension):
    extension.does("save-selection-to-pieces", SELECT_TEXT)
    return len(extension.stored(TEXT)) == 1


def describes(extension):
    """It inserts a description that the service drafts above what is selected."""
    extension.does("enrich-selection", SELECT_TEXT)
    source = extension.page.run(f"{NOTEBOOK}.activeCell.model.sharedModel.source")
    return source.split("'''")[1].strip() != "undefined" and source.split("'''")[1].strip()


def hears_of_changes(extension):
    made = extension.service.asset("elsewhere.py", "print('elsewhere')\n")
    there = ("elsewhere.py", "print('elsewhere')\n")
    waited(lambda: there in extension.listed())
    extension.service.ask(f"/assets/{made}/delete", "POST")
    return waited(lambda: there not in extension.listed())


def shares(extension):
    """It asks for an account in the cloud first."""
    def asked():
        return [status for method, path, status in extension.service.answered() if (method, path) == ACCOUNT]
    extension.page.run(f"{NOTEBOOK}.activeCellIndex = 0; void jupyterapp.commands.execute('jupyter_pieces:share-cell-via-pieces')")
    return waited(asked) and asked()[0] < 400


def rows(service, program, port):
    """What the extension does in JupyterLab at this port, whose origin is let in."""
    service.asset("before.py", "print('before')\n")
    before = ("before.py", "print('before')\n")
    views = "[...document.querySelectorAll('#pieces-applets-container iframe')].some((view) => view.src)"
    with Lab(program, port) as lab, Chromium(OFFLINE) as browser:
        extension = Extension(service, browser.page())
        extension.open(lab.url)
        return [
            tried("finds the service and registers itself", lambda: registered(extension)),
            tried("list the assets with their contents", lambda: waited(lambda: before in extension.listed())),
            tried("show what others create and delete", lambda: hears_of_changes(extension)),
            tried("save a cell in a new workspace", lambda: saves_cell(extension),
                  "it needs the settings that only the vendor's settings page creates"),
            tried("save a cell, with its notebook as an anchor, in a workspace that has these settings",
                  lambda: extension.take_settings(lab.url) or saves_cell(extension)),
            tried("save no cell twice", lambda: saves_once(extension)),
            tried("save a selection", lambda: saves_selection(extension)),
            tried("describe a selection", lambda: describes(extension), NO_MODELS),
            tried("views of assets, conversations and settings", lambda: extension.page.run(views), "there are no applets"),
            tried("share a cell", lambda: shares(extension), NO_ACCOUNTS),
        ]
