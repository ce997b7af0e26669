//! What reading does to a source, and what it does with bad input: sources stay as they are, and each fault is named with
//! its file and its location while the rest is read.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Cursor, Write as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use flate2::Compression;
use flate2::write::GzEncoder;
use lunette_sources::{Cancelled, Files, Limits, Source, read, recognise};
use rusqlite::Connection;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// All files below a path: the bytes of each, and when it was changed.
fn state(path: &Path) -> BTreeMap<PathBuf, (Vec<u8>, SystemTime)> {
    let mut files = BTreeMap::new();
    let mut waiting = vec![path.to_owned()];
    while let Some(path) = waiting.pop() {
        let found = fs::metadata(&path).expect("it is there");
        if found.is_dir() {
            waiting.extend(fs::read_dir(&path).expect("a folder").map(|entry| entry.expect("an entry").path()));
        } else {
            let changed = found.modified().expect("a date");
            files.insert(path.clone(), (fs::read(&path).expect("bytes"), changed));
        }
    }
    files
}

/// Reads a path as what it is, and as every source; says how many items it has as what it is.
fn read_as_all(path: &Path) -> usize {
    let files = Files::open(path, Limits::default(), Cancelled(None)).expect("it opens");
    Source::all().for_each(|source| drop(read(&files, source)));
    let source = recognise(&files).unwrap_or_else(|| panic!("{} is not recognised", path.display()));
    read(&files, source).candidates.len()
}

fn samples() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/samples");
    let samples = fs::read_dir(root).expect("samples").map(|entry| entry.expect("a sample").path().join("library"));
    // A sample of several libraries has folders for them, which `tests/public.rs` reads.
    samples.filter(|library| library.exists()).collect()
}

fn pack(sample: &Path, folder: &Path) {
    let name = sample.parent().and_then(Path::file_name).expect("a name").to_string_lossy();
    let inside = |path: &Path| path.strip_prefix(sample).expect("below").to_string_lossy().replace('\\', "/");
    let files: Vec<_> = state(sample).into_iter().map(|(path, (bytes, _))| (inside(&path), bytes)).collect();
    fs::write(folder.join(format!("{name}.zip")), zipped(&files)).expect("written");
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(&tarred(&files)).expect("packed");
    fs::write(folder.join(format!("{name}.tar.gz")), packed.finish().expect("a tar")).expect("written");
}

/// A database with these tables.
fn database(path: &Path, statements: &str) {
    let database = Connection::open(path).expect("a database");
    database.execute_batch(statements).expect("its tables");
}

const DASH: &str = "CREATE TABLE snippets (sid INTEGER PRIMARY KEY, title, body, syntax, usageCount);
    CREATE TABLE tags (tid INTEGER PRIMARY KEY, tag); CREATE TABLE tagsIndex (tid, sid);
    INSERT INTO snippets VALUES (1, 'good', 'text', 'SQL', 0)";

const MASSCODE: &str = "CREATE TABLE folders (id, name, parentId); CREATE TABLE tags (id, name);
    CREATE TABLE snippets (id, name, description, folderId, isDeleted, isFavorites, createdAt, updatedAt);
    CREATE TABLE snippet_contents (id, snippetId, label, value, language);
    CREATE TABLE snippet_tags (snippetId, tagId);
    INSERT INTO snippets VALUES (1, 'good', NULL, NULL, 0, 0, 1, 1);
    INSERT INTO snippet_contents VALUES (1, 1, '', 'text', 'sql')";

const PIECES: &str =
    "CREATE TABLE assets (key TEXT PRIMARY KEY NOT NULL, json TEXT, expireAt INTEGER, destroyKey TEXT);
    INSERT INTO assets VALUES ('1', '{\"id\": \"1\", \"name\": \"good\", \"original\": {\"id\": \"2\", \"reference\":
    {\"fragment\": {\"string\": {\"raw\": \"text\"}}}}}', 1, NULL)";

#[test]
fn sources_are_the_same_after_they_were_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut sources = samples();
    sources.iter().for_each(|sample| pack(sample, folder.path()));
    let packed = fs::read_dir(folder.path()).expect("a folder").map(|entry| entry.expect("an entry").path());
    let packed: Vec<_> = packed.collect();
    assert_eq!(packed.len(), 2 * sources.len());
    sources.extend(packed);
    for (name, statements) in [("library.dash", DASH), ("massCode.db", MASSCODE), ("pieces_client_sqlite.db", PIECES)] {
        let below = folder.path().join(format!("of {name}"));
        fs::create_dir(&below).expect("a folder");
        database(&below.join(name), statements);
        sources.push(below.join(name));
    }
    let before = state(folder.path());
    for source in &sources {
        let samples = state(source);
        assert!(read_as_all(source) > 0, "{}", source.display());
        assert!(state(source) == samples, "{} has changed", source.display());
    }
    assert!(state(folder.path()) == before, "nothing is left beside a source either");
}

#[test]
fn a_database_in_an_archive_is_read_with_its_log() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, statements, source) in [
        ("library.dash", DASH, Source::DASH),
        ("massCode/massCode.db", MASSCODE, Source::MASS_CODE),
        ("pieces_client_sqlite.db", PIECES, Source::PIECES_CACHE),
    ] {
        let made = folder.path().join("made.db");
        let open = Connection::open(&made).expect("a database");
        // What is in the log alone is part of the library.
        open.pragma_update(None, "journal_mode", "wal").expect("a log");
        open.pragma_update(None, "wal_autocheckpoint", 0).expect("a log");
        open.execute_batch(statements).expect("its tables");
        let files = ["", "-wal"].map(|end| {
            let bytes = fs::read(folder.path().join(format!("made.db{end}"))).expect("bytes");
            (format!("{name}{end}"), bytes)
        });
        drop(open);
        fs::remove_file(made).expect("removed");
        for (archive, bytes) in [("x.zip", zipped(&files)), ("x.tar", tarred(&files))] {
            let path = folder.path().join(archive);
            fs::write(&path, bytes).expect("written");
            let files = Files::open(&path, Limits::default(), Cancelled(None)).expect("it opens");
            assert_eq!(recognise(&files), Some(source), "{name} in {archive}");
            let library = read(&files, source);
            let names: Vec<_> = library.candidates.iter().map(|one| one.name.as_str()).collect();
            assert_eq!((names, library.warnings.len()), (vec!["good"], 0), "{name} in {archive}: {library:?}");
        }
    }
}

fn zipped(files: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (path, bytes) in files {
        zip.start_file(path.clone(), SimpleFileOptions::default()).expect("an entry");
        zip.write_all(bytes).expect("written");
    }
    zip.finish().expect("a zip").into_inner()
}

fn tarred(files: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut tar = tar::Builder::new(Vec::new());
    for (path, bytes) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        tar.append_data(&mut header, path, bytes.as_slice()).expect("an entry");
    }
    tar.into_inner().expect("a tar")
}

/// A source, a library with a fault and a good item, and where the fault is.
type Bad = (Source, &'static [(&'static str, &'static [u8])], &'static str);

const BAD: &[Bad] = &[
    (
        Source::MASS_CODE,
        &[("snippets.db", b"{\"_id\": \"1\", \"name\": \"good\", \"content\": [{\"value\": \"text\"}]}\n{broken\n")],
        "library/snippets.db:2",
    ),
    (
        Source::MASS_CODE,
        &[(
            "db.json",
            b"{\"folders\": [], \"tags\": [], \"snippets\": [{\"id\": \"1\", \"name\": \"good\", \"content\": [{\"value\": \"text\"}]}, {\"id\": \"2\", \"content\": []}]}",
        )],
        "library/db.json:item 2",
    ),
    (
        Source::VS_CODE,
        &[("bad.code-snippets", b"{\n \"a\": ]"), ("good.code-snippets", b"{\"good\": {\"body\": \"text\"}}")],
        "library/bad.code-snippets:2:",
    ),
    (
        Source::SNIPPETS_LAB,
        &[
            ("bad.json", b"{"),
            (
                "good.json",
                b"{\"schema\": \"2.6\", \"app\": \"2.6.4\", \"contents\": {\"snippets\": [{\"uuid\": \"1\", \"title\": \"good\", \"fragments\": [{\"content\": \"text\"}]}]}}",
            ),
        ],
        "library/bad.json:1:",
    ),
    (
        Source::GIST,
        &[(
            "gists.json",
            b"[{\"id\": \"1\", \"files\": {\"a\": {\"truncated\": true}}}, {\"id\": \"2\", \"description\": \"good\", \"files\": {\"good\": {\"content\": \"text\"}}}]",
        )],
        "library/gists.json:item 1",
    ),
    (
        Source::JET_BRAINS,
        &[
            ("bad.xml", b"<templateSet group=\"a\">\n<template name=\"x\" value=\"y\"></templateSet>"),
            ("good.xml", b"<templateSet group=\"a\"><template name=\"good\" value=\"text\"/></templateSet>"),
        ],
        "library/bad.xml:",
    ),
    (
        Source::RAYCAST,
        &[("snippets.json", b"[{\"name\": \"empty\"}, {\"name\": \"good\", \"text\": \"text\"}]")],
        "library/snippets.json:item 1",
    ),
    (Source::OBSIDIAN, &[("bad.md", b"---\na: [\n---\nText"), ("good.md", b"text")], "library/bad.md:"),
    (
        Source::OBSIDIAN_CODE,
        &[("bad.md", b"a\xff"), ("good.md", b"```sh\ntext\n```\n")],
        "library/bad.md:byte 1",
    ),
    (
        Source::ESPANSO,
        &[
            ("match/bad.yml", b"matches:\n  - trigger: [\n"),
            ("match/good.yml", b"matches:\n  - trigger: good\n    replace: text\n"),
        ],
        "library/match/bad.yml:",
    ),
    (
        Source::ALFRED,
        &[
            ("a/bad.json", b"{\"alfredsnippet\": "),
            ("a/good.json", b"{\"alfredsnippet\": {\"snippet\": \"text\", \"uid\": \"1\", \"name\": \"good\"}}"),
        ],
        "library/a/bad.json:1:",
    ),
    (
        Source::BYTE_STASH,
        &[
            ("bad.json", b"nothing"),
            ("good.json", b"{\"snippets\": [{\"title\": \"good\", \"fragments\": [{\"code\": \"text\"}]}]}"),
        ],
        "library/bad.json:1:",
    ),
    (
        Source::PET,
        &[
            ("bad.toml", b"[[snippets]]\ncommand = "),
            ("good.toml", b"[[snippets]]\ndescription = \"good\"\ncommand = \"text\"\n"),
        ],
        "library/bad.toml",
    ),
    (
        Source::BOOSTNOTE,
        &[
            ("boostnote.json", b"{\"folders\": [], \"version\": \"1.0\"}"),
            ("notes/bad.cson", b"type: \"MARKDOWN_NOTE\"\ntitle: {"),
            ("notes/good.cson", b"type: \"MARKDOWN_NOTE\"\ntitle: \"good\"\ncontent: \"text\"\n"),
        ],
        "library/notes/bad.cson:",
    ),
    (
        Source::PIECES,
        &[
            (
                "manifest.json",
                b"{\"format_version\": 4, \"tool_version\": \"0\", \"mode\": \"preserve\", \"status\": \"partial\", \"coverage\": []}",
            ),
            ("raw/assets/bad.json", b"{\n"),
            (
                "raw/assets/good.json",
                b"{\"id\": \"1\", \"name\": \"good\", \"original\": {\"id\": \"2\", \"reference\": {\"fragment\": {\"string\": {\"raw\": \"text\"}}}}}",
            ),
        ],
        "library/raw/assets/bad.json:",
    ),
    (
        Source::LUNETTE,
        &[
            ("manifest.json", b"{\"format\": \"lunette-archive\", \"version\": 1}"),
            ("SHA256SUMS", b""),
            ("content/good", b"text"),
            ("records/bad.json", b"{\n"),
            ("records/good.json", b"{\"id\": \"1\", \"name\": \"good\", \"file\": \"content/good\", \"content\": \"text\"}"),
        ],
        "library/records/bad.json:",
    ),
];

/// Asserts that a fault is named with its location, and that the good item is read.
fn assert_named(files: &Files, source: Source, location: &str) {
    let library = read(files, source);
    let warnings: Vec<_> =
        library.warnings.iter().chain(library.candidates.iter().flat_map(|candidate| &candidate.warnings)).collect();
    assert!(
        warnings.iter().any(|warning| warning.location.starts_with(location)),
        "{source}: {location}: {warnings:?}"
    );
    let good = library.candidates.iter().find(|candidate| candidate.name.contains("good"));
    let good = good.unwrap_or_else(|| panic!("{source}: {library:?}"));
    assert_eq!(good.fragments[0].bytes, b"text", "{source}");
}

#[test]
fn a_fault_is_named_with_its_file_and_location_and_the_rest_is_read() {
    for (source, entries, location) in BAD {
        let entries = entries.iter().map(|(path, bytes)| (*path, bytes.to_vec()));
        assert_named(&Files::of_memory("library", entries, Limits::default()), *source, location);
    }
}

#[test]
fn a_damaged_database_and_a_file_that_leads_outside_are_named_and_the_rest_is_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let library = folder.path().join("library");
    fs::create_dir(&library).expect("a folder");
    for (source, end, tables) in [(Source::DASH, "dash", DASH), (Source::PIECES_CACHE, "db", PIECES)] {
        let bad = format!("bad.{end}");
        database(&library.join(format!("good.{end}")), tables);
        fs::write(library.join(&bad), b"SQLite format 3\0 and no more").expect("a file");
        let files = Files::open(&library, Limits::default(), Cancelled(None)).expect("it opens");
        assert_named(&files, source, &format!("library/{bad}"));
    }
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for name in ["../bad.txt", "good.txt"] {
        zip.start_file(name, SimpleFileOptions::default()).expect("an entry");
        zip.write_all(b"text").expect("written");
    }
    let path = folder.path().join("library.zip");
    fs::write(&path, zip.finish().expect("a zip").into_inner()).expect("written");
    let files = Files::open(&path, Limits::default(), Cancelled(None)).expect("it opens");
    assert_named(&files, Source::ARCHIVE, "library.zip/../bad.txt");
}
