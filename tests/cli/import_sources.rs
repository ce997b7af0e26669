//! `lunette import` of the libraries of other programs: preview, one step, a second run, what changed, the receipt.

use std::fs;
use std::path::{Path, PathBuf};

use rusqlite::Connection;
use tempfile::TempDir;

use crate::program::{Ended, Served, run};
use crate::write::Home;

fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/lunette-sources/tests/samples").join(name).join("library")
}

fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

/// A copy of a sample, to change it.
fn copy(name: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for entry in fs::read_dir(sample(name)).expect("the sample") {
        let path = entry.expect("an entry").path();
        fs::copy(&path, folder.path().join(path.file_name().expect("a name"))).expect("a copy");
    }
    folder
}

fn import(data: &Path, arguments: &[&str]) -> Ended {
    run(&[&["import", "--data", text(data)], arguments].concat())
}

/// The statuses of the items of the first library, in their order.
fn statuses(ended: &Ended) -> Vec<String> {
    let items = ended.json()["sources"][0]["items"].as_array().cloned().expect("items");
    items.iter().map(|item| item["status"].as_str().expect("a status").to_owned()).collect()
}

fn last_line(ended: &Ended) -> &str {
    ended.err.lines().last().unwrap_or_default()
}

#[test]
fn a_dry_run_shows_items_tags_and_warnings_and_creates_nothing() {
    let data = tempfile::tempdir().expect("a folder");
    let ended = import(data.path(), &["--dry-run", text(&sample("masscode-v3"))]);
    let lines: Vec<_> = ended.out.lines().collect();
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert_eq!(lines[0], "new       Totals / Query  #data base  #Work/SQL  #Totals  (favourite)");
    assert_eq!(lines[2], "left out  Old  #b/a  (it is in the program's trash)");
    assert!(ended.err.contains("warning: library/db.json:item 3: \"Empty\" has no content"), "{ended:?}");
    assert!(ended.err.contains("massCode: 2 new, 1 left out"), "{ended:?}");
    assert_eq!(fs::read_dir(data.path()).expect("a folder").count(), 0, "no data folder is made");
    let ended = import(data.path(), &["--dry-run", "--json", text(&sample("masscode-v3"))]);
    assert_eq!((ended.json()["sources"][0]["source"].as_str(), statuses(&ended).len()), (Some("masscode"), 3));
    assert_eq!(ended.json()["sources"][0]["items"][0]["language"], "sql");
}

#[test]
fn a_mapping_leaves_folders_and_triggers_out_and_a_second_run_under_another_one_adds_nothing() {
    let data = tempfile::tempdir().expect("a folder");
    let library = sample("masscode-v3");
    let ended = import(data.path(), &["--map", "folders=none", text(&library)]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let ended = import(data.path(), &["--dry-run", text(&library)]);
    assert_eq!(ended.out.lines().filter(|line| line.starts_with("same")).count(), 2, "{ended:?}");
    let ended = import(data.path(), &["--dry-run", "--map", "fragments=one", text(&library)]);
    assert_eq!(ended.out.lines().next(), Some("new       Totals  #data base  #Work/SQL  (favourite)"), "{ended:?}");
    let ended = import(data.path(), &["--map", "folders=maybe", text(&library)]);
    assert!(ended.code == Some(2) && ended.err.contains("folders=none"), "{ended:?}");
}

#[test]
fn an_imported_item_keeps_name_content_tags_websites_and_description() {
    let data = tempfile::tempdir().expect("a folder");
    let service = Served::start(data.path(), &[]);
    let path = sample("snippetslab");
    let imported = run(&["import", "--json", "--url", &service.url, text(&path)]);
    assert_eq!(imported.code, Some(0), "{imported:?}");
    let id = format!("asset={}", imported.json()["imported"][0]["asset"].as_str().expect("an id"));
    let asset = service.call(&["assetSnapshot", &id, "transferables=true"]).json();
    assert_eq!(asset["name"], "Form / Markup");
    assert_eq!(asset["original"]["reference"]["fragment"]["string"]["raw"], "<form>");
    assert_eq!(asset["original"]["reference"]["classification"]["specific"], "html");
    let text = asset["annotations"]["iterable"][0]["text"].as_str().expect("a description");
    assert!(
        text.starts_with(
            "Markup: First\n\nImported from snippetslab, library, folder Web/Forms/, created 2024-01-02 03:04:05"
        ),
        "{text}"
    );
    let whole = asset.to_string();
    for part in ["html, css", "Web/Forms", "https://gist.github.com/1"] {
        assert!(whole.contains(part), "{part} is not in {whole}");
    }
}

#[test]
fn the_folders_of_another_program_are_found_as_folders_of_the_list() {
    let data = tempfile::tempdir().expect("a folder");
    let service = Served::start(data.path(), &[]);
    assert_eq!(run(&["import", "--url", &service.url, text(&sample("masscode-v3"))]).code, Some(0));
    let found = |filter: &str| {
        let listed = run(&["list", "assets", "--json", "--url", &service.url, "--filter", filter]).json();
        listed.as_array().map_or(0, Vec::len)
    };
    assert_eq!([found("folder:Work"), found("folder:Work/SQL"), found("folder:SQL/Work")], [2, 2, 0]);
}

#[test]
fn a_second_run_adds_nothing_and_reports_changes() {
    let data = tempfile::tempdir().expect("a folder");
    let library = copy("masscode-v3");
    let path = text(library.path());
    let first = import(data.path(), &[path]);
    assert_eq!((first.code, last_line(&first)), (Some(0), "2 imported, 0 already present, 0 failed"), "{first:?}");
    let second = import(data.path(), &[path, "--json"]);
    assert_eq!(
        (statuses(&second).join(","), last_line(&second)),
        ("same,same,left out".to_owned(), "0 imported, 0 already present, 0 failed")
    );

    let file = library.path().join("db.json");
    let changed = fs::read_to_string(&file).expect("text").replace("SELECT 1;", "SELECT 2;");
    fs::write(&file, changed).expect("written");
    let preview = import(data.path(), &[path, "--dry-run", "--json"]);
    assert_eq!(statuses(&preview), ["changed", "same", "left out"]);
    let kept = import(data.path(), &[path]);
    assert!(kept.err.contains("use --changed to update the asset"), "{kept:?}");
    assert_eq!(last_line(&kept), "0 imported, 0 already present, 0 failed");
    let taken = import(data.path(), &[path, "--changed"]);
    assert_eq!(last_line(&taken), "0 imported, 0 already present, 0 failed", "{taken:?}");
    assert!(taken.err.contains("1 updated, 0 left as they are, 0 not updated"), "{taken:?}");
    assert_eq!(statuses(&import(data.path(), &[path, "--json"])), ["same", "same", "left out"]);

    let described = fs::read_to_string(&file).expect("text").replace("Sums", "Sums of all");
    fs::write(&file, described).expect("written");
    let details = import(data.path(), &[path, "--changed", "--json"]);
    assert_eq!(statuses(&details), ["changed", "changed", "left out"]);
    assert_eq!(details.json()["updated"].as_array().map(Vec::len), Some(2), "{details:?}");
    assert_eq!(last_line(&details), "0 imported, 0 already present, 0 failed", "no asset is made twice");
}

/// The library of massCode 3 with one snippet, and a service that has it.
fn one_snippet(home: &Home) -> (TempDir, String) {
    let library = copy("masscode-v3");
    let imported = home.done(&["import", "--json", text(library.path())]);
    let id = imported.json()["imported"][0]["asset"].as_str().expect("an id").to_owned();
    (library, id)
}

fn edit(library: &TempDir, from: &str, to: &str) {
    let file = library.path().join("db.json");
    let before = fs::read_to_string(&file).expect("text");
    assert!(before.contains(from), "{before}");
    fs::write(&file, before.replace(from, to)).expect("written");
}

#[test]
fn changes_in_a_library_update_their_assets_and_one_undo_reverts_them() {
    let home = Home::new();
    let (library, id) = one_snippet(&home);
    let before = home.shown(&id);
    edit(&library, "SELECT 1;", "SELECT 2;");
    edit(&library, "\"Totals\"", "\"Sum\"");
    edit(&library, "data base", "tables");
    edit(&library, "\"Sums\"", "\"All sums\"");
    let updated = home.done(&["import", "--changed", text(library.path())]);
    assert!(updated.out.contains(&format!("{id}  Sum / Query  (updated)")), "{updated:?}");
    assert_eq!(home.done(&["export", &id]).out, "SELECT 2;\n");
    let after = home.shown(&id);
    assert_eq!((home.count(), after["name"].as_str()), (2, Some("Sum / Query")));
    for part in ["tables", "data base", "All sums"] {
        assert!(after.to_string().contains(part), "{part} is not in {after}");
    }
    home.done(&["undo"]);
    assert_eq!(home.done(&["export", &id]).out, "SELECT 1;\n");
    let undone = home.shown(&id);
    for field in ["name", "created", "favorited"] {
        assert_eq!(undone[field], before[field], "{field}");
    }
}

#[test]
fn an_asset_that_was_edited_here_too_is_left_as_it_is() {
    let home = Home::new();
    let (library, id) = one_snippet(&home);
    let elsewhere = tempfile::tempdir().expect("a folder");
    let mine = elsewhere.path().join("mine.txt");
    fs::write(&mine, "SELECT mine;").expect("a file");
    home.done(&["edit", &id, "--content", text(&mine)]);
    edit(&library, "SELECT 1;", "SELECT 2;");
    let left = home.done(&["import", "--changed", "--json", text(library.path())]);
    assert_eq!(left.json()["left_as_they_are"][0]["asset"], id.as_str(), "{left:?}");
    assert!(left.err.contains("0 updated, 1 left as they are, 0 not updated"), "{left:?}");
    assert_eq!(home.done(&["export", &id]).out, "SELECT mine;");
}

#[test]
fn a_dry_run_checks_which_assets_exist_or_says_that_it_did_not() {
    let home = Home::new();
    let path = sample("raycast");
    home.done(&["import", text(&path)]);
    home.done(&["undo"]);
    let preview = home.done(&["import", "--dry-run", "--json", text(&path)]);
    assert!(statuses(&preview).iter().all(|status| status == "new"), "{preview:?}");
    assert_eq!(preview.json()["checked"], true);

    let (data, other) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let mut service = Served::start(other.path(), &[]);
    let url = std::mem::take(&mut service.url);
    let at = |more: &[&str]| {
        let mut command = crate::program::command(&[&["import", "--url", &url, text(&path)], more].concat());
        let output = command.env("XDG_DATA_HOME", data.path()).output().expect("it runs");
        (String::from_utf8_lossy(&output.stdout).into_owned(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    at(&[]);
    drop(service);
    let (out, err) = at(&["--dry-run"]);
    assert!(out.starts_with("same ") && err.contains("not checked: "), "{out}{err}");
}

#[test]
fn possible_secrets_in_a_file_are_reported_before_and_after_the_import_and_when_exporting() {
    let home = Home::new();
    let folder = tempfile::tempdir().expect("a folder");
    let (plain, library) = (folder.path().join("card.txt"), folder.path().join("snippets.json"));
    fs::write(&plain, "a\n4111 1111 1111 1111\n").expect("a file");
    fs::write(&library, r#"[{"name": "Card", "text": "4111 1111 1111 1111"}]"#).expect("a file");
    let line = format!("looks like a secret: {}: line 2 (card-number)\n", plain.display());
    let item = "looks like a secret: Card: line 1 (card-number)\n";
    for arguments in [&["--dry-run"][..], &[]] {
        let alone = home.done(&[&["import", text(&plain)], arguments].concat());
        assert!(alone.err.contains(&line), "{alone:?}");
        let both = home.done(&[&["import", text(&plain), text(&library)], arguments].concat());
        assert!(both.err.contains(&line) && both.err.contains(item), "{both:?}");
        assert!(!both.err.contains("4111"), "{both:?}");
    }
    for kind in ["raw", "txt", "md", "html", "json"] {
        let exported = home.done(&["export", "card.txt", "--as", kind]);
        assert!(exported.err.contains("looks like a secret: card"), "{kind}: {exported:?}");
    }
}

#[test]
fn one_undo_removes_exactly_the_assets_of_a_library_import() {
    let home = Home::new();
    let bystander = home.asset("mine.txt", "mine");
    let archive = sample("lunette");
    for path in [sample("boostnote"), archive] {
        let before = home.shown(&bystander);
        home.done(&["import", text(&path)]);
        assert!(home.count() > 2, "{}", path.display());
        home.done(&["undo"]);
        assert_eq!((home.count(), home.shown(&bystander)), (1, before), "{}", path.display());
    }
}

#[test]
fn an_archive_with_a_duplicate_asset_is_restored_with_both_and_only_once() {
    let home = Home::new();
    home.asset("twice.txt", "the same");
    home.asset("twice.txt", "the same");
    let folder = tempfile::tempdir().expect("a folder");
    let archive = folder.path().join("all.zip");
    home.done(&["export", "--to", text(&archive)]);
    let data = tempfile::tempdir().expect("a folder");
    let first = import(data.path(), &[text(&archive)]);
    assert_eq!(last_line(&first), "2 imported, 0 already present, 0 failed", "{first:?}");
    let second = import(data.path(), &[text(&archive)]);
    assert_eq!(last_line(&second), "0 imported, 0 already present, 0 failed", "{second:?}");
}

#[test]
fn one_undo_removes_the_set_and_the_next_run_imports_it_again() {
    let data = tempfile::tempdir().expect("a folder");
    let path = sample("boostnote");
    let first = import(data.path(), &[text(&path)]);
    assert_eq!(last_line(&first), "2 imported, 0 already present, 0 failed", "{first:?}");
    let history = run(&["history", "--data", text(data.path())]);
    assert!(history.out.contains("Imported library from Boostnote"), "{history:?}");
    let undone = run(&["undo", "--data", text(data.path())]);
    assert!(undone.err.contains("2 done"), "{undone:?}");
    let again = import(data.path(), &[text(&path), "--json"]);
    assert_eq!(
        (statuses(&again).join(","), last_line(&again)),
        ("new,new,left out".to_owned(), "2 imported, 0 already present, 0 failed")
    );
    let with_trash = import(data.path(), &[text(&path), "--with-trash"]);
    assert_eq!(last_line(&with_trash), "1 imported, 0 already present, 0 failed", "{with_trash:?}");
}

#[test]
fn a_source_can_be_forced_or_treated_as_plain_files() {
    let data = tempfile::tempdir().expect("a folder");
    let path = sample("raycast").join("snippets.json");
    let files = import(data.path(), &["--as", "files", "--dry-run", text(&path)]);
    assert_eq!((files.code, files.out.as_str()), (Some(0), format!("{}\n", path.display()).as_str()));
    let blocks = import(data.path(), &["--as", "obsidian-code", "--dry-run", text(&sample("obsidian"))]);
    assert!(blocks.out.starts_with("new       Sorting / Quick"), "{blocks:?}");
    let wrong = import(data.path(), &["--as", "pet", text(&path)]);
    assert_eq!(wrong.code, Some(1), "{wrong:?}");
    assert!(wrong.err.contains("nothing to import as pet"), "{wrong:?}");
    let unknown = import(data.path(), &["--as", "word", text(&path)]);
    assert_eq!(unknown.code, Some(2), "{unknown:?}");
    assert!(unknown.err.contains("masscode, vscode"), "{unknown:?}");
}

#[test]
fn the_receipt_is_read_back_from_the_service() {
    let data = tempfile::tempdir().expect("a folder");
    let folder = tempfile::tempdir().expect("a folder");
    let plain = folder.path().join("plain.txt");
    fs::write(&plain, "plain").expect("a file");
    let receipts = ["r.csv", "r.json", "r.md"].map(|name| folder.path().join(name));
    for receipt in &receipts {
        let ended = import(data.path(), &[text(&sample("vscode")), text(&plain), "--receipt", text(receipt)]);
        assert_eq!(ended.code, Some(0), "{ended:?}");
    }
    let csv = fs::read_to_string(&receipts[0]).expect("a receipt");
    assert!(csv.starts_with("origin,outcome,asset,name,tags,reason\r\n"), "{csv}");
    assert_eq!((csv.lines().count(), csv.matches(",imported,").count()), (5, 4), "{csv}");
    assert!(csv.contains(",Hook,React,"), "{csv}");
    let json: serde_json::Value = serde_json::from_slice(&fs::read(&receipts[1]).expect("a receipt")).expect("JSON");
    let outcomes: Vec<_> = json.as_array().expect("rows").iter().map(|row| row["outcome"].as_str()).collect();
    let unchanged = Some("unchanged");
    let expected = [Some("already present"), unchanged, unchanged, unchanged];
    assert_eq!(outcomes, expected, "of what was imported before only the file is sent again");
    let named = json.as_array().expect("rows").iter().any(|row| row["name"] == "Hook");
    assert!(named, "what was not sent is read back too: {json}");
    assert!(fs::read_to_string(&receipts[2]).expect("a receipt").starts_with("| origin | outcome |"));
    let taken = import(data.path(), &[text(&plain), "--receipt", text(&receipts[0])]);
    assert_eq!(taken.code, Some(2), "a file that is there is not overwritten: {taken:?}");
    let wrong = import(data.path(), &[text(&plain), "--receipt", "r.pdf"]);
    assert_eq!(wrong.code, Some(2), "{wrong:?}");
}

#[test]
fn the_receipt_lists_skipped_and_updated_and_not_updated_items() {
    let home = Home::new();
    let (library, _) = one_snippet(&home);
    edit(&library, "SELECT 1;", "SELECT 2;");
    let rows = |name: &str, more: &[&str]| -> Vec<(String, String)> {
        let path = library.path().with_extension(name);
        home.done(&[&["import", text(library.path()), "--receipt", text(&path)], more].concat());
        let json: serde_json::Value = serde_json::from_slice(&fs::read(&path).expect("a receipt")).expect("JSON");
        fs::remove_file(&path).expect("removed");
        let text = |value: &serde_json::Value| value.as_str().expect("text").to_owned();
        json.as_array().expect("rows").iter().map(|row| (text(&row["outcome"]), text(&row["reason"]))).collect()
    };
    let words = |rows: &[(String, String)]| rows.iter().map(|(word, _)| word.clone()).collect::<Vec<_>>().join(", ");
    let kept = rows("a.json", &[]);
    assert_eq!(words(&kept), "not updated, unchanged, left out");
    assert!(kept[0].1.contains("use --changed to update the asset"), "{kept:?}");
    assert_eq!(kept[2].1, "it is in the program's trash");
    assert_eq!(words(&rows("b.json", &["--changed"])), "updated, unchanged, left out");
    assert_eq!(words(&rows("c.json", &["--changed"])), "unchanged, unchanged, left out");
}

#[test]
fn a_damaged_file_is_named_and_the_rest_is_imported() {
    let data = tempfile::tempdir().expect("a folder");
    let ended = import(data.path(), &[text(&sample("espanso"))]);
    assert_eq!((ended.code, last_line(&ended)), (Some(0), "3 imported, 0 already present, 0 failed"), "{ended:?}");
    assert!(ended.err.contains("warning: library/match/broken.yml:"), "{ended:?}");
    let folder = tempfile::tempdir().expect("a folder");
    let broken = folder.path().join("x.zip");
    fs::write(&broken, b"PK\x03\x04 and no more").expect("a file");
    let ended = import(data.path(), &[text(&broken)]);
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert!(ended.err.contains("`--as files` imports it as it is"), "{ended:?}");
}

#[test]
fn two_databases_of_one_program_are_two_libraries() {
    let dash = "CREATE TABLE snippets (sid INTEGER PRIMARY KEY, title, body, syntax, usageCount);
                CREATE TABLE tags (tid INTEGER PRIMARY KEY, tag); CREATE TABLE tagsIndex (tid, sid);
                INSERT INTO snippets VALUES (1, 'a', 'TEXT', 'SQL', 0)";
    let masscode = "CREATE TABLE folders (id INTEGER, name, parentId); CREATE TABLE tags (id INTEGER, name);
                    CREATE TABLE snippets (id, name, description, folderId, isDeleted, isFavorites, createdAt, updatedAt);
                    CREATE TABLE snippet_contents (id INTEGER, snippetId, label, value, language);
                    CREATE TABLE snippet_tags (snippetId, tagId);
                    INSERT INTO snippets VALUES (1, 'a', NULL, NULL, 0, 0, 1, 1);
                    INSERT INTO snippet_contents VALUES (1, 1, '', 'TEXT', 'sql')";
    let data = tempfile::tempdir().expect("a folder");
    for (name, statements) in [("library.dash", dash), ("massCode.db", masscode)] {
        let folder = tempfile::tempdir().expect("a folder");
        for word in ["one", "two"] {
            let path = folder.path().join(word).join(name);
            fs::create_dir(folder.path().join(word)).expect("a folder");
            let database = Connection::open(&path).expect("a database");
            database.execute_batch(&statements.replace("TEXT", &format!("{word} {name}"))).expect("its tables");
            drop(database);
            let first = import(data.path(), &[text(&path)]);
            assert_eq!(last_line(&first), "1 imported, 0 already present, 0 failed", "{first:?}");
            let again = import(data.path(), &[text(&path), "--json"]);
            assert_eq!(statuses(&again), ["same"], "{again:?}");
        }
    }
}
