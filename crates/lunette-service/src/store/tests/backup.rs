//! Backups: sound while others write, refused once a byte of them changed, and brought back whole or not at all.

use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

use super::*;
use crate::store::disk::backup::{self, sum_path};
use crate::store::interrupt::InterruptToken;

/// Everything in a database, a line a row.
fn dump(path: &Path) -> Vec<String> {
    let db = Connection::open(path).expect("a database");
    let tables = "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name";
    let mut lines = Vec::new();
    for table in texts(&db, tables) {
        let columns = texts(&db, &format!("SELECT name FROM pragma_table_xinfo('{table}')"));
        let quoted: Vec<_> = columns.iter().map(|column| format!("quote(\"{column}\")")).collect();
        let rows =
            texts(&db, &format!("SELECT concat_ws('|', {}) AS line FROM \"{table}\" ORDER BY line", quoted.join(", ")));
        lines.extend(rows.into_iter().map(|row| format!("{table}: {row}")));
    }
    lines
}

fn texts(db: &Connection, query: &str) -> Vec<String> {
    let mut statement = db.prepare(query).expect("a query");
    let rows = statement.query_map([], |row| row.get(0)).expect("rows");
    rows.collect::<Result<_, _>>().expect("texts")
}

pub(super) fn fill(store: &Store, from: usize, to: usize) {
    for number in from..to {
        assets::add(store, &format!("asset {number} größer 検索"), &format!("content {number}\n").repeat(20));
    }
}

#[test]
fn a_backup_restores_the_data_exactly() {
    let (_around, data) = data();
    let store = Store::open(&data).expect("a store");
    fill(&store, 0, 20);
    let backup = store.back_up().expect("a backup");
    let kept = dump(&backup.path);
    fill(&store, 20, 25);
    drop(store);
    let later = dump(&database(&data));
    assert!(kept != later && kept.len() > 60, "{} lines", kept.len());

    let restored = restore(&data, &backup.path).expect("restored");
    assert!(restored.summed);
    let previous = restored.previous.expect("what was there");
    assert!(previous.starts_with(&data), "{previous:?}");
    assert_eq!(dump(&database(&previous)), later);
    assert_eq!(dump(&database(&data)), kept);
    let store = Store::open(&data).expect("a store");
    assert_eq!(assets_there(&store), 20);
    assert_eq!(store.health(), Health::Healthy);
}

pub(super) fn assets_there(store: &Store) -> i64 {
    store.read(|db| Ok(db.query_row("SELECT count(*) FROM asset", [], |row| row.get(0))?)).expect("a count")
}

#[test]
fn a_missing_or_damaged_database_is_restored_from_its_backup() {
    for damage in ["gone", "damaged"] {
        let (_around, data) = data();
        let store = Store::open(&data).expect("a store");
        fill(&store, 0, 5);
        store.back_up().expect("a backup");
        drop(store);
        match damage {
            "gone" => fs::remove_file(database(&data)).expect("removed"),
            _ => fs::write(database(&data), "damaged").expect("written"),
        }
        let StoreError::Corrupt { newest, .. } = Store::open(&data).err().expect("a refusal") else {
            panic!("{damage}")
        };
        let newest = newest.expect("a backup is named");
        let restored = restore(&data, &newest).expect("restored");
        assert_eq!(restored.previous.is_some(), damage == "damaged");
        assert_eq!(assets_there(&Store::open(&data).expect("a store")), 5);
        assert_eq!(dump(&database(&data)), dump(&newest));
    }
}

#[test]
fn a_backup_with_a_changed_byte_is_refused_and_nothing_is_modified() {
    let (_around, data) = data();
    let store = Store::open(&data).expect("a store");
    fill(&store, 0, 3);
    let backup = store.back_up().expect("a backup");
    drop(store);
    let (before, whole) = (fs::read(database(&data)).expect("bytes"), fs::read(&backup.path).expect("bytes"));
    let sum = fs::read(sum_path(&backup.path)).expect("a sum");
    for number in 0..200 {
        let mut bytes = whole.clone();
        let offset = number * whole.len() / 200 + number % 7;
        bytes[offset.min(whole.len() - 1)] ^= 1 << (number % 8);
        fs::write(&backup.path, &bytes).expect("written");
        let refused = restore(&data, &backup.path).expect_err("it is damaged").to_string();
        assert!(refused.contains("does not match its checksum"), "{refused}");
    }
    fs::write(&backup.path, &whole).expect("written");
    for damaged in [&b""[..], b"text", &sum[1..], b"\xff\xfe"] {
        fs::write(sum_path(&backup.path), damaged).expect("written");
        assert!(restore(&data, &backup.path).is_err());
    }
    assert_eq!(fs::read(database(&data)).expect("bytes"), before);
    assert_eq!(names(&data).iter().filter(|name| name.contains("restor")).count(), 0, "{:?}", names(&data));
    fs::write(sum_path(&backup.path), &sum).expect("written");
    assert!(restore(&data, &backup.path).is_ok());
}

pub(super) fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder").flatten();
    entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

#[test]
fn a_backup_without_a_checksum_is_checked_by_sqlite() {
    let (_around, data) = data();
    let store = Store::open(&data).expect("a store");
    fill(&store, 0, 3);
    let backup = store.back_up().expect("a backup");
    drop(store);
    fs::remove_file(sum_path(&backup.path)).expect("removed");
    let whole = fs::read(&backup.path).expect("bytes");
    for damaged in
        [&whole[..whole.len() / 2], &b"text"[..], &[&whole[..8192], &[0xEE; 4096][..], &whole[12288..]].concat()]
    {
        fs::write(&backup.path, damaged).expect("written");
        assert!(restore(&data, &backup.path).is_err(), "{} bytes", damaged.len());
    }
    fs::write(&backup.path, &whole).expect("written");
    assert!(!restore(&data, &backup.path).expect("restored").summed);
}

#[test]
fn a_folder_in_use_the_database_itself_and_a_missing_file_cannot_be_restored() {
    let (around, data) = data();
    let store = Store::open(&data).expect("a store");
    let backup = store.back_up().expect("a backup");
    assert!(matches!(restore(&data, &backup.path), Err(StoreError::Locked { .. })));
    drop(store);
    let itself = restore(&data, &database(&data)).expect_err("itself").to_string();
    assert!(itself.contains("the database itself"), "{itself}");
    assert!(restore(&data, &around.path().join("nothing")).is_err());
    assert!(Store::open(&data).is_ok());
}

/// Each state that a kill can leave a restore in, and what the next start finds there.
#[test]
fn an_interrupted_restore_leaves_the_old_or_the_new_database() {
    type Leave = fn(&Path, &Path);
    let states: [(&str, i64, Leave); 5] = [
        ("half copied", 5, |data, backup| {
            let bytes = fs::read(backup).expect("bytes");
            fs::write(data.join("lunette.sqlite3.restoring"), &bytes[..bytes.len() / 2]).expect("written");
        }),
        ("copied", 5, |data, backup| {
            fs::write(data.join("lunette.sqlite3.restoring"), fs::read(backup).expect("bytes")).expect("written");
        }),
        ("waiting", 2, waiting),
        ("the database moved, its log not", 2, |data, backup| {
            waiting(data, backup);
            fs::create_dir(data.join("before-restore.unfinished")).expect("made");
            let moved = data.join("before-restore.unfinished/lunette.sqlite3");
            fs::rename(database(data), moved).expect("moved");
            fs::write(data.join("lunette.sqlite3-wal"), "left").expect("written");
        }),
        ("all moved", 2, |data, backup| {
            waiting(data, backup);
            fs::create_dir(data.join("before-restore-1")).expect("made");
            fs::rename(database(data), data.join("before-restore-1/lunette.sqlite3")).expect("moved");
        }),
    ];
    for (state, assets, leave) in states {
        let (_around, data) = data();
        let store = Store::open(&data).expect("a store");
        fill(&store, 0, 2);
        let backup = store.back_up().expect("a backup");
        fill(&store, 2, 5);
        drop(store);
        leave(&data, &backup.path);
        let store = Store::open(&data).unwrap_or_else(|error| panic!("{state}: {error}"));
        assert_eq!(assets_there(&store), assets, "{state}");
        assert!(!names(&data).iter().any(|name| name.ends_with("unfinished") || name.ends_with("restored")), "{state}");
        drop(store);
        assert!(restore(&data, &backup.path).is_ok(), "{state}: and it can be restored again");
    }
}

fn waiting(data: &Path, backup: &Path) {
    fs::write(data.join("lunette.sqlite3.restored"), fs::read(backup).expect("bytes")).expect("written");
}

#[test]
fn closing_a_store_does_not_wait_for_its_backup() {
    let (_around, data) = data();
    let store = Store::open(&data).expect("a store");
    let interrupt = InterruptToken::default();
    interrupt.interrupt();
    let source = file::open_source(&database(&data)).expect("a connection");
    assert!(backup::take(&source, &data, Cause::Daily, &interrupt).is_err());
    assert_eq!(backups(&data), []);
    drop(store);
}

#[test]
fn backups_during_writes_are_consistent_snapshots() {
    let (_around, data) = data();
    let store = Store::open(&data).expect("a store");
    let (done, stop) = (AtomicI64::new(0), AtomicBool::new(false));
    std::thread::scope(|scope| {
        for writer in 0..8 {
            let (store, done, stop) = (&store, &done, &stop);
            scope.spawn(move || {
                for number in 0.. {
                    if stop.load(Ordering::Relaxed) {
                        return;
                    }
                    add(store, format!("{writer}/{number}")).expect("written");
                    done.fetch_add(1, Ordering::SeqCst);
                }
            });
        }
        for _ in 0..100 {
            let before = done.load(Ordering::SeqCst);
            let backup = store.back_up().expect("a backup");
            let after = done.load(Ordering::SeqCst) + 8;
            let copy = Connection::open(&backup.path).expect("it opens");
            let kept: i64 = copy.query_row("SELECT count(*) FROM origin", [], |row| row.get(0)).expect("a count");
            assert!(before <= kept && kept <= after, "{before} {kept} {after}");
            let skip_damaged: String =
                copy.query_row("PRAGMA integrity_check", [], |row| row.get(0)).expect("an answer");
            assert_eq!(skip_damaged, "ok");
        }
        stop.store(true, Ordering::Relaxed);
    });
    assert_eq!(count(&store), done.into_inner());
}

#[test]
fn a_manual_backup_may_be_stored_anywhere_without_overwriting() {
    let (around, data) = data();
    let store = Store::open(&data).expect("a store");
    fill(&store, 0, 3);
    let path = around.path().join("mine.sqlite3");
    // A service may be running on the folder or not.
    let taken = back_up(&data, Some(&path)).expect("a backup");
    assert_eq!((taken.path.as_path(), taken.cause), (path.as_path(), Cause::ByHand));
    assert!(back_up(&data, Some(&path)).is_err(), "there is one already");
    let theirs = around.path().join("theirs.sqlite3.new");
    fs::write(&theirs, "theirs").expect("written");
    assert!(back_up(&data, Some(&around.path().join("theirs.sqlite3"))).is_err(), "its unfinished name is taken");
    assert_eq!(fs::read_to_string(&theirs).expect("as it was"), "theirs");
    drop(store);
    let second = back_up(&data, None).expect("a backup");
    assert_eq!(dump(&second.path), dump(&path));
    assert_eq!(backups(&data), [second]);
    let nothing = back_up(&around.path().join("nowhere"), None).expect_err("there is no data");
    assert!(!around.path().join("nowhere").exists() && nothing.to_string().contains("nowhere"), "{nothing}");
}

#[cfg(unix)]
#[test]
fn everything_in_and_beside_the_folder_is_owner_only() {
    use std::os::unix::fs::PermissionsExt as _;

    let mode = |path: &Path| fs::metadata(path).expect("it is there").permissions().mode() & 0o777;
    let (around, data) = data();
    let store = Store::open(&data).expect("a store");
    add(&store, "kept").expect("written");
    store.back_up().expect("a backup");
    let beside = around.path().join("data-backups");
    let mut files = 0;
    for folder in [&data, &beside] {
        assert_eq!(mode(folder), 0o700, "{folder:?}");
        for name in names(folder) {
            assert_eq!(mode(&folder.join(&name)), 0o600, "{name}");
            files += 1;
        }
    }
    // The database, its -wal and -shm, the lock, the reserve; a backup and its sum.
    assert_eq!(files, 7);
    drop(store);
    fs::set_permissions(&data, fs::Permissions::from_mode(0o755)).expect("set");
    drop(Store::open(&data).expect("a store"));
    assert_eq!(mode(&data), 0o755, "what a user has set stays");
}

/// What closes a file of ours that SQLite has open takes SQLite's locks away, and a copy of its bytes may be of two
/// moments. So only these may open files, and none of them the database.
#[test]
fn the_database_is_copied_only_by_sqlite() {
    let opening = ["fs::copy", "fs::read(", "read_to_string(", "File::open", ".open(", "fs::write"];
    let allowed = [
        ("disk/folder.rs", 1),     // What the lock file says.
        ("disk/backup.rs", 3),     // A copy, to sync it and to sum it; the sum.
        ("past/bounds.rs", 1),     // The bounds, which are not a database.
        ("search/synonyms.rs", 2), // A list of words, which is not a database.
        ("disk/quarantine.rs", 1), // The lock file, of a folder that is not opened.
        ("atomic.rs", 1),          // A name that is taken for a new file.
        ("database.rs", 1),        // A header, before anything is open.
        ("owner_only.rs", 4), // Files that are made, kept or told apart: the lock, the reserve, copies; folders, to sync them.
        ("salvage.rs", 2),    // A database that was moved aside, and its log.
    ];
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/store");
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../lunette-storage/src");
    let (mut paths, mut found) = (vec![root.clone(), shared.clone()], Vec::new());
    while let Some(path) = paths.pop() {
        if path.is_dir() {
            paths.extend(fs::read_dir(&path).expect("a folder").flatten().map(|entry| entry.path()));
        } else if path.extension().is_some_and(|extension| extension == "rs")
            && !path.to_string_lossy().contains("tests")
        {
            let text = fs::read_to_string(&path).expect("UTF-8");
            let code = text.split("mod tests {").next().unwrap_or_default();
            let times: usize = opening.iter().map(|word| code.matches(word).count()).sum();
            let name = path.strip_prefix(&root).or(path.strip_prefix(&shared)).expect("below");
            let name = name.to_string_lossy().replace('\\', "/");
            found.extend((times > 0).then_some((name, times)));
        }
    }
    found.sort();
    let mut allowed = allowed.map(|(name, times)| (name.to_owned(), times));
    allowed.sort();
    assert_eq!(found, allowed);
}
