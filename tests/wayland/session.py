"""The window in a Wayland session, driven by its accessibility tree and a keyboard of the session.

    session.py PATH/TO/lunette [FOLDER FOR PICTURES]

Run by `run`. What must hold: no X11 is needed or used, the desktop entry is found by the app id, the window is drawn at
every scale, files are chosen in the dialogs of a portal, and nothing is offered that does not work under Wayland.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import urllib.request

from dialogs import Dialogs, desktop_has_dialogs
from tree import Program, waited

QUIET = 5.0  # Seconds in which an idle window does nothing at all.
ROOT = pathlib.Path(__file__).resolve().parents[2]


def output_of(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def keys(*names):
    """Presses keys, such as `ctrl+k`, by the session's own keyboard."""
    for name in names:
        *held, key = name.split("+")
        down = [part for one in held for part in ("-M", one)]
        up = [part for one in held for part in ("-m", one)]
        subprocess.run(["wtype", *down, "-k", key, *up], check=True)


def views(node):
    """The windows of the session."""
    if node.get("pid") and node["type"] in ("con", "floating_con"):
        yield node
    for child in node.get("nodes", []) + node.get("floating_nodes", []):
        yield from views(child)


class Window:
    def __init__(self, program, folder, pictures):
        self.pictures, self.data, self.log = pictures, pathlib.Path(folder, "data"), pathlib.Path(folder, "log")
        assert "DISPLAY" not in os.environ
        with open(self.log, "ab") as log:
            command = [program, "--embedded", "--data", str(self.data)]
            environment = dict(os.environ, LUNETTE_LOG="warn,winit=error,lunette::frame=trace")
            self.process = subprocess.Popen(command, stderr=log, env=environment)
        self.tree = Program("lunette")
        address = self.data / "lunette.address"
        waited(address.exists, "the address of the service inside")
        self.url = f"http://127.0.0.1:{json.loads(address.read_text())['port']}"

    def ask(self, path):
        with urllib.request.urlopen(self.url + path, timeout=30) as answer:
            return json.load(answer)

    def assets(self):
        return {asset["name"]: asset for asset in self.ask("/assets?transferables=false")["iterable"]}

    def frames(self):
        return self.log.read_bytes().count(b"a frame is drawn")

    def view(self):
        [view] = views(json.loads(output_of("swaymsg", "-t", "get_tree")))
        return view

    def picture(self, name):
        """A picture of the screen: its size, and that something is drawn on it."""
        time.sleep(0.5)
        path = pathlib.Path(self.pictures, f"{name}.png")
        subprocess.run(["grim", path], check=True)
        width, height, colours = output_of("identify", "-format", "%w %h %k", path).split()
        assert int(colours) > 50, f"{name}: the window is not drawn"
        return int(width), int(height)


def it_is_a_window_of_the_session(window):
    view = waited(window.view, "the window")
    assert (view["shell"], view["pid"]) == ("xdg_shell", window.process.pid), view
    # Desktops find the name and the icon of a window by the desktop entry that its app id names.
    app_id = view["app_id"]
    entry = (ROOT / f"assets/desktop/{app_id}.desktop").read_text(encoding="utf-8").splitlines()
    assert f"StartupWMClass={app_id}" in entry and f"Icon={app_id}" in entry, entry
    assert (ROOT / f"assets/icon/{app_id}.svg").exists()
    links = [os.readlink(f"/proc/{window.process.pid}/fd/{fd}") for fd in os.listdir(f"/proc/{window.process.pid}/fd")]
    inodes = {link[8:-1] for link in links if link.startswith("socket:[")}
    x11 = [line for line in pathlib.Path("/proc/net/unix").read_text().splitlines() if ".X11-unix" in line]
    assert not [line for line in x11 if line.split()[6] in inodes], "it talks to an X server"


def it_does_not_offer_drops(window):
    # The toolkit hears of no drops here.
    card = window.tree.wait("Import files…", "push button")
    assert card.get_description() == "Or type or paste a path below", card.get_description()
    window.picture("welcome")
    if not desktop_has_dialogs():
        window.tree.press("Import files…", "push button")
        window.tree.wait("~type a path instead or install")


def samples_are_imported(window):
    window.tree.press("~Add samples", "push button")
    waited(lambda: len(window.assets()) == 8, "the samples")
    window.picture("assets")


def an_asset_is_tagged(window):
    window.tree.press("moon_phase.rs", "table row")
    window.tree.wait("Add a tag", "push button")
    time.sleep(0.5)
    window.tree.press("Add a tag", "push button")
    window.tree.focused("Add a tag")
    subprocess.run(["wtype", "lunar"], check=True)
    window.tree.wait("~lunar", "list item")
    keys("Return")
    made = window.assets()["moon_phase.rs"]["id"]

    def tags():
        return ((window.ask(f"/asset/{made}?transferables=false").get("tags") or {}).get("iterable")) or []

    waited(lambda: [tag["text"] for tag in tags()] == ["lunar"], "the tag")


def its_id_is_on_the_clipboard(window):
    made = window.assets()["moon_phase.rs"]["id"]
    keys("Escape")
    keys("ctrl+shift+c")
    waited(lambda: subprocess.run(["wl-paste", "-n"], capture_output=True, text=True).stdout == made, "the id")


def choose_to_import(window, what):
    window.tree.press("Import", "push button")
    window.tree.press(what, "push button")


def chosen_files_are_imported(window, dialogs, folder):
    files = [folder / "first.txt", folder / "zweite Datei ü.md"]
    for file in files:
        file.write_text(f"{file.name}\n", encoding="utf-8")
    before = window.assets().keys()
    choose_to_import(window, "Files…")
    dialogs.expect("files: Import files")
    dialogs.choose(*files)
    waited(lambda: window.assets().keys() - before == {file.name for file in files}, "both files at the service")


def a_chosen_folder_is_imported(window, dialogs, folder):
    chosen = folder / "chosen"
    chosen.mkdir()
    (chosen / "inside.txt").write_text("inside\n", encoding="utf-8")
    choose_to_import(window, "Folder…")
    dialogs.expect("folder: Import a folder")
    dialogs.choose(chosen)
    waited(lambda: "inside.txt" in window.assets(), "the file of the folder at the service")


def a_closed_dialog_changes_nothing(window, dialogs, _folder):
    before = window.assets()
    for what, asked in [("Files…", "files: Import files"), ("Folder…", "folder: Import a folder")]:
        choose_to_import(window, what)
        dialogs.expect(asked)
        dialogs.choose()
    assert window.assets() == before


def assets_are_exported_to_a_chosen_folder(window, dialogs, folder):
    place = folder / "exports"
    place.mkdir()
    window.tree.press("debounce.ts", "table row")
    window.tree.wait("Rename debounce.ts", "push button")
    keys("ctrl+a")
    window.tree.wait("11 selected", "label")
    # The first dialog is closed without a choice.
    for chosen in [[], [place]]:
        keys("ctrl+e")
        window.tree.press("Into a folder…", "push button")
        dialogs.expect("folder: Export to a folder")
        # Until it is gone, keys belong to it.
        window.tree.gone("Into a folder…", "push button")
        dialogs.choose(*chosen)
    window.tree.press("Apply to 11 assets", "push button")
    waited(lambda: len(list(place.iterdir())) == 12, "eleven files and the manifest")


def an_export_is_saved_under_a_chosen_name(window, dialogs, folder):
    chosen = folder / "my export.md"
    window.tree.press("word_count.py", "table row")
    window.tree.wait("Rename word_count.py", "push button")
    window.tree.press("Export", "push button")
    window.tree.press("MD", "radio button")
    window.tree.wait("word_count.py.md", "label")
    window.tree.press("Save…", "push button")
    dialogs.expect("save word_count.py.md: Save")
    dialogs.choose(chosen)
    waited(lambda: chosen.exists() and "```py" in chosen.read_text(encoding="utf-8"), "the saved export")
    window.tree.press("Close", "push button")


def it_is_drawn_at_every_scale(window):
    for scale in ("1", "1.5", "2"):
        before = window.frames()
        subprocess.run(["swaymsg", "-q", "output", "HEADLESS-1", "scale", scale], check=True)
        waited(lambda: scale == "1" or window.frames() > before, f"a frame at {scale}")
        width, height = window.picture(f"scale-{scale}")
        assert abs(width - 1280) <= 2 and abs(height - 800) <= 2, (scale, width, height)
        rect = window.view()["rect"]
        assert abs(rect["width"] * float(scale) - 1280) <= 2, (scale, rect)
    subprocess.run(["swaymsg", "-q", "output", "HEADLESS-1", "scale", "1"], check=True)


def it_rests(window):
    time.sleep(2.0)
    before = window.frames()
    time.sleep(QUIET)
    assert window.frames() == before, f"{window.frames() - before} frames in {QUIET} idle seconds"


def it_ends(window):
    subprocess.run(["swaymsg", "-q", f"[pid={window.process.pid}]", "kill"], check=True)
    assert window.process.wait(timeout=30) == 0
    assert not (window.data / "window.address").exists()


STEPS = [
    it_is_a_window_of_the_session, it_does_not_offer_drops, samples_are_imported, an_asset_is_tagged,
    its_id_is_on_the_clipboard, it_is_drawn_at_every_scale, it_rests,
]
STEPS_WITH_DIALOGS = [
    chosen_files_are_imported, a_chosen_folder_is_imported, a_closed_dialog_changes_nothing,
    an_export_is_saved_under_a_chosen_name, assets_are_exported_to_a_chosen_folder,
]


def done(step):
    print(f"wayland: {step.__name__.replace('_', ' ')}", flush=True)


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory() as folder:
        pictures = sys.argv[2] if len(sys.argv) > 2 else folder
        pathlib.Path(pictures).mkdir(parents=True, exist_ok=True)
        # A session without any keyboard gives no window the focus; this one presses nothing for ten minutes.
        keyboard = subprocess.Popen(["wtype", "-s", "600000", "-k", "Shift_L"])
        window = Window(program, folder, pictures)
        try:
            for step in STEPS:
                step(window)
                done(step)
            with Dialogs(folder) as dialogs:
                for step in STEPS_WITH_DIALOGS:
                    step(window, dialogs, pathlib.Path(folder))
                    done(step)
            it_ends(window)
            done(it_ends)
        except BaseException:
            subprocess.run(["grim", pathlib.Path(pictures, "failed.png")], check=False)
            raise
        finally:
            keyboard.kill()
            keyboard.wait()
            window.process.kill()
            window.process.wait()


main()
