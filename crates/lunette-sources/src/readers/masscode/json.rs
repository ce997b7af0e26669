//! massCode 2 and 3: `db.json`.

use serde_json::Value;

use super::{LIBRARY, add};
use crate::candidate::{Candidate, Fragment, Library};
use crate::date;
use crate::files::Files;
use crate::json::{flag, id, list, some_string, string, texts};
use crate::shared_names::{FolderTree, names_of, tags_of, unnamed};
use crate::warning::Warning;

/// Whether a document has folders, tags, and snippets with fragments.
pub(super) fn has_shape(files: &Files, path: &str) -> bool {
    files.json(path).is_ok_and(|tree| {
        let lists = ["folders", "snippets", "tags"].iter().all(|field| tree.get(field).is_some_and(Value::is_array));
        lists && list(&tree, "snippets").iter().all(|snippet| snippet.get("content").is_some_and(Value::is_array))
    })
}

/// Returns the id of a record; early versions use another field.
pub(super) fn record_id(value: &Value) -> Option<String> {
    id(value, "id").or_else(|| id(value, "_id"))
}

/// A fragment of versions 1 to 3.
pub(super) fn fragment(value: &Value) -> Fragment {
    Fragment::of_text(&string(value, "label"), some_string(value, "language").as_deref(), &string(value, "value"))
}

pub(super) fn read(files: &Files, path: &str, library: &mut Library) {
    let tree = match files.json(path) {
        Ok(tree) => tree,
        Err(warning) => return library.report([warning]),
    };
    library.check(&tree, LIBRARY, &files.location(path));
    // System folders, such as the inbox, have no meaning for a snippet.
    let own = list(&tree, "folders").iter().filter(|folder| !flag(folder, "isSystem"));
    let whole = files.location(path);
    let mut folders = FolderTree::default();
    for value in own {
        match record_id(value) {
            Some(id_of) => {
                folders.insert(id_of, library.shared_name(&string(value, "name"), &whole), id(value, "parentId"));
            }
            None => library.report([Warning::of_value(&whole, "folders", value, "a folder with an id")]),
        }
    }
    let tags = tags_of(list(&tree, "tags"), record_id, &whole, library);
    for (number, value) in list(&tree, "snippets").iter().enumerate() {
        let location = format!("{whole}:item {}", number + 1);
        let of_snippet = texts(value.get("tagsIds").or_else(|| value.get("tagIds")));
        let mut candidate = Candidate {
            source_id: record_id(value).unwrap_or_else(|| format!("number {number}")),
            name: string(value, "name"),
            fragments: list(value, "content").iter().map(fragment).collect(),
            tags: names_of(&of_snippet, &tags),
            folder: folders.path(id(value, "folderId").as_deref(), &location, library),
            description: some_string(value, "description"),
            favourite: flag(value, "isFavorites"),
            trashed: flag(value, "isDeleted"),
            created: date::of_json(value.get("createdAt")),
            updated: date::of_json(value.get("updatedAt")),
            ..Candidate::default()
        };
        candidate.warnings.extend(unnamed(&of_snippet, &tags, &location));
        add(Some(value), candidate, &location, library);
    }
}
