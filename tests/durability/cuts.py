"""What a disk holds after a power cut, worked out of a log of the calls on files.

What a file held when its last sync began is there; of what was written since, nothing is, or any of its sectors. A
file that was made since the folder's last sync is not there. That is less than any real disk keeps.
"""

import os
import pathlib
import random
import re

CALLS = ("openat", "pwrite64", "fsync", "fdatasync", "ftruncate", "unlink", "rename",
         "write", "writev", "sendto", "sendmsg")
SECTOR = 512
LINE = re.compile(r"^(\d+)\s+(.*)$")
CUT = re.compile(r"^(.*) <unfinished \.\.\.>$")
REST = re.compile(r"^<\.\.\. (\w+) resumed>(.*)$")
FILE = re.compile(r"^(\w+)\(\d+<((?:[^<>\\]|\\.)*)>")
TEXT = re.compile(r'"((?:\\x[0-9a-f]{2})*)"')
ANSWER = re.compile(rb"^HTTP/1\.1 2\d\d ")


class Event:
    """A call, or its beginning or end: what it was (`kind`), on which file, with which bytes and numbers."""

    __slots__ = ("kind", "file", "data", "number", "begins", "ends")

    def __init__(self, call, begins, ends):
        self.kind = call[: call.index("(")]
        file = FILE.match(call)
        self.file = file and plain(file[2])
        self.begins, self.ends = begins, ends
        self.data = b"".join(bytes.fromhex(text.replace("\\x", "")) for text in TEXT.findall(call))
        number = re.search(r", (\d+)\)\s+= -?\d+", call) if self.kind in ("pwrite64", "ftruncate") else None
        self.number = int(number[1]) if number else None


def plain(text):
    """With -xx paths are written in hex too."""
    return bytes.fromhex(text.replace("\\x", "")).decode("utf-8", "replace") if text.startswith("\\x") else text


def events(path):
    """The events of a log in its order. A call that was interleaved with others has a beginning and an end."""
    begun = {}
    with open(path, errors="replace") as log:
        for line in log:
            thread, call = LINE.match(line).groups()
            if call.startswith(("---", "+++")):
                continue
            if cut := CUT.match(call):
                begun[thread] = cut[1]
                yield Event(cut[1], True, False)
            elif rest := REST.match(call):
                yield Event(begun.pop(thread) + rest[2], False, True)
            else:
                yield Event(call, True, True)


class Disk:
    """The files of a data folder as a log goes on: as programs see them, and as a cut would leave them."""

    def __init__(self, base, folder, syncs=True):
        self.folder = str(folder)
        self.seen = {file.name: bytearray(file.read_bytes()) for file in pathlib.Path(base).iterdir() if file.is_file()}
        self.kept = {name: bytearray(content) for name, content in self.seen.items()}
        self.pending = {}
        self.named = set(self.seen)
        self.syncing = {}
        self.syncs = syncs

    def name(self, file):
        folder, _, name = (file or "").rpartition("/")
        return name if folder == self.folder else None

    def take(self, event):
        """Follows one event."""
        name = self.name(event.file)
        if event.kind in ("fsync", "fdatasync"):
            if self.syncs:
                self.sync(event, name)
        elif event.kind == "unlink" and event.ends:
            self.forget(self.name(event.data.decode("utf-8", "replace")))
        elif name is None or not event.ends:
            return
        elif event.kind == "pwrite64":
            write(self.seen.setdefault(name, bytearray()), event.number, event.data)
            self.pending.setdefault(name, []).append((event.number, event.data))
        elif event.kind == "ftruncate":
            self.truncate(name, event.number)

    def sync(self, event, name):
        if event.file == self.folder:
            if event.ends:
                self.named |= set(self.seen)
        elif name in self.seen:
            if event.begins:
                self.syncing[name] = len(self.pending.get(name, ()))
            if event.ends:
                count = self.syncing.pop(name)
                for offset, data in self.pending.get(name, [])[:count]:
                    write(self.kept.setdefault(name, bytearray()), offset, data)
                self.pending[name] = self.pending.get(name, [])[count:]

    def truncate(self, name, length):
        """Takes hold at once, which is worse than later: what was cut off is lost for sure."""
        for files in (self.seen, self.kept):
            del files.setdefault(name, bytearray())[length:]
        writes = self.pending.get(name, [])
        self.pending[name] = [(offset, data[: max(0, length - offset)]) for offset, data in writes]

    def unsynced(self, ending):
        """Whether a file with this ending has writes that no sync has reached."""
        named = (writes for name, writes in self.pending.items() if name.endswith(ending))
        return any(data for writes in named for _, data in writes)

    def forget(self, name):
        """A file was taken away, which a cut may show or not: here it does."""
        for files in (self.seen, self.kept, self.pending):
            files.pop(name, None)
        self.named.discard(name)

    def cut(self, chance=None):
        """The files after a cut: what was synced, and of the rest nothing, or the sectors that chance leaves."""
        files = {}
        for name in self.named & set(self.kept):
            content = bytearray(self.kept[name])
            for offset, data in self.pending.get(name, ()) if chance else ():
                survive(content, offset, data, chance)
            files[name] = bytes(content)
        return files


def write(content, offset, data):
    content.extend(bytes(max(0, offset - len(content))))
    content[offset : offset + len(data)] = data


def survive(content, offset, data, chance):
    """Half of the sectors of a write reach the disk."""
    for start in range(0, len(data), SECTOR):
        if chance.random() < 0.5:
            write(content, offset + start, data[start : start + SECTOR])


def lay_out(files, folder):
    """Writes the files of a cut into a new folder, but what maps memory: that is made anew."""
    os.mkdir(folder)
    for name, content in files.items():
        if not name.endswith(("-shm", ".address", ".lock")):
            (pathlib.Path(folder) / name).write_bytes(content)


def chance_of(number):
    """Every second cut keeps sectors by chance."""
    return random.Random(number) if number % 2 else None
