//! ByteStash: its export, `{version, exported_at, snippets}`.

use serde_json::Value;

use crate::candidate::{Candidate, Fragment, Library};
use crate::date;
use crate::files::Files;
use crate::json::{flag, id, list, some_string, string, texts};
use crate::shape::{Fields, Shape};
use crate::{Reader, Source};

/// Reads exports of ByteStash.
pub(crate) struct ByteStash;

const EXPORT: Fields = &[("snippets", Shape::Records(&[]))];
const SNIPPET: Fields = &[
    ("id", Shape::Scalar),
    ("title", Shape::Scalar),
    ("description", Shape::Scalar),
    ("categories", Shape::Scalars),
    ("is_favorite", Shape::Flag),
    ("created_at", Shape::Date),
    ("updated_at", Shape::Date),
    (
        "fragments",
        Shape::Records(&[("file_name", Shape::Scalar), ("language", Shape::Scalar), ("code", Shape::Scalar)]),
    ),
];

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
                    files.set_read(path, tree.get("snippets").is_some());
                    library.check(&tree, EXPORT, &files.location(path));
                    for (number, value) in list(&tree, "snippets").iter().enumerate() {
                        let location = format!("{}:item {}", files.location(path), number + 1);
                        library.add_of(value, SNIPPET, candidate(value), &location);
                    }
                }
                Err(warning) => library.report([warning]),
            }
        }
    }
}

fn candidate(value: &Value) -> Candidate {
    let title = string(value, "title");
    let mut fragments: Vec<&Value> = list(value, "fragments").iter().collect();
    fragments.sort_by_key(|fragment| fragment.get("position").and_then(Value::as_i64).unwrap_or_default());
    let fragment = |value: &&Value| {
        Fragment::of_text(
            &string(value, "file_name"),
            some_string(value, "language").as_deref(),
            &string(value, "code"),
        )
    };
    Candidate {
        source_id: id(value, "id").unwrap_or_else(|| title.clone()),
        name: title,
        fragments: fragments.iter().map(fragment).collect(),
        tags: texts(value.get("categories")),
        description: some_string(value, "description"),
        favourite: flag(value, "is_favorite"),
        created: date::of_json(value.get("created_at")),
        updated: date::of_json(value.get("updated_at")),
        ..Candidate::default()
    }
}
