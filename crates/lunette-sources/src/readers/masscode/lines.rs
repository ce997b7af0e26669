//! massCode 1: `masscode.db`, `snippets.db` and `tags.db`, one JSON document per line, of which the last one with an id
//! counts.

use std::collections::HashMap;

use serde_json::Value;

use super::json::fragment;
use super::{NAMED, add};
use crate::candidate::{Candidate, Library};
use crate::date;
use crate::files::Files;
use crate::json::{self, JsonError, flag, id, list, some_string, string, texts};
use crate::shared_names::{FolderTree, names_of, unnamed};
use crate::warning::Warning;

/// Whether the first line of a file is a snippet.
pub(super) fn has_shape(files: &Files, path: &str) -> bool {
    let text = files.text(path).unwrap_or_default();
    let first = text.lines().find_map(|line| json::parse_strict(line.as_bytes()).ok());
    first.is_some_and(|value| {
        value.get("_id").is_some() && (value.get("content").is_some() || flag(&value, "$$deleted"))
    })
}

/// Returns the documents of a file, each in its last state, in the order in which they were first written.
fn documents(files: &Files, path: &str, library: &mut Library) -> Vec<(usize, Value)> {
    let text = match files.text(path) {
        Ok(text) => text,
        Err(warning) => {
            library.report([warning]);
            return Vec::new();
        }
    };
    let (mut order, mut used): (Vec<String>, u64) = Default::default();
    let mut found: HashMap<String, (usize, Value)> = HashMap::new();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let location = format!("{}:{}", files.location(path), number + 1);
        match json::parse_line(line.as_bytes(), &mut used) {
            Ok(value) => {
                files.keys_of_json(line, &location);
                let Some(id) = id(&value, "_id") else {
                    // Lines with another mark alone declare indexed fields.
                    if !value.as_object().is_some_and(|fields| fields.keys().all(|name| name.starts_with("$$"))) {
                        library.report([Warning::of_value(&location, "line", &value, "a record with an id")]);
                    }
                    continue;
                };
                if flag(&value, "$$deleted") {
                    found.remove(&id);
                } else {
                    if !found.contains_key(&id) {
                        order.push(id.clone());
                    }
                    found.insert(id, (number + 1, value));
                }
            }
            Err(JsonError::Invalid(error)) => {
                library.warn("json.invalid", location, format!("the line is not valid JSON: {error}"));
            }
            Err(error) => {
                library.report([error.at(&location)]);
                break;
            }
        }
    }
    order.iter().filter_map(|id| found.remove(id)).collect()
}

fn folders_of(list: &[Value], above: Option<&str>, location: &str, folders: &mut FolderTree, library: &mut Library) {
    for value in list {
        library.check(value, NAMED, location);
        let Some(id) = id(value, "id") else {
            library.report([Warning::of_value(location, "list", value, "a folder with an id")]);
            continue;
        };
        let name = library.shared_name(&string(value, "name"), location);
        folders.insert(id.clone(), name, above.map(str::to_owned));
        folders_of(self::list(value, "children"), Some(&id), location, folders, library);
    }
}

pub(super) fn read(files: &Files, folder: &str, library: &mut Library) {
    let mut folders = FolderTree::default();
    let mut tags = HashMap::new();
    for (name, needed) in [("masscode.db", "folders"), ("tags.db", "tags")] {
        let path = format!("{folder}{name}");
        let location = files.location(&path);
        if !files.contains(&path) {
            library.warn("masscode.missing", location, format!("is missing: {needed} have no names"));
        } else if name == "tags.db" {
            for (_, tag) in documents(files, &path, library) {
                library.check(&tag, NAMED, &location);
                let name = library.shared_name(&string(&tag, "name"), &location);
                tags.extend(id(&tag, "_id").map(|id| (id, name)));
            }
        } else {
            for (_, document) in documents(files, &path, library) {
                folders_of(list(&document, "list"), None, &location, &mut folders, library);
            }
        }
    }
    let path = format!("{folder}snippets.db");
    for (line, value) in documents(files, &path, library) {
        let location = format!("{}:{line}", files.location(&path));
        let date = |field: &str| date::of_json(value.get(field).map(|date| date.get("$$date").unwrap_or(date)));
        let of_snippet = texts(value.get("tags"));
        let mut candidate = Candidate {
            source_id: id(&value, "_id").unwrap_or_default(),
            name: string(&value, "name"),
            fragments: list(&value, "content").iter().map(fragment).collect(),
            tags: names_of(&of_snippet, &tags),
            folder: folders.path(id(&value, "folderId").as_deref(), &location, library),
            description: some_string(&value, "description"),
            favourite: flag(&value, "isFavorites"),
            trashed: flag(&value, "isDeleted"),
            created: date("createdAt"),
            updated: date("updatedAt"),
            ..Candidate::default()
        };
        candidate.warnings.extend(unnamed(&of_snippet, &tags, &location));
        add(Some(&value), candidate, &location, library);
    }
}
