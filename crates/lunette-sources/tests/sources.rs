//! The readers on samples of each format: what is recognised, what becomes of names, contents, tags, folders and dates, and
//! what is warned of.

use std::fs;
use std::path::{Path, PathBuf};

use lunette_sources::{Cancelled, Candidate, Files, Library, Limits, Source, read, recognise};
use rusqlite::Connection;

fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/samples").join(name).join("library")
}

fn open(path: &Path) -> Files {
    Files::open(path, Limits::default(), Cancelled(None)).expect("the sample is there")
}

/// Reads a sample, which must be recognised.
fn library(name: &str) -> Library {
    let files = open(&sample(name));
    let source = recognise(&files).unwrap_or_else(|| panic!("{name} is not recognised"));
    read(&files, source)
}

fn texts(candidate: &Candidate) -> Vec<&str> {
    let text = |bytes| std::str::from_utf8(bytes).expect("UTF-8");
    candidate.fragments.iter().map(|fragment| text(fragment.bytes.as_slice())).collect()
}

fn languages(candidate: &Candidate) -> Vec<Option<&str>> {
    candidate.fragments.iter().map(|fragment| fragment.language.as_deref()).collect()
}

fn names(library: &Library) -> Vec<&str> {
    library.candidates.iter().map(|candidate| candidate.name.as_str()).collect()
}

fn codes(library: &Library) -> Vec<&str> {
    library.warnings.iter().map(|warning| warning.code).collect()
}

fn date(candidate: &Candidate) -> (Option<String>, Option<String>) {
    (candidate.created.map(|date| date.to_string()), candidate.updated.map(|date| date.to_string()))
}

const DATES: (&str, &str) = ("2024-01-02T03:04:05Z", "2024-01-02T03:04:06Z");

fn dates() -> (Option<String>, Option<String>) {
    (Some(DATES.0.to_owned()), Some(DATES.1.to_owned()))
}

#[test]
fn each_sample_is_recognised_as_its_source_alone() {
    let expected = [
        ("alfred", Source::Alfred),
        ("boostnote", Source::Boostnote),
        ("bytestash", Source::ByteStash),
        ("espanso", Source::Espanso),
        ("gist", Source::Gist),
        ("jetbrains", Source::JetBrains),
        ("lunette", Source::Lunette),
        ("masscode-v1", Source::MassCode),
        ("masscode-v3", Source::MassCode),
        ("masscode-v5", Source::MassCode),
        ("masscode-v5-made", Source::MassCode),
        ("obsidian", Source::Obsidian),
        ("pet", Source::Pet),
        ("raycast", Source::Raycast),
        ("snippetslab", Source::SnippetsLab),
        ("snippetslab-1", Source::SnippetsLab),
        ("vscode", Source::VsCode),
    ];
    for (name, source) in expected {
        assert_eq!(recognise(&open(&sample(name))), Some(source), "{name}");
        assert!(sample(name).with_file_name("NOTE.md").exists(), "{name} has no note");
    }
}

#[test]
fn ordinary_files_and_folders_are_no_library() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, content) in [
        ("package.json", r#"{"name": "x", "files": {"a": 1}}"#),
        ("list.json", r#"[{"name": "a", "text": "b", "more": 1}]"#),
        ("Cargo.toml", "[package]\nname = 'x'\n"),
        ("ci.yml", "jobs: {}\n"),
        ("layout.xml", "<layout/>"),
        ("README.md", "---\ntags: [a]\n---\n# x\n"),
        ("empty.json", "{}"),
    ] {
        let path = folder.path().join(name);
        fs::write(&path, content).expect("a file");
        assert_eq!(recognise(&open(&path)), None, "{name}");
    }
    fs::create_dir_all(folder.path().join(".vscode")).expect("a folder");
    fs::write(folder.path().join(".vscode/x.code-snippets"), r#"{"a": {"prefix": "a", "body": "b"}}"#).expect("a file");
    assert_eq!(recognise(&open(folder.path())), None, "a project with snippets of its own is no library");
}

#[test]
fn snippets_of_vs_code_keep_prefixes_scopes_and_groups() {
    let library = library("vscode");
    assert_eq!(names(&library), ["Test", "Log", "Hook"]);
    let [test, log, hook] = library.candidates.as_slice() else { panic!("three snippets") };
    assert_eq!((texts(test), languages(test)), (vec!["#[test]\nfn ${1:name}() {}"], vec![Some("rust")]));
    assert_eq!(test.description.as_deref(), Some("A\ntest"));
    assert_eq!((log.triggers.join(" "), languages(log)), ("log cl".to_owned(), vec![Some("javascript")]));
    assert_eq!(log.description.as_deref(), Some("Logs, // no comment"));
    assert_eq!(log.warnings[0].code, "vscode.scope");
    assert_eq!(
        (hook.folder.as_slice(), hook.source_id.as_str()),
        (&["React".to_owned()][..], "team.code-snippets#React/Hook")
    );
}

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
    assert_eq!(library.warnings[0].place, "library/snippets.db:5");
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
    assert_eq!(codes(&library), ["masscode.notes"]);
}

#[test]
fn what_masscode_5_writes_is_read_back_byte_for_byte() {
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
fn a_database_of_masscode_4_is_read_with_its_log_and_stays_as_it_is() {
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
fn a_gist_has_the_title_and_tags_of_its_description() {
    let library = library("gist");
    let [sort] = library.candidates.as_slice() else { panic!("{library:?}") };
    assert_eq!(
        (sort.name.as_str(), sort.description.as_deref(), sort.tags.join(",")),
        ("Sort", Some("a list #2024"), "rust".to_owned())
    );
    assert_eq!((texts(sort), date(sort)), (vec!["a.sort()"], dates()));
    assert_eq!((sort.warnings[0].code, codes(&library)), ("gist.content", vec!["gist.content"]));
}

#[test]
fn cloned_gists_are_one_item_a_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, content) in [
        ("aa11/.git/config", "[remote \"origin\"]\n\turl = https://user:secret@gist.github.com/aa11.git\n"),
        ("aa11/.git/HEAD", "ref: x"),
        ("aa11/a.rs", "fn a() {}"),
        ("aa11/b.txt", "b"),
        ("bb22/.git/config", "[remote \"origin\"]\n\turl = git@gist.github.com:bb22.git\n"),
        ("bb22/c.md", "# c"),
    ] {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
        fs::write(path, content).expect("a file");
    }
    let files = open(folder.path());
    assert_eq!(recognise(&files), Some(Source::Gist));
    let library = read(&files, Source::Gist);
    let [first, second] = library.candidates.as_slice() else { panic!("{library:?}") };
    assert_eq!((first.source_id.as_str(), texts(first)), ("aa11", vec!["fn a() {}", "b"]));
    assert_eq!(first.urls, ["https://gist.github.com/aa11"], "no password is kept");
    assert_eq!(second.urls, ["https://gist.github.com/bb22"]);
    fs::write(folder.path().join("bb22/.git/config"), "[remote]\nurl = https://example.com/x.git\n").expect("a file");
    assert_eq!(recognise(&open(folder.path())), None, "other clones are ordinary folders");
}

#[test]
fn line_breaks_of_live_templates_survive() {
    let library = library("jetbrains");
    let [fori, x] = library.candidates.as_slice() else { panic!("{library:?}") };
    assert_eq!((texts(fori), languages(fori)), (vec!["for (int $I$ = 0;) {\n  $END$\n}"], vec![Some("java")]));
    assert_eq!((fori.description.as_deref(), fori.folder.join("/")), (Some("Loop & more"), "Mine".to_owned()));
    assert_eq!((texts(x), x.source_id.as_str()), (vec!["<a>"], "Mine/x"));
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
fn notes_are_read_whole_or_by_their_code_blocks() {
    let notes = library("obsidian");
    assert_eq!(names(&notes), ["Broken", "Sorting"]);
    let sorting = &notes.candidates[1];
    assert_eq!(
        (sorting.tags.join(","), sorting.triggers.join(",")),
        ("rust,algo,inline".to_owned(), "sort".to_owned())
    );
    assert!(texts(sorting)[0].starts_with("---\n"), "the note is kept whole");
    assert_eq!(notes.candidates[0].warnings[0].code, "yaml.invalid");
    assert_eq!(codes(&notes), ["obsidian.no-note"]);
    let blocks = read(&open(&sample("obsidian")), Source::ObsidianCode);
    assert_eq!(names(&blocks), ["Sorting / Quick", "Sorting / Slow"]);
    assert_eq!(
        (texts(&blocks.candidates[0]), languages(&blocks.candidates[1])),
        (vec!["v.sort_unstable();"], vec![Some("python")])
    );
}

#[test]
fn matches_of_espanso_keep_triggers_and_run_nothing() {
    let library = library("espanso");
    assert_eq!(names(&library), ["A greeting", ":a", ":now"]);
    let [hi, both, now] = library.candidates.as_slice() else { panic!("three matches") };
    assert_eq!((texts(hi), hi.tags.join(",")), (vec!["Hello,\nworld"], "greeting".to_owned()));
    assert_eq!((both.triggers.join(","), languages(both)), (":a,:b".to_owned(), vec![Some("markdown")]));
    assert!(now.description.as_deref().is_some_and(|text| text.contains("\"cmd\":\"date\"")), "{now:?}");
    assert_eq!(codes(&library), ["espanso.effect", "yaml.invalid"]);
}

#[test]
fn keywords_of_alfred_have_the_affixes_of_their_collection() {
    let library = library("alfred");
    let [hello] = library.candidates.as_slice() else { panic!("{library:?}") };
    assert_eq!((hello.triggers.join(","), hello.folder.join("/")), (";;hello!".to_owned(), "Mail".to_owned()));
}

#[test]
fn commands_of_pet_keep_tags_and_lines() {
    let library = library("pet");
    let [ping, several] = library.candidates.as_slice() else { panic!("{library:?}") };
    assert_eq!((texts(ping), ping.tags.join(",")), (vec!["ping <host=8.8.8.8>"], "network,google".to_owned()));
    assert_eq!((several.name.as_str(), texts(several)), ("several", vec!["a\nb"]));
}

#[test]
fn notes_of_boostnote_keep_their_files() {
    let library = library("boostnote");
    let [two, note] = library.candidates.as_slice() else { panic!("{library:?}") };
    assert_eq!(texts(two), ["if (a) {\n  b()\n}", "one \"line\""]);
    assert_eq!((languages(two), two.tags.join(",")), (vec![Some("JavaScript"), None], "a,b c".to_owned()));
    assert_eq!((two.folder.join("/"), two.description.as_deref()), ("Default".to_owned(), Some("First line\nsecond")));
    assert!(two.favourite && note.trashed);
    assert_eq!(note.warnings[0].code, "boostnote.attachments");
    assert_eq!(codes(&library), ["boostnote.attachments", "cson.invalid"]);
}

#[test]
fn an_archive_of_lunette_is_read_as_it_is_written_and_verified() {
    let library = library("lunette");
    assert_eq!(codes(&library), [""; 0]);
    assert_eq!(names(&library), ["dot", "MAIN.rs", " main.rs"], "names keep their spaces");
    let main = &library.candidates[2];
    let native = main.native.as_ref().expect("what only an archive says");
    assert_eq!((texts(main), languages(main), date(main)), (vec!["fn main() {}\n"], vec![Some("rs")], dates()));
    assert_eq!((main.favourite, native.is_text, main.tags.as_slice()), (true, true, &["two words".to_owned()][..]));
    assert_eq!(native.websites, [("https://a.example/".to_owned(), "A".to_owned())]);
    assert_eq!(native.annotations, [("COMMENT".to_owned(), "Text\n".to_owned())]);
    assert_eq!(texts(&library.candidates[1]), [""], "an empty content is one too");
    assert!(!library.candidates[0].native.as_ref().expect("it").is_text);
    assert!(library.candidates.iter().all(|candidate| candidate.warnings.is_empty()));
}

#[test]
fn an_archive_of_a_later_version_or_without_sums_is_read_with_a_warning() {
    let record = |file: &str| {
        format!("{{\"id\": \"1\", \"name\": \"a\", \"file\": \"{file}\", \"content\": \"text\"}}").into_bytes()
    };
    let files = |file: &str| {
        let manifest = b"{\"format\": \"lunette-archive\", \"version\": 2}".to_vec();
        let entries =
            [("x/manifest.json", manifest), ("x/content/a", b"a".to_vec()), ("x/records/a.json", record(file))];
        Files::of_memory("archive.zip", entries, Limits::default())
    };
    assert_eq!(recognise(&files("content/a")), Some(Source::Lunette));
    let whole = read(&files("content/a"), Source::Lunette);
    assert_eq!((codes(&whole), whole.candidates.len()), (vec!["lunette.version", "missing"], 1));
    let outside = read(&files("../../etc/passwd"), Source::Lunette);
    assert!(codes(&outside).contains(&"lunette.content") && outside.candidates.is_empty());
}
