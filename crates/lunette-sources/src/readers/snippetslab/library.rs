//! The library of SnippetsLab itself, `NAME.snippetslablibrary`: a folder of archived objects, one file a snippet.
//!
//! Tried on libraries of version 1.5 and of 2021. No document describes their files; they become the document of an
//! export, which is read as one.

use serde_json::{Value, json};

use crate::candidate::Library;
use crate::files::{Files, extension, folders};
use crate::json::{list, some_text};
use crate::{Warning, keyed_archive};

/// The start of the names of all fields.
const PREFIX: &str = "com.renfei.SnippetsLab.Key.";

/// Returns the path of the folder `Database` of the library, which may be in one folder; `None` if the files are not a
/// library of SnippetsLab.
pub(super) fn database(files: &Files) -> Option<String> {
    let first = files.content_paths().find(|path| is_snippet(path))?;
    let (base, _) = first.split_once("Database/Snippets/")?;
    let whole = base.matches('/').count() <= 1 && files.all(|path| path.starts_with(base));
    whole.then(|| format!("{base}Database"))
}

/// Whether a file may be that of a snippet, by its path.
fn is_snippet(path: &str) -> bool {
    let folders = folders(path);
    extension(path) == "data" && folders.ends_with(&["Database".to_owned(), "Snippets".to_owned()])
}

/// Returns the contents of an export of the library, and the file of each snippet. A file that cannot be read becomes a
/// warning.
pub(super) fn export(files: &Files, database: &str, library: &mut Library) -> (Value, Vec<String>) {
    let mut room = usize::try_from(files.limits().total_bytes).unwrap_or(usize::MAX);
    let mut read = |name: &str| {
        let path = format!("{database}/{name}.data");
        match objects(files, &path, &mut room, library) {
            Some(Value::Array(list)) => list,
            other => {
                let odd = other.filter(|value| !value.is_null());
                library.report(odd.map(|value| Warning::of_value(&files.location(&path), name, &value, "a list")));
                Vec::new()
            }
        }
    };
    let folders: Vec<Value> = read("folders").iter().map(folder).collect();
    let tags: Vec<Value> = read("tags").iter().map(tag).collect();
    let smart_groups = read("smart groups");
    let (mut snippets, mut paths) = (Vec::new(), Vec::new());
    for path in files.content_paths().filter(|path| is_snippet(path)) {
        if let Some(value) = objects(files, path, &mut room, library) {
            snippets.push(snippet(&value));
            paths.push(files.location(path));
        }
    }
    let contents = json!({ "folders": folders, "tags": tags, "smartGroups": smart_groups, "snippets": snippets });
    (contents, paths)
}

/// The objects in a file; none if it is empty or absent, or with a warning if it cannot be read or there is no room for it.
fn objects(files: &Files, path: &str, room: &mut usize, library: &mut Library) -> Option<Value> {
    if !files.contains(path) {
        return None;
    }
    match files.bytes(path) {
        Ok(bytes) if bytes.is_empty() => None,
        Ok(bytes) => {
            let root = keyed_archive::root(&bytes, room);
            if root.is_none() {
                library.warn(
                    "snippetslab.archive",
                    files.location(path),
                    "is not an archive of objects, is damaged, or is beyond the limits",
                );
            }
            root
        }
        Err(warning) => {
            library.report([warning]);
            None
        }
    }
}

fn field<'a>(object: &'a Value, name: &str) -> &'a Value {
    object.get(format!("{PREFIX}{name}")).unwrap_or(&Value::Null)
}

/// The archive's depth is limited, and so is that of folders.
fn folder(node: &Value) -> Value {
    let values = field(node, "NodeDictRep");
    let children: Vec<Value> = list(values, &format!("{PREFIX}NodeChildren")).iter().map(folder).collect();
    json!({ "uuid": field(values, "NodeUUID"), "title": field(values, "NodeTitle"), "children": children })
}

fn tag(tag: &Value) -> Value {
    json!({ "uuid": field(tag, "TagUUID"), "title": field(tag, "TagTitle") })
}

fn snippet(snippet: &Value) -> Value {
    let fragments: Vec<Value> = list(snippet, &format!("{PREFIX}SnippetParts")).iter().map(fragment).collect();
    let deleted = some_text(snippet, &format!("{PREFIX}DateDeleted"));
    json!({
        "uuid": field(snippet, "SnippetUUID"),
        "title": field(snippet, "SnippetTitle"),
        "folder": field(snippet, "SnippetFolderUUID"),
        "tags": field(snippet, "SnippetTagUUIDs"),
        "fragments": fragments,
        "githubHTMLURL": field(snippet, "GitHubHTMLURL"),
        "dateCreated": field(snippet, "SnippetDateCreated"),
        "dateModified": field(snippet, "SnippetDateModified"),
        "dateDeleted": deleted,
    })
}

fn fragment(fragment: &Value) -> Value {
    json!({
        "title": field(fragment, "SnippetPartTitle"),
        "language": field(fragment, "SnippetPartLanguage"),
        "content": field(fragment, "SnippetPartContent"),
        "note": field(fragment, "SnippetPartNote"),
        "attachments": field(fragment, "SnippetPartAttachments"),
    })
}
