//! The names of files in archives are read as the program that made the archive wrote them, and no file of an archive is
//! left out without a warning.

use std::fs;
use std::io::{Cursor, Write as _};

use lunette_sources::{Cancelled, Files, Library, Limits, Source, read, recognise};
use zip::write::SimpleFileOptions;
use zip::{System, ZipWriter};

fn zipped(system: System, entries: &[(&str, &str)]) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in entries {
        archive.start_file(*name, SimpleFileOptions::default().system(system)).expect("an entry");
        archive.write_all(content.as_bytes()).expect("its content");
    }
    archive.finish().expect("an archive").into_inner()
}

fn tarred(entries: &[(&str, &str)]) -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    for (name, content) in entries {
        let mut header = tar::Header::new_ustar();
        header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
        header.set_size(content.len() as u64);
        header.set_mode(0o644);
        header.set_cksum();
        archive.append(&header, content.as_bytes()).expect("an entry");
    }
    archive.into_inner().expect("an archive")
}

fn library_of(name: &str, bytes: &[u8]) -> (Option<Source>, Library) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name);
    fs::write(&path, bytes).expect("a file");
    let files = Files::open(&path, Limits::default(), Cancelled(None)).expect("it opens");
    let source = recognise(&files);
    (source, read(&files, source.expect("an archive is recognised")))
}

/// The path of each item, and its text.
fn found(library: &Library) -> Vec<(String, String)> {
    let path =
        |folder: &[String], name: &str| folder.iter().map(String::as_str).chain([name]).collect::<Vec<_>>().join("/");
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("text");
    library.candidates.iter().map(|one| (path(&one.folder, &one.name), text(&one.fragments[0].bytes))).collect()
}

fn codes(library: &Library) -> Vec<&str> {
    library.warnings.iter().map(|warning| warning.code).collect()
}

#[test]
fn a_backslash_is_a_letter_in_names_of_unix_and_macos() {
    let entries = [("\\alpha.txt", "1"), ("a\\b.txt", "2"), ("c/d\\", "3"), ("\\\\.txt", "4")];
    let archives = [
        ("x.zip", zipped(System::Unix, &entries)),
        ("x.zip", zipped(System::OsDarwin, &entries)),
        ("x.tar", tarred(&entries)),
    ];
    for (name, bytes) in archives {
        let (_, library) = library_of(name, &bytes);
        let mut expected = entries.map(|(name, text)| (name.to_owned(), text.to_owned()));
        expected.sort();
        assert_eq!((found(&library), codes(&library)), (expected.to_vec(), vec![]), "{name}");
    }
}

#[test]
fn a_backslash_separates_folders_in_names_of_windows_that_have_no_slash() {
    let path = |entries: &[(&str, &str)]| found(&library_of("x.zip", &zipped(System::Dos, entries)).1)[0].0.clone();
    assert_eq!(path(&[("a\\b.txt", "1"), ("c.txt", "2")]), "a/b.txt");
    assert_eq!(path(&[("a\\b.txt", "1"), ("c/d.txt", "2")]), "a\\b.txt");
}

#[test]
fn all_snippets_of_an_alfred_collection_with_backslashes_in_their_names_are_read() {
    let snippet =
        |name: &str| format!(r#"{{"alfredsnippet": {{"snippet": "{name}", "uid": "{name}", "name": "{name}"}}}}"#);
    let names = ["alpha", "beta", "to"];
    let entries: Vec<(String, String)> =
        names.iter().map(|name| (format!("\\{name} [{name}].json"), snippet(name))).collect();
    let entries: Vec<(&str, &str)> = entries.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let (source, library) = library_of("LaTeX Symbols.alfredsnippets", &zipped(System::Unix, &entries));
    assert_eq!((source, library.candidates.len(), codes(&library)), (Some(Source::ALFRED), 3, vec![]));
}

#[test]
fn a_step_up_leads_outside_whatever_separates_folders() {
    for system in [System::Unix, System::Dos] {
        let (_, library) = library_of("x.zip", &zipped(system, &[("..\\a", "1"), ("b\\..\\..\\c", "2"), ("ok", "3")]));
        assert_eq!((library.candidates.len(), codes(&library)), (1, vec!["archive.outside"; 2]), "{system:?}");
    }
}

#[test]
fn two_files_of_one_path_are_both_read_and_named() {
    let entries = [("a/b.txt", "1"), ("a/./b.txt", "2"), ("a//b.txt", "3"), ("a/b (2).txt", "4")];
    for (name, bytes) in [("x.zip", zipped(System::Unix, &entries)), ("x.tar", tarred(&entries))] {
        let (_, library) = library_of(name, &bytes);
        let mut texts: Vec<_> = found(&library).into_iter().map(|(_, text)| text).collect();
        texts.sort();
        assert_eq!((texts.join(""), codes(&library)), ("1234".to_owned(), vec!["archive.twice"; 3]), "{name}");
        assert_eq!(library.warnings[0].location, format!("{name}/a/b.txt"));
    }
    let (_, library) = library_of("x.tar", &tarred(&[("a.txt", "1"), ("a.txt", "2")]));
    let expected = [("a (2).txt", "2"), ("a.txt", "1")].map(|(name, text)| (name.to_owned(), text.to_owned()));
    assert_eq!((found(&library), codes(&library)), (expected.to_vec(), vec!["archive.twice"]));
}

#[test]
fn a_file_of_a_zip_archive_that_cannot_be_told_from_another_is_named() {
    let mut bytes = zipped(System::Unix, &[("a.txt", "1"), ("b.txt", "2"), ("c.txt", "3")]);
    // The library that writes archives refuses the name twice.
    while let Some(at) = bytes.windows(5).position(|name| name == b"b.txt") {
        bytes[at] = b'a';
    }
    let (_, library) = library_of("x.zip", &bytes);
    let expected = [("a.txt", "2"), ("c.txt", "3")].map(|(name, text)| (name.to_owned(), text.to_owned()));
    assert_eq!((found(&library), codes(&library)), (expected.to_vec(), vec!["archive.twice"]));
    assert_eq!(library.warnings[0].location, "x.zip/a.txt");
}
