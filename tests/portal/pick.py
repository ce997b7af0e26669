"""Chooses files through a portal that answers when it is told to. Run by `run`."""

import pathlib
import subprocess
import sys
import tempfile

from dialogs import Dialogs, desktop_has_dialogs
from drive import Window
from tree import waited


def main(program):
    window = Window(program, None)
    try:
        with tempfile.TemporaryDirectory() as folder:
            a_desktop_without_dialogs_is_reported_with_another_way(window)
            with Dialogs(folder) as dialogs:
                the_window_follows_the_desktop()
                a_chosen_file_is_imported(window, dialogs, pathlib.Path(folder))
                a_closed_dialog_changes_nothing(window, dialogs)
    finally:
        window.end()


def a_desktop_without_dialogs_is_reported_with_another_way(window):
    if desktop_has_dialogs():
        return
    pick(window)
    window.tree.wait("~This desktop has no file dialog")
    window.tree.wait("~drop files onto the window")
    print("portal: a desktop without file dialogs is reported, with another way")


def the_window_follows_the_desktop():
    for scheme, light in [("2", True), ("1", False)]:
        subprocess.run(["gdbus", "call", "--session", "-d", "org.freedesktop.portal.Desktop", "-o",
                        "/org/freedesktop/portal/desktop", "-m", "local.lunette.Test.SetScheme", scheme],
                       stdout=subprocess.DEVNULL, check=True)
        waited(lambda: is_light() == light, f"the theme of the desktop, light: {light}")
    print("portal: the window is light and dark as the desktop is")


def a_chosen_file_is_imported(window, dialogs, folder):
    pick(window)
    dialogs.expect("files: Import files")
    window.tree.press("Log", "page tab")
    window.tree.wait("~/assets", None)
    window.tree.press("Assets", "page tab")
    print("portal: the window can be used while a dialog is open")
    chosen = folder / "a chosen one.txt"
    chosen.write_text("chosen\n", encoding="utf-8")
    dialogs.choose(chosen)
    waited(lambda: [asset["name"] for asset in window.assets()] == [chosen.name], "the asset at the service")
    print("portal: the chosen file is an asset")


def a_closed_dialog_changes_nothing(window, dialogs):
    pick(window)
    dialogs.expect("files: Import files")
    dialogs.choose()
    assert len(window.assets()) == 1
    print("portal: a closed dialog changes nothing")


def is_light():
    """Returns whether the screen is more light than dark."""
    mean = subprocess.run(["convert", "x:root", "-colorspace", "gray", "-format", "%[fx:mean]", "info:"],
                          capture_output=True, text=True, check=True)
    return float(mean.stdout) > 0.5


def pick(window):
    window.tree.press("Import", "push button")
    window.tree.press("Files…", "push button")


if __name__ == "__main__":
    main(*sys.argv[1:])
