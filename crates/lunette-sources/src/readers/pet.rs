//! pet: `snippet.toml`, a list of commands with descriptions and tags. Parameters such as `<name=default>` are kept.

use toml::{Table, Value};

use crate::candidate::{Candidate, Fragment, Library};
use crate::files::{Files, extension};
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
                    !snippets.is_empty() && snippets.iter().all(|snippet| !text(snippet, "command").is_empty())
                })
            })
    }

    fn read(&self, files: &Files, library: &mut Library) {
        for path in files.content_paths().filter(|path| extension(path) == "toml") {
            match table(files, path) {
                Ok(table) => {
                    for (number, snippet) in snippets(&table).iter().enumerate() {
                        let location = format!("{}:item {}", files.location(path), number + 1);
                        library.add(candidate(path, snippet), &location);
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

fn field<'a>(snippet: &'a Value, name: &str) -> Option<&'a Value> {
    snippet.as_table()?.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value)
}

fn text<'a>(snippet: &'a Value, name: &str) -> &'a str {
    field(snippet, name).and_then(Value::as_str).unwrap_or_default()
}

fn candidate(path: &str, snippet: &Value) -> Candidate {
    let description = text(snippet, "description").trim();
    let tags = field(snippet, "tag").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let output = text(snippet, "output").trim();
    Candidate {
        source_id: format!("{path}#{description}"),
        name: description.lines().next().unwrap_or_default().to_owned(),
        fragments: vec![Fragment::of_text("", Some("sh"), text(snippet, "command"))],
        tags: tags.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        description: (!output.is_empty()).then(|| format!("Output: {output}")),
        ..Candidate::default()
    }
}
