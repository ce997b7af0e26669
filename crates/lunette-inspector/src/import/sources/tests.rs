//! Tests of recorded libraries: two of one program, a moved one, and records of an earlier version.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lunette_client::model::id::AssetId;
use lunette_sources::Source;
use tempfile::TempDir;

use super::{ImportedItems, SourcePlan, Status, open};
use crate::db::Database;
use crate::db::source_items::SourceItem;
use crate::import::engine::ImportReport;
use crate::import::mapping::Mapping;
use crate::tasks::CancelFlag;

const SERVICE: &str = "embedded";

/// A library file of each program; `TEXT` is replaced by the content.
const FILES: &[(Source, &str, &str)] = &[
    (
        Source::MASS_CODE,
        "db.json",
        r#"{"folders": [], "tags": [], "snippets": [{"id": "1", "name": "a", "content": [{"label": "", "language": "sql", "value": "TEXT"}], "folderId": "", "tagsIds": [], "isDeleted": false, "isFavorites": false, "createdAt": 1, "updatedAt": 1}]}"#,
    ),
    (
        Source::JET_BRAINS,
        "user.xml",
        r#"<templateSet group="user"><template name="a" value="TEXT" description=""/></templateSet>"#,
    ),
    (
        Source::BYTE_STASH,
        "export.json",
        r#"{"version": "1.0", "exported_at": "x", "snippets": [{"id": 1, "title": "a", "fragments": [{"code": "TEXT"}]}]}"#,
    ),
    (Source::RAYCAST, "snippets.json", r#"[{"name": "a", "text": "TEXT"}]"#),
    (
        Source::SNIPPETS_LAB,
        "old.json",
        r#"{"Snippets": [{"Title": "a", "Folder": "", "Tags": [], "Fragments": [{"Title": "", "Content": "TEXT"}]}]}"#,
    ),
    (Source::PET, "snippet.toml", "[[snippets]]\n  description = \"a\"\n  command = \"TEXT\"\n"),
    (Source::VS_CODE, "a.code-snippets", r#"{"a": {"prefix": "a", "body": "TEXT"}}"#),
    (Source::ESPANSO, "base.yml", "matches:\n  - trigger: \":a\"\n    replace: \"TEXT\"\n"),
    (Source::OBSIDIAN, "note.md", "TEXT\n"),
    (Source::OBSIDIAN_CODE, "note.md", "# a\n\n```sh\nTEXT\n```\n"),
    (Source::BOOSTNOTE, "notes/1.cson", "type: \"MARKDOWN_NOTE\"\ntitle: \"a\"\ncontent: '''\n  TEXT\n'''\n"),
    (
        Source::ALFRED,
        "Mail/a [1].json",
        r#"{"alfredsnippet": {"snippet": "TEXT", "uid": "1", "name": "a", "keyword": "k"}}"#,
    ),
];

/// A folder with a library.
struct TestLibrary {
    folder: TempDir,
    source: Source,
}

impl TestLibrary {
    fn new(source: Source, name: &str, content: &str) -> Self {
        let made = Self { folder: tempfile::tempdir().expect("a folder"), source };
        let path = made.folder.path().join("library").join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(&path, content).expect("a file");
        made
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("library")
    }

    fn plan(&self) -> SourcePlan {
        plan(&self.path(), self.source)
    }
}

fn plan(path: &Path, source: Source) -> SourcePlan {
    open(path, Some(source), Mapping::default(), &CancelFlag::default())
        .expect("it opens")
        .library()
        .expect("a library")
}

fn database() -> (TempDir, Arc<Database>) {
    let folder = tempfile::tempdir().expect("a folder");
    let database = Database::open(folder.path()).expect("a database").database;
    (folder, database)
}

/// Returns the statuses of a library after a comparison with the records, as words.
fn compared(plan: &mut SourcePlan, database: &Database) -> Vec<&'static str> {
    let known: ImportedItems = plan.load_imported(database, SERVICE).expect("it is read");
    plan.compare(&known, None);
    let word = |status: &Status| match status {
        Status::New => "new",
        Status::Same(_) => "same",
        Status::Changed(..) => "changed",
        Status::Doubtful(_) => "doubtful",
        Status::LeftOut(_) => "left out",
    };
    plan.items.iter().map(|planned| word(&planned.status)).collect()
}

/// Records a library as if all its items became assets.
fn record_all(plan: &SourcePlan, database: &Database) {
    let imported = plan.items.iter().map(|planned| (plan.path_of(&planned.item), AssetId::random()));
    let report = ImportReport { imported: imported.collect(), ..ImportReport::default() };
    plan.record_imported(database, SERVICE, &report).expect("it is kept");
}

fn assert_apart(first: &TestLibrary, second: &TestLibrary) {
    let (_folder, database) = database();
    record_all(&first.plan(), &database);
    let source = first.source;
    assert_eq!(compared(&mut first.plan(), &database), ["same"], "{source}: the first library is known");
    assert_eq!(compared(&mut second.plan(), &database), ["new"], "{source}: the second library is another one");
    record_all(&second.plan(), &database);
    assert_eq!(compared(&mut first.plan(), &database), ["same"], "{source}: what is kept of the first stays");
    assert_eq!(compared(&mut second.plan(), &database), ["same"], "{source}");
}

#[test]
fn two_libraries_of_one_program_do_not_share_records() {
    for (source, name, content) in FILES {
        let made = |text: &str| TestLibrary::new(*source, name, &content.replace("TEXT", text));
        assert_apart(&made("one"), &made("two"));
    }
}

/// Returns a library of three items with these texts.
fn three_items(texts: [&str; 3]) -> String {
    let item = |(number, text): (usize, &str)| format!(r#"{{"name": "item {number}", "text": "{text}"}}"#);
    format!("[{}]", texts.into_iter().enumerate().map(item).collect::<Vec<_>>().join(","))
}

#[test]
fn a_moved_library_is_recognised_by_its_content_and_recorded_at_its_new_path() {
    let (_folder, database) = database();
    let first = TestLibrary::new(Source::RAYCAST, "snippets.json", &three_items(["a", "b", "c"]));
    record_all(&first.plan(), &database);
    let moved = TestLibrary::new(Source::RAYCAST, "renamed.json", &three_items(["a", "b", "changed"]));
    let mut plan = moved.plan();
    assert_eq!(compared(&mut plan, &database), ["same", "same", "changed"]);
    plan.record_imported(&database, SERVICE, &ImportReport::default()).expect("it is kept");
    let later = TestLibrary { folder: moved.folder, source: Source::RAYCAST };
    fs::write(later.path().join("renamed.json"), three_items(["x", "y", "changed"])).expect("a file");
    assert_eq!(
        compared(&mut later.plan(), &database),
        ["changed", "changed", "changed"],
        "it has a key of its own now"
    );
}

#[test]
fn records_of_an_earlier_version_without_a_library_are_recognised() {
    let (_folder, database) = database();
    for (source, name, id) in [
        (Source::RAYCAST, "snippets.json", "a"),
        // Earlier versions prefixed paths with the name of the library.
        (Source::PET, "snippet.toml", "library/snippet.toml#a"),
    ] {
        let content = FILES.iter().find(|(known, ..)| *known == source).expect("a file").2;
        let made = TestLibrary::new(source, name, &content.replace("TEXT", "one"));
        let mut plan = made.plan();
        let hash = plan.items[0].item.hash.to_string();
        let asset = AssetId::random().as_str().to_owned();
        let old = plan.items[0].item.old_id.clone().unwrap_or_else(|| plan.items[0].item.id.clone());
        assert!(old.starts_with(id.split('#').next().unwrap_or(id)), "{old}");
        database.keep_source_items(SERVICE, source.name(), &[SourceItem { item: old, asset, hash }]).expect("kept");
        assert_eq!(compared(&mut plan, &database), ["same"], "{source}");
        let other = TestLibrary::new(source, name, &content.replace("TEXT", "two"));
        assert_eq!(compared(&mut other.plan(), &database), ["new"], "{source}");
    }
}
