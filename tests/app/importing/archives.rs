//! Archives: made stores are written out, read back into an empty service, and are the same; nothing half is left behind,
//! and what other programs read is what our own readers read of it.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::{AssetUpdate, AssetsIdentifiersSnapshot, TagsSnapshot};
use lunette_inspector::export::library::{ExportError, Format};
use lunette_inspector::import::engine::TakenIds;
#[cfg(target_os = "linux")]
use lunette_inspector::import::engine::{ContentKind, NewAsset};
use lunette_inspector::tasks::CancelFlag;
use lunette_sources::{Cancelled, Candidate, Files, Limits, Source};
use serde_json::{Value, json};

use crate::support::assets;

use stores::{Store, any_stores, candidates, carried, some_assets};

mod history;
mod lost;
mod stores;

#[test]
fn any_store_comes_back_from_its_archive_the_same_and_a_second_import_adds_nothing() {
    for (number, assets) in any_stores(12).into_iter().enumerate() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        let (first, second) = (Store::of(&assets), Store::new());
        // Folders and zip files in turn.
        let (out, back) = if number % 2 == 0 { (path("out"), path("back")) } else { (path("a.zip"), path("b.zip")) };
        let report = first.export(Format::Archive, &out).expect("written");
        assert_eq!((report.exported, report.left_out.assets().len()), (assets.len(), 0));
        if assets.is_empty() {
            assert_eq!(candidates(&out), (Some(Source::LUNETTE), Vec::new()));
            continue;
        }
        let (_, imported) = second.import(&out);
        assert_eq!((imported.imported.len(), imported.rejected.len()), (assets.len(), 0), "{imported:?}");
        second.export(Format::Archive, &back).expect("written");
        assert_eq!(carried(&out), carried(&back));
        let contents = |path: &Path| -> BTreeSet<(String, Vec<u8>)> {
            let content = |one: Candidate| (one.name, one.fragments.into_iter().next().expect("one").bytes);
            candidates(path).1.into_iter().map(content).collect()
        };
        let made = assets.iter().map(|asset| (asset.name.clone().unwrap_or_default(), asset.content.clone()));
        assert_eq!(contents(&back), made.collect());
        // Without what is kept of an import, only the copies of what is there are made again.
        let distinct: BTreeSet<_> = assets.iter().map(|asset| (&asset.name, &asset.content)).collect();
        let (_, again) = second.import(&out);
        assert_eq!((again.imported.len(), again.existing.len()), (assets.len() - distinct.len(), distinct.len()));
    }
}

/// The ids of the assets and the tags of a store.
fn ids(store: &Store) -> [BTreeSet<String>; 2] {
    let ids = |list: &Value| -> BTreeSet<String> {
        let entries = list["iterable"].as_array().into_iter().flatten();
        entries.filter_map(|entry| entry["id"].as_str().map(str::to_owned)).collect()
    };
    let client = store.client();
    store.runtime.block_on(async {
        let assets = client.call(AssetsIdentifiersSnapshot { pseudo: None }).await.expect("the ids");
        let tags = client.call(TagsSnapshot { transferables: None, assets: None, counts: None }).await.expect("tags");
        [ids(assets.tree()), ids(tags.tree())]
    })
}

/// Gives an asset another name.
fn rename(store: &Store, id: &str, name: &str) {
    let id: AssetId = id.parse().expect("an id");
    let client = store.client();
    store.runtime.block_on(async {
        let mut tree = assets::tree(&client, &id).await;
        tree["name"] = name.into();
        client.call(AssetUpdate { transferables: None, asset: Some(assets::record(tree)) }).await.expect("renamed");
    });
}

#[test]
fn an_archive_gives_ids_back_that_are_free_and_changes_nothing_that_has_one() {
    let (first, folder) = (Store::of(&some_assets()), tempfile::tempdir().expect("a folder"));
    let out = folder.path().join("a.zip");
    first.export(Format::Archive, &out).expect("written");
    let [kept, tags] = ids(&first);
    for taken in TakenIds::ALL {
        let store = Store::new();
        store.import(&out);
        assert_eq!(ids(&store), [kept.clone(), tags.clone()]);
        let one = kept.first().expect("an asset").clone();
        rename(&store, &one, "mine");
        let (_, again) = store.import_with(&out, taken);
        let [now, _] = ids(&store);
        let more = usize::from(taken == TakenIds::NewId);
        assert_eq!(
            (now.len(), now.is_superset(&kept), again.imported.len()),
            (kept.len() + more, true, more),
            "{again:?}"
        );
        let name = store.runtime.block_on(assets::tree(&store.client(), &one.parse().expect("an id")))["name"].clone();
        assert_eq!(name, "mine", "what has the id is not changed");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn sha256sum_verifies_an_archive_and_finds_what_was_edited() {
    let (store, folder) = (Store::of(&some_assets()), tempfile::tempdir().expect("a folder"));
    let out = folder.path().join("out");
    store.export(Format::Archive, &out).expect("written");
    let check = || {
        let mut program = std::process::Command::new("sha256sum");
        program.args(["--check", "--strict", "SHA256SUMS"]).current_dir(&out).output().expect("sha256sum runs")
    };
    let whole = check();
    // A content and a record of each asset, and the manifest.
    let lines = String::from_utf8_lossy(&whole.stdout).lines().count();
    assert!(whole.status.success(), "{whole:?}");
    assert_eq!(lines, 2 * some_assets().len() + 1);
    fs::write(out.join("content/Notes.md"), "edited").expect("edited");
    let edited = check();
    assert!(!edited.status.success() && String::from_utf8_lossy(&edited.stdout).contains("content/Notes.md: FAILED"));
}

#[test]
fn an_export_for_snippetslab_names_its_versions_and_has_all_that_a_fragment_has() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, assets) in [("some.json", some_assets()), ("none.json", Vec::new())] {
        let out = folder.path().join(name);
        Store::of(&assets).export(Format::SnippetsLab, &out).expect("written");
        let tree: Value = serde_json::from_slice(&fs::read(&out).expect("the file")).expect("JSON");
        assert_eq!((&tree["schema"], &tree["app"]), (&json!("2.6"), &json!("2.6.4")));
        let keys = |value: &Value| value.as_object().expect("an object").keys().cloned().collect::<BTreeSet<_>>();
        let contents = ["folders", "smartGroups", "snippets", "tags"].map(str::to_owned);
        assert_eq!(keys(&tree["contents"]), BTreeSet::from(contents));
        let fragment =
            ["content", "dateCreated", "dateModified", "language", "note", "title", "uuid"].map(str::to_owned);
        for snippet in tree["contents"]["snippets"].as_array().expect("snippets") {
            assert_eq!(keys(&snippet["fragments"][0]), BTreeSet::from(fragment.clone()));
        }
    }
}

#[test]
fn an_archive_reports_edited_and_missing_files() {
    let (store, folder) = (Store::of(&some_assets()), tempfile::tempdir().expect("a folder"));
    let out = folder.path().join("out");
    store.export(Format::Archive, &out).expect("written");
    // The list begins with the newest asset, so that the name without a number is that of `MAIN.rs`.
    fs::write(out.join("content/main (2).rs"), "fn edited() {}\n").expect("edited");
    fs::remove_file(out.join("content/Notes.md")).expect("removed");
    fs::write(out.join("content/mine.txt"), "mine").expect("added");
    let files = Files::open(&out, Limits::default(), Cancelled(None)).expect("it is there");
    let library = lunette_sources::read(&files, Source::LUNETTE);
    let codes: Vec<_> = library.warnings.iter().map(|warning| (warning.code, warning.location.as_str())).collect();
    let expected = [
        ("lunette.incomplete", "out"),
        ("lunette.content", "out/records/Notes.md.json"),
        ("file.left-out", "out/content"),
    ];
    assert_eq!(codes, expected);
    let edited = library.candidates.iter().find(|candidate| candidate.name == "main.rs").expect("it is imported");
    assert_eq!(edited.warnings.iter().map(|warning| warning.code).collect::<Vec<_>>(), ["lunette.checksum"]);
    assert_eq!(library.candidates.len(), 3);
}

#[test]
fn existing_files_are_not_replaced_and_a_cancelled_export_leaves_nothing() {
    let (store, folder) = (Store::of(&some_assets()), tempfile::tempdir().expect("a folder"));
    for (name, format) in [("full", Format::Archive), ("a.zip", Format::Files), ("a.csv", Format::Csv)] {
        let path = folder.path().join(name);
        match name {
            "full" => fs::create_dir(&path).and_then(|()| fs::write(path.join("x"), "mine")).expect("a folder"),
            _ => fs::write(&path, "mine").expect("a file"),
        }
        let end = store.export(format, &path);
        assert!(matches!(&end, Err(ExportError::Exists(existing)) if *existing == path), "{end:?}");
    }
    let cancel = CancelFlag::default();
    cancel.cancel();
    for name in ["new", "new.zip"] {
        let end = store.export_until(Format::Archive, &folder.path().join(name), cancel.clone());
        assert!(matches!(end, Err(ExportError::Cancelled)), "{end:?}");
    }
    let missing = store.export(Format::Archive, &folder.path().join("no/such/out"));
    assert!(matches!(missing, Err(ExportError::Io(..))), "{missing:?}");
    let mut left: Vec<_> =
        fs::read_dir(folder.path()).expect("listed").map(|entry| entry.expect("an entry").file_name()).collect();
    left.sort();
    assert_eq!(left, ["a.csv", "a.zip", "full"]);
    fs::create_dir(folder.path().join("empty")).expect("a folder");
    assert_eq!(store.export(Format::Files, &folder.path().join("empty/")).expect("written").exported, 4);
}

#[test]
fn exports_for_other_programs_are_read_back_with_names_contents_and_tags() {
    let (store, folder) = (Store::of(&some_assets()), tempfile::tempdir().expect("a folder"));
    let expected: BTreeSet<(String, String)> = some_assets()
        .into_iter()
        .map(|asset| (asset.name.unwrap_or_default(), String::from_utf8(asset.content).expect("UTF-8")))
        .collect();
    for (format, source, end) in [
        (Format::MassCode, Source::MASS_CODE, ""),
        (Format::SnippetsLab, Source::SNIPPETS_LAB, ".json"),
        (Format::VsCode, Source::VS_CODE, ".code-snippets"),
        (Format::Gist, Source::GIST, ""),
        (Format::MassCode, Source::MASS_CODE, ".zip"),
    ] {
        let out = folder.path().join(format!("{}{end}", format.name()));
        store.export(format, &out).expect("written");
        let (found, candidates) = candidates(&out);
        assert_eq!(found, Some(source));
        let read = candidates.iter().map(|one| {
            let text = std::str::from_utf8(&one.fragments[0].bytes).expect("UTF-8");
            // In a body of VS Code a dollar sign and a backslash are escaped.
            let text =
                if format == Format::VsCode { text.replace("\\$", "$").replace("\\\\", "\\") } else { text.to_owned() };
            (one.name.clone(), text)
        });
        let read: BTreeSet<_> = read.collect();
        match format {
            // The name of a gist is that of its file.
            Format::Gist => {
                assert_eq!(
                    read.iter().map(|(_, text)| text).collect::<BTreeSet<_>>(),
                    expected.iter().map(|(_, text)| text).collect()
                );
            }
            _ => assert_eq!(read, expected, "{}", format.name()),
        }
        if matches!(format, Format::MassCode | Format::SnippetsLab) {
            for one in &candidates {
                let tags: BTreeSet<_> = one.tags.iter().map(String::as_str).collect();
                assert_eq!(tags, BTreeSet::from(["data base", "two"]), "{}", format.name());
                assert_eq!(one.description.as_deref(), Some(&*format!("About {}", one.name)));
                assert!(one.created.is_some());
            }
        }
    }
}

#[test]
fn a_vault_of_obsidian_has_each_code_in_a_block_and_markdown_as_it_is() {
    let (store, folder) = (Store::of(&some_assets()), tempfile::tempdir().expect("a folder"));
    let out = folder.path().join("vault");
    store.export(Format::Obsidian, &out).expect("written");
    let (source, notes) = candidates(&out);
    assert_eq!(source, Some(Source::OBSIDIAN));
    assert_eq!(notes.iter().map(|note| note.name.as_str()).collect::<BTreeSet<_>>().len(), 4);
    let files = Files::open(&out, Limits::default(), Cancelled(None)).expect("it is there");
    let blocks = lunette_sources::read(&files, Source::OBSIDIAN_CODE).candidates;
    let texts: BTreeSet<_> = blocks.iter().map(|block| String::from_utf8_lossy(&block.fragments[0].bytes)).collect();
    let code = some_assets().into_iter().take(3).map(|asset| String::from_utf8(asset.content).expect("UTF-8"));
    assert_eq!(texts, code.map(Into::into).collect());
    assert!(blocks.iter().all(|block| block.tags == ["data-base", "two"] || block.tags == ["two", "data-base"]));
}

#[test]
fn lists_have_the_columns_in_their_order_and_the_id() {
    let (store, folder) = (Store::of(&some_assets()), tempfile::tempdir().expect("a folder"));
    let (csv, json) = (folder.path().join("list.csv"), folder.path().join("list.json"));
    store.export(Format::Csv, &csv).expect("written");
    store.export(Format::Json, &json).expect("written");
    let csv = fs::read_to_string(csv).expect("read");
    assert_eq!(csv.lines().next(), Some("name,folder,language,tags,score,size,created,updated,id"));
    assert!(csv.lines().any(|line| line.starts_with("\"Fences: \"\"odd\"\"\",,Python,\"data base, two\"")), "{csv}");
    let json: serde_json::Value = serde_json::from_str(&fs::read_to_string(json).expect("read")).expect("JSON");
    assert_eq!((json.as_array().map(Vec::len), &json[0]["name"]), (Some(4), &"Notes".into()));
    assert_eq!(json[0]["tags"], serde_json::json!(["data base", "two"]));
}

#[test]
fn a_database_has_contents_tags_and_records() {
    let (store, folder) = (Store::of(&some_assets()), tempfile::tempdir().expect("a folder"));
    let path = folder.path().join("assets.sqlite");
    store.export(Format::Sqlite, &path).expect("written");
    let db = rusqlite::Connection::open(path).expect("opened");
    let query = "SELECT content || json_extract(record, '$.name') || (SELECT count(*) FROM tag WHERE asset = id)
                 FROM asset WHERE favourite";
    let row: String = db.query_one(query, [], |row| row.get(0)).expect("one row");
    assert_eq!(row, "fn main() {}\nmain.rs2");
}

/// A disk of 256 KiB, mounted on a folder until it is dropped.
#[cfg(target_os = "linux")]
struct SmallDisk(tempfile::TempDir);

#[cfg(target_os = "linux")]
impl SmallDisk {
    /// Panics where this user may not mount: a test that looked at nothing must not pass.
    fn mount() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let mut mount = std::process::Command::new("mount");
        let done = mount.args(["-t", "tmpfs", "-o", "size=256k", "tmpfs"]).arg(folder.path()).output();
        assert!(done.expect("mount runs").status.success(), "this test mounts a disk and needs root");
        Self(folder)
    }
}

#[cfg(target_os = "linux")]
impl Drop for SmallDisk {
    fn drop(&mut self) {
        std::process::Command::new("umount").arg(self.0.path()).status().expect("umount runs");
    }
}

/// 60,000 bytes that no compression makes smaller (xorshift).
#[cfg(target_os = "linux")]
fn noise(seed: u64) -> Vec<u8> {
    let next = |state: &u64| {
        let state = state ^ (state << 13);
        let state = state ^ (state >> 7);
        Some(state ^ (state << 17))
    };
    std::iter::successors(Some(seed), next).skip(20).take(60_000).map(|state| (state >> 32) as u8).collect()
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_leaves_nothing_behind_and_is_reported() {
    let disk = SmallDisk::mount();
    let large = |number: u8| NewAsset {
        name: Some(number.to_string()),
        content: noise(u64::from(number) + 1),
        kind: ContentKind::File,
        ..NewAsset::default()
    };
    let store = Store::of(&(0..12).map(large).collect::<Vec<_>>());
    for (format, name) in [
        (Format::Archive, "out"),
        (Format::Archive, "out.zip"),
        (Format::Files, "files"),
        (Format::Sqlite, "out.sqlite"),
    ] {
        let end = store.export(format, &disk.0.path().join(name));
        assert!(end.is_err_and(|error| error.to_string().contains("disk is full")), "{name}");
        assert_eq!(fs::read_dir(disk.0.path()).expect("listed").count(), 0, "{name}");
    }
}
