//! Snippet managers: Dash, SnippetsLab, Raycast and ByteStash.

use std::fs;

use lunette_sources::{Source, read, recognise};
use rusqlite::Connection;

use crate::{codes, date, dates, languages, library, names, open, texts};

#[test]
fn a_library_of_dash_at_rest_leaves_no_file_behind() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("library.dash");
    let writer = Connection::open(&path).expect("a database");
    writer
        .execute_batch(
            "CREATE TABLE snippets (sid INTEGER PRIMARY KEY, title TEXT, body TEXT, syntax TEXT, usageCount INTEGER);
            CREATE TABLE tags (tid INTEGER PRIMARY KEY, tag TEXT);
            CREATE TABLE tagsIndex (tid INTEGER, sid INTEGER);
            INSERT INTO snippets VALUES (1, 'fori`', 'for (;;) {}', 'Java', 3), (2, 'bad', x'ff00', 'Standard', 0);
            INSERT INTO tags VALUES (1, 'loop');
            INSERT INTO tagsIndex VALUES (1, 1);",
        )
        .expect("rows");
    writer.close().expect("closed");
    let files = open(&path);
    assert_eq!(recognise(&files), Some(Source::Dash));
    let library = read(&files, Source::Dash);
    let [loop_] = library.candidates.as_slice() else { panic!("{library:?}") };
    assert_eq!(
        (loop_.name.as_str(), loop_.triggers.join(","), loop_.tags.join(",")),
        ("fori", "fori`".to_owned(), "loop".to_owned())
    );
    assert_eq!((texts(loop_), languages(loop_)), (vec!["for (;;) {}"], vec![Some("Java")]));
    assert_eq!(codes(&library), ["empty"]);
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
}

#[test]
fn both_exports_of_snippetslab_are_read() {
    let new = library("snippetslab");
    let [form] = new.candidates.as_slice() else { panic!("{new:?}") };
    assert_eq!((texts(form), languages(form)), (vec!["<form>", "x()"], vec![Some("html"), Some("javascript")]));
    assert_eq!((form.tags.join("|"), form.folder.join("/")), ("html, css".to_owned(), "Web/Forms".to_owned()));
    assert_eq!(
        (form.description.as_deref(), form.urls.join(",")),
        (Some("Markup: First"), "https://gist.github.com/1".to_owned())
    );
    assert_eq!(date(form), dates());
    assert_eq!((codes(&new), form.warnings[0].code), (vec!["snippetslab.smart-groups"], "snippetslab.attachments"));
    let old = library("snippetslab-1");
    let [hello] = old.candidates.as_slice() else { panic!("{old:?}") };
    assert_eq!((texts(hello), languages(hello), hello.folder.len()), (vec!["puts 1"], vec![Some("Ruby")], 0));
}

#[test]
fn an_export_of_raycast_and_of_bytestash_is_read() {
    let raycast = library("raycast");
    assert_eq!((names(&raycast), codes(&raycast)), (vec!["Mail", "Date"], vec!["empty"]));
    assert_eq!(raycast.candidates[0].triggers, ["!mail"]);
    let bytestash = library("bytestash");
    let [two] = bytestash.candidates.as_slice() else { panic!("{bytestash:?}") };
    assert_eq!(
        (texts(two), languages(two), two.tags.join(",")),
        (vec!["1", "2"], vec![Some("rust"), Some("python")], "x,y z".to_owned())
    );
}
