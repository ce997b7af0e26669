"""The file dialogs of a desktop, and the person who uses them."""

import os
import pathlib
import shutil
import subprocess
import sys


class Dialogs:
    """A portal on the session bus, from `with` on."""

    def __init__(self, folder):
        self.answer = pathlib.Path(folder, "answer")

    def __enter__(self):
        command = [sys.executable, str(pathlib.Path(__file__).with_name("portal.py")), str(self.answer)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.expect("ready")
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(timeout=30)
        self.process.stdout.close()

    def expect(self, line):
        """Waits for the next line of the portal, such as `folder: Export to a folder` when a dialog opens."""
        said = self.process.stdout.readline()
        assert said == f"{line}\n", f"{said!r} instead of {line!r}"

    def choose(self, *paths):
        """Chooses these in the open dialog; without any, closes it."""
        # The portal must not read an answer that is only half there.
        written = self.answer.with_suffix(".new")
        written.write_text("".join(f"{path.as_uri()}\n" for path in paths), encoding="utf-8")
        os.replace(written, self.answer)
        self.expect("answered")


def desktop_has_dialogs():
    """Returns whether this machine has file dialogs of its own, which the bus would start."""
    names = subprocess.run(["gdbus", "call", "--session", "-d", "org.freedesktop.DBus", "-o", "/org/freedesktop/DBus", "-m",
                            "org.freedesktop.DBus.ListActivatableNames"], capture_output=True, text=True, check=True)
    return shutil.which("zenity") is not None or "org.freedesktop.portal.Desktop" in names.stdout
