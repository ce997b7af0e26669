"""Drives the real window from outside, and asks its service over HTTP what came of it.

    drive.py PATH/TO/lunette [FOLDER FOR PICTURES]

Run by `run`, which gives it a screen. Nodes are found by their accessible names; each press waits for its effect,
because presses within one frame count once.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request

import journey
from tree import Program, keys, waited


class Window:
    """The program with its window open, on a service of its own with its data in a folder of its own."""

    def __init__(self, program, pictures):
        self.folder = tempfile.TemporaryDirectory()
        self.data = pathlib.Path(self.folder.name) / "data"
        self.pictures = pictures
        self.program = program
        self.start()

    def start(self):
        # Each frame is a line there: what the window costs while it rests is counted.
        self.log = pathlib.Path(self.folder.name) / "log"
        listening_to = dict(os.environ, LUNETTE_LOG="warn,winit=error,lunette::frame=trace")
        with open(self.log, "ab") as log:
            command = [self.program, "--embedded", "--data", str(self.data)]
            self.process = subprocess.Popen(command, stderr=log, env=listening_to)
        self.tree = Program("lunette")
        # There is no window manager here that would give it the keyboard.
        subprocess.run(["xdotool", "search", "--sync", "--onlyvisible", "--name", "Lunette", "windowfocus"], check=True)
        port = waited(lambda: listening(self.data, self.process.pid), "the port of the service inside")
        self.url = f"http://127.0.0.1:{port}"

    def ask(self, path):
        """What the service answers, as JSON."""
        with urllib.request.urlopen(self.url + path, timeout=30) as answer:
            return json.load(answer)

    def assets(self):
        return self.ask("/assets?transferables=false")["iterable"]

    def named(self, name):
        """The asset of this name, fresh from the service."""
        found = next(asset for asset in self.assets() if asset["name"] == name)
        return self.ask(f"/asset/{found['id']}?transferables=false")

    def specific(self, name):
        """The language of the asset of this name."""
        return self.named(name)["original"]["reference"]["classification"]["specific"]

    def picture(self, name):
        """Keeps what the screen shows, for people to look at."""
        if self.pictures:
            subprocess.run(["import", "-window", "root", f"{self.pictures}/{name}.png"], check=True)

    def kill(self):
        """Ends the program the way a crash does."""
        self.process.kill()
        self.process.wait(timeout=30)

    def end(self):
        self.process.terminate()
        self.process.wait(timeout=30)
        self.folder.cleanup()


def listening(data, process):
    """The port of the service of this process, as its data folder tells it; None while it tells none."""
    try:
        told = json.loads((data / "lunette.address").read_text(encoding="utf-8"))
    except (FileNotFoundError, json.JSONDecodeError):
        return None
    # A crash leaves what the process before told.
    return told["port"] if told["pid"] == process else None


def first_look(window):
    """Every panel is there, and the service inside answers the window."""
    for panel in ["Applications", "External", "Assets", "Operations", "Log", "History"]:
        window.tree.wait(panel, "page tab")
    window.tree.wait("~connected", "push button")
    window.picture("empty")


def samples_become_assets(window):
    window.tree.press("Add samples", "push button")
    window.tree.wait("moon.png", "table row")
    names = {asset["name"] for asset in window.assets()}
    assert {"first steps.md", "moon_phase.rs", "moon.png"} <= names, names
    window.picture("samples")


def an_asset_opens(window):
    window.tree.press("word_count.py", "table row")
    window.tree.wait("import sys", "label")
    window.tree.press("Details", "push button")
    window.tree.wait("One of Lunette's samples", "label")
    window.picture("asset")


def a_tag_is_made_and_linked(window):
    window.tree.press("Add a tag", "push button")
    window.tree.type("Add a tag", "astronomy")
    window.tree.wait("~astronomy", "list item")
    keys("Return")

    def tags():
        linked = window.named("word_count.py").get("tags") or {"iterable": []}
        return [tag["text"] for tag in linked["iterable"]]

    waited(lambda: tags() == ["astronomy"], "the tag at the service")
    window.picture("tag")


def a_language_is_chosen(window):
    window.tree.press("Reclassify", "push button")
    window.tree.type("Find a language", "Ruby")
    window.tree.press("Ruby", "list item")
    window.tree.press("Reclassify to Ruby", "push button")
    window.tree.gone("Reclassify to Ruby")
    waited(lambda: window.specific("word_count.py") == "rb", "Ruby at the service")
    window.picture("language")


def the_last_change_is_taken_back(window):
    window.tree.press("~Undo", "push button")
    waited(lambda: window.specific("word_count.py") == "py", "Python again at the service")


def a_score_is_incremented_after_its_plan_was_looked_at(window):
    window.tree.press("~Score", "push button")
    window.tree.press("Reuse", "radio button")
    window.tree.press("Review…", "push button")
    window.tree.press("Details of the plan", "push button")
    window.tree.wait("~/scores/increment", "label")
    window.tree.wait("~cannot be undone", "label")
    window.picture("plan")
    assert "reuse" not in (window.named("word_count.py").get("score") or {}), "nothing is sent before Apply"
    window.tree.press("Increment reuse", "push button")
    waited(lambda: window.named("word_count.py").get("score", {}).get("reuse") == 1, "the score at the service")
    window.tree.gone("Increment reuse", "push button")


def an_export_is_shown(window):
    window.tree.press("Export", "push button")
    window.tree.press("MD", "radio button")
    window.tree.wait("word_count.py.md", "label")
    window.tree.press("Source", "radio button")
    window.tree.wait("```py", "label")
    window.picture("export")
    window.tree.press("Close", "push button")
    asset = window.named("word_count.py")
    exported = window.ask(f"/asset/{asset['id']}/export?export_type=MD")["raw"]["string"]["raw"]
    assert "```py\n" in exported and "import sys" in exported, exported


def every_call_is_in_the_log(window):
    window.tree.press("Log", "page tab")
    window.tree.wait("~/export", None)
    window.picture("log")


def tagged(window):
    """How many assets have the tag of the next step."""
    links = [(asset.get("tags") or {}).get("iterable", []) for asset in window.assets()]
    return sum(any(tag["text"] == "night" for tag in tags) for tags in links)


def many_are_tagged_at_once(window):
    window.tree.press("Assets", "page tab")
    window.tree.press("moon_phase.rs", "table row")
    window.tree.wait("Rename moon_phase.rs", "push button")
    keys("ctrl+a")
    window.tree.wait("8 selected", "label")
    window.tree.press("Tag…", "push button")
    window.tree.type("Add a tag", "night")
    window.tree.wait("~night", "list item")
    keys("Return")
    window.tree.wait("Apply to 8 assets", "push button")
    window.picture("bulk plan")
    assert tagged(window) == 0, "nothing is sent before Apply"
    window.tree.press("Apply to 8 assets", "push button")
    waited(lambda: tagged(window) == 8, "the tag on all of them at the service")
    window.tree.press("History", "page tab")
    window.tree.wait("~8 of 8", "label")
    window.picture("bulk run")


def all_of_it_is_taken_back_in_one_step_after_a_crash(window):
    window.kill()
    window.start()
    window.tree.press("History", "page tab")
    window.tree.wait("~8 assets", "table row")
    window.picture("history")
    # The step is of before this window was opened, and of many assets: its plan is shown, and one key confirms it.
    keys("ctrl+z")
    window.tree.wait("Undo on 8 assets", "push button")
    assert tagged(window) == 8, "nothing is sent before the plan is confirmed"
    window.picture("undo plan")
    keys("ctrl+Return")
    waited(lambda: tagged(window) == 0, "no such tag any more at the service")
    window.picture("undone")


def a_deleted_asset_is_restored(window):
    def names():
        return {asset["name"] for asset in window.assets()}

    window.tree.press("Assets", "page tab")
    window.tree.press("word_count.py", "table row")
    window.tree.wait("Rename word_count.py", "push button")
    # It moves to the Trash, so no plan is shown.
    keys("ctrl+Delete")
    waited(lambda: "word_count.py" not in names(), "the asset gone at the service")
    window.tree.gone("Rename word_count.py", "push button")
    window.tree.wait("Undo", "push button")
    window.picture("deletion")
    keys("ctrl+z")
    waited(lambda: "word_count.py" in names(), "the asset back at the service")
    assert window.specific("word_count.py") == "py", "it is as it was"


STEPS = [
    first_look, samples_become_assets, an_asset_opens, a_tag_is_made_and_linked, a_language_is_chosen,
    the_last_change_is_taken_back, a_score_is_incremented_after_its_plan_was_looked_at, an_export_is_shown,
    every_call_is_in_the_log, many_are_tagged_at_once, all_of_it_is_taken_back_in_one_step_after_a_crash, a_deleted_asset_is_restored,
]


def steps(program, window):
    for step in STEPS:
        step(window)
        print("window:", step.__name__.replace("_", " "), flush=True)


def main(program, pictures=None):
    for way in [steps, journey.run]:
        window = Window(program, pictures)
        try:
            way(program, window)
        except BaseException:
            window.picture("failed")
            lines = window.log.read_text(encoding="utf-8", errors="replace").splitlines()
            print(*[line for line in lines if "a frame is drawn" not in line][-20:], sep="\n", file=sys.stderr)
            raise
        finally:
            window.end()


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(*sys.argv[1:])
