"""What the real clients of this family can do with the service, held against docs/clients.md.

    main.py PATH/TO/lunette ENVIRONMENTS            fails where a result is not the documented one
    main.py PATH/TO/lunette ENVIRONMENTS --update   writes docs/clients.md

ENVIRONMENTS is the folder of the virtual environments that `run` makes, one a client.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
DOCUMENT = HERE.parents[2] / "docs" / "clients.md"
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "browser")]

import public_cli  # noqa: E402
from service import Service  # noqa: E402

# Title, environment, and the driver within that environment.
SCRIPTS = [
    ("Python SDK 5.0.1, its wrapper `PiecesClient`", "wrapper", "wrapper.py"),
    ("pieces-copilot-sdk 0.6.0", "copilot", "copilot.py"),
    ("Python SDK 1.2.7", "old-sdk", "old_sdk.py"),
]
HEAD = """\
# Clients

The programs that people use with a service of this family, and what works with `lunette serve`. The tables are printed
by `tests/clients/run`, which runs these programs, and compared with each run of the tests.

The public Python SDKs 2.7.0 and 5.0.1 and the TypeScript SDK 4.1.0 call every operation that they have in tests of their
own (`tests/sdk`, `tests/clients`). What the service does not have, such as accounts and language models, it answers with
501 and a sentence.
"""


def by_script(service, environments, name, script):
    """The rows of a driver that runs in an environment of its own."""
    command = [environments / name / "bin" / "python", "-W", "ignore", HERE / script, service.url]
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


def results(program, environments):
    """The rows of every client, by its title."""
    # The public command line and the wrapper look for the service on the ports of the family.
    with Service(program, "--port", "39300") as service:
        found = {"pieces-cli 1.20.1": public_cli.rows(service, environments / "pieces-cli" / "bin" / "pieces")}
        for title, name, script in SCRIPTS:
            found[title] = by_script(service, environments, name, script)
        found["inkvault 0.3.4"] = rescue(service, environments)
    return found


def document(found):
    """The document of these results."""
    text = HEAD
    for title, rows in found.items():
        text += f"\n## {title}\n\n| | works | |\n|---|---|---|\n"
        text += "".join(f"| {row['what']} | {'yes' if row['works'] else 'no'} | {row['why']} |\n" for row in rows)
    return text


def main(program, environments, *words):
    found = results(program, pathlib.Path(environments))
    for title, rows in found.items():
        print(f"{title}: {sum(row['works'] for row in rows)} of {len(rows)} work")
    text = document(found)
    if words == ("--update",):
        DOCUMENT.write_text(text)
    elif text != DOCUMENT.read_text():
        known = DOCUMENT.read_text().splitlines()
        for title, rows in found.items():
            for row in rows:
                works = "yes" if row["works"] else "no"
                if f"| {row['what']} | {works} | {row['why']} |" not in known:
                    print(f"{title}: {row['what']}: {works}\n{row['problem']}")
        sys.exit("the results are not those of docs/clients.md: mend them, or run `tests/clients/run LUNETTE --update`")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
