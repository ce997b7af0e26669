//! What an export loses is said.

use std::fs;
use std::path::Path;

use lunette_inspector::export::library::Format;
use lunette_inspector::import::engine::{ContentKind, NewAsset, NewWebsite};

use super::stores::Store;

/// Parts of an asset, each with the texts by one of which it is found in an export, and the name under which its loss is
/// reported.
const PARTS: &[(&str, &[&str])] = &[
    ("contents", &["the content"]),
    ("names", &["odd: name?"]),
    ("tags", &["red blue", "red-blue"]),
    ("spaces in tags", &["red blue"]),
    ("websites", &["https://site.example/"]),
    ("names of websites", &["A site"]),
    ("descriptions", &["A description"]),
    ("annotations", &["Another note"]),
    ("favourites", &["isFavorites: 1", "favourite: true", "\"favourite\": true", "favourite"]),
    ("dates", &["2020-02-03", "1580702706000"]),
];

fn asset() -> NewAsset {
    let date = "2020-02-03T04:05:06Z".parse().ok();
    NewAsset {
        name: Some("odd: name?".to_owned()),
        language: Some("rs".to_owned()),
        tags: vec!["red blue".to_owned()],
        annotations: vec![
            NewAsset::description("A description".to_owned()),
            ("COMMENT".to_owned(), "Another note".to_owned()),
        ],
        websites: vec![NewWebsite { url: "https://site.example/".to_owned(), name: "A site".to_owned() }],
        favourite: true,
        created: date,
        updated: date,
        content: b"the content".to_vec(),
        kind: ContentKind::Text,
        ..NewAsset::default()
    }
}

/// The paths and texts of all files of an export.
fn written(path: &Path) -> String {
    let mut all = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    if path.is_dir() {
        for entry in fs::read_dir(path).expect("listed") {
            all.push_str(&written(&entry.expect("an entry").path()));
        }
    } else {
        all.push_str(&String::from_utf8_lossy(&fs::read(path).expect("read")));
    }
    all
}

#[test]
fn what_a_format_has_no_place_for_is_reported_with_each_export() {
    let (store, folder) = (Store::of(&[asset()]), tempfile::tempdir().expect("a folder"));
    for format in Format::all() {
        let path = folder.path().join(format.name());
        let report = store.export(format, &path).expect("written");
        assert_eq!((report.exported, report.left_out.assets().len()), (1, 0), "{format:?}");
        let (whole, said) = (written(&path), report.left_out.sentence().unwrap_or_default());
        for (part, texts) in PARTS {
            let is_written = texts.iter().any(|text| whole.contains(text));
            // Where all websites are lost, so are their names.
            let whole = part.rsplit(' ').next().unwrap_or(part);
            assert!(is_written || said.contains(whole), "{format:?}: {part} are neither written nor reported: {said}");
        }
        for (part, count) in report.left_out.parts() {
            let texts = PARTS.iter().find(|(name, _)| *name == part.name()).map_or(&[][..], |(_, texts)| texts);
            assert!(count == 1 && !texts.iter().any(|text| whole.contains(text)), "{format:?}: {part:?} are written");
        }
    }
}
