//! Comparing any two things: their content line by line, their records field by field, and their links.
//!
//! What goes in are two values of [`Side`], whatever they were made from; what comes out is a [`Comparison`], which the
//! window, the command line, and the dialogs of plans and conflicts draw.
//!
//! What must hold: the comparison of two sides depends on nothing but them; it takes time in proportion to their sizes,
//! whatever they contain; nothing is left out without being named; applying all differences to one side gives the
//! other.

mod actions;
mod binary;
mod choosing;
mod copy_part;
mod fields;
mod lines;
mod load;
mod output;
mod parts;
mod rows;
mod search;
mod side;
mod source;
mod state;
mod text;
mod unified;
mod version;
mod words;

pub use actions::Action;
pub use binary::ByteDiff;
pub use choosing::Choice;
pub use copy_part::{CopyPart, CopyPartError};
pub(crate) use fields::asset_links;
pub use fields::{LinkDiff, asset_record, item_record};
pub use lines::{Hunk, Lines, MAX_LINES, TextDiff, Whitespace};
pub use load::{FileError, asset_side, file_side, item_side};
pub(crate) use output::Output;
pub use parts::{Part, Parts, Shown};
pub use rows::{CONTEXT, Layout, Row, Rows};
pub use search::{Found, MAX_FOUND, find};
pub use side::{Body, MAX_BYTES, Position, Side};
pub use source::{Source, SourceError};
pub use state::{Compare, Tab};
pub use text::Exchanged;
pub use unified::unified;
pub use version::version_side;
pub use words::{MAX_WORDS_BYTES, changed_words};

use std::sync::Arc;

use lunette_client::model::diff::{FieldChange, diff};
use lunette_client::model::size::size;
use serde_json::Value;

use crate::change::Item;

/// Two sides and how they differ.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The sides: left, right.
    pub sides: [Arc<Side>; 2],
    /// How whitespace was compared.
    pub whitespace: Whitespace,
    /// How the contents differ.
    pub content: ContentDiff,
    /// The fields that differ: `before` is the value on the left. Empty if a side has no record.
    pub fields: Vec<FieldChange>,
    /// The items that one side alone is linked to. Empty if a side does not say which links it has.
    pub links: Vec<LinkDiff>,
}

/// How two contents differ.
#[derive(Clone, Debug, PartialEq)]
pub enum ContentDiff {
    /// A side has no content to compare.
    None,
    /// Both are text.
    Text(Box<TextDiff>),
    /// Both are pictures, which are drawn from the bytes of the sides.
    Pictures(ByteDiff),
    /// At least one is neither text nor a picture.
    Bytes(ByteDiff),
    /// At least one is too large to be compared; the sizes in bytes, as far as they are known.
    TooLarge([Option<u64>; 2]),
}

impl ContentDiff {
    /// Whether the contents are known to be equal.
    pub fn is_equal(&self) -> bool {
        match self {
            Self::None => true,
            Self::Text(text) => text.hunks.is_empty(),
            Self::Pictures(bytes) | Self::Bytes(bytes) => bytes.first.is_none(),
            Self::TooLarge(_) => false,
        }
    }
}

impl Comparison {
    /// Compares two sides.
    pub fn of(left: Arc<Side>, right: Arc<Side>, whitespace: Whitespace) -> Self {
        let content = content_diff(&left.body, &right.body, whitespace);
        let fields = match (&left.record, &right.record) {
            (Some(one), Some(other)) => diff(one, other),
            _ => Vec::new(),
        };
        let links = match (&left.links, &right.links) {
            (Some(one), Some(other)) => fields::link_diff(one, other),
            _ => Vec::new(),
        };
        Self { sides: [left, right], whitespace, content, fields, links }
    }

    /// The side at a position.
    pub fn side(&self, at: Position) -> &Arc<Side> {
        &self.sides[at.index()]
    }

    /// Whether nothing differs.
    pub fn is_equal(&self) -> bool {
        let Self { content, fields, links, .. } = self;
        content.is_equal() && fields.is_empty() && links.is_empty()
    }

    /// Returns the text comparison, if both contents are text.
    pub fn text(&self) -> Option<&TextDiff> {
        match &self.content {
            ContentDiff::Text(text) => Some(text),
            ContentDiff::None | ContentDiff::Pictures(_) | ContentDiff::Bytes(_) | ContentDiff::TooLarge(_) => None,
        }
    }

    /// Returns the value of a field on one side.
    pub fn value(field: &FieldChange, at: Position) -> Option<&Value> {
        match at {
            Position::Left => field.before.as_ref(),
            Position::Right => field.after.as_ref(),
        }
    }

    /// Returns what is not compared although one side has it, in sentences.
    pub fn left_out(&self) -> Vec<String> {
        let [left, right] = &self.sides;
        let mut left_out = Vec::new();
        if let ContentDiff::TooLarge(sizes) = &self.content {
            left_out.push(too_large(sizes));
        }
        if let Some(text) = self.text().filter(|text| text.coarse) {
            left_out.push(format!(
                "The texts are too long and too unlike to be compared line by line, so all that differs is one change ({} and {} \
                 lines in all).",
                text.lines[0].len(),
                text.lines[1].len()
            ));
        }
        let one_sided = |of: fn(&Side) -> bool, what: &str| {
            (of(left) != of(right)).then(|| {
                let missing = if of(left) { right } else { left };
                format!("“{}” has no {what} to compare.", missing.title)
            })
        };
        left_out.extend(one_sided(|side| side.record.is_some(), "fields"));
        left_out.extend(one_sided(|side| side.links.is_some(), "links"));
        left_out.extend(one_sided(|side| side.body != Body::None, "content"));
        left_out
    }

    /// Returns the number of differences: changed parts of a text, fields and links; a content that is not text counts
    /// as one.
    pub fn count(&self) -> usize {
        let content = match &self.content {
            ContentDiff::Text(text) => text.hunks.len(),
            other => usize::from(!other.is_equal()),
        };
        content + self.fields.len() + self.links.len()
    }
}

fn too_large(sizes: &[Option<u64>; 2]) -> String {
    let in_words = |bytes: u64| size(i64::try_from(bytes).unwrap_or(i64::MAX));
    let [left, right] = sizes.map(|size| size.map_or("of unknown size".to_owned(), in_words));
    let most = in_words(MAX_BYTES as u64);
    format!(
        "The contents are not compared: the left is {left}, the right {right}, and at most {most} of each is compared."
    )
}

fn content_diff(left: &Body, right: &Body, whitespace: Whitespace) -> ContentDiff {
    let (one, other) = match (left, right) {
        (Body::None, _) | (_, Body::None) => return ContentDiff::None,
        (Body::Bytes(one), Body::Bytes(other)) if one.len() <= MAX_BYTES && other.len() <= MAX_BYTES => (one, other),
        _ => return ContentDiff::TooLarge([left.size(), right.size()]),
    };
    match (side::as_text(one), side::as_text(other)) {
        (Some(one), Some(other)) => ContentDiff::Text(Box::new(TextDiff::of(one, other, whitespace))),
        _ if side::is_picture(one) && side::is_picture(other) => ContentDiff::Pictures(ByteDiff::of(one, other)),
        _ => ContentDiff::Bytes(ByteDiff::of(one, other)),
    }
}

/// Returns the comparison of two texts, as the dialogs of plans and conflicts need it.
pub fn texts(left: &str, right: &str) -> TextDiff {
    TextDiff::of(left.into(), right.into(), Whitespace::Exact)
}

/// Returns the links of a side, sorted so that equal sides have equal lists.
pub(crate) fn sorted(mut links: Vec<Item>) -> Vec<Item> {
    links.sort_by(|one, other| (one.kind, &*one.id).cmp(&(other.kind, &*other.id)));
    links
}

#[cfg(test)]
mod tests;
