//! Snippet managers: Dash, SnippetsLab, Raycast and ByteStash.

use std::fs;

use lunette_sources::{Files, Limits, Source, read, recognise};
use rusqlite::Connection;

use crate::{codes, date, dates, languages, library, names, open, sample, texts};

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
    assert_eq!(codes(&library), ["empty", "sqlite.values"]);
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
fn the_library_of_snippetslab_is_read_with_its_folders_tags_and_dates() {
    let library = library("snippetslab-library");
    assert_eq!((names(&library), codes(&library)), (vec!["Simple echo", "Foos script"], vec!["file.left-out"]));
    let [echo, foos] = library.candidates.as_slice() else { panic!("{library:?}") };
    assert!(texts(echo)[0].starts_with("# some comment\n"), "{echo:?}");
    assert_eq!((echo.folder.join("/"), echo.tags.len()), ("Test Folder".to_owned(), 0));
    assert_eq!((texts(foos), languages(foos)), (vec!["echo \"Foo!\""], vec![Some("bash")]));
    assert_eq!((foos.folder.len(), foos.tags.join(",")), (0, "snipkit".to_owned()));
    assert_eq!(foos.created.map(|date| date.to_string()).as_deref(), Some("2021-12-01T10:41:01.384Z"));
}

#[test]
fn a_damaged_snippet_of_snippetslab_is_named_and_the_rest_is_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let library = folder.path().join("x.snippetslablibrary/Database");
    fs::create_dir_all(library.join("Snippets")).expect("a folder");
    let from = sample("snippetslab-library").join("Database");
    for name in ["folders.data", "Snippets/B3EDC3BE-6FE1-489E-9EB8-C400D4CF1B54.data"] {
        fs::copy(from.join(name), library.join(name)).expect("a copy");
    }
    fs::write(library.join("tags.data"), "no archive").expect("a file");
    fs::write(library.join("Snippets/A.data"), b"bplist00").expect("a file");
    let files = open(folder.path());
    assert_eq!(recognise(&files), Some(Source::SnippetsLab), "in the folder that it lies in");
    let read = read(&files, Source::SnippetsLab);
    assert_eq!((names(&read), codes(&read)), (vec!["Foos script"], vec!["snippetslab.archive"; 2]));
    assert!(read.warnings[1].location.ends_with("Snippets/A.data"), "{:?}", read.warnings);
}

#[test]
fn a_snippet_in_the_trash_of_snippetslab_is_marked() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("export.json");
    let export = r#"{"schema": "1", "app": "2.1", "contents": {"snippets": [
        {"uuid": "1", "title": "old", "dateDeleted": "2024-01-02T03:04:05Z", "fragments": [{"content": "x"}]},
        {"uuid": "2", "title": "new", "dateDeleted": null, "fragments": [{"content": "y"}]}]}}"#;
    fs::write(&path, export).expect("a file");
    let library = read(&open(&path), Source::SnippetsLab);
    assert_eq!(library.candidates.iter().map(|one| one.trashed).collect::<Vec<_>>(), [true, false]);
}

#[test]
fn an_export_that_bytestash_made_is_read_whole() {
    let library = library("bytestash-server");
    assert_eq!(names(&library), ["Retry with backoff", "Größe der Datenbank", "Plain note"]);
    assert_eq!(codes(&library), [""; 0]);
    let [retry, size, note] = library.candidates.as_slice() else { panic!("{library:?}") };
    assert_eq!((retry.tags.join(","), languages(retry)), ("network,rust".to_owned(), vec![Some("rust"); 2]));
    assert_eq!(retry.description.as_deref(), Some("Waits longer after each failure.\n\nStops after five."));
    assert_eq!(texts(retry)[0], "fn wait(attempt: u32) -> u64 {\n    100 << attempt\n}\n");
    assert_eq!(date(retry), (None, Some("2026-11-26T09:26:49Z".to_owned())));
    assert_eq!((retry.favourite, size.favourite), (false, true));
    assert_eq!(texts(note), ["  indented\tand\ttabs\r\nCRLF line\r\n"]);
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

#[test]
fn a_named_part_without_content_is_reported_with_its_item() {
    let fragment = |title: &str, content: &str| format!(r#"{{"title": "{title}", "content": "{content}"}}"#);
    let parts = [fragment("One", "x"), fragment("Two", ""), fragment("Fragment 3", ""), fragment("", "")].join(",");
    let text = format!(
        r#"{{"schema": "1", "app": "2", "contents": {{"snippets": [{{"title": "a", "fragments": [{parts}]}}]}}}}"#
    );
    let library = read(&Files::of_memory("s", [("a.json", text.into_bytes())], Limits::default()), Source::SnippetsLab);
    let [one] = library.candidates.as_slice() else { panic!("{library:?}") };
    let messages: Vec<_> = one.warnings.iter().map(|warning| warning.message.as_str()).collect();
    assert_eq!((texts(one), messages), (vec!["x"], vec!["its part \"Two\" has no content and was left out"]));
}
