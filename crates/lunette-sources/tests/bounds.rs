//! What no library can do to a reader: archives that grow or lead outside, links, broken and random bytes.

use std::fs;
use std::io::{Cursor, Write as _};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use lunette_sources::{Cancelled, Files, Library, Limits, Source, read, recognise};
use proptest::prelude::*;
use tempfile::TempDir;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

fn zipped(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in entries {
        archive
            .start_file(*name, SimpleFileOptions::default().compression_method(CompressionMethod::Deflated))
            .expect("an entry");
        archive.write_all(content).expect("its content");
    }
    archive.finish().expect("an archive").into_inner()
}

fn tarred(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    for (name, content) in entries {
        let mut header = tar::Header::new_ustar();
        // Not by `set_path`, which refuses what is tested here.
        header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
        header.set_size(content.len() as u64);
        header.set_mode(0o644);
        header.set_cksum();
        archive.append(&header, *content).expect("an entry");
    }
    archive.into_inner().expect("an archive")
}

fn gzipped(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).expect("packed");
    encoder.finish().expect("packed")
}

fn library_of(name: &str, bytes: &[u8], limits: Limits) -> (Option<Source>, Library) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name);
    fs::write(&path, bytes).expect("a file");
    let files = Files::open(&path, limits, Cancelled(None)).expect("it opens");
    let source = recognise(&files);
    (source, read(&files, source.unwrap_or(Source::Archive)))
}

fn names(library: &Library) -> Vec<&str> {
    library.candidates.iter().map(|candidate| candidate.name.as_str()).collect()
}

fn codes(library: &Library) -> Vec<&str> {
    library.warnings.iter().map(|warning| warning.code).collect()
}

#[test]
fn archives_become_the_files_in_them() {
    let entries: [(&str, &[u8]); 3] = [("a/b.txt", b"b"), ("c.bin", &[0, 255]), (".hidden", b"x")];
    for (name, bytes) in [
        ("x.zip", zipped(&entries)),
        ("x.tar", tarred(&entries)),
        ("x.tar.gz", gzipped(&tarred(&entries))),
        ("x.tgz", gzipped(&tarred(&entries))),
    ] {
        let (source, library) = library_of(name, &bytes, Limits::default());
        assert_eq!(
            (source, names(&library), codes(&library)),
            (Some(Source::Archive), vec!["b.txt", "c.bin"], vec!["file.hidden"]),
            "{name}"
        );
        assert_eq!(
            (library.candidates[0].folder.join("/"), library.candidates[1].fragments[0].bytes.as_slice()),
            ("a".to_owned(), &[0, 255][..])
        );
    }
}

#[test]
fn a_library_in_an_archive_is_recognised() {
    let json = br#"{"exported_at": "x", "snippets": [{"title": "t", "fragments": [{"code": "c"}]}]}"#;
    let (source, library) = library_of("x.zip", &zipped(&[("export.json", json)]), Limits::default());
    assert_eq!((source, names(&library)), (Some(Source::ByteStash), vec!["t"]));
}

#[test]
fn entries_that_lead_outside_are_left_out() {
    let entries: [(&str, &[u8]); 6] =
        [("../a", b"1"), ("/b", b"2"), ("c/../../d", b"3"), ("..\\e", b"4"), ("C:/f", b"5"), ("ok", b"6")];
    for (name, bytes) in [("x.zip", zipped(&entries)), ("x.tar", tarred(&entries))] {
        let (_, library) = library_of(name, &bytes, Limits::default());
        assert_eq!(names(&library), ["ok"], "{name}");
        assert_eq!(codes(&library), ["archive.outside"; 5], "{name}");
    }
}

#[test]
fn bombs_are_left_out_and_the_rest_is_read() {
    let zeros = vec![0; 40 << 20];
    let bomb = zipped(&[("bomb", &zeros), ("ok", b"1")]);
    assert!(bomb.len() < zeros.len() / 900, "{} bytes are a bomb", bomb.len());
    let (_, library) = library_of("x.zip", &bomb, Limits::default());
    assert_eq!((names(&library), codes(&library)), (vec!["ok"], vec!["limit.unpacked"]));
    let (_, library) = library_of("x.tgz", &gzipped(&tarred(&[("ok", b"1"), ("bomb", &zeros)])), Limits::default());
    assert_eq!(names(&library), ["ok"]);
    assert!(!codes(&library).is_empty(), "{library:?}");
    let limits = Limits { file_bytes: 10, ..Limits::default() };
    let (_, library) = library_of("x.zip", &zipped(&[("large", &[1; 11]), ("ok", &[1; 10])]), limits);
    assert_eq!((names(&library), codes(&library)), (vec!["ok"], vec!["limit.unpacked"]));
}

#[test]
fn a_truncated_archive_yields_no_truncated_file() {
    let whole = tarred(&[("first", b"1"), ("second", &[7; 5000])]);
    let (_, library) = library_of("x.tar", &whole[..3000], Limits::default());
    assert_eq!((names(&library), codes(&library)), (vec!["first"], vec!["limit.unpacked"]));
}

/// An archive with a file of this long name, between two others.
fn tarred_with_long_name(length: usize) -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    let mut add = |name: &str, kind: tar::EntryType, content: &[u8]| {
        let mut header = tar::Header::new_gnu();
        header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
        header.set_entry_type(kind);
        header.set_size(content.len() as u64);
        header.set_cksum();
        archive.append(&header, content).expect("an entry");
    };
    add("first", tar::EntryType::Regular, b"1");
    add("././@LongLink", tar::EntryType::GNULongName, "n".repeat(length).as_bytes());
    add("long", tar::EntryType::Regular, b"2");
    add("last", tar::EntryType::Regular, b"3");
    archive.into_inner().expect("an archive")
}

#[test]
fn long_names_in_archives_are_left_out_and_never_held_in_memory() {
    let read = |length| library_of("x.tar", &tarred_with_long_name(length), Limits::default()).1;
    let library = read(4_000);
    assert_eq!((library.candidates.len(), codes(&library)), (3, vec![]));
    let library = read(5_000);
    assert_eq!((names(&library), codes(&library)), (vec!["first", "last"], vec!["archive.name"]));
    let library = read(9 << 20);
    assert_eq!((names(&library), codes(&library)), (vec!["first"], vec!["archive.damaged"]));
    assert!(library.warnings[0].message.contains("header"), "{:?}", library.warnings);
    let library = library_of("x.zip", &zipped(&[(&"n".repeat(5_000), b"1"), ("a", b"2")]), Limits::default()).1;
    assert_eq!((names(&library), codes(&library)), (vec!["a"], vec!["archive.name"]));
}

#[test]
fn large_files_of_a_tar_archive_are_skipped_and_the_rest_is_read() {
    let limits = Limits { file_bytes: 10, ..Limits::default() };
    let archive = tarred(&[("large", &vec![1; 20 << 20]), ("ok", b"1")]);
    let (_, library) = library_of("x.tar", &archive, limits);
    assert_eq!((names(&library), codes(&library)), (vec!["ok"], vec!["limit.unpacked"]));
}

#[test]
fn too_many_files_are_not_a_library() {
    let limits = Limits { entries: 2, ..Limits::default() };
    let (source, library) = library_of("x.zip", &zipped(&[("a", b"1"), ("b", b"2"), ("c", b"3")]), limits);
    assert_eq!((source, library.candidates.len(), codes(&library)), (None, 2, vec!["limit.entries"]));
}

#[cfg(unix)]
#[test]
fn links_and_circles_of_folders_are_not_followed() {
    let folder = tempfile::tempdir().expect("a folder");
    let outside = tempfile::tempdir().expect("a folder");
    fs::write(outside.path().join("secret.md"), "secret").expect("a file");
    fs::create_dir(folder.path().join(".obsidian")).expect("a folder");
    fs::write(folder.path().join(".obsidian/app.json"), "{}").expect("a file");
    fs::write(folder.path().join("a.md"), "a").expect("a file");
    std::os::unix::fs::symlink(folder.path(), folder.path().join("circle")).expect("a link");
    std::os::unix::fs::symlink(outside.path(), folder.path().join("outside")).expect("a link");
    std::os::unix::fs::symlink(outside.path().join("secret.md"), folder.path().join("b.md")).expect("a link");
    let files = Files::open(folder.path(), Limits::default(), Cancelled(None)).expect("it opens");
    let library = read(&files, recognise(&files).expect("a vault"));
    assert_eq!((names(&library), codes(&library)), (vec!["a"], vec!["link", "link", "link", "file.hidden"]));
}

/// The files of all samples, by the folder of their sample.
fn samples() -> Vec<Vec<(String, Vec<u8>)>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/samples");
    let mut samples: Vec<PathBuf> =
        fs::read_dir(root).expect("samples").map(|entry| entry.expect("a sample").path().join("library")).collect();
    samples.retain(|library| library.exists());
    samples.sort();
    let files = |sample: PathBuf| {
        let files = Files::open(&sample, Limits::default(), Cancelled(None)).expect("it opens");
        files.paths().map(|path| (path.to_owned(), files.bytes(path).expect("bytes"))).collect()
    };
    samples.into_iter().map(files).collect()
}

/// Reads files as every source; what is read must be of use.
fn read_as_all(entries: &[(String, Vec<u8>)]) {
    let entries = entries.iter().map(|(path, bytes)| (path.as_str(), bytes.clone()));
    let files = Files::of_memory("library", entries, Limits::default());
    recognise(&files);
    for source in Source::all() {
        let library = read(&files, source);
        let mut ids: Vec<&str> = library.candidates.iter().map(|candidate| candidate.source_id.as_str()).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), library.candidates.len(), "{source}: ids are unique");
        assert!(library.candidates.iter().all(|candidate| !candidate.fragments.is_empty()), "{source}");
    }
}

/// Opens bytes as a file of this name and reads them as every source.
fn read_file(name: &str, bytes: &[u8]) {
    let folder: TempDir = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name);
    fs::write(&path, bytes).expect("a file");
    if let Ok(files) = Files::open(&path, Limits::default(), Cancelled(None)) {
        recognise(&files);
        Source::all().for_each(|source| drop(read(&files, source)));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn changed_samples_do_no_harm(sample in 0..1000usize, changes in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), any::<u8>(), 0..4u8), 1..12)) {
        let samples = samples();
        let mut entries = samples[sample % samples.len()].clone();
        for (file, index, byte, kind) in changes {
            let count = entries.len();
            let bytes = &mut entries[file.index(count)].1;
            let at = index.index(bytes.len() + 1);
            match kind {
                0 => bytes.insert(at, byte),
                1 => bytes.truncate(at),
                2 => if at < bytes.len() { bytes[at] = byte },
                _ => { let tail = bytes[at..].to_vec(); bytes.extend(tail); }
            }
        }
        read_as_all(&entries);
    }

    #[test]
    fn any_bytes_in_any_file_do_no_harm(bytes in prop::collection::vec(any::<u8>(), 0..400), text in "[\\[\\]{}\"':,#`~ \\n*&!|>a-z0-9-]{0,200}") {
        for (name, _) in samples().into_iter().flatten() {
            read_as_all(&[(name.clone(), bytes.clone())]);
            read_as_all(&[(name, text.clone().into_bytes())]);
        }
    }

    #[test]
    fn changed_archives_do_no_harm(index in any::<prop::sample::Index>(), byte in any::<u8>(), end in any::<prop::sample::Index>()) {
        let entries: [(&str, &[u8]); 2] = [("a/b.json", br#"{"alfredsnippet": {"snippet": "x"}}"#), ("c", b"text")];
        for (name, bytes) in [("x.zip", zipped(&entries)), ("x.tar", tarred(&entries)), ("x.tgz", gzipped(&tarred(&entries)))] {
            let mut changed = bytes.clone();
            let at = index.index(changed.len());
            changed[at] = byte;
            read_file(name, &changed);
            read_file(name, &bytes[..end.index(bytes.len())]);
        }
    }

    #[test]
    fn changed_databases_do_no_harm(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..20)) {
        for (name, tables) in [("library.dash", DASH), ("cache.db", PIECES)] {
            let mut bytes = database(tables);
            for (index, byte) in &changes {
                let at = index.index(bytes.len());
                bytes[at] = *byte;
            }
            read_file(name, &bytes);
        }
    }
}

const DASH: &str = "CREATE TABLE snippets (sid INTEGER PRIMARY KEY, title TEXT, body TEXT, syntax TEXT);
    CREATE TABLE tags (tid INTEGER PRIMARY KEY, tag TEXT);
    CREATE TABLE tagsIndex (tid INTEGER, sid INTEGER);
    INSERT INTO snippets VALUES (1, 'a', 'b', 'Java'); INSERT INTO tags VALUES (1, 't'); INSERT INTO tagsIndex VALUES (1, 1);";

const PIECES: &str =
    "CREATE TABLE assets (key TEXT PRIMARY KEY NOT NULL, json TEXT, expireAt INTEGER, destroyKey TEXT);
    CREATE TABLE formats (key TEXT PRIMARY KEY NOT NULL, json TEXT, expireAt INTEGER, destroyKey TEXT);
    INSERT INTO assets VALUES ('1', '{\"id\": \"1\", \"name\": \"a\", \"original\": {\"id\": \"2\"}}', 1, NULL);
    INSERT INTO formats VALUES ('2', '{\"id\": \"2\", \"fragment\": {\"string\": {\"raw\": \"b\"}}}', 1, NULL);";

fn database(tables: &str) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("library.db");
    let writer = rusqlite::Connection::open(&path).expect("a database");
    writer.execute_batch(tables).expect("rows");
    writer.close().expect("closed");
    fs::read(&path).expect("bytes")
}
