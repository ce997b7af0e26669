"""Picks files through a portal that answers when it is told to. Run by `run`."""

import pathlib
import shutil
import subprocess
import sys
import tempfile

from drive import Window
from tree import waited


def main(program):
    folder = tempfile.TemporaryDirectory()
    answer = pathlib.Path(folder.name) / "answer"
    window = Window(program, None)
    try:
        if not has_dialogs():
            pick(window)
            window.tree.wait("~This desktop has no file dialog")
            print("portal: a desktop without one is said, with another way")
        portal = subprocess.Popen([sys.executable, str(pathlib.Path(__file__).with_name("portal.py")), str(answer)],
                                  stdout=subprocess.PIPE, text=True)
        try:
            assert portal.stdout.readline() == "ready\n"
            the_window_follows_the_desktop()
            pick(window)
            assert portal.stdout.readline() == "asked OpenFile Import files\n"
            window.tree.press("Log", "page tab")
            window.tree.wait("~/assets", None)
            window.tree.press("Assets", "page tab")
            print("portal: the window goes on while a dialog is open")
            picked = pathlib.Path(folder.name) / "a picked one.txt"
            picked.write_text("picked\n", encoding="utf-8")
            answer.write_text(picked.as_uri(), encoding="utf-8")
            waited(lambda: [asset["name"] for asset in window.assets()] == [picked.name], "the asset at the service")
            print("portal: the file that was picked is an asset")
            assert portal.stdout.readline() == "answered\n"
            answer.unlink()
            pick(window)
            assert portal.stdout.readline() == "asked OpenFile Import files\n"
            answer.write_text("", encoding="utf-8")
            assert portal.stdout.readline() == "answered\n"
            assert len(window.assets()) == 1
            print("portal: a dialog that is closed changes nothing")
        finally:
            portal.terminate()
            portal.wait(timeout=30)
    finally:
        window.end()


def has_dialogs():
    """Whether this machine has dialogs of its own, which the bus would start."""
    names = subprocess.run(["gdbus", "call", "--session", "-d", "org.freedesktop.DBus", "-o", "/org/freedesktop/DBus", "-m",
                            "org.freedesktop.DBus.ListActivatableNames"], capture_output=True, text=True, check=True)
    return shutil.which("zenity") is not None or "org.freedesktop.portal.Desktop" in names.stdout


def the_window_follows_the_desktop():
    for scheme, light in [("2", True), ("1", False)]:
        subprocess.run(["gdbus", "call", "--session", "-d", "org.freedesktop.portal.Desktop", "-o",
                        "/org/freedesktop/portal/desktop", "-m", "local.lunette.Test.SetScheme", scheme],
                       stdout=subprocess.DEVNULL, check=True)
        waited(lambda: is_light() == light, f"the theme of the desktop, light: {light}")
    print("portal: the window is light and dark as the desktop is")


def is_light():
    """Whether the screen is more light than dark."""
    mean = subprocess.run(["convert", "x:root", "-colorspace", "gray", "-format", "%[fx:mean]", "info:"],
                          capture_output=True, text=True, check=True)
    return float(mean.stdout) > 0.5


def pick(window):
    window.tree.press("Import", "push button")
    window.tree.press("Files…", "push button")


if __name__ == "__main__":
    main(*sys.argv[1:])
