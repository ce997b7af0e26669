"""A terminal that a program can draw on, and that presses keys when the program has drawn what they wait for."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time

CONTROL = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b\][^\x07]*\x07|\x1b[()][A-Z0-9]|\x1b[=>]|\r")
# A program asks where its cursor is, and waits for the answer.
WHERE, HERE = b"\x1b[6n", b"\x1b[1;1R"


def run(command, keys=(), environment=None, seconds=60):
    """Runs a command; gives its exit status, None if it did not end, and the text that it drew.

    `keys` are pairs: the text to wait for, and what is typed then.
    """
    child, terminal = pty.fork()
    if child == 0:
        os.execvpe(command[0], command, environment or os.environ)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 110, 0, 0))
    drawn, text, looked_at, keys = b"", "", 0, list(keys)
    end = time.monotonic() + seconds
    try:
        while (left := end - time.monotonic()) > 0:
            if select.select([terminal], [], [], min(left, 0.2))[0]:
                try:
                    piece = os.read(terminal, 65536)
                except OSError:  # The program ended.
                    piece = b""
                if not piece:
                    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), text
                drawn += piece
                if WHERE in piece:
                    os.write(terminal, HERE)
                text = CONTROL.sub("", drawn.decode(errors="replace"))
            elif keys and keys[0][0] in text[looked_at:]:
                # Only when nothing more was drawn for a moment: the program may not be listening before.
                looked_at = len(text)
                os.write(terminal, keys.pop(0)[1])
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        return None, text
    finally:
        os.close(terminal)
