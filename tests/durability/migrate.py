"""A migration that is cut off leaves the old version or the new one, and the next start ends it with nothing lost.

    python migrate.py PATH/TO/lunette [--full]

Databases of every earlier version (crates/lunette-service/tests/schemas) are opened by a service that is killed at the N-th of its calls that
change files. What is left is looked at in a copy; then a service is started on it, and the rows must be those of a
migration that nobody cut off. The backup that was made before must be a whole database of the old version.
"""

import hashlib
import pathlib
import re
import shutil
import sqlite3
import tempfile

from claims import arguments, holds, needs
from ledger import Client
from service import DATABASE, NotStarted, Service
import strace

OWN = '"descriptor":"Lunette"'
MOMENT = re.compile(r"\b1[789]\d{14}\b")
# Python's SQLite makes no later ones. Their migrations are cut off as well: the older ones go through them.
MADE_HERE = 4
OPTION = "contentless_delete = 1, "
DOCSIZE = "CREATE TABLE 'content_word_docsize'(id INTEGER PRIMARY KEY, sz BLOB, origin INTEGER)"
ROOT = pathlib.Path(__file__).resolve().parents[2]
SCHEMAS = ROOT / "crates" / "lunette-service" / "tests" / "schemas"


def old_store(schema, folder):
    """A folder with a database of this version, made here: no other program ever writes to one of ours."""
    folder.mkdir()
    connection = sqlite3.connect(folder / DATABASE)
    # An option of a later SQLite than Python's. The table that has it is empty, and is not kept by any later version; its
    # statements must be those of the program all the same.
    statements = schema.read_text()
    connection.executescript(statements.replace(OPTION, ""))
    connection.execute("PRAGMA writable_schema = ON")
    own = re.search(r"CREATE VIRTUAL TABLE content_word USING fts5 \(.*?\)", statements, re.DOTALL)[0]
    for name, sql in ("content_word", own), ("content_word_docsize", DOCSIZE):
        connection.execute("UPDATE sqlite_master SET sql = ? WHERE name = ?", (sql, name))
    connection.commit()
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute(f"PRAGMA user_version = {int(schema.stem)}")
    connection.close()


def version_in_copy(folder, work):
    """The version a cut left, read in a copy that is thrown away."""
    copy = work / "copy"
    shutil.copytree(folder, copy)
    connection = sqlite3.connect(copy / DATABASE)
    connection.execute("PRAGMA writable_schema = ON")  # An older SQLite passes over what it cannot read.
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    tables = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
    connection.close()
    shutil.rmtree(copy)
    return version, tables


def rows_in_copy(folder, work):
    """A hash of every row of every ordinary table, read in a copy."""
    copy = work / "copy"
    shutil.copytree(folder, copy)
    connection = sqlite3.connect(copy / DATABASE)
    connection.execute("PRAGMA writable_schema = ON")
    query = "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%STRICT%' ORDER BY name"
    tables = [name for name, in connection.execute(query)]
    rows = [(name, sorted(map(repr, connection.execute(f'SELECT * FROM "{name}"')))) for name in tables]
    # The service's own application is made or told anew at its first start, with an id and a moment of its own.
    rows = [(name, [MOMENT.sub("now", row) for row in of_table if OWN not in row]) for name, of_table in rows]
    connection.close()
    shutil.rmtree(copy)
    return hashlib.sha256(repr(rows).encode()).hexdigest(), sum(len(of_table) for _, of_table in rows)


def ended(program, folder, work):
    """Has a service end the migration and be asked; gives back a hash of all rows, and their number."""
    with Service(program, folder) as service:
        client = Client(service.port)
        client.get("/assets/identifiers")
        client.close()
        if service.stop()[0] != 0:
            holds("it ends by SIGTERM after a migration", service.said(), False)
    return rows_in_copy(folder, work)


def backups_of(folder):
    """Where the copies of a folder's database stand: beside it, not in it."""
    return folder.parent / f"{folder.name}-backups"


def whole_backups(folder, work, old):
    """How many backups are whole databases of the old version."""
    count = 0
    for backup in backups_of(folder).glob(f"version-{old}-*.sqlite3"):
        copy = work / "backup.sqlite3"
        shutil.copy(backup, copy)
        connection = sqlite3.connect(copy)
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        sound = connection.execute("PRAGMA quick_check").fetchone()[0] == "ok"
        connection.close()
        count += sound and version == old
    return count


def killed(program, folder, kind, number):
    """One start that is killed at this call; whether it was."""
    try:
        with Service(program, folder, strace.injecting(kind, "signal=KILL", number)) as service:
            service.stop()
            return service.process.returncode != 0
    except NotStarted:
        return True


def every_cut(program, work, schema, wanted):
    """All cuts over the migration of one version; gives back lives, kills, and the versions that were left."""
    old, base, data = int(schema.stem), work / f"old-{schema.stem}", work / "data"
    old_store(schema, base)
    shutil.copytree(base, data)
    with Service(program, data, strace.logging(work / "calls.log")) as service:
        service.stop()
    expected = ended(program, data, work)
    whole = version_in_copy(data, work)
    counted = strace.counts(work / "calls.log")
    for folder in (data, backups_of(data)):
        shutil.rmtree(folder, ignore_errors=True)
    chosen, kills, left = strace.spread(counted, wanted), 0, {}
    shapes = {}
    for kind, number in chosen:
        shutil.copytree(base, data)
        kills += killed(program, data, kind, number)
        version, tables = version_in_copy(data, work)
        left[version] = left.get(version, 0) + 1
        if shapes.setdefault(version, tables) != tables or not old <= version <= whole[0]:
            holds("a cut leaves one version or the next, never between", f"{kind} {number}: {version}, {tables}", False)
        if version > old and not whole_backups(data, work, old):
            holds("there is a whole backup before anything is changed", f"{kind} {number}", False)
        if ended(program, data, work) != expected:
            holds("the next start ends the migration with nothing lost", f"{kind} {number}", False)
        for folder in (data, backups_of(data)):
            shutil.rmtree(folder, ignore_errors=True)
    return len(chosen), kills, left, f"{sum(counted.values())} calls, {expected[1]} rows"


def main():
    given = arguments(__doc__)
    needs("strace")
    schemas = [schema for schema in sorted(SCHEMAS.glob("0*.sql")) if int(schema.stem) <= MADE_HERE]
    holds("there are databases of earlier versions", f"{len(schemas)} in {SCHEMAS}", len(schemas) == MADE_HERE)
    with tempfile.TemporaryDirectory() as work:
        for schema in schemas:
            lives, kills, left, calls = every_cut(
                given.program, pathlib.Path(work), schema, 200 if given.full else 6)
            versions = ", ".join(f"{count} left at {version}" for version, count in sorted(left.items()))
            holds(f"SIGKILL over the migration from version {int(schema.stem)} leaves the old or the new, all is there",
                  f"{lives} lives over {calls}, {kills} kills, {versions}", kills > lives // 2)


if __name__ == "__main__":
    main()
