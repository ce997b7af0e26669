"""A real client proposes, and a person applies it in the real window, through its accessibility tree:

    window.py PATH/TO/lunette FOLDER WITH THE ENVIRONMENTS

Run on a screen of its own by `tests/support/with-screen`.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "window_e2e"))
from opened import Window  # noqa: E402  (its folder is named first)
from tree import keys, waited  # noqa: E402

PROGRAM, ENVIRONMENTS = sys.argv[1], pathlib.Path(sys.argv[2])


def run(data, *arguments, text=None):
    done = subprocess.run([PROGRAM, *arguments, "--data", str(data)], input=text, capture_output=True, text=True)
    assert done.returncode == 0, (arguments, done)
    return done.stdout


def main():
    with tempfile.TemporaryDirectory() as folder:
        data = pathlib.Path(folder, "data")
        with Window(PROGRAM, data, "--embedded") as window:
            url, tree = f"http://127.0.0.1:{window.port()}/mcp", window.tree()
            asset = json.loads(run(data, "new", "--name", "a.txt", "--json", text="hello\n"))["id"]
            name = lambda: json.loads(run(data, "show", asset, "--json"))["name"]
            token = run(data, "assistants", "token").strip()
            environment = {**os.environ, "PROGRAM": PROGRAM, "URL": url, "TOKEN": token, "ASSET": asset, "TRANSPORT": "http"}
            command = [ENVIRONMENTS / "mcp-2.3.0/bin/python", HERE / "python_2.py"]
            client = subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            try:
                asked = client.stdout.readline().strip()
                assert asked == "decide", asked
                tree.wait("~connected", "push button")
                keys("ctrl+shift+p")
                tree.press("~waiting", "table row")
                tree.focused("~waiting", "table row")
                keys("Return")
                tree.wait("a test")
                assert name() == "a.txt", "nothing was sent"
                tree.press("Apply", "push button")
                waited(lambda: name() == "b.txt", "the new name at the service", outline=tree.outline)
                tree.wait("~, applied", "table row")
                client.stdin.write("decided\n")
                client.stdin.flush()
                rest = client.stdout.read()
                assert client.wait(60) == 0, rest
            finally:
                client.kill()
            assert name() == "a.txt", "taken back"
            print(f"assistants: applied in the window: {rest.strip()}")


main()
