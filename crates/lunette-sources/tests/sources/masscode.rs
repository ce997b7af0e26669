//! The four formats of massCode: a file of lines, a file of JSON, a database and a vault of Markdown.

use std::fs;

use lunette_sources::{Source, read, recognise};
use rusqlite::Connection;

use crate::{codes, date, dates, languages, library, names, open, sample, texts};

#[test]
fn a_library_of_masscode_3_keeps_all_its_fields() {
    let library = library("masscode-v3");
    let [totals, old] = library.candidates.as_slice() else { panic!("{:?}", names(&library)) };
    assert_eq!(texts(totals), ["SELECT 1;\n", "äöü 😀"]);
    assert_eq!(languages(totals), [Some("sql"), None]);
    assert_eq!((totals.tags.join(","), totals.folder.join("/")), ("data base".to_owned(), "Work/SQL".to_owned()));
    assert!(totals.favourite && !totals.trashed && old.trashed);
    assert_eq!((totals.description.as_deref(), date(totals)), (Some("Sums"), dates()));
    assert_eq!(old.folder, ["b", "a"], "a circle of folders ends");
    assert_eq!(codes(&library), ["empty"]);
}

#[test]
fn the_last_line_of_masscode_1_counts_and_a_broken_line_is_named() {
    let library = library("masscode-v1");
    let [second] = library.candidates.as_slice() else { panic!("{:?}", names(&library)) };
    assert_eq!((second.name.as_str(), texts(second)), ("Second", vec!["echo 2"]));
    assert_eq!((second.tags.join(","), second.folder.join("/")), ("shell".to_owned(), "Default".to_owned()));
    assert!(second.favourite);
    assert_eq!(date(second), dates());
    assert_eq!(library.warnings[0].location, "library/snippets.db:5");
}

#[test]
fn a_vault_of_masscode_5_keeps_fragments_that_hold_fences() {
    let library = library("masscode-v5");
    assert_eq!(names(&library), ["Early", "Thrown", "Two parts"]);
    let [early, thrown, two] = library.candidates.as_slice() else { panic!("three snippets") };
    assert_eq!(texts(two), ["fn main() {}\n", "```\nfence\n```"]);
    assert_eq!(two.fragments.iter().map(|fragment| fragment.label.as_str()).collect::<Vec<_>>(), ["Code", "Text"]);
    assert_eq!((two.tags.join(","), two.folder.join("/")), ("rust".to_owned(), "Lang".to_owned()));
    assert!(two.favourite && thrown.trashed && !early.trashed);
    assert_eq!(date(two), dates());
    assert_eq!(early.warnings[0].code, "masscode.fragments");
    assert!(texts(early)[0].contains("inner"), "nothing is lost where blocks cannot be told apart");
    assert_eq!(codes(&library), ["file.hidden", "file.left-out"]);
}

#[test]
fn libraries_written_by_masscode_5_are_read_byte_for_byte() {
    let written = fs::read(sample("masscode-v5-made").with_file_name("expected.json")).expect("the values");
    let written: serde_json::Value = serde_json::from_slice(&written).expect("JSON");
    let library = library("masscode-v5-made");
    assert_eq!(codes(&library), [""; 0]);
    for (candidate, value) in library.candidates.iter().zip(written.as_array().expect("a list")) {
        let contents = value["contents"].as_array().expect("fragments");
        let values: Vec<_> = contents.iter().filter_map(|content| content["value"].as_str()).collect();
        assert_eq!((texts(candidate), Some(candidate.name.as_str())), (values, value["name"].as_str()));
        let description = value["description"].as_str().filter(|text| !text.is_empty());
        assert_eq!((candidate.description.as_deref(), &candidate.warnings), (description, &Vec::new()));
        assert_eq!(candidate.favourite, value["isFavorites"] == 1);
        assert_eq!(date(candidate), dates());
    }
    assert_eq!(library.candidates.len(), 4);
    assert_eq!(library.candidates[1].tags, ["a, b", "007"]);
}

#[test]
fn a_masscode_4_database_is_read_with_its_log_and_not_modified() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("massCode.db");
    let writer = Connection::open(&path).expect("a database");
    writer
        .execute_batch(
            "PRAGMA journal_mode = WAL;
            CREATE TABLE folders (id INTEGER, name TEXT, parentId INTEGER);
            CREATE TABLE snippets (id INTEGER, name TEXT, description TEXT, folderId INTEGER, isDeleted INTEGER,
                isFavorites INTEGER, createdAt INTEGER, updatedAt INTEGER);
            CREATE TABLE snippet_contents (id INTEGER, snippetId INTEGER, label TEXT, value TEXT, language TEXT);
            CREATE TABLE tags (id INTEGER, name TEXT);
            CREATE TABLE snippet_tags (snippetId INTEGER, tagId INTEGER);
            INSERT INTO folders VALUES (1, 'Work', NULL), (2, 'SQL', 1);
            INSERT INTO snippets VALUES (5, 'Totals', 'Sums', 2, 0, 1, 1704164645000, 1704164646000);
            INSERT INTO snippet_contents VALUES (1, 5, 'Fragment 1', 'SELECT 1;', 'sql'), (2, 5, 'Other', 'x', NULL);
            INSERT INTO tags VALUES (1, 'data base');
            INSERT INTO snippet_tags VALUES (5, 1);",
        )
        .expect("rows");
    let before = fs::read(&path).expect("bytes");
    for path in [folder.path(), path.as_path()] {
        let files = open(path);
        assert_eq!(recognise(&files), Some(Source::MassCode));
        let library = read(&files, Source::MassCode);
        let [totals] = library.candidates.as_slice() else { panic!("{library:?}") };
        assert_eq!((totals.source_id.as_str(), texts(totals)), ("5", vec!["SELECT 1;", "x"]));
        assert_eq!((totals.tags.join(","), totals.folder.join("/")), ("data base".to_owned(), "Work/SQL".to_owned()));
        assert_eq!((totals.favourite, date(totals)), (true, dates()));
    }
    assert!(fs::read(&path).expect("bytes") == before, "the database is unchanged");
    writer.close().expect("closed");
    let at_rest = fs::read(&path).expect("bytes");
    assert_eq!(read(&open(folder.path()), Source::MassCode).candidates.len(), 1);
    assert!(fs::read(&path).expect("bytes") == at_rest, "the database is unchanged");
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1, "no file is left behind");
}
