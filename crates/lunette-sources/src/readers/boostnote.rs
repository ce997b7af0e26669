//! Boostnote, the version before 2021: a storage folder with `boostnote.json` and `notes/KEY.cson`.

use std::collections::HashMap;

use serde_json::Value;

use crate::candidate::{Candidate, Fragment, Library};
use crate::files::{Files, extension, roots_of, stem};
use crate::json::{self, JsonError, flag, list, some_string, string, text, texts};
use crate::shape::{Fields, Shape};
use crate::{Reader, Source, Warning, cson, date};

/// Reads storages of Boostnote.
pub(crate) struct Boostnote;

const INDEX: &str = "boostnote.json";

const FOLDERS: Fields = &[("folders", Shape::Records(&[("key", Shape::Scalar), ("name", Shape::Scalar)]))];
const NOTE: Fields = &[
    ("type", Shape::Scalar),
    ("title", Shape::Scalar),
    ("content", Shape::Scalar),
    ("description", Shape::Scalar),
    ("folder", Shape::Scalar),
    ("tags", Shape::Scalars),
    ("isStarred", Shape::Flag),
    ("isTrashed", Shape::Flag),
    ("createdAt", Shape::Date),
    ("updatedAt", Shape::Date),
    ("snippets", Shape::Records(&[("name", Shape::Scalar), ("mode", Shape::Scalar), ("content", Shape::Scalar)])),
];

impl Reader for Boostnote {
    fn source(&self) -> Source {
        Source::Boostnote
    }

    fn detects(&self, files: &Files) -> bool {
        files.contains(INDEX) && files.paths().any(|path| path.starts_with("notes/") && extension(path) == "cson")
    }

    fn foreign<'a>(&self, files: &'a Files) -> Vec<&'a str> {
        let own =
            |path: &str| path == INDEX || ["notes/", "attachments/"].iter().any(|folder| path.starts_with(folder));
        files.visible_paths().filter(|path| !own(path)).collect()
    }

    fn roots(&self, files: &Files) -> Vec<String> {
        roots_of(files.paths(), INDEX)
    }

    fn read(&self, files: &Files, library: &mut Library) {
        let folders = match files.contains(INDEX).then(|| document(files, INDEX)) {
            Some(Ok(index)) => names(&index, &files.location(INDEX), library),
            Some(Err(warning)) => {
                library.report([warning]);
                HashMap::new()
            }
            None => HashMap::new(),
        };
        for path in files.content_paths().filter(|path| files.may_be(path, &["cson"])) {
            match document(files, path) {
                Ok(note) => {
                    let location = files.location(path);
                    library.add_of(&note, NOTE, candidate(path, &note, &folders, &location), &location);
                }
                Err(warning) => library.report([warning]),
            }
        }
    }
}

/// A document that is CSON, or JSON despite its name.
fn document(files: &Files, path: &str) -> Result<Value, Warning> {
    let text = files.text(path)?;
    let location = files.location(path);
    match json::parse_strict(text.as_bytes()) {
        Ok(value) => {
            files.keys_of_json(&text, &location);
            return Ok(value);
        }
        Err(error @ JsonError::TooLarge) => return Err(error.at(&location)),
        Err(JsonError::Invalid(_)) => {}
    }
    let (value, repeated_keys) = cson::parse(&text).map_err(|(line, message)| {
        Warning::new("cson.invalid", format!("{location}:{line}"), format!("is not valid CSON: {message}"))
    })?;
    files.note_keys("cson.twice", &location, repeated_keys);
    Ok(value)
}

/// The names of folders by their keys.
fn names(index: &Value, location: &str, library: &mut Library) -> HashMap<String, String> {
    library.check(index, FOLDERS, location);
    let folder = |value| (string(value, "key"), library.shared_name(&string(value, "name"), location));
    list(index, "folders").iter().map(folder).collect()
}

fn candidate(path: &str, note: &Value, folders: &HashMap<String, String>, location: &str) -> Candidate {
    let snippet = |value: &Value| {
        Fragment::of_text(&string(value, "name"), some_string(value, "mode").as_deref(), &string(value, "content"))
    };
    let fragments = match text(note, "type") {
        "SNIPPET_NOTE" => list(note, "snippets").iter().map(snippet).collect(),
        _ => vec![Fragment::of_text("", Some("markdown"), &string(note, "content"))],
    };
    let stored =
        fragments.iter().any(|fragment: &Fragment| String::from_utf8_lossy(&fragment.bytes).contains(":storage/"));
    let message = "refers to attachments, which were left out";
    let mut warnings: Vec<Warning> =
        stored.then(|| Warning::new("boostnote.attachments", location, message)).into_iter().collect();
    let key = string(note, "folder");
    let folder = folders.get(&key).cloned();
    if folder.is_none() && !key.is_empty() {
        warnings.push(Warning::of_value(location, "folder", &Value::from(key), "the key of a folder"));
    }
    Candidate {
        source_id: stem(path).to_owned(),
        name: string(note, "title"),
        fragments,
        tags: texts(note.get("tags")),
        folder: folder.into_iter().collect(),
        description: some_string(note, "description"),
        favourite: flag(note, "isStarred"),
        trashed: flag(note, "isTrashed"),
        created: date::of_json(note.get("createdAt")),
        updated: date::of_json(note.get("updatedAt")),
        warnings,
        ..Candidate::default()
    }
}
