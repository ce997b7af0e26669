//! ByteStash: its export, `{version, exported_at, snippets}`.

use serde_json::Value;

use crate::candidate::{Candidate, Fragment, Library};
use crate::date;
use crate::files::Files;
use crate::json::{flag, id, list, some_text, text, texts};
use crate::{Reader, Source};

/// Reads exports of ByteStash.
pub(crate) struct ByteStash;

impl Reader for ByteStash {
    fn source(&self) -> Source {
        Source::ByteStash
    }

    fn detects(&self, files: &Files) -> bool {
        let Some(path) = files.single().filter(|path| files.looks_like_json(path)) else { return false };
        files.json(path).is_ok_and(|tree| {
            tree.get("exported_at").is_some()
                && tree.get("snippets").is_some_and(Value::is_array)
                && list(&tree, "snippets").iter().all(|snippet| snippet.get("fragments").is_some())
        })
    }

    fn read(&self, files: &Files, library: &mut Library) {
        for path in files.content_paths().filter(|path| files.may_be(path, &["json"])) {
            match files.json(path) {
                Ok(tree) => {
                    for (number, value) in list(&tree, "snippets").iter().enumerate() {
                        let location = format!("{}:item {}", files.location(path), number + 1);
                        library.add(candidate(value), &location);
                    }
                }
                Err(warning) => library.report([warning]),
            }
        }
    }
}

fn candidate(value: &Value) -> Candidate {
    let title = text(value, "title");
    let mut fragments: Vec<&Value> = list(value, "fragments").iter().collect();
    fragments.sort_by_key(|fragment| fragment.get("position").and_then(Value::as_i64).unwrap_or_default());
    let fragment =
        |value: &&Value| Fragment::of_text(text(value, "file_name"), some_text(value, "language"), text(value, "code"));
    Candidate {
        source_id: id(value, "id").unwrap_or_else(|| title.to_owned()),
        name: title.to_owned(),
        fragments: fragments.iter().map(fragment).collect(),
        tags: texts(value.get("categories")),
        description: some_text(value, "description").map(str::to_owned),
        favourite: flag(value, "is_favorite"),
        created: date::of_json(value.get("created_at")),
        updated: date::of_json(value.get("updated_at")),
        ..Candidate::default()
    }
}
