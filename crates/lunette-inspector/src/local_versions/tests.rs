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

    /// What is stored of an earlier version: its record and its content.
    fn stored(&self, number: i64) -> [Vec<u8>; 2] {
        let LocalVersions { database, connection, .. } = &self.versions;
        let past = database.read_versions(connection, |rows| {
            let stored = rows.asset(self.asset.as_str())?.expect("an asset");
            rows.past(stored.id)
        });
        let row = past.expect("rows").into_iter().find(|row| row.number == number).expect("the version");
        [row.record, row.content]
    }

    /// Whether any file of the database has these bytes.
    fn holds(&self, part: &[u8]) -> bool {
        let files = std::fs::read_dir(self.folder.path()).expect("the folder").flatten();
        files.into_iter().filter(|file| file.path().is_file()).any(|file| {
            let bytes = std::fs::read(file.path()).expect("read");
            bytes.windows(part.len()).any(|found| found == part)
        })
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

/// Text that cannot be compressed, so that it is found in the bytes of the database.
fn noise(seed: u64) -> String {
    let mut state = seed;
    let mut letter = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        char::from(b'a' + (state >> 33) as u8 % 26)
    };
    (0..200).map(|_| letter()).collect()
}

#[test]
fn what_was_forgotten_is_in_no_byte_of_the_database() {
    let fixture = Fixture::new();
    let secret = "WALNUT-7719";
    fixture.see(1, Who::Us, &record(secret, Some(&format!("{}{secret}{}", noise(1), noise(2)))));
    fixture.see(2, Who::Us, &record("renamed", Some(&noise(3))));
    // A difference does not show the words in it, so that what is stored is looked for.
    let stored = fixture.stored(1);
    assert!(stored.iter().all(|part| part.len() > 8 && fixture.holds(part)), "it is there before");
    assert_eq!(fixture.versions.forget(&fixture.asset), Ok(2));
    assert!(!stored.iter().any(|part| fixture.holds(part)) && !fixture.holds(secret.as_bytes()));
    assert!(fixture.numbers().is_empty());
}

#[test]
fn one_version_is_forgotten_to_the_byte_and_those_that_hung_on_it_are_whole() {
    let fixture = Fixture::new();
    // The second is stored as its difference from the third, and the first as its difference from the second.
    let (one, two) = (format!("{}{}", noise(1), noise(2)), format!("{}{}", noise(1), noise(4)));
    fixture.see(1, Who::Us, &record("a", Some(&one)));
    fixture.see(2, Who::Us, &record("b", Some(&two)));
    fixture.see(3, Who::Us, &record("c", Some(&noise(5))));
    fixture.see(4, Who::Us, &record("d", Some(&noise(6))));
    let stored = fixture.stored(2);
    assert!(stored.iter().all(|part| part.len() > 8 && fixture.holds(part)), "they are there before");
    let number = |number| VersionNumber::of(number).expect("a number");
    assert_eq!(fixture.versions.forget_one(&fixture.asset, &number(2)), Ok(()));
    assert!(!stored.iter().any(|part| fixture.holds(part)));
    assert_eq!((fixture.numbers(), fixture.content(2)), (vec![4, 3, 2, 1], Err(VersionError::Forgotten(2))));
    assert_eq!((fixture.content(1), fixture.content(3)), (Ok(one.clone()), Ok(noise(5))));
    assert_eq!((fixture.name(1).as_str(), fixture.name(3).as_str()), ("a", "c"));
    let list = fixture.versions.of_asset(&fixture.asset).expect("a list");
    let missing: Vec<_> = list.view().iterable().iter().map(|version| version.missing().map(str::to_owned)).collect();
    assert_eq!(missing, [None, None, Some("it was forgotten".to_owned()), None]);
    // It was there, and what it was is not said.
    let then = fixture.versions.assets_then(2).expect("a list");
    let row = then.view().iterable().iter().next().expect("a row");
    assert_eq!((row.version(), row.name(), row.recorded()), (2, None, false));

    // The one before it goes too, then that before the newest; what is left can be read.
    assert_eq!(fixture.versions.forget_one(&fixture.asset, &number(3)), Ok(()));
    assert_eq!((fixture.content(1), fixture.content(4)), (Ok(one), Ok(noise(6))));
    let refused = [2, 4, 9].map(|of| fixture.versions.forget_one(&fixture.asset, &number(of)));
    let expected = [VersionError::Forgotten(2), VersionError::Newest(4), VersionError::NotKept(9)].map(Err);
    assert_eq!(refused, expected);
}

#[test]
fn a_content_that_is_read_later_leaves_what_is_before_a_forgotten_version_whole() {
    let fixture = Fixture::new();
    for number in 1..=3 {
        fixture.see(number, Who::Other, &record(&number.to_string(), Some(&text(number as usize))));
    }
    fixture.see(4, Who::Other, &record("4", None));
    let third = VersionNumber::of(3).expect("a number");
    assert_eq!(fixture.versions.forget_one(&fixture.asset, &third), Ok(()));
    fixture.see(5, Who::Other, &record("4", Some(&text(4))));
    let contents = [1, 2, 4].map(|number| fixture.content(number));
    assert_eq!(contents, [1, 2, 4].map(|number| Ok(text(number))));
}

#[test]
fn a_version_that_looks_like_it_holds_a_secret_is_marked() {
    let fixture = Fixture::new();
    // Made up, in the form of a token.
    let token = ["gh", "p_16C7e42F292c6912E7710c838347Ae178B4a"].concat();
    fixture.see(1, Who::Us, &record("a", Some("one\n")));
    fixture.see(2, Who::Us, &record("a", Some(&format!("token = \"{token}\"\n"))));
    fixture.see(3, Who::Us, &record("a", Some("three\n")));
    let list = fixture.versions.of_asset(&fixture.asset).expect("a list");
    let marked: Vec<bool> = list.view().iterable().iter().map(|version| version.secret().is_some()).collect();
    assert_eq!(marked, [false, true, false]);
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
