//! Pieces: archives of its export tool, whole and damaged.

use std::collections::BTreeMap;

use lunette_sources::{Candidate, Files, Library, Limits, Native, Source, read, recognise};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::{codes, date, languages, library, names, open, sample, texts};

/// The files of a sample, to change them.
struct Archive(BTreeMap<String, Vec<u8>>);

impl Archive {
    fn of(name: &str) -> Self {
        let files = open(&sample(name));
        Self(files.paths().map(|path| (path.to_owned(), files.bytes(path).expect("bytes"))).collect())
    }

    /// The path of the record of this kind and id.
    fn path(folder: &str, kind: &str, id: &str) -> String {
        format!("data/{folder}/{}.json", hex(format!("{kind}\0{id}").as_bytes()))
    }

    /// Changes a JSON file; its sum stays as it was.
    fn edit(&mut self, path: &str, change: impl FnOnce(&mut Value)) {
        let mut value: Value = serde_json::from_slice(&self.0[path]).expect("JSON");
        change(&mut value);
        self.0.insert(path.to_owned(), value.to_string().into_bytes());
    }

    fn files(&self, name: &str, below: &str, limits: Limits) -> Files {
        let named: Vec<_> = self.0.iter().map(|(path, bytes)| (format!("{below}{path}"), bytes.clone())).collect();
        Files::of_memory(name, named.iter().map(|(path, bytes)| (path.as_str(), bytes.clone())), limits)
    }

    fn read(&self) -> Library {
        let files = self.files("library", "", Limits::default());
        assert_eq!(recognise(&files), Some(Source::PIECES));
        read(&files, Source::PIECES)
    }
}

fn hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

const CODE: &str = "01a2143d-7009-70ed-b67a-80f6a07c31e3";
const CODE_FORMAT: &str = "01a2143d-7009-70ed-b67a-80f70e89f277";
const NOTES: &str = "01a21443-b31a-74d9-9a2b-a7eaceac7050";
const SUMMARY: &str = "c9c67105-90f1-4a4b-8a2d-a3d927ce6352";

fn asset(id: &str) -> String {
    Archive::path("assets", "ASSETS", id)
}

fn native(candidate: &Candidate) -> (&Native, Value) {
    let native = candidate.native.as_ref().expect("it was an asset");
    (native, serde_json::from_str(&native.archived).expect("JSON"))
}

/// The codes of the warnings of an item, and the last names of their locations.
fn warnings(candidate: &Candidate) -> Vec<(&str, &str)> {
    let last = |location: &'_ str| location.rsplit_once('/').map_or(0, |(start, _)| start.len() + 1);
    candidate.warnings.iter().map(|warning| (warning.code, &warning.location[last(&warning.location)..])).collect()
}

#[test]
fn an_archive_is_read_with_all_that_its_records_say() {
    let library = library("pieces");
    let [code, notes] = library.candidates.as_slice() else { panic!("{library:?}") };
    assert_eq!((code.source_id.as_str(), code.name.as_str(), code.favourite), (CODE, "größe — 🌙.rs", true));
    assert_eq!(
        (texts(code), languages(code)),
        (vec!["fn main() {\n    println!(\"grüße 🌙\");\n}\n"], vec![Some("rs")])
    );
    assert_eq!(code.tags, ["größe", "a b"]);
    let dates = ["2026-11-25T19:45:00.425273Z", "2026-11-25T19:45:38.155635Z"].map(|date| Some(date.to_owned()));
    assert_eq!(date(code), dates.into());
    let (kept, archived) = native(code);
    assert_eq!(kept.websites, [("https://example.org/ä?q=1#x".to_owned(), "Example Ä".to_owned())]);
    let annotations: Vec<_> = kept.annotations.iter().map(|(kind, text)| (kind.as_str(), text.as_str())).collect();
    let expected = [
        ("DESCRIPTION", "Imported from in/größe — 🌙.rs"),
        ("DESCRIPTION", "Says hello.\nTwo lines."),
        ("COMMENT", "a “comment”"),
    ];
    assert_eq!((annotations, kept.is_text), (expected.to_vec(), true));
    let record = &archived["record"];
    assert_eq!((&record["id"], &record["score"]["manual"]), (&json!(CODE), &json!(17)));
    let first = |field: &str| &record[field]["iterable"][0];
    assert_eq!(first("tags"), &json!({ "category": "UNKNOWN", "mechanisms": { CODE: "MANUAL" }, "text": "größe" }));
    assert_eq!(first("summaries")["annotations"]["iterable"][0]["text"], "what was done");
    assert_eq!(first("persons")["type"]["basic"]["name"], "Ada", "only the person says so");
    assert_eq!(first("anchors")["points"]["iterable"][0]["fullpath"], "/project/src/main.rs");
    assert_eq!(first("hints")["text"], "What does it print?");
    let messages = &archived["conversations"][0]["messages"]["iterable"];
    assert_eq!(messages[0]["fragment"]["string"]["raw"], "why?");
    assert_eq!((notes.source_id.as_str(), texts(notes)), (NOTES, vec!["# Notes\n\nOne.\n"]));
    assert_eq!(notes.tags, ["a b"], "a record says so that joins both");
}

#[test]
fn what_the_export_left_out_or_replaced_is_named() {
    let library = library("pieces");
    let reported: Vec<_> = library.warnings.iter().map(|warning| (warning.code, warning.message.as_str())).collect();
    let expected = [
        ("pieces.incomplete", "only 2 of its 3 assets can be imported, see the other warnings"),
        ("pieces.partial", "says that the export could not read everything: see coverage.md in the archive"),
        ("pieces.excluded", "records of ASSETS that the rules of the export exclude: 1"),
        ("pieces.withheld", "records of TAGS that the export withheld because it could not check them: 1"),
        ("pieces.withheld", "\"dot.png\" has content that the export withheld and was left out"),
    ];
    assert_eq!(reported, expected);
    assert_eq!(warnings(&library.candidates[0])[0].0, "pieces.redacted");
    assert_eq!(warnings(&library.candidates[1]), []);
}

#[test]
fn an_archive_of_format_4_has_the_bytes_of_files_and_no_sums() {
    let library = library("pieces-4");
    let [picture] = library.candidates.as_slice() else { panic!("{library:?}") };
    assert_eq!((picture.name.as_str(), languages(picture)), ("dot.png", vec![Some("png")]));
    assert_eq!((picture.fragments[0].bytes.len(), &picture.fragments[0].bytes[..4]), (33, b"\x89PNG".as_slice()));
    let (kept, _) = native(picture);
    assert_eq!((kept.is_text, kept.annotations.len()), (false, 1), "what is within its record counts");
    assert_eq!(codes(&library), ["pieces.checksum"]);
    // The format is within the asset as well.
    let mut archive = Archive::of("pieces-4");
    archive.0.retain(|path, _| !path.starts_with("raw/formats/"));
    assert_eq!(names(&archive.read()), ["dot.png"]);
    let asset = archive.0.keys().find(|path| path.starts_with("raw/assets/")).cloned().expect("an asset");
    archive.edit(&asset, |asset| {
        asset["original"]["reference"]["file"] = Value::Null;
        asset["formats"]["iterable"][0]["file"] = Value::Null;
    });
    assert_eq!(names(&archive.read()), ["dot.png"], "a large content is in the preview alone");
}

#[test]
fn a_changed_record_is_read_and_named() {
    let mut archive = Archive::of("pieces");
    let format = Archive::path("formats", "FORMATS", CODE_FORMAT);
    archive.edit(&format, |format| format["fragment"]["string"]["raw"] = "changed".into());
    archive.edit(&asset(NOTES), |asset| asset["name"] = "renamed".into());
    archive.0.insert(asset("added"), br#"{"id": "added", "name": "added", "formats": {"iterable": []}}"#.to_vec());
    archive.0.insert(format!("data/assets/{}.json", "0".repeat(64)), archive.0[&asset(NOTES)].clone());
    let library = archive.read();
    assert_eq!(names(&library), ["größe — 🌙.rs", "renamed", "renamed"]);
    assert_eq!(texts(&library.candidates[0]), ["changed"]);
    let name = |path: &str| path.rsplit('/').next().expect("a name").to_owned();
    assert_eq!(warnings(&library.candidates[0])[0], ("pieces.checksum", name(&format).as_str()));
    let copied = ("pieces.checksum", format!("{}.json", "0".repeat(64)));
    let renamed = warnings(&library.candidates[1]).into_iter().map(|(code, location)| (code, location.to_owned()));
    assert_eq!(renamed.collect::<Vec<_>>(), [copied.clone(), copied], "its content and its name are wrong");
    assert_eq!(warnings(&library.candidates[2]), [("pieces.checksum", name(&asset(NOTES)).as_str())]);
    let added = library.warnings.iter().filter(|warning| warning.location.ends_with(&name(&asset("added"))));
    assert_eq!(added.map(|warning| warning.code).collect::<Vec<_>>(), ["pieces.checksum", "pieces.content"]);
    let ids: Vec<_> = library.candidates.iter().map(|candidate| candidate.source_id.as_str()).collect();
    assert_eq!(ids, [CODE, NOTES, &format!("{NOTES} (2)")]);
}

#[test]
fn missing_and_broken_records_are_named_and_the_rest_is_read() {
    let mut archive = Archive::of("pieces");
    archive.0.remove(&asset(CODE));
    let summary = Archive::path("summaries", "WORKSTREAM_SUMMARIES", SUMMARY);
    archive.0.insert(summary.clone(), b"{\n\"id\": ".to_vec());
    archive.0.retain(|path, _| !path.starts_with("data/annotations/"));
    let library = archive.read();
    assert_eq!(names(&library), ["notes.md"]);
    let reported: Vec<_> = library.warnings.iter().map(|warning| (warning.code, warning.location.as_str())).collect();
    assert!(reported.contains(&("pieces.missing", format!("library/{}", asset(CODE)).as_str())), "{reported:?}");
    assert!(reported.contains(&("json.invalid", format!("library/{summary}:2:6").as_str())), "{reported:?}");
    let missing = library.warnings.iter().find(|warning| warning.message.contains("ANNOTATIONS"));
    assert!(missing.is_some_and(|warning| warning.message.ends_with("missing in all: 6")), "{missing:?}");
    let [linked] = library.candidates[0].warnings.as_slice() else { panic!("{library:?}") };
    assert_eq!(
        (linked.code, linked.message.as_str()),
        ("pieces.link", "records that it is linked to and that are not there: 1")
    );
}

#[test]
fn truncated_lines_are_named_and_the_lines_before_them_count() {
    let mut archive = Archive::of("pieces");
    let lines = "data/associations/tag_to_asset_associations/group-000000.jsonl";
    for path in [lines, "rebuild-state.jsonl"] {
        let bytes = archive.0.get_mut(path).expect("it is there");
        bytes.truncate(bytes.len() - 30);
    }
    let library = archive.read();
    assert_eq!((names(&library).len(), library.candidates[1].tags.len()), (2, 0));
    let reported: Vec<_> = library.warnings.iter().map(|warning| (warning.code, warning.location.as_str())).collect();
    assert!(reported.iter().any(|(_, location)| location.starts_with(&format!("library/{lines}:2:"))), "{reported:?}");
    assert!(reported.contains(&("pieces.checksum", "library/rebuild-state.jsonl")), "{reported:?}");
    assert!(
        reported
            .iter()
            .any(|(code, location)| *code == "pieces.state" && location.starts_with("library/rebuild-state.jsonl:"))
    );
    archive.0.remove("rebuild-state.jsonl");
    let library = archive.read();
    let unread = library.warnings.iter().find(|warning| warning.location == "library/rebuild-state.jsonl");
    assert!(
        unread.is_some_and(|warning| warning.message == "there is no such file: nothing is verified"),
        "{unread:?}"
    );
    assert_eq!(names(&library).len(), 2);
}

#[test]
fn an_archive_that_was_not_finished_is_refused() {
    let refused = |archive: &Archive, name: &str, below: &str| {
        let files = archive.files(name, below, Limits::default());
        assert_eq!(recognise(&files), Some(Source::PIECES), "{name} {below}");
        let library = read(&files, Source::PIECES);
        assert_eq!((library.candidates.len(), codes(&library)), (0, vec!["pieces.unfinished"]), "{name} {below}");
    };
    let mut archive = Archive::of("pieces");
    refused(&archive, "export.partial", "");
    refused(&archive, "export.zip", "export.partial/");
    assert_eq!(names(&read(&archive.files("export.zip", "export/", Limits::default()), Source::PIECES)).len(), 2);
    archive.edit("manifest.json", |manifest| manifest["status"] = "running".into());
    refused(&archive, "export", "");
    archive.0.remove("manifest.json");
    refused(&archive, "export.partial", "");
    assert_eq!(recognise(&archive.files("export", "", Limits::default())), None);
    archive.0.insert("manifest.json".to_owned(), br#"{"format_version": 6}"#.to_vec());
    assert_eq!(recognise(&archive.files("export", "", Limits::default())), None, "any program has a manifest");
}

#[test]
fn a_later_format_is_read_as_far_as_possible() {
    let mut archive = Archive::of("pieces");
    archive.edit("manifest.json", |manifest| manifest["format_version"] = 7.into());
    let library = archive.read();
    assert_eq!(names(&library).len(), 2);
    assert!(codes(&library).contains(&"pieces.version"));
}

#[test]
fn ids_are_never_paths() {
    let mut archive = Archive::of("pieces");
    archive.0.insert("secret.json".to_owned(), br#"{"fragment": {"string": {"raw": "secret"}}}"#.to_vec());
    for id in ["../../secret", "/etc/passwd", "..\\..\\secret", "\0"] {
        archive.edit(&asset(NOTES), |asset| {
            asset["original"] = json!({ "id": id });
            asset["tags"] = json!({ "iterable": [id, { "id": id }] });
        });
        let library = archive.read();
        assert_eq!(names(&library), ["größe — 🌙.rs"], "{id:?}");
        assert!(codes(&library).contains(&"pieces.content"), "{id:?}");
    }
}

#[test]
fn records_that_refer_to_each_other_often_are_read_within_a_bound() {
    let mut archive = Archive::of("pieces");
    let large = "x".repeat(100_000);
    archive
        .edit(&Archive::path("summaries", "WORKSTREAM_SUMMARIES", SUMMARY), |summary| summary["name"] = large.into());
    let made = |number: usize| {
        let text = json!({ "id": "f", "reference": { "fragment": { "string": { "raw": "text" } } } });
        let summaries = json!({ "iterable": [{ "id": SUMMARY }] });
        json!({ "id": number.to_string(), "name": "many", "original": text, "summaries": summaries })
            .to_string()
            .into_bytes()
    };
    for number in 0..100 {
        archive.0.insert(asset(&number.to_string()), made(number));
    }
    let limits = Limits { total_bytes: 500_000, ..Limits::default() };
    let library = read(&archive.files("library", "", limits), Source::PIECES);
    assert!((1..10).contains(&library.candidates.len()), "{}", library.candidates.len());
    assert!(codes(&library).contains(&"limit.total"));
    let limits = Limits { total_bytes: 20_000, ..Limits::default() };
    let library = read(&archive.files("library", "", limits), Source::PIECES);
    assert_eq!(codes(&library).iter().filter(|code| **code == "limit.work").count(), 1, "{:?}", codes(&library));
    // What is linked to one asset is bounded too.
    archive.edit(&Archive::path("summaries", "WORKSTREAM_SUMMARIES", SUMMARY), |summary| {
        summary["name"] = "x".repeat(3 << 20).into()
    });
    let library = archive.read();
    assert!(library.candidates[0].warnings.iter().any(|warning| warning.code == "pieces.history"));
    assert!(native(&library.candidates[0]).0.archived.len() < 2 << 20);
}

#[test]
fn a_record_that_many_assets_share_keeps_only_what_it_says_of_each() {
    let mut archive = Archive::of("pieces");
    let many: Vec<Value> = (0..40_000).map(|number| json!({ "id": format!("asset {number:>32}") })).collect();
    for (folder, kind, id) in [
        ("tags", "TAGS", "c2c349b0-67e9-46c2-91b3-c624cc0af37b"),
        ("persons", "PERSONS", "e5c8a546-21aa-499a-96d9-44748910a1fa"),
        ("conversations", "CONVERSATIONS", "80a75467-ec4b-4031-9e33-ed68ca16981b"),
    ] {
        archive.edit(&Archive::path(folder, kind, id), |record| {
            record["assets"]["iterable"].as_array_mut().expect("a list").extend(many.clone());
            record["mechanisms"]["other"] = "AUTOMATIC".into();
        });
    }
    let library = archive.read();
    let code = &library.candidates[0];
    assert!(warnings(code).iter().all(|(code, _)| *code != "pieces.history"), "{:?}", warnings(code));
    let (_, archived) = native(code);
    assert_eq!((code.tags.len(), archived["conversations"].as_array().map(Vec::len)), (2, Some(1)));
    let person = &archived["record"]["persons"]["iterable"][0];
    assert_eq!((&person["mechanisms"], &person["assets"]), (&json!({ CODE: "MANUAL" }), &Value::Null));
}

#[test]
fn activities_come_with_their_application_in_the_order_in_which_they_happened() {
    let mut archive = Archive::of("pieces");
    let mut add = |folder: &str, kind: &str, record: Value| {
        let path = Archive::path(folder, kind, record["id"].as_str().expect("an id"));
        archive.0.insert(path, record.to_string().into_bytes());
    };
    let activity = |id: &str, created: &str, application: &str| {
        json!({ "id": id, "created": { "value": created }, "mechanism": "AUTOMATIC", "rank": 2,
            "event": { "asset": { "asset": { "id": CODE }, "identifier_description_pair": { "asset_referenced": "x" } } },
            "application": { "id": application }, "asset": { "id": CODE } })
    };
    add("applications", "APPLICATIONS", json!({ "id": "editor", "name": "VS_CODE", "version": "1.0.0" }));
    add("activities", "ACTIVITIES", activity("later", "2026-02-01T00:00:00Z", "editor"));
    add("activities", "ACTIVITIES", activity("sooner", "2026-01-01T00:00:00Z", "editor"));
    add("activities", "ACTIVITIES", activity("unknown", "2026-03-01T00:00:00Z", "not in the archive"));
    let library = archive.read();
    let (_, archived) = native(&library.candidates[0]);
    let activities = archived["activities"].as_array().expect("activities");
    assert_eq!(activities.iter().map(|one| one["id"].as_str()).collect::<Vec<_>>(), [Some("sooner"), Some("later")]);
    let [first, _] = activities.as_slice() else { panic!("two of them") };
    assert_eq!((&first["application"]["name"], &first["rank"]), (&json!("VS_CODE"), &json!(2)));
    let warnings = warnings(&library.candidates[0]);
    assert!(warnings.iter().any(|(code, _)| *code == "pieces.link"), "{warnings:?}");
}
