"""What there is to see, and how to come there: each scene begins where the one before left."""

import json
import pathlib
import subprocess
import tempfile
import time
from dataclasses import dataclass, field
from typing import Callable

from assistant import Assistant
from window import Atspi, keys, waited


def nothing(_window):
    """Does nothing."""


def escape(window):
    """Puts a dialog or menu away."""
    keys("Escape")
    window.tree.gone("~", "dialog")


def close(name="Close"):
    """Presses the button that ends it."""
    return lambda window: (window.tree.press(name, "push button"), window.tree.gone(name, "push button"))


@dataclass
class Scene:
    """One thing to see."""

    name: str
    act: Callable
    leave: Callable = nothing
    samples: bool = True
    kept: tuple = field(default=())


def press(name, role="push button", then=None, then_role=None):
    """Presses something, and waits for what comes of it."""

    def act(window):
        window.tree.press(name, role)
        if then:
            window.tree.wait(then, then_role)

    return act


def panel(name, wait, role=None):
    """The list of a panel."""

    def act(window):
        window.tree.press(name, "page tab")
        drawn = lambda: window.tree.pressed("Back to the list", "push button") or window.tree.find(wait, role) is not None
        waited(drawn, f"the panel {name}")
        back(window)
        window.tree.wait(wait, role)

    return act


def back(window):
    """Leaves the page of a row, which a narrow window shows in place of the list."""
    # A node that is drawn anew may be gone by the time it is asked.
    waited(lambda: window.tree.pressed("Back to the list", "push button") or True, "the list")


def in_list(window):
    """The list of assets."""
    panel("Assets", "Assets", "table")(window)


def opened(name, wait):
    def act(window):
        in_list(window)
        window.tree.press(name, "table row")
        window.tree.wait(wait)

    return act


def typed(text):
    def act(window):
        subprocess.run(["xdotool", "type", "--delay", "15", "--", text], check=True)

    return act


def both(*acts):
    return lambda window: [act(window) for act in acts]


def palette(text=""):
    def act(window):
        focused = ["xdotool", "windowfocus", window.id]
        subprocess.run(focused, check=True)
        press("Search or run a command")(window)
        time.sleep(1)
        if text:
            typed(text)(window)
            time.sleep(1)

    return act


def plan(window):
    window.tree.press("~Score", "push button")
    window.tree.press("Reuse", "radio button")
    window.tree.press("Review…", "push button")
    window.tree.wait("Increment reuse", "push button")


def tagged(window):
    """A tag, for the list and the page."""
    in_list(window)
    window.tree.press("word_count.py", "table row")
    window.tree.wait("Rename word_count.py")
    window.tree.wait("~words", None)
    window.tree.press("Add a tag", "push button")
    window.tree.type("Add a tag", "astronomy")
    window.tree.wait("~astronomy", "list item")
    keys("Return")
    window.tree.wait("Undo", "push button")


def all_marked(window):
    in_list(window)
    window.tree.press("moon_phase.rs", "table row")
    window.tree.wait("Rename moon_phase.rs")
    back(window)
    keys("ctrl+a")
    window.tree.wait("8 selected", "label")


def bulk_plan(window):
    window.tree.press("Tag…", "push button")
    window.tree.type("Add a tag", "night")
    window.tree.wait("~night", "list item")
    keys("Return")
    window.tree.wait("Apply to 8 assets", "push button")


def bulk_run(window):
    window.tree.press("Apply to 8 assets", "push button")
    window.tree.press("History", "page tab")
    window.tree.wait("~8 of 8", "label")


def help(window):
    """The list of keys, which a question mark opens while nothing is typed into."""
    window.tree.wait("Assets", "table").get_component_iface().grab_focus()
    time.sleep(0.3)
    keys("question")
    window.tree.wait("Find a command or its keys", "entry")


def passages(window):
    """A search of the contents."""
    in_list(window)
    window.tree.type("~Filter", "moon")
    window.tree.press("Search contents")
    window.tree.wait("moon_phase.rs", "table row")


def no_passages(window):
    window.tree.type("~Filter", " ")
    window.tree.wait("word_count.py", "table row")


def all_links_marked(window):
    """Every tag of the list."""
    panel("Links", "night", "table row")(window)
    window.tree.press("night", "table row")
    # The part that was shown last: in the scene before, the record.
    window.tree.wait("Parts of the link", "page tab list")
    back(window)
    keys("ctrl+a")
    window.tree.wait("~selected", "label")


def dragged(window):
    """A tag above the list of assets, before it is dropped."""

    def place(name, role):
        box = window.tree.wait(name, role).get_extents(Atspi.CoordType.WINDOW)
        return box.x + 40, box.y + box.height // 2

    panel("Links", "astronomy", "table row")(window)
    x, y = place("astronomy", "table row")
    window.point(x, y)
    subprocess.run(["xdotool", "mousedown", "1"], check=True)
    for step in (4, 20):
        window.point(x + step, y + step)
        time.sleep(0.2)
    window.point(*place("Assets", "page tab"))
    window.point(*place("moon_phase.rs", "table row"))
    # The picture is taken with the pointer where it is.
    window.away = lambda: None
    time.sleep(0.3)


def dropped(window):
    """Ends the drag where nothing takes it."""
    del window.away
    window.away()
    subprocess.run(["xdotool", "mouseup", "1"], check=True)
    panel("Links", "astronomy", "table row")(window)


def graphed(window):
    """The graph of the open asset."""
    keys("ctrl+g")
    window.tree.wait("Nodes", "list")
    window.tree.wait("~tag night", "list item")


def graph_of_one(window):
    """The graph of an asset that has no tags yet."""
    in_list(window)
    window.tree.press("word_count.py", "table row")
    window.tree.wait("Rename word_count.py")
    keys("ctrl+g")
    window.tree.wait("~asset word_count.py", "list item")


def board(window):
    """The applications of all lists as cards."""
    panel("Applications", "Lunette")(window)
    window.tree.press("Board", "radio button")
    window.tree.wait("~Alfred", None)


def conflict(window):
    """The dialog about an asset that was renamed here and elsewhere."""
    in_list(window)
    window.tree.press("moon_phase.rs", "table row")
    window.tree.press("Edit", "push button")
    window.tree.type("Name", "phases of the moon.rs")
    renamed = [window.program, "edit", "moon_phase.rs", "--name", "moon phases.rs", "--data", str(window.data)]
    subprocess.run(renamed, check=True, capture_output=True)
    window.tree.wait("~moon phases.rs")
    window.tree.press("Save", "push button")
    window.tree.wait("~theirs", None)


def undo_plan(window):
    """The plan of an undo that changes several assets."""
    in_list(window)
    keys("ctrl+z")
    window.tree.wait("~Undo", "dialog")


def deleted(window):
    """The Trash with an asset in it."""
    in_list(window)
    window.tree.press("greetings.txt", "table row")
    window.tree.wait("Rename greetings.txt")
    keys("ctrl+Delete")
    window.tree.gone("greetings.txt", "table row")
    window.tree.press("Show Trash")
    window.tree.wait("greetings.txt", "table row")


def welcome(window):
    """The welcome page, once it is known which other services run on this machine."""
    window.tree.wait("Add samples", "push button")
    sought = lambda: window.tree.find("Connect to a service…", "push button").get_description()
    waited(lambda: not sought().startswith("Looking"), "the other services")


def at_a_glance(window):
    """The welcome page with assets."""
    palette("Welcome page")(window)
    keys("Return")
    window.tree.wait("~All assets", "push button")


def previewed(window):
    """The preview of a library of massCode with a secret and an item twice."""
    items = [("Totals", ["SELECT 1;", "SELECT 2;"]), ("Card", ["4111 1111 1111 1111"]), ("Same", ["x"]), ("Same", ["x"])]
    items += [(f"Snippet {number}", [f"text {number}"]) for number in range(20)]
    part = lambda number, text: {"label": f"Part {number}", "language": "sql", "value": text}
    snippets = [
        {
            "id": f"s{place}", "name": name, "folderId": "f1", "tagsIds": [], "createdAt": 1704164645000, "updatedAt": 1704164645000,
            "content": [part(number, text) for number, text in enumerate(texts)],
        }
        for place, (name, texts) in enumerate(items)
    ]
    folder = pathlib.Path(tempfile.mkdtemp()) / "massCode"
    folder.mkdir()
    (folder / "db.json").write_text(json.dumps({"folders": [{"id": "f1", "name": "Work", "parentId": None}], "snippets": snippets, "tags": []}))
    palette("Import with a preview")(window)
    keys("Return")
    window.tree.wait("~known program", None)
    window.tree.type("Path to preview", str(folder))
    window.tree.press("Preview", "push button")
    window.tree.wait("~may contain a secret", None)


def proposals(window):
    """What assistants proposed."""
    keys("ctrl+shift+p")
    window.tree.wait("Filter proposals", "entry")


def proposed(window):
    """Two proposals, one of several changes."""
    proposals(window)
    with Assistant(window, "Example client") as assistant:
        assets = assistant.assets()
        assistant.call("propose", reason="The name says what is counted.", changes=[
            {"do": "rename", "asset": assets["word_count.py"], "to": "count words.py"},
        ])
        assistant.call("propose", reason="What belongs to the sky has one tag.\nThe note says where it comes from.", changes=[
            {"do": "link", "assets": [assets["moon_phase.rs"], assets["moon.png"]], "name": "sky"},
            {"do": "create", "name": "sources.md", "text": "# Sources\n\nAn almanac.\n"},
        ])
    window.tree.wait("~Proposal 2", "table row")


def proposal(window):
    """The newest proposal."""
    window.tree.press("~Proposal 2", "table row")
    window.tree.focused("~Proposal 2", "table row")
    keys("Return")
    window.tree.wait("Decline", "push button")


ALL = [
    Scene("welcome", welcome, samples=False, kept=("dark", "light")),
    Scene("new-text", press("New from text…", then="~Name"), escape, samples=False, kept=("dark", "light")),
    Scene("applications-one", panel("Applications", "Lunette"), samples=False),
    Scene("history-empty", panel("History", "History"), samples=False),
    Scene("log-few", panel("Log", "Log"), samples=False),
    Scene("links-empty", panel("Links", "There are no tags yet"), samples=False, kept=("dark", "light")),
    Scene("graph-empty", panel("Graph", "No graph yet"), samples=False),
    Scene("assets", both(panel("Assets", "word_count.py", "table row")), kept=("dark", "light")),
    Scene("no-match", both(lambda w: w.tree.type("~Filter", "nothing like it")), lambda w: w.tree.type("~Filter", " "), kept=("dark", "light")),
    Scene("asset", opened("moon_phase.rs", "Rename moon_phase.rs"), kept=("dark", "light")),
    Scene("tag-picker", press("Add a tag"), escape),
    Scene("website", press("Add a website"), escape),
    Scene("more-menu", press("~More"), escape, kept=("dark", "light")),
    Scene("formats", press("~Formats", "page tab")),
    Scene("activity", press("~Activity", "page tab")),
    Scene("conversations", press("~Conversations", "page tab")),
    Scene("record", press("~Record", "page tab")),
    Scene("record-edit", press("~Edit", "push button"), escape),
    Scene("preview", press("~Preview", "page tab")),
    Scene("edit-text", press("Edit the text…", then="Text of the asset"), close("Cancel")),
    Scene("reclassify", press("Reclassify", then="Find a language"), escape, kept=("dark", "light")),
    Scene("edit", press("Edit"), escape),
    Scene("score", press("~Score"), escape, kept=("dark", "light")),
    Scene("plan", plan, escape, kept=("dark", "light")),
    Scene("export-html", press("Export", then="~Exported by"), close()),
    Scene("export", both(press("Export"), press("MD", "radio button", "~.md")), close()),
    Scene("markdown", opened("first steps.md", "Rename first steps.md")),
    Scene("picture", opened("moon.png", "moon.png")),
    Scene("gallery", both(in_list, press("Gallery", None, "moon.png", None)), both(in_list, press("Gallery", None))),
    Scene("palette", palette("moon"), escape, kept=("dark", "light")),
    Scene("palette-empty", palette(), escape),
    Scene("connection", both(press("~Connection:", then="Address")), close()),
    Scene("preferences", press("Preferences", then="Appearance"), close(), kept=("dark", "light")),
    Scene("graph-one", graph_of_one, in_list, kept=("dark", "light")),
    Scene("board-first", board, both(press("Tracked", "radio button"), in_list), kept=("dark", "light")),
    Scene("tagged", tagged),
    Scene("marked", all_marked),
    Scene("bulk-plan", bulk_plan),
    Scene("bulk-run", bulk_run),
    Scene("undo-plan", undo_plan, escape),
    Scene("passages", passages, no_passages),
    Scene("columns", both(press("More for the list"), press("Columns", None)), escape, kept=("dark", "light")),
    Scene("import-menu", press("Import"), escape),
    Scene("import-path", both(press("Import"), press("From a path…", None, "~Path")), escape),
    Scene("import-preview", previewed),
    Scene("import-receipt", press("~Import 2", "push button", "~are in the service", None), close()),
    Scene("trash", deleted),
    Scene("trash-one", press("greetings.txt", "table row"), close()),
    Scene("messages", press("Messages"), lambda w: keys("Escape")),
    Scene("help", help, escape, kept=("dark", "light")),
    Scene("about", both(palette("About Lunette"), lambda w: keys("Return"), lambda w: w.tree.wait("About Lunette", "dialog")), escape),
    Scene("menu", press("Menu"), escape),
    Scene("applications", both(panel("Applications", "Lunette"), press("~Lunette", "table row"))),
    Scene("inventory", both(panel("Applications", "All", "radio button"), press("All", "radio button", "Adobe Illustrator", "table row"))),
    Scene("board", press("Board", "radio button", "~Alfred", None)),
    Scene("external", panel("External", "~Alfred", None)),
    Scene("external-one", press("~Alfred", "table row")),
    Scene("operations", both(panel("Operations", "~asset"), press("~assetAssociateTag", None))),
    Scene("check", both(panel("Operations", "~asset"), press("~Check", None)), nothing),
    Scene("check-done", both(press("Check", "push button"), lambda w: w.tree.wait("~27 operations", None, 60))),
    Scene("log", panel("Log", "Log")),
    Scene("log-detail", press("~GET", "table row")),
    Scene("links", panel("Links", "astronomy", "table row")),
    Scene("link-one", press("astronomy", "table row", "Assets of the link", None)),
    Scene("link-color", both(press("Record", "page tab", "Rename", "push button"), press("Teal", "toggle button"))),
    Scene("link-activity", press("Activity", "page tab", "~Tag “astronomy” added", None), press("Record", "page tab")),
    Scene("link-drag", dragged, dropped),
    Scene("link-rename", both(press("astronomy", "table row", "Rename", "push button"), press("Rename", then="Save")), close("Cancel")),
    Scene("link-merge", both(all_links_marked, press("Merge…", then="Show plan")), close("Cancel")),
    Scene("graph", both(in_list, press("word_count.py", "table row", "Rename word_count.py"), graphed)),
    Scene("graph-node", press("~tag night", "list item")),
    Scene("graph-marked", both(press("Mark", "push button"), lambda w: w.tree.wait("1 marked", "label"))),
    Scene("graph-save", press("Save or copy the graph"), escape),
    Scene("glance", at_a_glance, press("Close the welcome page")),
    Scene("history", panel("History", "~8 assets", "table row")),
    Scene("history-step", press("~8 assets", "table row")),
    Scene("proposals-empty", proposals, kept=("dark", "light")),
    Scene("proposals", proposed, kept=("dark", "light")),
    Scene("proposal", proposal, close(), kept=("dark", "light")),
    Scene("assistants", press("Assistants…", then="Make a token", then_role="push button"), close(), kept=("dark", "light")),
    Scene("conflict", conflict),
]


def kept(theme):
    """The scenes that are compared."""
    return [scene for scene in ALL if theme in scene.kept]


__all__ = ["ALL", "kept"]
