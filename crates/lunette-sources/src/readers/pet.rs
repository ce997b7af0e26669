//! pet: `snippet.toml`, a list of commands with descriptions and tags. Parameters such as `<name=default>` are kept.

use serde_json::Value as Json;
use toml::{Table, Value};

use crate::candidate::{Candidate, Fragment, Library};
use crate::files::{Files, extension};
use crate::json::{string, texts};
use crate::shape::{Fields, Shape};
use crate::{Reader, Source, Warning};

/// The maximum size of a document in bytes: a list of small numbers takes eighty times the size of its text.
const MOST_TEXT: usize = 2 << 20;

/// Reads the commands of pet.
pub(crate) struct Pet;

impl Reader for Pet {
    fn source(&self) -> Source {
        Source::Pet
    }

    fn detects(&self, files: &Files) -> bool {
        files.all(|path| extension(path) == "toml")
            && files.content_paths().take(100).all(|path| {
                let table = table(files, path);
                table.is_ok_and(|table| {
                    let snippets = snippets(&table);
                    !snippets.is_empty()
                        && snippets.iter().all(|snippet| !string(&fields(snippet), "command").is_empty())
                })
            })
    }

    fn read(&self, files: &Files, library: &mut Library) {
        for path in files.content_paths().filter(|path| files.may_be(path, &["toml"])) {
            match table(files, path) {
                Ok(table) => {
                    files.set_read(path, !snippets(&table).is_empty());
                    for (number, snippet) in snippets(&table).iter().enumerate() {
                        let location = format!("{}:item {}", files.location(path), number + 1);
                        let snippet = fields(snippet);
                        library.add_of(&snippet, SNIPPET, candidate(path, &snippet), &location);
                    }
                }
                Err(warning) => library.report([warning]),
            }
        }
    }
}

fn table(files: &Files, path: &str) -> Result<Table, Warning> {
    let text = files.text(path)?;
    if text.len() > MOST_TEXT {
        let message = format!("is larger than the limit of {MOST_TEXT} bytes on a TOML document");
        return Err(Warning::new("limit.file", files.location(path), message));
    }
    text.parse().map_err(|error: toml::de::Error| {
        let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
        let location = format!("{}:{}", files.location(path), before.matches('\n').count() + 1);
        Warning::new("toml.invalid", location, format!("is not valid TOML: {}", error.message()))
    })
}

/// The snippets; early versions begin the name with a capital letter.
fn snippets(table: &Table) -> &[Value] {
    let list = table.get("snippets").or_else(|| table.get("Snippets"));
    list.and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

const SNIPPET: Fields =
    &[("description", Shape::Scalar), ("command", Shape::Scalar), ("tag", Shape::Scalars), ("output", Shape::Scalar)];

/// The fields of a snippet; early versions begin their names with a capital letter.
fn fields(snippet: &Value) -> Json {
    let field = |(name, value): (&String, &Value)| Some((name.to_lowercase(), serde_json::to_value(value).ok()?));
    match snippet.as_table() {
        Some(table) => Json::Object(table.iter().filter_map(field).collect()),
        None => serde_json::to_value(snippet).unwrap_or_default(),
    }
}

fn candidate(path: &str, snippet: &Json) -> Candidate {
    let (described, output) = (string(snippet, "description"), string(snippet, "output"));
    let (description, output) = (described.trim(), output.trim());
    // The first line is the name; the others would be lost with it.
    let lines = description.lines().count() > 1;
    let more = [lines.then(|| description.to_owned()), (!output.is_empty()).then(|| format!("Output: {output}"))];
    let more: Vec<String> = more.into_iter().flatten().collect();
    Candidate {
        source_id: format!("{path}#{description}"),
        name: description.lines().next().unwrap_or_default().to_owned(),
        fragments: vec![Fragment::of_text("", Some("sh"), &string(snippet, "command"))],
        tags: texts(snippet.get("tag")),
        description: (!more.is_empty()).then(|| more.join("\n\n")),
        ..Candidate::default()
    }
}
