"""What the real clients of this family can do with the service, held against docs/clients.md.

    main.py PATH/TO/lunette ENVIRONMENTS            fails where a result is not the documented one
    main.py PATH/TO/lunette ENVIRONMENTS --update   writes docs/clients.md

ENVIRONMENTS is the folder of the virtual environments that `run` makes, one a client.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
DOCUMENT = HERE.parents[2] / "docs" / "clients.md"
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "browser")]

import jupyter  # noqa: E402
import public_cli  # noqa: E402
from service import Service  # noqa: E402

# Title, environment, and the driver within that environment.
SCRIPTS = [
    ("Python SDK 5.0.1, its wrapper `PiecesClient`", "wrapper", "wrapper.py"),
    ("pieces-copilot-sdk 0.6.0", "copilot", "copilot.py"),
    ("Python SDK 1.2.7", "old-sdk", "old_sdk.py"),
]
JUPYTER, NEOVIM = "JupyterLab extension 2.0.0", "Neovim plugin 1.5.1"
# What is said of a client beside its title.
NOTES = {
    JUPYTER: """\
`jupyter_pieces` in JupyterLab 4.6 and Chromium, with `lunette serve --allow-origin` and the origin of JupyterLab.

Of the four things that do not work, one can be had without the vendor's settings page: with JupyterLab closed,
`jupyter lab workspaces export >workspace.json`, then set `data.jupyter_pieces.remoteSettingsState` to
`{"savedMaterials": {"autoOpen": false}}` in that file, then `jupyter lab workspaces import workspace.json`. From then on cells
are saved. A description needs a language model, the views need pages that the vendor's own program serves, and a share
needs an account with the vendor.
""",
    NEOVIM: """\
The plugin is published on GitHub alone, so the tests run it where GitHub can be reached. These are the results of
2026-11-23, with Neovim 0.7.2, the SDK 5.0.1 and commit 5d3240d of `pieces-app/plugin_neovim`, run by hand from a copy.
""",
}
HEAD = """\
# Clients

The programs that people use with a service of this family, and what works with `lunette serve`. The tables are printed
by `tests/clients/run`, which runs these programs, and compared with each run of the tests.

The public Python SDKs 2.7.0 and 5.0.1 and the TypeScript SDK 4.1.0 call every operation that they have in tests of their
own (`tests/sdk`, `tests/clients`). What the service does not have, such as accounts and language models, it answers with
501 and a sentence.
"""

FOOT = """
## Export tool 6

`pieces-app/export-tool` copies all records of a service into an archive of Markdown and JSON files, and so everything out of
Lunette; `lunette import` reads its archives ([import.md](import.md)). It is published as source in Go on GitHub alone, and
the tests replay its requests (`tests/routes/resources/materials.rs`).

| | works | |
|---|---|---|
| find the service, its version and its user | yes |  |
| count the records of each kind and list their ids, by the time of their creation as well | yes |  |
| read the records in batches, and one by one | yes |  |
| kinds that the service does not have, such as events, ranges, sources and signals | yes | empty |
| records of the links between two others | no | they are part of the records that are linked |
"""


def by_script(service, environments, name, script, *words):
    """The rows of a driver that runs in an environment of its own."""
    command = [environments / name / "bin" / "python", "-W", "ignore", HERE / script, service.url, *words]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=180)
    rows = [json.loads(line) for line in ended.stdout.splitlines() if line.startswith('{"what"')]
    if ended.returncode or not rows:
        sys.exit(f"{script} ended with {ended.returncode}:\n{ended.stdout[-2000:]}\n{ended.stderr[-4000:]}")
    return rows


def rescue(service, environments):
    """inkvault copies everything out of a service."""
    service.asset("rescued.py", "print('rescued')\n")
    with tempfile.TemporaryDirectory() as home:
        command = [environments / "inkvault" / "bin" / "inkvault", "--home", home, "--pieces-ports", str(service.port), "export"]
        ended = subprocess.run(command, capture_output=True, text=True, timeout=180, env={**os.environ, "HOME": home})
    said = ended.stdout
    counts = re.search(r"snippets: (\d+) total, 0 already saved", said)
    whole = ended.returncode == 0 and "failures: none" in said and counts and int(counts.group(1)) > 0
    left_out = re.findall(r"^(\w+): skipped", said, re.MULTILINE)
    return [
        {"what": "copy everything into a vault", "works": bool(whole), "why": "", "problem": said[-2000:] + ended.stderr[-2000:]},
        {"what": "its kinds of records are all there", "works": not left_out,
         "why": f"there is no such kind of record: {', '.join(left_out)}" if left_out else "", "problem": said[-2000:]},
    ]


def neovim(service, environments):
    """The rows of the Neovim plugin; None where it could not be had."""
    plugins = environments / "neovim-plugins"
    if not (plugins / "installed.txt").exists() or not shutil.which("nvim"):
        print(f"not run: the {NEOVIM}, since GitHub, where it is published, was not reached, or nvim is not installed")
        return None
    streams = ("GET", "/.well-known/stream/health", 101)
    before = service.answered().count(streams)
    rows = by_script(service, environments, "neovim", "neovim.py", plugins)
    opened = service.answered().count(streams) - before
    one = {"what": "connects once, and stays connected", "works": opened == 1, "why": "", "problem": f"{opened} connections"}
    return [one, *rows]


def results(program, environments):
    """The rows of every client, by its title; None for one that could not be run."""
    # The public command line, the wrapper and the plugins look for the service on the ports of the family.
    family = ["--port", "39300"]
    with Service(program, *family) as service:
        found = {"pieces-cli 1.20.1": public_cli.rows(service, environments / "pieces-cli" / "bin" / "pieces")}
        for title, name, script in SCRIPTS:
            found[title] = by_script(service, environments, name, script)
        found["inkvault 0.3.4"] = rescue(service, environments)
    port = jupyter.free_port()
    with Service(program, *family, "--allow-origin", f"http://localhost:{port}") as service:
        found[JUPYTER] = jupyter.rows(service, environments / "jupyter" / "bin" / "jupyter-lab", port)
    with Service(program, *family) as service:
        found[NEOVIM] = neovim(service, environments)
    return found


def document(found, known):
    """The document of these results. The part of a client that could not be run stays as it is in the known document."""
    text = HEAD
    for title, rows in found.items():
        if rows is None:
            text += f"\n## {title}\n" + known.partition(f"\n## {title}\n")[2].partition("\n## ")[0]
            continue
        note = NOTES.get(title, "")
        text += f"\n## {title}\n{note and chr(10) + note}\n| | works | |\n|---|---|---|\n"
        text += "".join(f"| {row['what']} | {'yes' if row['works'] else 'no'} | {row['why']} |\n" for row in rows)
    return text + FOOT


def main(program, environments, *words):
    found = results(program, pathlib.Path(environments))
    ran = {title: rows for title, rows in found.items() if rows is not None}
    for title, rows in ran.items():
        print(f"{title}: {sum(row['works'] for row in rows)} of {len(rows)} work")
    known = DOCUMENT.read_text()
    text = document(found, known)
    if words == ("--update",):
        DOCUMENT.write_text(text)
    elif text != known:
        for title, rows in ran.items():
            for row in rows:
                works = "yes" if row["works"] else "no"
                if f"| {row['what']} | {works} | {row['why']} |" not in known.splitlines():
                    print(f"{title}: {row['what']}: {works}\n{row['problem']}")
        sys.exit("the results are not those of docs/clients.md: mend them, or run `tests/clients/run LUNETTE --update`")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
