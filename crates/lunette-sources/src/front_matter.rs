//! Reads the front matter of Markdown files.

use jiff::Timestamp;
use serde_json::Value;

use crate::date;
use crate::files::BYTE_ORDER_MARK;
use crate::json::{scalar, texts};
use crate::markdown::{self, Note};
use crate::shape::{Fields, Shape, is_address};

/// The front matter of a note.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FrontMatter {
    /// Its title.
    pub title: Option<String>,
    /// Its tags.
    pub tags: Vec<String>,
    /// Other names of it.
    pub aliases: Vec<String>,
    /// Its description.
    pub description: Option<String>,
    /// Addresses that belong to it.
    pub urls: Vec<String>,
    /// When it was created.
    pub created: Option<Timestamp>,
    /// When it was last changed.
    pub updated: Option<Timestamp>,
}

/// The properties that are read.
pub(crate) const PROPERTIES: Fields = &[
    ("title", Shape::Scalar),
    ("tags", Shape::Scalars),
    ("tag", Shape::Scalars),
    ("aliases", Shape::Scalars),
    ("alias", Shape::Scalars),
    ("description", Shape::Scalar),
    ("url", Shape::Addresses),
    ("source", Shape::Addresses),
    ("created", Shape::Date),
    ("date created", Shape::Date),
    ("date", Shape::Date),
    ("updated", Shape::Date),
    ("modified", Shape::Date),
    ("date modified", Shape::Date),
];

/// A front matter that is not YAML.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct FrontMatterError {
    /// The line of the text, from 1.
    pub line: usize,
    /// Why, as a sentence.
    pub problem: String,
}

impl FrontMatter {
    /// Reads the front matter of a text, or returns `None` if it has none. Fails if it is not YAML.
    pub fn of_text(text: &str) -> Option<Result<Self, FrontMatterError>> {
        let Note { properties, .. } = markdown::note(text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text));
        let properties = properties?.map_err(|error| FrontMatterError { line: error.line, problem: error.message });
        Some(properties.map(|properties| Self::of(&properties.value)))
    }

    pub(crate) fn of(properties: &Value) -> Self {
        let property =
            |names: &[&str]| names.iter().find_map(|name| properties.get(name).filter(|value| !value.is_null()));
        let text = |name: &str| property(&[name]).and_then(scalar);
        let date = |names: &[&str]| date::of_json(property(names));
        Self {
            title: text("title"),
            tags: ["tags", "tag"].iter().flat_map(|name| tags(properties.get(*name))).collect(),
            aliases: ["aliases", "alias"].iter().flat_map(|name| texts(properties.get(*name))).collect(),
            description: text("description"),
            urls: ["url", "source"]
                .iter()
                .flat_map(|name| texts(properties.get(*name)))
                .filter(|url| is_address(url))
                .collect(),
            created: date(&["created", "date created", "date"]),
            updated: date(&["updated", "modified", "date modified"]),
        }
    }
}

/// Tags are a list, or a text separated by commas or spaces.
fn tags(value: Option<&Value>) -> Vec<String> {
    let listed = match value {
        Some(Value::String(text)) => text.split([',', ' ']).map(str::to_owned).collect(),
        value => texts(value),
    };
    listed.into_iter().map(|tag| tag.trim_start_matches('#').to_owned()).collect()
}
