"""A whole errand in the real window, by keyboard and accessibility tree alone, at a service that runs elsewhere.

Each step is looked at from the other side too: over HTTP at the service, or on disk.
"""

import json
import pathlib
import subprocess
import time
import urllib.request

from tree import keys, letters, waited

NAME = "orbits.py"
TEXT = "import math\n\n\ndef period(axis):\n    return math.sqrt(axis ** 3)\n"
QUIET = 5.0  # Seconds in which an idle window does nothing at all.


class Elsewhere:
    """`lunette serve` with data of its own, and a file to import."""

    def __init__(self, program, folder):
        self.folder = pathlib.Path(folder)
        self.file = self.folder / NAME
        self.file.write_text(TEXT, encoding="utf-8")
        command = [program, "serve", "--port", "0", "--data", str(self.folder / "elsewhere")]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().removeprefix("listening on ").strip()
        assert self.url.startswith("http://"), self.url

    def ask(self, path):
        """What the service answers, as JSON."""
        with urllib.request.urlopen(self.url + path, timeout=30) as answer:
            return json.load(answer)

    def asset(self):
        """The asset that was imported, fresh from the service; None while there is none."""
        found = [asset for asset in self.ask("/assets?transferables=false")["iterable"] if asset["name"] == NAME]
        return self.ask(f"/asset/{found[0]['id']}?transferables=false") if found else None

    def linked(self, kind, field):
        """What of this kind is linked to the asset."""
        return [item[field] for item in ((self.asset() or {}).get(kind) or {}).get("iterable", [])]

    def specific(self):
        """The asset's language."""
        return self.asset()["original"]["reference"]["classification"]["specific"]

    def end(self):
        self.process.terminate()
        self.process.wait(timeout=30)


def connects(window, there):
    window.tree.press("~Connection: ", "push button")
    window.tree.type("Address", there.url)
    keys("Return")
    window.tree.gone("Address", "entry")
    window.tree.wait("~" + there.url.removeprefix("http://"), "push button")


def finds_an_application(window, there):
    names = [row["name"] for row in there.ask("/applications")["iterable"]]
    assert names, "a service tracks itself"
    window.tree.press("Applications", "page tab")
    window.tree.type("Filter applications", "lun")
    window.tree.press("~Lunette", "table row")
    window.tree.wait("Record of the application", None)
    window.picture("application")


def imports_a_file(window, there):
    window.tree.press("Assets", "page tab")
    window.tree.press("Import", "push button")
    window.tree.press("From a path…", "push button")
    window.tree.type("Path to import", str(there.file))
    window.picture("import")
    keys("Return")
    waited(there.asset, "the file at the service")
    window.tree.wait(NAME, "table row")


def opens_it(window, there):
    window.tree.press(NAME, "table row")
    window.tree.wait("import math", "label")


def tags_it(window, there):
    pick(window, "Add a tag", "orbits")
    waited(lambda: there.linked("tags", "text") == ["orbits"], "the tag at the service")


def links_a_website(window, there):
    pick(window, "Add a website", "https://example.org/orbits")
    window.tree.press("Add website", "push button")
    waited(lambda: there.linked("websites", "url") == ["https://example.org/orbits"], "the website at the service")


def links_a_summary(window, there):
    pick(window, "Add a workstream summary", "Kepler")
    waited(lambda: len(there.linked("summaries", "id")) == 1, "the summary at the service")


def pick(window, picker, text):
    """Types into a picker and takes what it offers."""
    # What was linked before may have moved what is below.
    window.tree.wait(picker, "push button")
    window.tree.press(picker, "push button")
    window.tree.type(picker, text)
    window.tree.wait("~" + text, "list item")
    keys("Return")


def increments_a_score(window, there):
    window.tree.press("~Score ", "push button")
    window.tree.press("Reuse", "radio button")
    window.tree.press("Review…", "push button")
    window.tree.wait("~cannot be undone", "label")
    window.tree.press("Increment reuse", "push button")
    waited(lambda: (there.asset().get("score") or {}).get("reuse") == 1, "the score at the service")
    window.tree.gone("Increment reuse", "push button")


def reclassifies_it(window, there):
    before = there.specific()
    window.tree.press("Reclassify", "push button")
    window.tree.type("Find a language", "Ruby")
    window.tree.press("Ruby", "list item")
    window.tree.press("Reclassify to Ruby", "push button")
    window.tree.gone("Reclassify to Ruby")
    waited(lambda: there.specific() == "rb", "Ruby at the service")
    assert before == "py", before


def exports_it(window, there):
    saved = there.folder / "exported.md"
    window.tree.press("Export", "push button")
    window.tree.press("MD", "radio button")
    window.tree.wait(f"{NAME}.md", "label")
    window.tree.press("Save to a path…", "push button")
    # The field takes the keyboard itself, and Return comes behind the letters.
    window.tree.focused("Path to save to")
    letters(str(saved))
    window.picture("export to a path")
    keys("Return")
    waited(saved.exists, "the exported file")
    # What stands below the field moves up when that goes.
    window.tree.gone("Save", "push button")
    window.tree.press("Close", "push button")
    window.tree.gone("Save to a path…", "push button")
    asset = there.asset()["id"]
    exported = there.ask(f"/asset/{asset}/export?export_type=MD")["raw"]["string"]["raw"]
    assert saved.read_text(encoding="utf-8") == exported and "math.sqrt" in exported, exported


def takes_the_last_change_back(window, there):
    keys("ctrl+z")
    waited(lambda: there.specific() == "py", "Python again at the service")


def rests(window, there):
    """An idle window draws no frame and takes no time."""
    state = lambda: (frames(window), ticks(window.process.pid))
    known, since = state(), time.monotonic()
    end = since + 40.0
    while time.monotonic() - since < QUIET:
        time.sleep(0.25)
        now = state()
        if now != known:
            known, since = now, time.monotonic()
        assert time.monotonic() < end, f"the window did not rest for {QUIET} s; frames and ticks: {known}"
    assert known[0] > 0, "its frames are counted"


def frames(window):
    """How many frames the window has drawn."""
    return window.log.read_text(encoding="utf-8", errors="replace").count("a frame")


def ticks(process):
    """The processor time of a process, in ticks."""
    fields = pathlib.Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


STEPS = [
    connects, finds_an_application, imports_a_file, opens_it, tags_it, links_a_website, links_a_summary,
    increments_a_score, reclassifies_it, exports_it, takes_the_last_change_back, rests,
]


def run(program, window):
    """Does all of it in a window that was just opened."""
    there = Elsewhere(program, window.folder.name)
    try:
        for step in STEPS:
            step(window, there)
            print("errand:", step.__name__.replace("_", " "), flush=True)
    finally:
        there.end()
