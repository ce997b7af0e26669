"""Makes the bundle for macOS around a stand-in program and reads it back: bundle.py PATH/TO/assets/macos/bundle

What macOS reads from the files is checked; that the program starts from them can only be seen on a Mac.
"""
import plistlib
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

script = pathlib.Path(sys.argv[1]).resolve()
root = script.parents[2]
# The types of PNG icons that macOS reads, with their widths in pixels: 16 to 512 points, once and at double resolution.
ICON_TYPES = {b"icp4": 16, b"icp5": 32, b"ic07": 128, b"ic08": 256, b"ic09": 512, b"ic11": 32, b"ic12": 64, b"ic13": 256, b"ic14": 512}


def check(fact, message):
    if not fact:
        sys.exit(f"macos: {message}")


def icons(data):
    """Returns the widths of the pictures in an icon file, by type."""
    kind, length = struct.unpack(">4sI", data[:8])
    check(kind == b"icns" and length == len(data), "the icon is not an icns file, or cut")
    parts, at = {}, 8
    while at < len(data):
        kind, length = struct.unpack(">4sI", data[at : at + 8])
        body = data[at + 8 : at + length]
        if body.startswith(b"\x89PNG"):
            parts[kind] = struct.unpack(">I", body[16:20])[0]
        at += length
    return parts


with tempfile.TemporaryDirectory() as folder:
    program = pathlib.Path(folder, "stand-in")
    program.write_bytes(b"\xcf\xfa\xed\xfe")
    subprocess.run([script, program, folder], check=True, stdout=subprocess.DEVNULL)
    contents = pathlib.Path(folder, "Lunette.app", "Contents")
    info = plistlib.loads((contents / "Info.plist").read_bytes())
    version = re.search(r'^version = "(.*)"', (root / "Cargo.toml").read_text(), re.MULTILINE).group(1)
    check(info["CFBundleShortVersionString"] == info["CFBundleVersion"] == version, "Info.plist says another version")
    executable = contents / "MacOS" / info["CFBundleExecutable"]
    check(executable.read_bytes() == program.read_bytes() and executable.stat().st_mode & 0o111, "the program is not in it")
    check((contents / "PkgInfo").read_bytes() == b"APPL????", "PkgInfo is another")
    found = icons((contents / "Resources" / info["CFBundleIconFile"]).read_bytes())
    for kind, size in ICON_TYPES.items():
        check(kind not in found or found[kind] == size, f"{kind} is {found.get(kind)} wide, not {size}")
    check({128, 256, 512} <= set(found.values()), f"icons of {sorted(found.values())} only")
    [links] = info["CFBundleURLTypes"]
    check(links["CFBundleURLSchemes"] == ["lunette"], "the links are others")
    [documents] = info["CFBundleDocumentTypes"]
    # Offered for these, and the default for none.
    check(documents["LSHandlerRank"] in ("None", "Alternate"), "it claims files of others")
    resources = contents / "Resources"
    for name in ("LICENSE-MIT", "LICENSE-APACHE"):
        check((resources / name).read_bytes() == (root / name).read_bytes(), f"{name} is not in the bundle")
    check((resources / "THIRD-PARTY.txt.gz").stat().st_size > 0, "the licences are not in the bundle")
print("macos: the bundle has program, icons, version, links, document types and licences")
