//! Snippets of VS Code and of the editors that read them: `*.code-snippets`, and `LANGUAGE.json`.
//!
//! An object of snippets by name, or by group and name: <https://code.visualstudio.com/docs/editing/userdefinedsnippets>.
//! Bodies are kept as they are, with their placeholders.

use serde_json::Value;

use crate::candidate::{Candidate, Fragment, Library};
use crate::files::{Files, extension, file_name, stem};
use crate::json::{string, texts};
use crate::shape::{Fields, Shape};
use crate::warning::shown;
use crate::{Reader, Source};

/// Reads snippets of VS Code.
pub(crate) struct VsCode;

const SNIPPET: Fields =
    &[("body", Shape::Scalars), ("prefix", Shape::Scalars), ("description", Shape::Scalars), ("scope", Shape::Scalar)];

impl Reader for VsCode {
    fn source(&self) -> Source {
        Source::VsCode
    }

    fn detects(&self, files: &Files) -> bool {
        files.all(|path| {
            is_file_of_snippets(path) || files.looks_like_json(path) || matches!(file_name(path), "package.json")
        }) && files.content_paths().any(|path| extension(path) == "code-snippets" || has_shape(files, path))
            && files
                .content_paths()
                .filter(|path| extension(path) == "json")
                .all(|path| file_name(path) == "package.json" || is_empty(files, path) || has_shape(files, path))
    }

    fn read(&self, files: &Files, library: &mut Library) {
        let wanted = |path: &&str| is_file_of_snippets(path) && file_name(path) != "package.json" || files.is_alone();
        for path in files.content_paths().filter(wanted) {
            match files.json(path) {
                Ok(tree) => snippets_of(files, path, &tree, library),
                Err(warning) => library.report([warning]),
            }
        }
    }
}

fn is_file_of_snippets(path: &str) -> bool {
    matches!(extension(path).as_str(), "code-snippets" | "json" | "jsonc")
}

fn is_empty(files: &Files, path: &str) -> bool {
    files.json(path).is_ok_and(|tree| tree.as_object().is_some_and(serde_json::Map::is_empty))
}

/// Returns whether everything in a file is a snippet: a body, and a prefix or a description.
fn has_shape(files: &Files, path: &str) -> bool {
    let is_snippet = |value: &Value| {
        value.get("body").is_some_and(|body| body.is_string() || body.is_array())
            && ["prefix", "description", "scope"].iter().any(|field| value.get(field).is_some())
    };
    let is_group =
        |value: &Value| value.as_object().is_some_and(|group| !group.is_empty() && group.values().all(is_snippet));
    let tree = files.json(path);
    tree.is_ok_and(|tree| {
        let snippets = tree.as_object().filter(|tree| !tree.is_empty());
        snippets.is_some_and(|tree| tree.values().all(|value| is_snippet(value) || is_group(value)))
    })
}

fn snippets_of(files: &Files, path: &str, tree: &Value, library: &mut Library) {
    let location = files.location(path);
    let Some(entries) = tree.as_object() else {
        return library.warn("vscode.shape", location, "is not an object of snippets");
    };
    for (name, value) in entries {
        if value.get("body").is_some() {
            snippet(path, &location, &[], name, value, library);
        } else if let Some(group) = value.as_object() {
            let name = library.shared_name(name, &location);
            for (inner, value) in group {
                snippet(path, &location, &[name.as_str()], inner, value, library);
            }
        } else {
            let message = format!("is {}, which is neither a snippet nor a group of snippets", shown(value));
            library.warn("vscode.shape", format!("{location}:{name}"), message);
        }
    }
}

fn snippet(path: &str, location: &str, group: &[&str], name: &str, value: &Value, library: &mut Library) {
    let key = [group, &[name]].concat().join("/");
    let location = format!("{location}:{key}");
    let body = value.get("body").filter(|body| body.is_string() || body.is_array());
    let Some(body) = body else {
        return library.warn("vscode.body", location, format!("has no body and was left out: {}", shown(value)));
    };
    // The name of a file for one language is that language.
    let of_file = matches!(extension(path).as_str(), "json" | "jsonc").then(|| stem(path));
    let scopes: Vec<String> = string(value, "scope").split(',').map(|scope| scope.trim().to_owned()).collect();
    let scope = scopes.first().map(String::as_str).filter(|scope| !scope.is_empty());
    let mut candidate = Candidate {
        source_id: format!("{path}#{key}"),
        name: name.to_owned(),
        fragments: vec![Fragment::of_text("", scope.or(of_file), &texts(Some(body)).join("\n"))],
        folder: group.iter().map(|name| (*name).to_owned()).collect(),
        description: value.get("description").map(|text| texts(Some(text)).join("\n")),
        triggers: texts(value.get("prefix")),
        ..Candidate::default()
    };
    if scopes.len() > 1 {
        let message = format!("belongs to {} languages, of which the first is kept", scopes.len());
        candidate.warnings.push(crate::Warning::new("vscode.scope", location.clone(), message));
    }
    library.add_of(value, SNIPPET, candidate, &location);
}
