//! espanso: the matches of its YAML files. Commands in variables are kept as text and never run.

use serde_json::Value;

use crate::candidate::{Candidate, Fragment, Library};
use crate::files::{Files, extension, file_name, roots_of, stem};
use crate::json::{list, some_string, texts};
use crate::shape::{Fields, Shape};
use crate::yaml::{self, Document};
use crate::{Reader, Source, Warning};

/// Reads the matches of espanso.
pub(crate) struct Espanso;

impl Reader for Espanso {
    fn source(&self) -> Source {
        Source::Espanso
    }

    fn detects(&self, files: &Files) -> bool {
        if files.single().is_some_and(is_yaml) {
            return files.single().is_some_and(|path| has_shape(files, path));
        }
        let folder = |path: &str| path.split('/').any(|part| part == "match");
        let configured = files.content_paths().any(|path| folder(path) && is_yaml(path) && has_shape(files, path))
            && files.content_paths().any(|path| path.split('/').any(|part| part == "config") || path == "default.yml");
        let package = files.content_paths().any(|path| file_name(path) == "_manifest.yml")
            && files.content_paths().any(|path| file_name(path) == "package.yml" && has_shape(files, path));
        let matches = files.all(is_yaml) && files.content_paths().take(100).all(|path| has_shape(files, path));
        configured || package || matches
    }

    fn foreign<'a>(&self, files: &'a Files) -> Vec<&'a str> {
        // Nothing but files of matches.
        if files.all(is_yaml) && files.content_paths().take(100).all(|path| has_shape(files, path)) {
            return Vec::new();
        }
        let packages = roots_of(files.paths(), MANIFEST);
        let folder = |path: &str| path.split('/').rev().skip(1).any(|part| FOLDERS.contains(&part));
        let named = |path: &str| matches!(file_name(path), "default.yml" | "package.yml" | "_manifest.yml");
        let own = |path: &&str| {
            named(path)
                || is_yaml(path) && folder(path)
                || packages.iter().any(|package| !package.is_empty() && path.starts_with(package.as_str()))
                || packages.contains(&String::new()) && !path.contains('/') && is_about(path)
        };
        files.visible_paths().filter(|path| !own(path)).collect()
    }

    fn roots(&self, files: &Files) -> Vec<String> {
        let configured = files.paths().filter(|path| is_yaml(path)).filter_map(|path| {
            let at = if path.starts_with("match/") { 0 } else { path.find("/match/")? + 1 };
            // The configuration, or its folder of matches alone.
            Some([path[..at].to_owned(), path[..at + "match/".len()].to_owned()])
        });
        let configured = configured.flatten();
        configured.chain(roots_of(files.paths(), MANIFEST)).collect()
    }

    fn read(&self, files: &Files, library: &mut Library) {
        let wanted = |path: &&str| is_yaml(path) && file_name(path) != "_manifest.yml" || files.is_alone();
        for path in files.content_paths().filter(wanted) {
            match document(files, path) {
                Ok(Document { value, repeated_keys, has_more }) => {
                    let location = files.location(path);
                    files.note_keys("yaml.twice", &location, repeated_keys);
                    files.set_read(path, FILE.iter().any(|(field, _)| value.get(field).is_some()));
                    if has_more {
                        library.warn(
                            "yaml.documents",
                            location,
                            "has several documents: all but the first were left out",
                        );
                    }
                    matches_of(files, path, &value, library);
                }
                Err(warning) => library.report([warning]),
            }
        }
    }
}

/// The file that makes a folder a package.
const MANIFEST: &str = "_manifest.yml";
/// The folders of a configuration; `user` is that of older versions.
const FOLDERS: [&str; 4] = ["match", "config", "user", "packages"];

/// Whether a file describes a package, such as its readme or its licence.
fn is_about(path: &str) -> bool {
    ["readme", "license", "licence", "changelog"].iter().any(|name| stem(path).eq_ignore_ascii_case(name))
}

fn is_yaml(path: &str) -> bool {
    matches!(extension(path).as_str(), "yml" | "yaml")
}

fn document(files: &Files, path: &str) -> Result<Document, Warning> {
    yaml::parse(&files.text(path)?).map_err(|error| {
        Warning::new(
            "yaml.invalid",
            format!("{}:{}", files.location(path), error.line),
            format!("is not valid YAML: {}", error.message),
        )
    })
}

/// Returns whether a file is a list of matches, each with a trigger and a replacement.
fn has_shape(files: &Files, path: &str) -> bool {
    let triggered = |value: &Value| ["trigger", "triggers", "regex"].iter().any(|field| value.get(field).is_some());
    document(files, path).is_ok_and(|Document { value, .. }| {
        !list(&value, "matches").is_empty() && list(&value, "matches").iter().all(triggered)
    })
}

/// Returns the text that a match inserts, and its language.
const EFFECTS: [(&str, Option<&str>); 4] =
    [("replace", None), ("markdown", Some("markdown")), ("html", Some("html")), ("form", None)];

const FILE: Fields = &[("matches", Shape::Records(&[])), ("global_vars", Shape::Records(&[]))];
const MATCH: Fields = &[
    ("trigger", Shape::Scalars),
    ("triggers", Shape::Scalars),
    ("regex", Shape::Scalars),
    ("replace", Shape::Scalar),
    ("markdown", Shape::Scalar),
    ("html", Shape::Scalar),
    ("form", Shape::Scalar),
    ("label", Shape::Scalar),
    ("search_terms", Shape::Scalars),
    ("vars", Shape::Records(&[])),
];

fn matches_of(files: &Files, path: &str, tree: &Value, library: &mut Library) {
    library.check(tree, FILE, &files.location(path));
    let variables = list(tree, "global_vars").len();
    if variables > 0 {
        let message = format!("has {variables} global variables, which were left out: texts name them in braces");
        library.warn("espanso.global-variables", files.location(path), message);
    }
    for (number, value) in list(tree, "matches").iter().enumerate() {
        let location = format!("{}:item {}", files.location(path), number + 1);
        let triggers = [texts(value.get("trigger")), texts(value.get("triggers")), texts(value.get("regex"))].concat();
        let mut effects = EFFECTS.iter().filter_map(|(field, language)| {
            let text = some_string(value, field)?;
            Some((text, *field, *language))
        });
        let Some((text, _, language)) = effects.next() else {
            library.warn("espanso.effect", &*location, "inserts no text, such as a picture, and was left out");
            library.check(value, MATCH, &location);
            continue;
        };
        let first = triggers.first().cloned().unwrap_or_default();
        let mut candidate = Candidate {
            source_id: format!("{path}#{first}"),
            name: some_string(value, "label").unwrap_or_else(|| first.clone()),
            fragments: vec![Fragment::of_text("", language, &text)],
            tags: texts(value.get("search_terms")),
            triggers,
            ..Candidate::default()
        };
        let others =
            effects.map(|(text, field, _)| Warning::of_value(&location, field, &text.into(), "one text alone"));
        candidate.warnings.extend(others);
        let variables = list(value, "vars");
        if !variables.is_empty() {
            // The text is meaningless without them, so they are kept in readable form.
            let written = variables.iter().map(|variable| variable.to_string()).collect::<Vec<_>>().join("\n");
            candidate.description = Some(format!("Variables:\n{written}"));
            let message = "has variables, which are kept as text in the description";
            candidate.warnings.push(Warning::new("espanso.variables", location.clone(), message));
        }
        library.add_of(value, MATCH, candidate, &location);
    }
}
