"""Without a screen, or with one that goes away, the window ends in one plain line and the data stays whole.

    no_screen.py PATH/TO/lunette

Run by `run`. Each start has a data folder of its own.
"""

import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

from journey import ticks
from opened import Window, ask, claim, names, panicked, screen, service
from tree import waited

NO_DISPLAY = {"DISPLAY": None, "WAYLAND_DISPLAY": None}
NOBODY = ":51999"


def plain(code, said, expected):
    """Asserts that it ended with this code and one plain line."""
    assert code == expected, f"ended with {code}, not {expected}: {said}"
    assert len(said.splitlines()) == 1 and not panicked(said), said


def rests(process):
    """Whether a process took no time for a while."""
    before = ticks(process)
    time.sleep(1.0)
    return ticks(process) == before


def no_display_is_one_line(program, data):
    with Window(program, data, **NO_DISPLAY) as window:
        code, said, _ = window.ended()
    plain(code, said, 3)
    assert "DISPLAY and WAYLAND_DISPLAY are not set" in said, said
    return "without a display it ends with 3 and one line"


def a_display_that_nobody_answers_is_one_line(program, data):
    with Window(program, data, DISPLAY=NOBODY) as window:
        code, said, _ = window.ended()
    plain(code, said, 3)
    assert "does not respond" in said, said
    return "with a display that nobody answers it ends with 3 and one line"


def a_screen_without_glx_is_a_window_or_one_line(program, data):
    with screen("-extension", "GLX") as (display, _), Window(program, data, "--embedded", DISPLAY=display) as window:
        drawn = waited(lambda: window.process.poll() is not None or window.shown(display), "a window or an end")
        if window.process.poll() is None:
            assert drawn and not panicked(window.text()), window.text()
            window.told(signal.SIGTERM)
            return "on a screen without GLX it draws in another way"
        code, said, _ = window.ended()
    plain(code, said, 3)
    assert "LIBGL_ALWAYS_SOFTWARE=1" in said, said
    return "on a screen without GLX it ends with 3 and one line that says what to do"


def without_a_driver_it_is_one_line(program, data):
    # No file of a driver is found: neither EGL nor GLX has anything to draw with.
    nothing = {"LIBGL_DRIVERS_PATH": str(data), "__EGL_VENDOR_LIBRARY_DIRS": str(data), "LIBGL_ALWAYS_SOFTWARE": None}
    with screen("-extension", "GLX") as (display, _), Window(program, data, DISPLAY=display, **nothing) as window:
        code, said, _ = window.ended()
    plain(code, said, 3)
    assert "LIBGL_ALWAYS_SOFTWARE=1" in said, said
    return "where OpenGL cannot be started it ends with 3 and one line that says what to do"


def known(url):
    """The applications, without how they are used at the moment."""
    return [(one["id"], one["name"]) for one in ask(url, "/applications")["iterable"]]


def a_screen_that_goes_away_is_one_line_and_the_data_is_whole(program, data):
    with screen() as (display, process), Window(program, data, "--embedded", DISPLAY=display) as window:
        window.seen(display)
        url = f"http://127.0.0.1:{window.port()}"
        assert ask(url)["iterable"] == []
        added = known(url)
        # While it draws, the library that draws may have words of its own at such an end.
        waited(lambda: rests(window.process.pid), "the window to rest", 60.0)
        process.kill()
        code, said, took = window.ended()
    plain(code, said, 1)
    with service(program, data) as url:
        assert known(url) == added
    return f"when its screen goes away while it rests it ends with 1 and one line within {took:.1f} s; the store opens again"


def a_screen_that_goes_away_while_it_draws_is_no_crash(program, data):
    for _ in range(4):
        with screen() as (display, process), Window(program, data, "--embedded", DISPLAY=display) as window:
            window.seen(display)
            # A frame for every move of the mouse.
            moves = [part for step in range(400) for part in ("mousemove", str(200 + step), "300")]
            mouse = subprocess.Popen(["xdotool", *moves], env={**os.environ, "DISPLAY": display}, stderr=subprocess.DEVNULL)
            process.kill()
            code, said, _ = window.ended()
            mouse.wait()
        assert code == 1 and not panicked(said), f"ended with {code}: {said}"
        assert not list(data.glob("crashes/*")), "a crash is reported"
    return "when its screen goes away while it draws it ends with 1, and that is not a crash"


def a_service_needs_no_display(program, data):
    with service(program, data) as url:
        assert names(url) == set()
    return "`serve` works without a display"


CLAIMS = [
    no_display_is_one_line, a_display_that_nobody_answers_is_one_line, a_screen_without_glx_is_a_window_or_one_line,
    without_a_driver_it_is_one_line, a_screen_that_goes_away_is_one_line_and_the_data_is_whole,
    a_screen_that_goes_away_while_it_draws_is_no_crash, a_service_needs_no_display,
]


def main(program):
    for shown in CLAIMS:
        with tempfile.TemporaryDirectory() as folder:
            claim("no screen", shown(program, pathlib.Path(folder) / "data"))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
