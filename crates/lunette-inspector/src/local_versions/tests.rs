//! What is kept of what was seen: every state in order and to the byte, within bounds, and nothing after forgetting.

use std::sync::Arc;

use lunette_client::model::id::{AssetId, VersionNumber};
use lunette_client::model::record::Record as _;
use serde_json::json;
use tempfile::TempDir;

use super::append::{Incoming, append};
use super::facts::Who;
use super::prune::prune;
use super::sighting::{Seen, SeenContent};
use super::state::{Extent, State};
use super::*;
use crate::change::{Item, LinkKind};
use lunette_client::model::asset::Asset;

const CONNECTION: &str = "http://127.0.0.1:1000";
const DAY: i64 = 24 * 60 * 60 * 1_000_000;

struct Fixture {
    folder: TempDir,
    versions: LocalVersions,
    asset: AssetId,
}

impl Fixture {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let database = Database::open(folder.path()).expect("a database").database;
        let versions = LocalVersions::new(database, CONNECTION, VersionBounds::default());
        Self { folder, versions, asset: AssetId::random() }
    }

    fn see(&self, at: i64, who: Who, seen: &Seen) {
        let LocalVersions { database, connection, .. } = &self.versions;
        let incoming = Incoming { asset: self.asset.as_str(), at, who, created: false, seen };
        database.change_versions(connection, |rows| append(rows, incoming)).expect("stored");
    }

    fn numbers(&self) -> Vec<i64> {
        let list = self.versions.of_asset(&self.asset).expect("a list");
        list.view().iterable().iter().map(|version| version.version()).collect()
    }

    fn content(&self, number: u32) -> Result<String, VersionError> {
        let number = VersionNumber::of(number).expect("a number");
        self.versions.content(&self.asset, &number).map(|content| content.view().text().unwrap_or_default().to_owned())
    }

    fn name(&self, number: u32) -> String {
        let number = VersionNumber::of(number).expect("a number");
        let record = self.versions.version(&self.asset, &number).expect("a version");
        record.view().name().unwrap_or_default().to_owned()
    }
}

fn record(name: &str, text: Option<&str>) -> Seen {
    let time = json!({ "value": "2026-11-20T12:00:00Z" });
    let asset = Asset::from_any(json!({
        "id": "a", "name": name, "creator": "u", "created": time, "updated": time, "mechanism": "MANUAL",
        "formats": { "iterable": [] }, "preview": { "base": { "id": "f" } }, "original": { "id": "f" },
        "tags": { "iterable": [] },
    }));
    let told = State::of_record(asset.expect("an asset").view(), Extent::Record);
    let content = text.map(|text| SeenContent { bytes: Arc::from(text.as_bytes()), is_text: true });
    Seen::Record { told, extent: Extent::Record, content }
}

/// A text of some lines, of which one is different for each number.
fn text(number: usize) -> String {
    (0..40).map(|line| format!("line {line} {}\n", if line == number % 40 { number } else { 0 })).collect()
}

#[test]
fn every_state_that_was_seen_is_there_in_order_and_to_the_byte() {
    let fixture = Fixture::new();
    for number in 1..=150 {
        // A read that shows nothing new adds nothing.
        for _ in 0..2 {
            fixture.see(number as i64, Who::Other, &record(&format!("{number}.txt"), Some(&text(number))));
        }
    }
    assert_eq!(fixture.numbers(), (1..=150).rev().collect::<Vec<_>>());
    for number in 1..=150 {
        assert_eq!(fixture.content(number as u32), Ok(text(number)));
        assert_eq!(fixture.name(number as u32), format!("{number}.txt"));
    }
}

#[test]
fn a_content_that_was_not_read_is_not_taken_from_another_version() {
    let fixture = Fixture::new();
    fixture.see(1, Who::Other, &record("a", Some("one\n")));
    fixture.see(2, Who::Other, &record("b", None));
    fixture.see(3, Who::Other, &record("c", None));
    assert_eq!(fixture.content(3), Err(VersionError::NotRead(3)));
    // Read now, it is the content of the newest, and the first is still the one that it was.
    fixture.see(4, Who::Other, &record("c", Some("three\n")));
    assert_eq!((fixture.content(1), fixture.content(3)), (Ok("one\n".to_owned()), Ok("three\n".to_owned())));
    assert_eq!((fixture.content(2), fixture.numbers()), (Err(VersionError::NotRead(2)), vec![3, 2, 1]));
    // A link of this program leaves the content as it was.
    let tag = Item::new(LinkKind::Tag, "t", "urgent", None);
    fixture.see(5, Who::Us, &Seen::Linked(tag, true));
    assert_eq!(fixture.content(4), Ok("three\n".to_owned()));
}

#[test]
fn a_deletion_is_a_version_and_so_is_coming_back() {
    let fixture = Fixture::new();
    fixture.see(1, Who::Other, &record("a", Some("one\n")));
    fixture.see(2, Who::Other, &Seen::Deleted);
    fixture.see(3, Who::Other, &Seen::Deleted);
    assert_eq!((fixture.numbers(), fixture.content(2)), (vec![2, 1], Ok("one\n".to_owned())));
    assert!(fixture.versions.assets_then(2).expect("a list").view().iterable().is_empty());
    assert_eq!(fixture.versions.assets_then(1).expect("a list").view().iterable().len(), 1);
    fixture.see(4, Who::Other, &record("a", None));
    assert_eq!(fixture.numbers(), [3, 2, 1]);
}

#[test]
fn versions_beyond_the_bounds_are_deleted_but_for_those_of_a_checkpoint() {
    let fixture = Fixture::new();
    for number in 1..=60 {
        fixture.see(number * DAY, Who::Other, &record(&number.to_string(), Some(&text(number as usize))));
    }
    let LocalVersions { database, connection, .. } = &fixture.versions;
    let checkpoint =
        |at, is_automatic| StoredCheckpoint { id: 0, name: "kept".to_owned(), at, assets: String::new(), is_automatic };
    // One that was made by itself keeps nothing.
    for checkpoint in [checkpoint(10 * DAY, false), checkpoint(12 * DAY, true)] {
        database.change_versions(connection, |rows| rows.add_checkpoint(&checkpoint)).expect("a checkpoint");
    }
    let bounds = VersionBounds { days: 20, ..VersionBounds::default() };
    prune(database, connection, bounds, 60 * DAY).expect("pruned");
    // The one that was there at the checkpoint, and those that were replaced within 20 days.
    let kept: Vec<i64> = (39..=60).rev().chain([10]).collect();
    let numbers = fixture.numbers();
    assert_eq!(numbers, kept);
    assert_eq!((fixture.content(10), fixture.content(39)), (Ok(text(10)), Ok(text(39))));
    assert!(matches!(fixture.content(20), Err(VersionError::NotKept(20))));
    // What takes too much is deleted from the oldest on; the newest is what the asset is.
    prune(database, connection, VersionBounds { bytes: 1, ..bounds }, 60 * DAY).expect("pruned");
    assert_eq!(fixture.numbers(), [60, 10]);
}

#[test]
fn what_was_forgotten_is_in_no_byte_of_the_database() {
    let fixture = Fixture::new();
    let secret = "WALNUT-7719";
    fixture.see(1, Who::Us, &record(secret, Some(&format!("{secret} {}", text(1)))));
    fixture.see(2, Who::Us, &record("renamed", Some(&text(2))));
    // A difference does not show the words in it, so that what is stored is looked for.
    let LocalVersions { database, connection, .. } = &fixture.versions;
    let stored = database.read_versions(connection, |rows| {
        let asset = rows.asset(fixture.asset.as_str())?.expect("an asset");
        Ok(rows.past(asset.id)?.into_iter().chain([asset.newest]).flat_map(|version| [version.record, version.content]))
    });
    let stored: Vec<Vec<u8>> = stored.expect("versions").collect();
    assert!(stored.len() == 4 && stored.iter().all(|stored| stored.len() > 8), "{stored:?}");
    let in_files = |stored: &Vec<u8>| -> bool {
        let files = std::fs::read_dir(fixture.folder.path()).expect("the folder").flatten();
        files.into_iter().filter(|file| file.path().is_file()).any(|file| {
            let bytes = std::fs::read(file.path()).expect("read");
            bytes.windows(stored.len()).any(|part| part == stored)
        })
    };
    assert!(stored.iter().all(in_files), "it is there before");
    assert_eq!(fixture.versions.forget(&fixture.asset), Ok(2));
    assert!(!stored.iter().any(in_files) && !in_files(&secret.into()) && fixture.numbers().is_empty());
}

#[test]
fn a_damaged_version_is_missing_by_name_and_those_after_it_are_whole() {
    let fixture = Fixture::new();
    for number in 1..=6 {
        fixture.see(number, Who::Other, &record(&number.to_string(), Some(&text(number as usize))));
    }
    let LocalVersions { database, connection, .. } = &fixture.versions;
    database
        .change_versions(connection, |rows| {
            let stored = rows.asset(fixture.asset.as_str())?.expect("an asset");
            let broken = rows.past(stored.id)?.into_iter().find(|version| version.number == 3).expect("version 3");
            rows.put_past(
                stored.id,
                &crate::db::versions::StoredVersion { record: vec![1, 2], content: vec![1], ..broken },
            )
        })
        .expect("damaged");
    let list = fixture.versions.of_asset(&fixture.asset).expect("a list");
    let missing: Vec<bool> = list.view().iterable().iter().map(|version| version.missing().is_some()).collect();
    assert_eq!(missing, [false, false, false, true, true, true]);
    assert_eq!((fixture.content(4), fixture.content(3)), (Ok(text(4)), Err(VersionError::Unreadable(3))));
}

#[test]
fn versions_grow_by_at_most_1_3_of_what_changed_above_the_newest() {
    let fixture = Fixture::new();
    let mut state = 7_u64;
    let mut letters = |count: usize| -> String {
        let mut letter = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            char::from(b'0' + (state >> 33) as u8 % 64)
        };
        (0..count).map(|_| letter()).collect()
    };
    let (mut contents, mut changed) = ((0..300).map(|_| letters(2048)).collect::<Vec<_>>(), 0);
    let assets: Vec<AssetId> = contents.iter().map(|_| AssetId::random()).collect();
    let LocalVersions { database, connection, .. } = &fixture.versions;
    let mut newest = 0;
    for version in 0..10 {
        for (asset, content) in assets.iter().zip(&mut contents) {
            if version > 0 {
                let at = 100 * version;
                content.replace_range(at..at + 200, &letters(200));
                changed += 200;
            }
            let seen = record("a", Some(content));
            let (at, who) = (version as i64, Who::Other);
            let incoming = Incoming { asset: asset.as_str(), at, who, created: false, seen: &seen };
            database.change_versions(connection, |rows| append(rows, incoming)).expect("stored");
        }
        database.truncate_log().expect("folded");
        let size = std::fs::metadata(database.path()).expect("the file").len();
        if version == 0 {
            newest = size;
        } else if version == 9 {
            let grown = (size - newest) as f64 / f64::from(changed);
            assert!(grown <= 1.3, "the file grew by {grown:.2} of what changed");
        }
    }
}
