//! What a file is called matters less than what is in it, and a library that is given directly has the name of its folder.

use std::fs;
use std::io::{Cursor, Write as _};
use std::path::Path;

use lunette_sources::{Cancelled, Files, Limits, Source, read, recognise};
use tempfile::TempDir;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

fn zipped(entries: &[(&str, &str)]) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in entries {
        archive.start_file(*name, SimpleFileOptions::default()).expect("an entry");
        archive.write_all(content.as_bytes()).expect("its content");
    }
    archive.finish().expect("an archive").into_inner()
}

fn open(path: &Path) -> Files {
    Files::open(path, Limits::default(), Cancelled(None)).expect("it opens")
}

/// Writes a file of this name, and opens it. The folder of the file is removed with the first value.
fn file(name: &str, bytes: &[u8]) -> (TempDir, Files) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name);
    fs::write(&path, bytes).expect("a file");
    let files = open(&path);
    (folder, files)
}

/// What a file is recognised as, and the names of its items if it is read as this source.
fn read_file(name: &str, bytes: &[u8], source: Source) -> (Option<Source>, Vec<String>) {
    let (_folder, files) = file(name, bytes);
    let library = read(&files, source);
    (recognise(&files), library.candidates.into_iter().map(|candidate| candidate.name).collect())
}

fn recognised(name: &str, bytes: &[u8]) -> Option<Source> {
    recognise(&file(name, bytes).1)
}

const SET: &str = r#"<templateSet group="g"><template name="a" value="text"/></templateSet>"#;

#[test]
fn exported_settings_of_older_jetbrains_programs_are_a_zip_archive() {
    let settings =
        zipped(&[("IntelliJ IDEA Global Settings", ""), ("options/ui.xml", "<a/>"), ("templates/g.xml", SET)]);
    for name in ["settings.jar", "settings.zip", "settings"] {
        let expected = (Some(Source::JET_BRAINS), vec!["a".to_owned()]);
        assert_eq!(read_file(name, &settings, Source::JET_BRAINS), expected, "{name}");
    }
}

#[test]
fn documents_that_are_archives_inside_are_files() {
    let document = zipped(&[("[Content_Types].xml", "<Types/>"), ("word/document.xml", "<document/>")]);
    assert_eq!(recognised("a.docx", &document), None);
    assert_eq!(recognised("a.zip", &document), Some(Source::ARCHIVE));
    let (_folder, files) = file("a.bin", b"PK\x03\x04 is not an archive");
    assert_eq!((recognise(&files), files.is_archive()), (None, false));
}

#[test]
fn an_archive_of_another_kind_than_its_name_says_is_read() {
    let mut tar = tar::Builder::new(Vec::new());
    let mut header = tar::Header::new_ustar();
    header.set_size(1);
    header.set_mode(0o644);
    tar.append_data(&mut header, "a.txt", b"x".as_slice()).expect("an entry");
    let tar = tar.into_inner().expect("a tar");
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(&tar).expect("packed");
    let packed = packed.finish().expect("packed");
    let zip = zipped(&[("a.txt", "x")]);
    for bytes in [&tar, &packed, &zip] {
        for name in ["a.zip", "a.tar", "a.tar.gz", "a.tgz"] {
            let expected = (Some(Source::ARCHIVE), vec!["a.txt".to_owned()]);
            assert_eq!(read_file(name, bytes, Source::ARCHIVE), expected, "{name}");
        }
    }
}

#[test]
fn a_library_of_one_file_is_recognised_whatever_its_name() {
    for (source, text) in [
        (Source::RAYCAST, r#"[{"name": "a", "text": "x"}]"#),
        (Source::BYTE_STASH, r#"{"exported_at": "", "snippets": [{"title": "a", "fragments": [{"code": "x"}]}]}"#),
        (Source::SNIPPETS_LAB, r#"{"Snippets": [{"Title": "a", "Fragments": [{"Content": "x"}]}]}"#),
        (Source::GIST, r#"{"id": "1", "html_url": "h", "files": {"a": {"content": "x"}}}"#),
        (Source::MASS_CODE, r#"{"folders": [], "tags": [], "snippets": [{"name": "a", "content": [{"value": "x"}]}]}"#),
        (Source::VS_CODE, r#"{"a": {"prefix": "a", "body": "x"}}"#),
        (Source::ALFRED, r#"{"alfredsnippet": {"snippet": "x", "name": "a", "uid": "1"}}"#),
        (Source::JET_BRAINS, SET),
    ] {
        for name in ["export", "export.txt", "export.bak"] {
            let expected = (Some(source), vec!["a".to_owned()]);
            assert_eq!(read_file(name, text.as_bytes(), source), expected, "{name}: {text}");
        }
    }
}

#[test]
fn a_file_that_is_given_as_a_source_is_read_whatever_its_name() {
    for (source, text) in [
        (Source::ESPANSO, "matches:\n  - trigger: a\n    replace: x\n"),
        (Source::PET, "[[snippets]]\ndescription = \"a\"\ncommand = \"x\"\n"),
        (Source::BOOSTNOTE, "type: \"MARKDOWN_NOTE\"\ntitle: \"a\"\ncontent: \"x\"\n"),
        (Source::OBSIDIAN, "x"),
    ] {
        let (_, names) = read_file("a.txt", text.as_bytes(), source);
        assert_eq!(names, ["a"], "{source}");
    }
}

#[test]
fn a_text_that_speaks_of_a_format_is_no_library() {
    for text in ["# Notes\n\n<templateSet group=\"a\">", "{not json", "[1] a footnote", "<template name=\"a\">", "<b>"]
    {
        assert_eq!(recognised("a.txt", text.as_bytes()), None, "{text}");
    }
}

#[test]
fn a_template_without_a_set_is_one_template_without_a_group() {
    let template = r#"<template name="a" value="x&#10;y" description="d">
        <context><option name="JAVA_CODE" value="true"/></context></template>"#;
    for text in [template.to_owned(), format!("<?xml version=\"1.0\"?>\n<!-- > -->\n{template}")] {
        let (_folder, files) = file("b.xml", text.as_bytes());
        assert_eq!(recognise(&files), Some(Source::JET_BRAINS));
        let library = read(&files, Source::JET_BRAINS);
        let [one] = library.candidates.as_slice() else { panic!("{library:?}") };
        assert_eq!((one.name.as_str(), one.fragments[0].bytes.as_slice()), ("a", &b"x\ny"[..]));
        assert_eq!((one.folder.len(), one.fragments[0].language.as_deref()), (0, Some("java")));
    }
}

#[test]
fn a_collection_that_is_given_directly_has_the_name_of_its_folder() {
    let snippet = r#"{"alfredsnippet": {"snippet": "x", "name": "a", "uid": "1"}}"#;
    let folder = tempfile::tempdir().expect("a folder");
    let collection = folder.path().join("Funny Quotes");
    fs::create_dir(&collection).expect("a folder");
    fs::write(collection.join("a [1].json"), snippet).expect("a file");
    let folder_of = |files: &Files| read(files, Source::ALFRED).candidates[0].folder.join("/");
    assert_eq!(folder_of(&open(&collection)), "Funny Quotes");
    assert_eq!(folder_of(&open(folder.path())), "Funny Quotes");
    assert_eq!(folder_of(&file("Funny Quotes.alfredsnippets", &zipped(&[("a.json", snippet)])).1), "Funny Quotes");
    assert_eq!(folder_of(&open(&collection.join("a [1].json"))), "", "a snippet alone has no collection");
}

#[cfg(unix)]
#[test]
fn what_is_not_read_of_a_folder_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir_all(folder.path().join("node_modules/a")).expect("a folder");
    fs::write(folder.path().join("node_modules/a/b.md"), "x").expect("a file");
    fs::write(folder.path().join("a.md"), "x").expect("a file");
    let _socket = std::os::unix::net::UnixListener::bind(folder.path().join("socket")).expect("a socket");
    let library = read(&open(folder.path()), Source::OBSIDIAN);
    let mut codes: Vec<_> = library.warnings.iter().map(|warning| warning.code).collect();
    codes.sort_unstable();
    assert_eq!((library.candidates.len(), codes), (1, vec!["folder", "special"]));
}

#[test]
fn a_source_that_finds_nothing_says_so() {
    let (_folder, files) = file("a.txt", b"<b>");
    let library = read(&files, Source::JET_BRAINS);
    assert_eq!((library.candidates.len(), library.warnings[0].code), (0, "nothing"));
}
