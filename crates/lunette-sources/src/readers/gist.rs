//! GitHub gists: a folder of clones, each a folder of files, or the JSON of the API.
//!
//! Descriptions follow the grammar of Lepton where they do: `[title] description #tag1 #tag2`, in its older form
//! `[title] description #tags: a, b`. The API: <https://docs.github.com/en/rest/gists/gists>.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::candidate::{Candidate, Fragment, Library};
use crate::date;
use crate::files::{Files, file_name};
use crate::json::{flag, id, some_string, some_text, string};
use crate::shape::{self, Fields, Shape};
use crate::source::Facts;
use crate::{Reader, Source, Warning};

/// Reads gists.
pub(crate) struct Gist;

impl Source {
    /// GitHub gists: cloned, or as the API returns them.
    pub const GIST: Self = Self(&Facts { has_unique_ids: true, ..Facts::new("gist", "GitHub gists", &Gist) });
}

impl Reader for Gist {
    fn detects(&self, files: &Files) -> bool {
        if let Some(path) = files.single().filter(|path| files.looks_like_json(path)) {
            let is_gist = |value: &Value| value.get("files").is_some_and(Value::is_object) && value.get("id").is_some();
            return files.json(path).is_ok_and(|tree| match &*tree {
                Value::Array(list) => !list.is_empty() && list.iter().all(is_gist),
                tree => is_gist(tree) && tree.get("html_url").is_some(),
            });
        }
        let mut clones = clones(files).into_iter().peekable();
        clones.peek().is_some()
            && clones.all(|folder| address(files, &folder).is_some_and(|url| url.contains("gist.github.com")))
            && files.content_paths().all(|path| clone_of(files, path).is_some())
    }

    fn read(&self, files: &Files, library: &mut Library) {
        if clones(files).is_empty() && files.paths().all(|path| files.looks_like_json(path)) {
            for path in files.content_paths() {
                match files.json(path) {
                    Ok(tree) => responses(&files.location(path), &tree, library),
                    Err(warning) => library.report([warning]),
                }
            }
            return;
        }
        clones_of(files, library);
    }
}

const GIST: Fields = &[
    ("id", Shape::Scalar),
    ("description", Shape::Scalar),
    ("html_url", Shape::Text),
    ("created_at", Shape::Date),
    ("updated_at", Shape::Date),
    ("files", Shape::Record(&[])),
];
const FILE: Fields = &[("content", Shape::Scalar), ("language", Shape::Scalar)];

const CONFIG: &str = ".git/config";

/// The folders of the clones; empty for the root.
fn clones(files: &Files) -> Vec<String> {
    let folder = |path: &str| {
        path.strip_suffix(CONFIG).filter(|folder| folder.is_empty() || folder.ends_with('/')).map(str::to_owned)
    };
    files.paths().filter_map(folder).collect()
}

/// The address that a clone came from.
fn address(files: &Files, folder: &str) -> Option<String> {
    let config = files.text(&format!("{folder}{CONFIG}")).ok()?;
    let url = config.lines().find_map(|line| line.trim().strip_prefix("url")?.trim_start().strip_prefix('='))?;
    Some(url.trim().trim_end_matches(".git").to_owned())
}

/// The folder of the clone that a file belongs to.
fn clone_of<'a>(files: &Files, path: &'a str) -> Option<&'a str> {
    let above = path.match_indices('/').map(|(at, _)| &path[..=at]).chain([""]);
    above.into_iter().find(|folder| files.contains(&format!("{folder}{CONFIG}")))
}

fn clones_of(files: &Files, library: &mut Library) {
    let mut gists: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for path in files.content_paths() {
        // Without `.git` each folder counts as one gist.
        let folder = clone_of(files, path).or_else(|| path.find('/').map(|end| &path[..=end])).unwrap_or_default();
        gists.entry(folder).or_default().push(path);
    }
    for (folder, paths) in gists {
        let url = address(files, folder);
        let name = folder.trim_end_matches('/');
        let id = url.as_deref().map(file_name).filter(|id| !id.is_empty());
        let id = id.unwrap_or(if name.is_empty() { files.name() } else { name });
        let mut fragments = Vec::new();
        for path in &paths {
            match files.bytes(path) {
                Ok(bytes) => fragments.push(Fragment { label: file_name(path).to_owned(), language: None, bytes }),
                Err(warning) => library.report([warning]),
            }
        }
        let candidate = Candidate {
            source_id: id.to_owned(),
            name: fragments.first().map(|fragment| fragment.label.clone()).unwrap_or_default(),
            fragments,
            urls: url.into_iter().map(|url| web_address(&url)).collect(),
            ..Candidate::default()
        };
        library.add(candidate, &files.location(if name.is_empty() { files.name() } else { name }));
    }
}

/// The address of a page: clones over SSH have another address, and one over HTTPS may contain a password.
fn web_address(url: &str) -> String {
    let rest = url.split_once("gist.github.com").map_or("", |(_, rest)| rest);
    format!("https://gist.github.com/{}", rest.trim_start_matches([':', '/']))
}

fn responses(location: &str, tree: &Value, library: &mut Library) {
    let one = std::slice::from_ref(tree);
    let gists = tree.as_array().map_or(one, Vec::as_slice);
    for (number, gist) in gists.iter().enumerate() {
        let location = format!("{location}:item {}", number + 1);
        let Some(files) = gist.get("files").and_then(Value::as_object) else {
            library.warn("gist.files", &*location, "has no files and was left out");
            library.check(gist, GIST, &location);
            continue;
        };
        let mut warnings = Vec::new();
        let mut fragments = Vec::new();
        for (name, file) in files {
            warnings.extend(shape::unread(file, FILE, &location));
            let content = some_string(file, "content").filter(|_| !flag(file, "truncated"));
            match content {
                Some(content) => {
                    fragments.push(Fragment::of_text(name, some_string(file, "language").as_deref(), &content))
                }
                None => {
                    let message = format!("the content of {name:?} is not in the response: clone the gist for it");
                    warnings.push(Warning::new("gist.content", location.clone(), message));
                }
            }
        }
        let described = described(&string(gist, "description"));
        let first = fragments.first().map(|fragment| fragment.label.clone()).unwrap_or_default();
        let candidate = Candidate {
            source_id: id(gist, "id").unwrap_or_else(|| format!("number {number}")),
            name: if described.title.is_empty() { first } else { described.title },
            fragments,
            tags: described.tags,
            description: Some(described.text),
            urls: some_text(gist, "html_url").map(str::to_owned).into_iter().collect(),
            created: date::of_json(gist.get("created_at")),
            updated: date::of_json(gist.get("updated_at")),
            warnings,
            ..Candidate::default()
        };
        library.add_of(gist, GIST, candidate, &location);
    }
}

/// A description in the grammar of Lepton.
#[derive(Debug, Default, PartialEq, Eq)]
struct Described {
    title: String,
    text: String,
    tags: Vec<String>,
}

fn described(description: &str) -> Described {
    let rest = description.trim();
    let bracketed = rest.strip_prefix('[').and_then(|rest| rest.split_once(']'));
    let (title, rest) = bracketed.unwrap_or(("", rest));
    if let Some((text, tags)) = rest.split_once("#tags:") {
        let tags =
            tags.split([',', '\u{ff0c}', '\u{3001}']).map(|tag| tag.trim().to_owned()).filter(|tag| !tag.is_empty());
        return Described { title: title.trim().to_owned(), text: text.trim().to_owned(), tags: tags.collect() };
    }
    let is_tag = |word: &&str| {
        word.strip_prefix('#').is_some_and(|tag| {
            tag.chars().all(|letter| letter.is_alphanumeric() || letter == '_')
                && tag.chars().any(|letter| !letter.is_numeric())
        })
    };
    let tags = rest.split_whitespace().filter(is_tag).map(|tag| tag[1..].to_owned()).collect();
    let text: Vec<&str> = rest.split_whitespace().filter(|word| !is_tag(word)).collect();
    Described { title: title.trim().to_owned(), text: text.join(" "), tags }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptions_of_lepton_have_a_title_and_tags() {
        let expected = |title: &str, text: &str, tags: &[&str]| Described {
            title: title.to_owned(),
            text: text.to_owned(),
            tags: tags.iter().map(|tag| (*tag).to_owned()).collect(),
        };
        assert_eq!(
            described("[A title] some text #rust #2024 #c_1"),
            expected("A title", "some text #2024", &["rust", "c_1"])
        );
        assert_eq!(described("[A] text #tags: x y, z、w"), expected("A", "text", &["x y", "z", "w"]));
        assert_eq!(described("plain"), expected("", "plain", &[]));
    }
}
