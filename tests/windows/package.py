"""The packages for Windows: made, installed, used and removed under wine.

    python package.py

What must hold: no administrator is needed; links and the Start menu open the window; removing leaves nothing but the data
of the user.
"""

import hashlib
import json
import os
import pathlib
import re
import struct
import subprocess
import tempfile
import zipfile

import yaml

from machine import DRIVE, PROGRAM, fresh, run, start, unix, until

ROOT = pathlib.Path(__file__).resolve().parents[2]
KEYS = [
    "HKCU\\Software\\Classes\\lunette",
    "HKCU\\Software\\Classes\\Applications\\lunettew.exe",
    "HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\App Paths\\lunette.exe",
    "HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Uninstall\\Lunette",
]
UNINSTALL = KEYS[-1]


def made(folder):
    """Makes the packages of the program without debug symbols; returns the zip and the installer."""
    program = pathlib.Path(folder, "lunette.exe")
    subprocess.run(["x86_64-w64-mingw32-strip", "-o", program, PROGRAM], check=True)
    command = [ROOT / "assets/windows/package", program, folder, "--quick"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    [packed], [installer] = pathlib.Path(folder).glob("*.zip"), pathlib.Path(folder).glob("*-setup.exe")
    return packed, installer


def subsystem(path):
    data = path.read_bytes()
    return struct.unpack_from("<H", data, struct.unpack_from("<I", data, 0x3C)[0] + 24 + 68)[0]


def manifests(folder, packed, installer):
    digest = lambda path: hashlib.sha256(path.read_bytes()).hexdigest().upper()
    version = run("--version").out.split()[1]
    read = {path.name: yaml.safe_load(path.read_text()) for path in pathlib.Path(folder, "winget").glob("*.yaml")}
    assert len(read) == 3, read.keys()
    for manifest in read.values():
        assert (manifest["PackageIdentifier"], str(manifest["PackageVersion"])) == ("Lunette.Lunette", version)
    [listed] = read["Lunette.Lunette.installer.yaml"]["Installers"]
    assert listed["InstallerSha256"] == digest(installer) and listed["InstallerUrl"].endswith("/" + installer.name)
    scoop = json.loads(pathlib.Path(folder, "scoop/lunette.json").read_text())
    one = scoop["architecture"]["64bit"]
    assert one["hash"] == digest(packed) and one["url"].endswith("/" + packed.name) and scoop["version"] == version
    with zipfile.ZipFile(packed) as files:
        names = set(files.namelist())
        assert {scoop["bin"], scoop["shortcuts"][0][0], "THIRD-PARTY.txt", "LICENSE-MIT.txt"} <= names, names
        files.extractall(unix(fresh("zip")))
    assert run("--version", program="C:\\zip\\lunette.exe").out == f"lunette {version}\n"
    assert subsystem(unix("C:\\zip\\lunette.exe")) == 3 and subsystem(unix("C:\\zip\\lunettew.exe")) == 2
    return version


def known(key):
    return run("query", key, program="reg").code == 0


def quiet(program, *arguments):
    return subprocess.run(["wine", program, "/S", *arguments], cwd=DRIVE, timeout=300, check=False).returncode


def installed(installer, version):
    assert quiet(installer) == 0
    [folder] = DRIVE.glob("users/*/AppData/Local/Programs/Lunette")
    user = folder.parents[3].name
    place = f"C:\\users\\{user}\\AppData\\Local\\Programs\\Lunette"
    assert run("--version", program=f"{place}\\lunette.exe").out == f"lunette {version}\n"
    assert all(map(known, KEYS)), [key for key in KEYS if not known(key)]
    shown = run("query", UNINSTALL, "/v", "DisplayVersion", program="reg").out
    assert version in shown, shown
    [_] = DRIVE.glob("users/*/AppData/Roaming/Microsoft/Windows/Start Menu/Programs/Lunette.lnk")
    return folder, place


def follow(link):
    """Follows a link by the command in the registry, as Windows does; wine 8 does not look at the user's part of it."""
    printed = run("query", f"{KEYS[0]}\\shell\\open\\command", "/ve", program="reg").out
    program, verb, argument = re.search(r'REG_SZ\s+"(.*)" (\w+) "(.*)"', printed).groups()
    return run(verb, argument.replace("%1", link), program=program)


def used(folder, place, installer):
    """Uses the window without a console and a link as a browser does; the installer refuses to replace a running program."""
    data = f"C:\\users\\{folder.parents[3].name}\\AppData\\Local\\lunette\\data"
    window = start("--embedded", program=f"{place}\\lunettew.exe", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    address = unix(f"{data}\\lunette.address")
    until(lambda: address.exists() and unix(f"{data}\\window.address").exists(), "the window")
    url = f"http://127.0.0.1:{json.loads(address.read_text())['port']}"
    path = unix(fresh("work")) / "linked.txt"
    path.write_text("a text\n")
    imported = run("import", "C:\\work\\linked.txt", "--json", "--url", url)
    assert imported.code == 0, imported
    listed = run("list", "assets", "--json", "--url", url).json()
    [asset] = [asset for asset in listed if asset["name"] == "linked.txt"]
    assert follow(f"lunette://asset/{asset['id']}").code == 0
    files = [unix(f"{data}\\inspector.sqlite3"), unix(f"{data}\\inspector.sqlite3-wal")]
    linked = lambda: any(asset["id"].encode() in path.read_bytes() for path in files if path.exists())
    until(linked, "the asset of the link")
    assert quiet(installer) == 2, "a running program must not be replaced"
    subprocess.run(["xdotool", "search", "--name", "^Lunette$", "windowfocus", "key", "ctrl+q"], check=True)
    assert window.wait(timeout=60) == 0
    return data


def removed(folder, place, data):
    assert quiet(f"{place}\\uninstall.exe") == 0
    # The uninstaller continues as a copy of itself, since no program can delete its own file.
    until(lambda: not folder.exists(), "the removal of its folder")
    until(lambda: not any(map(known, KEYS)), "the removal of its keys")
    assert not list(DRIVE.glob("users/*/AppData/Roaming/Microsoft/Windows/Start Menu/Programs/Lunette*"))
    assert unix(f"{data}\\lunette.sqlite3").stat().st_size > 0, "the data of the user is gone"


def main():
    with tempfile.TemporaryDirectory(dir=os.environ["LUNETTE_WINDOWS_TOOLS"]) as made_in:
        packed, installer = made(made_in)
        version = manifests(made_in, packed, installer)
        print("windows: package: the zip and the manifests", flush=True)
        folder, place = installed(installer, version)
        print("windows: package: installed", flush=True)
        data = used(folder, place, installer)
        print("windows: package: used", flush=True)
        assert quiet(installer) == 0
        removed(folder, place, data)
        print("windows: package: installed over itself, and removed", flush=True)


main()
