"""Takes the pictures, and compares those that are kept. See `run` for its arguments."""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

import scenes
from window import Window, still

HERE = pathlib.Path(__file__).resolve().parent
KEPT = HERE / "kept"
SCREENSHOTS = HERE.parents[1] / "assets" / "screenshots"
SIZE = (1280, 800)
# A channel that differs by less than this share is the noise of a rasteriser.
FUZZ = "8%"
# So many points of a picture may differ by more: edges of letters.
MOST = 400


def take(program, theme, kept, folder, size=SIZE, settings=None):
    """Takes all scenes of a list; gives the masks by name."""
    masks, window = {}, None
    samples = object()
    for scene in kept:
        if window is None or samples != scene.samples:
            if window:
                window.end()
            samples = scene.samples
            window = Window(program, size, {"theme": theme.capitalize()} | json.loads(json.dumps(settings or {})), samples)
        name = f"{scene.name}-{theme}"
        try:
            scene.act(window)
            window.away()
            window.still(folder / f"{name}.png")
            masks[name] = window.masks()
        except Exception as problem:  # The others are wanted all the same.
            print(f"pictures: {name} could not be taken: {str(problem).splitlines()[0]}", file=sys.stderr)
            subprocess.run(["import", "-window", "root", str(folder / f"{name}.failed.png")], check=False)
            masks[name] = None
        try:
            scene.leave(window)
        except Exception as problem:
            print(f"pictures: {name} could not be left: {str(problem).splitlines()[0]}", file=sys.stderr)
    if window:
        window.end()
    return masks


def gallery(program, theme, folder):
    """Takes every section of the gallery of widgets, which `cargo test` builds beside the program; gives their masks."""
    example = pathlib.Path(program).parent / "examples" / "gallery"
    masks = {}
    for section in ("text", "input", "lists", "content", "files", "states"):
        name = f"gallery-{section}-{theme}"
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        process = subprocess.Popen([example, theme, section, "still"], **quiet)
        find = ["timeout", "20", "xdotool", "search", "--sync", "--onlyvisible", "--name", "^Widgets$"]
        window = subprocess.run(find, check=True, capture_output=True, text=True).stdout.split()[0]
        for words in (["windowmove", window, "0", "0"], ["windowsize", "--sync", window, *map(str, SIZE)]):
            subprocess.run(["timeout", "5", "xdotool", *words], check=False)
        still(folder / f"{name}.png")
        process.terminate()
        process.wait()
        masks[name] = []
    return masks


def masked(picture, places, out):
    """The picture with flat boxes over what changes."""
    boxes = [f"rectangle {x},{y} {x + width},{y + height}" for x, y, width, height in places]
    draw = [word for box in boxes for word in ("-draw", box)]
    # 256 colours: the pictures are looked at, not measured.
    shrink = ["-dither", "None", "-colors", "256", "-strip", f"PNG8:{out}"]
    subprocess.run(["convert", str(picture), "-fill", "#808080", *draw, *shrink], check=True)


def differing(one, other, out):
    """How many points of two pictures differ; the picture of them goes to `out`."""
    command = ["compare", "-metric", "AE", "-fuzz", FUZZ, str(one), str(other), str(out)]
    said = subprocess.run(command, capture_output=True, text=True)
    number = re.match(r"[0-9.e+]+", said.stderr)
    return float(number.group()) if number and said.returncode < 2 else float("inf")


def compare(program):
    """Takes the kept scenes and compares them; gives the names of those that differ."""
    out = pathlib.Path(tempfile.mkdtemp(prefix="lunette-pictures-"))
    known = json.loads((KEPT / "masks.json").read_text())
    wrong = []
    for theme in ("dark", "light"):
        masks = take(program, theme, scenes.kept(theme), out) | gallery(program, theme, out)
        for name, places in masks.items():
            if places is None or name not in known:
                wrong.append(name)
                continue
            both = places + known[name]
            masked(out / f"{name}.png", both, out / f"{name}.now.png")
            masked(KEPT / f"{name}.png", both, out / f"{name}.kept.png")
            count = differing(out / f"{name}.kept.png", out / f"{name}.now.png", out / f"{name}.difference.png")
            print(f"pictures: {name}: {count:.0f} points differ")
            if count > MOST:
                wrong.append(name)
    if wrong:
        print(f"pictures: {', '.join(wrong)} differ by more than {MOST} points: {out}", file=sys.stderr)
    else:
        subprocess.run(["rm", "-rf", str(out)], check=True)
    return wrong


def update(program, names):
    """Takes the kept scenes, or those of these names alone, and keeps them."""
    KEPT.mkdir(exist_ok=True)
    masks = {}
    with tempfile.TemporaryDirectory() as folder:
        for theme in ("dark", "light"):
            kept = [scene for scene in scenes.kept(theme) if not names or scene.name in names]
            masks |= take(program, theme, kept, pathlib.Path(folder))
            masks |= {} if names else gallery(program, theme, pathlib.Path(folder))
        failed = [name for name, places in masks.items() if places is None]
        if failed:
            sys.exit(f"pictures: {', '.join(failed)} could not be taken; nothing was renewed")
        for old in KEPT.glob("*.png") if not names else []:
            old.unlink()
        for name, places in masks.items():
            masked(f"{folder}/{name}.png", places, KEPT / f"{name}.png")
    known = json.loads((KEPT / "masks.json").read_text()) if names else {}
    (KEPT / "masks.json").write_text(json.dumps(known | masks, indent=0, sort_keys=True).replace(",\n", ", ") + "\n")


def screenshots(program):
    """Renews the pictures of the documents: those that exist, by their names."""
    with tempfile.TemporaryDirectory() as folder:
        for theme in ("dark", "light"):
            # All of them, since each scene begins where the one before left.
            for name in take(program, theme, scenes.ALL, pathlib.Path(folder)):
                if (SCREENSHOTS / f"{name}.png").exists() and (pathlib.Path(folder) / f"{name}.png").exists():
                    masked(f"{folder}/{name}.png", [], SCREENSHOTS / f"{name}.png")


def everything(program, folder, size, theme, settings="{}"):
    """Takes every scene, to look at."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    width, height = map(int, size.split("x"))
    take(program, theme, scenes.ALL, folder, (width, height), json.loads(settings))


def sheet(folder):
    """All pictures of a folder in sheets of nine, to look at together."""
    pictures = sorted(path for path in folder.glob("*.png") if not path.name.startswith("sheet"))
    for place in range(0, len(pictures), 9):
        out = folder / f"sheet-{place // 9 + 1}.png"
        tiles = ["-tile", "3x3", "-geometry", "800x+6+6", "-background", "#808080"]
        subprocess.run(["montage", *map(str, pictures[place : place + 9]), *tiles, str(out)], check=True)


def main(program, *words):
    program = str(pathlib.Path(program).resolve())
    match words:
        case []:
            sys.exit(1 if compare(program) else 0)
        case ["--update", *names]:
            update(program, names)
        case ["--screenshots"]:
            screenshots(program)
        case ["--all", *rest] if len(rest) in (3, 4):
            everything(program, *rest)
        case ["--sheet", folder]:
            sheet(pathlib.Path(folder))
        case _:
            sys.exit("see the head of tests/pictures/run")


if __name__ == "__main__":
    main(*sys.argv[1:])
