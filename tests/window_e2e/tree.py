"""A program seen through its accessibility tree (AT-SPI), the way a screen reader's user has it."""

import subprocess
import time
import warnings

import gi

warnings.simplefilter("ignore")
gi.require_version("Atspi", "2.0")
from gi.repository import Atspi  # noqa: E402  (the version is chosen first)

PATIENCE = 20.0  # Seconds until something that should come counts as missing.


class Missing(AssertionError):
    """Nothing of that name came, or it did not go."""


class Program:
    """One program on the accessibility bus."""

    def __init__(self, name, process=None):
        """The program of this name; of several, as one may have been killed a moment ago, that of this process."""
        self.root = waited(lambda: application(name, process), f"a program named {name!r}")

    def nodes(self):
        """Every node there is now, from the top."""
        return list(_walk(self.root))

    def find(self, name, role=None):
        """The first visible node of this name, None if there is none. A name after `~` is a part of the whole."""
        for node in _walk(self.root):
            if _named(node, name) and (role is None or _role(node) == role) and _shown(node):
                return node
        return None

    def wait(self, name, role=None, seconds=PATIENCE):
        """The same, as soon as it is there."""
        what = f"{name!r}" + (f" ({role})" if role else "")
        return waited(lambda: self.find(name, role), what, seconds, self.outline)

    def gone(self, name, role=None):
        """Waits until there is none."""
        waited(lambda: self.find(name, role) is None, f"the end of {name!r}", PATIENCE, self.outline)

    def press(self, name, role=None):
        """Does what a click on it does."""
        # A button that is drawn anew, or waits for something, can be pressed a moment later.
        waited(lambda: self.pressed(name, role), f"{name!r} to be pressed", PATIENCE, self.outline)

    def pressed(self, name, role=None):
        """Does what a click on it does, if it is there and can be pressed; whether it was."""
        node = self.find(name, role)
        # The bus keeps what interfaces a node had when it was first seen; a button that was disabled then had no actions.
        return node is not None and node.get_n_actions() > 0 and node.do_action(0)

    def type(self, name, text, role="entry"):
        """Puts a text into a field in place of what it holds, by the keyboard."""
        node = self.wait(name, role)
        node.get_component_iface().grab_focus()
        waited(lambda: node.get_state_set().contains(Atspi.StateType.FOCUSED), f"the focus of {name!r}")
        keys("ctrl+a")
        letters(text)
        waited(lambda: text in self.text(name, role), f"{text!r} in {name!r}", PATIENCE, self.outline)

    def focused(self, name, role="entry"):
        """Waits until it has the keyboard."""
        has = lambda: self.wait(name, role).get_state_set().contains(Atspi.StateType.FOCUSED)
        waited(has, f"the focus of {name!r}", PATIENCE, self.outline)

    def text(self, name, role=None):
        """What it holds."""
        node = self.wait(name, role)
        return Atspi.Text.get_text(node, 0, -1) if node.get_text_iface() else node.get_name()

    def outline(self):
        """The tree as text, for a failure."""
        lines = []

        def add(node, depth):
            if node is not None and len(lines) < 400:
                lines.append("  " * depth + f"{_role(node)} {(node.get_name() or '')[:100]!r}")
                for child in _children(node):
                    add(child, depth + 1)

        add(self.root, 0)
        return "\n".join(lines)


def keys(*names):
    """Presses keys, such as `ctrl+k`, at the window in front."""
    subprocess.run(["xdotool", "key", "--clearmodifiers", *names], check=True)


def letters(text):
    """Types a text at what has the keyboard."""
    subprocess.run(["xdotool", "type", "--clearmodifiers", "--delay", "15", "--", text], check=True)


def waited(ask, what, seconds=PATIENCE, outline=lambda: ""):
    """What `ask` gives, as soon as it gives anything."""
    end = time.monotonic() + seconds
    while True:
        try:
            answer = ask()
        except gi.repository.GLib.Error:  # A node that has gone in the meantime.
            answer = None
        if answer:
            return answer
        if time.monotonic() > end:
            raise Missing(f"{what}: not there after {seconds:.0f} s\n{outline()}")
        time.sleep(0.05)


def application(name, process):
    """The top node of a program, None while it is not there."""
    named = [node for node in _children(Atspi.get_desktop(0)) if name in (node.get_name() or "").lower()]
    return next((node for node in named if process in (None, node.get_process_id())), None)


def _children(node):
    for place in range(node.get_child_count()):
        child = node.get_child_at_index(place)
        if child is not None:
            yield child


def _walk(node):
    yield node
    for child in _children(node):
        yield from _walk(child)


def _named(node, name):
    known = node.get_name() or ""
    return name[1:] in known if name.startswith("~") else known == name


def _role(node):
    return node.get_role_name()


def _shown(node):
    return node.get_state_set().contains(Atspi.StateType.SHOWING) or _role(node) != "unknown"
