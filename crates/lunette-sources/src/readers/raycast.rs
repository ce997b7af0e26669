//! Raycast: the JSON that its command *Export Snippets* writes, a list of `name`, `text` and `keyword`. Placeholders such
//! as `{clipboard}` are kept.

use serde_json::Value;

use crate::candidate::{Candidate, Fragment, Library};
use crate::files::Files;
use crate::json::{some_text, string, texts};
use crate::shape::{Fields, Shape};
use crate::source::Facts;
use crate::{Reader, Source};

/// Reads exports of Raycast.
pub(crate) struct Raycast;

const SNIPPET: Fields = &[("name", Shape::Scalar), ("text", Shape::Scalar), ("keyword", Shape::Scalars)];

impl Source {
    /// Raycast, its export.
    pub const RAYCAST: Self = Self(&Facts::new("raycast", "Raycast", &Raycast));
}

impl Reader for Raycast {
    fn detects(&self, files: &Files) -> bool {
        let Some(path) = files.single().filter(|path| files.looks_like_json(path)) else { return false };
        let is_snippet = |value: &Value| {
            let known = |key: &String| matches!(key.as_str(), "name" | "text" | "keyword");
            some_text(value, "name").is_some()
                && some_text(value, "text").is_some()
                && value.as_object().is_some_and(|fields| fields.keys().all(known))
        };
        let tree = files.json(path);
        tree.is_ok_and(|tree| tree.as_array().is_some_and(|list| !list.is_empty() && list.iter().all(is_snippet)))
    }

    fn read(&self, files: &Files, library: &mut Library) {
        for path in files.content_paths().filter(|path| files.may_be(path, &["json"])) {
            let location = files.location(path);
            let tree = match files.json(path) {
                Ok(tree) => tree,
                Err(warning) => {
                    library.report([warning]);
                    continue;
                }
            };
            let Some(list) = tree.as_array() else {
                library.warn("raycast.shape", location, "is not a list of snippets");
                continue;
            };
            for (number, value) in list.iter().enumerate() {
                let name = string(value, "name");
                // The export has no ids; the name stays the same when a text is edited.
                let candidate = Candidate {
                    source_id: if name.is_empty() { format!("number {number}") } else { name.clone() },
                    name,
                    fragments: vec![Fragment::of_text("", None, &string(value, "text"))],
                    triggers: texts(value.get("keyword")),
                    ..Candidate::default()
                };
                library.add_of(value, SNIPPET, candidate, &format!("{location}:item {}", number + 1));
            }
        }
    }
}
