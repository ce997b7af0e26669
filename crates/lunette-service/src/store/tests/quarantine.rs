//! A database that is damaged or gone is told, left as it is, and moved aside only where that is asked for.

use std::collections::BTreeMap;

use super::assets::asset_ids;
use super::*;
use crate::store::records::annotation::NewAnnotation;
use crate::store::records::asset::{Transfer, Which};
use crate::store::records::create::OnDuplicate;
use crate::store::records::format::Content;

/// Numbers that look like any, the same at every run.
struct Made(u64);

impl Made {
    fn next(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % below
    }
}

/// The bytes of a store's file with so many assets, whose contents, tags and annotations are each another.
fn filled(assets: usize) -> Vec<u8> {
    let folder = folder();
    let store = Store::open(folder.path()).expect("a store");
    for number in 0..assets {
        let content = Content::Text(format!("line {number} of many\n").repeat(10 + 8 * number));
        let mut new = assets::new_asset(&format!("asset {number}"), content);
        new.items.push(assets::new_tag(&format!("tag {number}")));
        let text = format!("said of asset {number}");
        new.annotations.push(NewAnnotation { kind: "COMMENT".to_owned(), text, document: "{}".to_owned() });
        store.create_asset(new, OnDuplicate::Create).expect("an asset");
    }
    drop(store);
    fs::read(database(folder.path())).expect("bytes")
}

fn refused(folder: &Path, bytes: &[u8], case: &str) -> StoreError {
    fs::write(database(folder), bytes).expect("written");
    let refused = Store::open(folder).err().unwrap_or_else(|| panic!("{case} was opened"));
    assert!(matches!(refused, StoreError::Corrupt { .. }), "{case}: {refused}");
    assert!(refused.to_string().contains("lunette.sqlite3"), "{case}: {refused}");
    assert_eq!(fs::read(database(folder)).expect("bytes"), bytes, "{case}");
    refused
}

fn foreign() -> Vec<u8> {
    let folder = folder();
    let path = folder.path().join("other");
    let theirs = "PRAGMA application_id = 252006675; PRAGMA user_version = 5; CREATE TABLE identity (a)";
    Connection::open(&path).and_then(|db| db.execute_batch(theirs)).expect("another's file");
    fs::read(path).expect("bytes")
}

#[test]
fn twenty_six_damaged_files_are_rejected_and_left_untouched() {
    let whole = filled(12);
    let mut made = Made(1);
    let mut random = |bytes: usize| (0..bytes).map(|_| made.next(256) as u8).collect::<Vec<u8>>();
    let mut cases: Vec<(String, Vec<u8>)> = vec![("empty".to_owned(), Vec::new()), ("foreign".to_owned(), foreign())];
    cases.extend([1, 15, 99, 100, 512, 4096, 9000, 65_536].map(|bytes| (format!("random {bytes}"), random(bytes))));
    for text in ["just text", "{\"a\":1}", "SQLite format 3", "SQLite format 3\0", "PK\u{3}\u{4}", "\u{feff}text\r\n"] {
        cases.push((format!("text {text:?}"), text.as_bytes().to_vec()));
    }
    for (name, range) in [("header", 0..100), ("first page", 100..4096), ("second page", 4096..4200)] {
        for byte in [0x00, 0xEE] {
            let mut bytes = whole.clone();
            bytes[range.clone()].fill(byte);
            cases.push((format!("{name} filled with {byte:02x}"), bytes));
        }
    }
    cases.push(("header of another".to_owned(), [&foreign()[..100], &whole[100..]].concat()));
    cases.push(("half of a page more".to_owned(), whole[..whole.len() - 2048].to_vec()));
    cases.push(("random behind its header".to_owned(), [&whole[..100], &random(9000)].concat()));
    cases.push(("its pages in another order".to_owned(), {
        let mut pages: Vec<_> = whole.chunks(4096).collect();
        pages[1..].reverse();
        pages.concat()
    }));
    assert_eq!(cases.len(), 26);
    let folder = folder();
    for (case, bytes) in &cases {
        refused(folder.path(), bytes, case);
    }
}

#[test]
fn a_file_truncated_at_any_page_is_refused() {
    let whole = filled(12);
    let pages = whole.len() / 4096;
    let folder = folder();
    for page in 0..pages {
        refused(folder.path(), &whole[..page * 4096], &format!("{page} of {pages} pages"));
    }
    assert!(pages > 60, "{pages} pages");
}

/// What a store returns: names, tags, annotations and contents by their ids, or why they are not given.
fn given(store: &Store) -> Result<BTreeMap<String, Result<String, StoreError>>, StoreError> {
    let mut given = BTreeMap::new();
    for id in asset_ids(store, Which::All)? {
        let whole = match store.asset(&id, Transfer::Withheld) {
            Ok(whole) => whole,
            Err(error) => {
                given.insert(id, Err(error));
                continue;
            }
        };
        let name = whole.asset.name.unwrap_or_default();
        given.insert(id, Ok(name));
        given.extend(
            whole.items.iter().map(|linked| &linked.shared.item).map(|item| (item.id.clone(), Ok(item.name.clone()))),
        );
        given.extend(whole.annotations.into_iter().map(|annotation| (annotation.id, Ok(annotation.text))));
        for format in whole.formats {
            let language = format!("{} {} {}", format.role, format.generic, format.specific);
            given.insert(format!("language of {}", format.id), Ok(language));
            let content = store.format(&format.id, Transfer::Full).map(|whole| format!("{:?}", whole.format.content));
            given.insert(format.id, content);
        }
    }
    Ok(given)
}

#[test]
fn a_flipped_byte_is_never_returned_as_valid_text_nor_changed() {
    let whole = filled(40);
    let folder = folder();
    let open = |bytes: &[u8]| {
        fs::write(database(folder.path()), bytes).expect("written");
        Store::open(folder.path())
    };
    let good = given(&open(&whole).expect("it is sound")).expect("all of it");
    let mut made = Made(2);
    let (mut at_start, mut when_read, mut same) = (0, 0, 0);
    for _ in 0..1000 {
        let (offset, bit) = (made.next(whole.len()), made.next(8));
        let mut bytes = whole.clone();
        bytes[offset] ^= 1 << bit;
        match open(&bytes) {
            Err(error) => {
                assert!(
                    matches!(error, StoreError::Corrupt { .. } | StoreError::Newer { .. }),
                    "byte {offset}: {error}"
                );
                at_start += 1;
            }
            Ok(store) => match given(&store) {
                Err(_) => when_read += 1,
                Ok(read) if read == good => same += 1,
                Ok(read) => {
                    for (id, text) in &read {
                        let wrong = matches!((text, good.get(id)), (Ok(text), Some(Ok(good))) if text != good);
                        assert!(!wrong, "byte {offset}, bit {bit}: {id} is given with what it never held");
                    }
                    when_read += 1;
                }
            },
        }
        assert_eq!(fs::read(database(folder.path())).expect("bytes"), bytes, "byte {offset}");
    }
    println!("refused at the start {at_start}, when read {when_read}; given as before {same}");
    assert!(at_start + when_read > 200, "{at_start} {when_read} {same}");
}

#[test]
fn a_missing_database_is_not_recreated() {
    type Leave = fn(&Path);
    let leaves: [(&str, Leave); 4] = [
        ("-wal", |data| fs::write(data.join("lunette.sqlite3-wal"), "frames").expect("written")),
        ("backups", |data| {
            fs::create_dir(data.join("backups")).expect("made");
            fs::write(data.join("backups/version-1-20261121T101112123456Z.sqlite3"), "").expect("written");
        }),
        ("history", |data| inspector_with_step(data, "embedded")),
        ("had one", |data| {
            drop(Store::open(data).expect("a store"));
            fs::remove_file(database(data)).expect("removed");
        }),
    ];
    for (word, leave) in leaves {
        let folder = folder();
        leave(folder.path());
        for _ in 0..2 {
            let refused = Store::open(folder.path()).err().unwrap_or_else(|| panic!("begun anew: {word}"));
            let message = refused.to_string();
            assert!(
                matches!(refused, StoreError::Corrupt { .. }) && message.contains("it is missing, although"),
                "{message}"
            );
            assert!(message.contains(word) && message.contains("lunette restore"), "{message}");
            assert!(message.contains("lunette serve --set-aside"), "{message}");
            assert!(!database(folder.path()).exists(), "{word}");
        }
        let related_record = quarantine(folder.path()).expect("begun anew");
        assert_eq!(
            related_record.is_some_and(|related_record| related_record.join("lunette.sqlite3-wal").exists()),
            word == "-wal"
        );
        assert_eq!(count(&Store::open(folder.path()).expect("an empty store")), 0);
    }
}

/// The inspector's database, with a step of this connection.
fn inspector_with_step(data: &Path, connection: &str) {
    let inspector = Connection::open(data.join("inspector.sqlite3")).expect("a database");
    inspector.execute_batch("CREATE TABLE step_line (id INTEGER PRIMARY KEY, connection TEXT)").expect("a table");
    inspector.execute("INSERT INTO step_line (connection) VALUES (?1)", [connection]).expect("a step");
}

#[test]
fn writes_to_other_services_do_not_imply_a_database() {
    let folder = folder();
    inspector_with_step(folder.path(), "http://127.0.0.1:1");
    assert!(Store::open(folder.path()).is_ok());
}

#[test]
fn a_damaged_database_is_quarantined_with_all_its_files() {
    let folder = folder();
    let pieces = ["lunette.sqlite3", "lunette.sqlite3-wal", "lunette.sqlite3-shm"];
    for (number, piece) in pieces.iter().enumerate() {
        fs::write(folder.path().join(piece), format!("piece {number}")).expect("written");
    }
    let related_record = quarantine(folder.path()).expect("set aside").expect("something was there");
    assert!(
        related_record.file_name().is_some_and(|name| name.to_string_lossy().starts_with("corrupt-2")),
        "{related_record:?}"
    );
    for (number, piece) in pieces[..2].iter().enumerate() {
        assert_eq!(fs::read_to_string(related_record.join(piece)).expect("moved"), format!("piece {number}"));
    }
    // The third is an index of the second, which SQLite makes anew whenever it looks.
    assert!(related_record.join(pieces[2]).exists());
    assert_eq!(count(&Store::open(folder.path()).expect("an empty store")), 0);
}

#[test]
fn an_interrupted_move_is_completed_by_the_next_one() {
    let folder = folder();
    fs::create_dir(folder.path().join("corrupt.unfinished")).expect("made");
    fs::write(folder.path().join("corrupt.unfinished/lunette.sqlite3"), "moved").expect("written");
    fs::write(folder.path().join("lunette.sqlite3-wal"), "left").expect("written");
    assert!(Store::open(folder.path()).is_err());
    let related_record = quarantine(folder.path()).expect("set aside").expect("something was there");
    let text = |name: &str| fs::read_to_string(related_record.join(name)).expect("a piece");
    assert_eq!([text("lunette.sqlite3"), text("lunette.sqlite3-wal")], ["moved", "left"]);
    assert!(!folder.path().join("corrupt.unfinished").exists());
}

#[test]
fn an_interrupted_move_leaves_a_later_database_alone() {
    for begun in ["corrupt", "before-restore"] {
        let folder = folder();
        let unfinished = folder.path().join(format!("{begun}.unfinished"));
        fs::create_dir(&unfinished).expect("made");
        fs::write(unfinished.join("lunette.sqlite3"), "first").expect("written");
        fs::write(database(folder.path()), "second").expect("written");
        let related_record = quarantine(folder.path()).expect("set aside").expect("something was there");
        assert_eq!(fs::read_to_string(related_record.join("lunette.sqlite3")).expect("moved"), "second", "{begun}");
        let kept =
            fs::read_dir(folder.path()).expect("a folder").flatten().map(|entry| entry.path().join("lunette.sqlite3"));
        assert!(kept.filter_map(|path| fs::read_to_string(path).ok()).any(|text| text == "first"), "{begun}");
    }
}

#[test]
fn nothing_is_moved_if_no_empty_database_can_be_created() {
    let folder = folder();
    fs::write(database(folder.path()), "damaged").expect("written");
    fs::create_dir_all(folder.path().join("lunette.sqlite3.new/in the way")).expect("made");
    assert!(quarantine(folder.path()).is_err());
    assert_eq!(fs::read_to_string(database(folder.path())).expect("in its place"), "damaged");
    fs::remove_dir_all(folder.path().join("lunette.sqlite3.new")).expect("removed");
    assert!(quarantine(folder.path()).is_ok());
}

#[cfg(unix)]
#[test]
fn no_link_in_the_folder_is_followed() {
    for name in ["lunette.reserve", "lunette.sqlite3.new", "lunette.sqlite3.restoring", "lunette.lock"] {
        let (around, folder) = (folder(), folder());
        let theirs = around.path().join("theirs");
        fs::write(&theirs, "theirs").expect("written");
        std::os::unix::fs::symlink(&theirs, folder.path().join(name)).expect("linked");
        let opened = Store::open(folder.path());
        assert_eq!(opened.is_err(), name == "lunette.lock", "{name}");
        drop(opened);
        assert_eq!(fs::read_to_string(&theirs).expect("it is there"), "theirs", "{name}");
    }
}

#[test]
fn an_intact_used_or_newer_database_is_not_quarantined() {
    let folder = folder();
    let store = Store::open(folder.path()).expect("a store");
    assert!(matches!(quarantine(folder.path()), Err(StoreError::Locked { .. })));
    add(&store, "kept").expect("written");
    drop(store);
    assert!(matches!(quarantine(folder.path()), Err(StoreError::Invalid(_))));
    assert_eq!(count(&Store::open(folder.path()).expect("a store")), 1);
    Connection::open(database(folder.path()))
        .and_then(|db| db.pragma_update(None, "user_version", 9999))
        .expect("a later version");
    assert!(matches!(quarantine(folder.path()), Err(StoreError::Newer { .. })));
}

#[test]
fn a_refusal_names_the_newest_backup() {
    let (_around, data) = data();
    let store = Store::open(&data).expect("a store");
    let first = store.back_up().expect("a backup");
    let newest = store.back_up().expect("a backup");
    drop(store);
    fs::write(database(&data), "damaged").expect("written");
    let message = Store::open(&data).err().expect("a refusal").to_string();
    assert!(message.contains(&*newest.path.to_string_lossy()), "{message}");
    assert!(!message.contains(&*first.path.to_string_lossy()), "{message}");
}
