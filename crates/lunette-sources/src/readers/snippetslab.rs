//! SnippetsLab: its JSON exports, the one since version 2.1 and the one before, and its library.

use std::collections::HashMap;

use serde_json::Value;

use crate::candidate::{Candidate, Fragment, Library};
use crate::date;
use crate::files::Files;
use crate::json::{id, list, some_string, some_text, string, texts};
use crate::shape::{Fields, Shape};
use crate::shared_names::{FolderTree, names_of, unnamed};
use crate::{Reader, Source, Warning};

mod library;

/// Reads exports and libraries of SnippetsLab.
pub(crate) struct SnippetsLab;

impl Reader for SnippetsLab {
    fn source(&self) -> Source {
        Source::SnippetsLab
    }

    fn detects(&self, files: &Files) -> bool {
        if library::database(files).is_some() {
            return true;
        }
        let Some(path) = files.single().filter(|path| files.looks_like_json(path)) else { return false };
        files.json(path).is_ok_and(|tree| {
            let newer = is_versioned(&tree) && tree["contents"].get("snippets").is_some_and(Value::is_array);
            let old = |snippet: &Value| snippet.get("Fragments").is_some() && snippet.get("Title").is_some();
            newer || (!list(&tree, "Snippets").is_empty() && list(&tree, "Snippets").iter().all(old))
        })
    }

    fn read(&self, files: &Files, library: &mut Library) {
        if let Some(database) = library::database(files) {
            let (contents, paths) = library::export(files, &database, library);
            return newer(&files.location(&database), |number| paths[number].clone(), &contents, library);
        }
        for path in files.content_paths().filter(|path| files.may_be(path, &["json"])) {
            match files.json(path) {
                Ok(tree) if tree.get("contents").is_some() => {
                    if !is_versioned(&tree) {
                        let message = "does not name its version as SnippetsLab does, in the texts `schema` and `app`";
                        library.warn("snippetslab.version", files.location(path), message);
                    }
                    let location = files.location(path);
                    newer(&location, |number| format!("{location}:item {}", number + 1), &tree["contents"], library);
                }
                Ok(tree) => {
                    files.set_read(path, tree.get("Snippets").is_some());
                    older(&files.location(path), &tree, library);
                }
                Err(warning) => library.report([warning]),
            }
        }
    }
}

/// The fields of the contents of an export, of a snippet, and of a snippet of an export before version 2.1.
const CONTENTS: Fields =
    &[("folders", Shape::Records(NAMED)), ("tags", Shape::Records(NAMED)), ("snippets", Shape::Records(&[]))];
const NAMED: Fields = &[("uuid", Shape::Scalar), ("title", Shape::Scalar)];
const SNIPPET: Fields = &[
    ("uuid", Shape::Scalar),
    ("title", Shape::Scalar),
    ("tags", Shape::Scalars),
    ("folder", Shape::Scalar),
    ("githubHTMLURL", Shape::Scalars),
    ("dateCreated", Shape::Date),
    ("dateModified", Shape::Date),
    (
        "fragments",
        Shape::Records(&[
            ("title", Shape::Scalar),
            ("language", Shape::Scalar),
            ("content", Shape::Scalar),
            ("note", Shape::Scalar),
        ]),
    ),
];
const OLDER: Fields = &[
    ("Title", Shape::Scalar),
    ("Folder", Shape::Scalar),
    ("Tags", Shape::Scalars),
    ("Date Created", Shape::Date),
    ("Date Modified", Shape::Date),
    (
        "Fragments",
        Shape::Records(&[
            ("Title", Shape::Scalar),
            ("Language", Shape::Scalar),
            ("Content", Shape::Scalar),
            ("Note", Shape::Scalar),
        ]),
    ),
];

/// Whether an export names the versions of its format and of the program.
fn is_versioned(tree: &Value) -> bool {
    ["schema", "app"].iter().all(|field| some_text(tree, field).is_some())
}

/// Returns the language of a Pygments lexer: `javascript` for `JavascriptLexer`.
fn language(lexer: &str) -> String {
    let name = lexer.strip_suffix("Lexer").unwrap_or(lexer).to_lowercase();
    match name.as_str() {
        "objectivec" => "objective-c".to_owned(),
        "cpp" => "c++".to_owned(),
        "csharp" => "c#".to_owned(),
        "python3" => "python".to_owned(),
        _ => name,
    }
}

/// Finds the folders. The parser bounds the depth of a document.
fn folders(list: &[Value], above: Option<&str>, location: &str, found: &mut FolderTree, library: &mut Library) {
    for folder in list {
        // One without an id has no snippets of its own, but may have folders with some.
        let id = id(folder, "uuid").unwrap_or_else(|| format!("\0{}", found.len()));
        let name = library.shared_name(&string(folder, "title"), location);
        found.insert(id.clone(), name, above.map(str::to_owned));
        folders(self::list(folder, "children"), Some(&id), location, found, library);
    }
}

/// Reads the contents of an export since version 2.1. `location_of` says where a snippet is, by its number.
fn newer(location: &str, location_of: impl Fn(usize) -> String, contents: &Value, library: &mut Library) {
    let mut paths = FolderTree::default();
    folders(list(contents, "folders"), None, location, &mut paths, library);
    library.check(contents, CONTENTS, location);
    let mut tag = |tag| (string(tag, "uuid"), library.shared_name(&string(tag, "title"), location));
    let tags: HashMap<String, String> = list(contents, "tags").iter().map(&mut tag).collect();
    if let groups @ 1.. = list(contents, "smartGroups").len() {
        library.warn("snippetslab.smart-groups", location, format!("{groups} smart groups were left out"));
    }
    for (number, value) in list(contents, "snippets").iter().enumerate() {
        let location = location_of(number);
        let fragments = list(value, "fragments");
        let of_snippet = texts(value.get("tags"));
        let mut candidate = Candidate {
            source_id: id(value, "uuid").unwrap_or_else(|| format!("number {number}")),
            name: string(value, "title"),
            fragments: fragments.iter().map(fragment).collect(),
            tags: names_of(&of_snippet, &tags),
            folder: paths.path(some_string(value, "folder").as_deref(), &location, library),
            description: notes(fragments, "note", "title"),
            urls: texts(value.get("githubHTMLURL")),
            trashed: some_string(value, "dateDeleted").is_some(),
            created: date::of_json(value.get("dateCreated")),
            updated: date::of_json(value.get("dateModified")),
            ..Candidate::default()
        };
        if let attachments @ 1.. = fragments.iter().map(|fragment| list(fragment, "attachments").len()).sum::<usize>() {
            let message = format!("{attachments} attachments were left out");
            candidate.warnings.push(Warning::new("snippetslab.attachments", location.clone(), message));
        }
        candidate.warnings.extend(unnamed(&of_snippet, &tags, &location));
        library.add_of(value, SNIPPET, candidate, &location);
    }
}

fn fragment(value: &Value) -> Fragment {
    let language = some_string(value, "language").map(|name| language(&name));
    Fragment::of_text(&string(value, "title"), language.as_deref(), &string(value, "content"))
}

/// The notes of fragments, each with the name of its fragment where there are several.
fn notes(fragments: &[Value], note: &str, title: &str) -> Option<String> {
    let filled: Vec<&Value> = fragments.iter().filter(|fragment| !string(fragment, note).trim().is_empty()).collect();
    let lines: Vec<String> = filled
        .iter()
        .map(|fragment| match string(fragment, title) {
            named if fragments.len() > 1 && !named.is_empty() => format!("{named}: {}", string(fragment, note)),
            _ => string(fragment, note),
        })
        .collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

fn older(location: &str, tree: &Value, library: &mut Library) {
    library.check(tree, &[("Snippets", Shape::Records(&[]))], location);
    for (number, value) in list(tree, "Snippets").iter().enumerate() {
        let (title, folder) = (string(value, "Title"), string(value, "Folder"));
        let fragments = list(value, "Fragments");
        let of_value = |value: &Value| {
            let language = some_string(value, "Language");
            Fragment::of_text(&string(value, "Title"), language.as_deref(), &string(value, "Content"))
        };
        let candidate = Candidate {
            // There are no ids; the folder and the name identify a snippet.
            source_id: format!("{folder}/{title}"),
            name: title,
            fragments: fragments.iter().map(of_value).collect(),
            tags: texts(value.get("Tags")),
            folder: Some(folder).filter(|name| !matches!(name.as_str(), "" | "Uncategorized")).into_iter().collect(),
            description: notes(fragments, "Note", "Title"),
            created: date::of_json(value.get("Date Created")),
            updated: date::of_json(value.get("Date Modified")),
            ..Candidate::default()
        };
        library.add_of(value, OLDER, candidate, &format!("{location}:item {}", number + 1));
    }
}
