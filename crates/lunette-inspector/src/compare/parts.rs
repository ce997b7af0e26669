//! What of an asset differs from a version of it, in parts of which some are restored: changed lines, fields and links.
//!
//! What must hold: restoring all parts is restoring the version; each change says what it replaces.

use std::collections::BTreeSet;
use std::ops::Range;

use serde_json::Value;

use super::{Lines, Position, TextDiff, texts};
use crate::change::{Change, Edit, LinkKind};
use crate::versions::Restore;
use lunette_client::model::display::capitalized;
use lunette_client::model::id::AssetId;
use lunette_client::model::language::language_name;

/// What a version has and the asset has not, or the other way round.
const NOT_LINKED: &str = "not linked";

/// The parts in which an asset differs from a version of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Parts {
    /// The name of the asset.
    pub name: String,
    /// The parts: changed lines in their order, then fields, then links.
    pub parts: Vec<Part>,
    /// What of the version is not restored by any part, and why.
    pub left: Vec<String>,
    /// The texts, if they differ: that of now on the left.
    text: Option<(AssetId, Box<TextDiff>)>,
}

/// A part that can be restored alone.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// What it is, such as `Lines 3 to 5` or `Name`.
    pub what: String,
    /// What it is now: the first line of it, and how many more there are; empty if there is nothing.
    pub now: Shown,
    /// What it was.
    pub then: Shown,
    restores: Restores,
}

/// A value as it is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shown {
    /// Its first line.
    pub first: String,
    /// How many more lines it has.
    pub more: usize,
}

/// What restores a part.
#[derive(Clone, Debug, PartialEq)]
enum Restores {
    /// The changed part of the text with this index.
    Lines(usize),
    /// A change of its own.
    Change(Box<Change>),
}

impl Parts {
    /// The parts of what restores a version of the asset with this name.
    pub fn of(Restore { changes, left }: Restore, name: String) -> Self {
        let (mut parts, mut text) = (Vec::new(), None);
        for change in changes {
            match change {
                Change::Text { asset, from, to } => {
                    let diff = Box::new(texts(&from, &to));
                    parts.extend((0..diff.hunks.len()).map(|index| lines(&diff, index)));
                    text = Some((asset, diff));
                }
                Change::Edit { asset, edits } => {
                    let one = |edit| field(Change::Edit { asset: asset.clone(), edits: vec![edit] });
                    parts.extend(edits.into_iter().map(one));
                }
                change => parts.push(field(change)),
            }
        }
        Self { name, parts, left, text }
    }

    /// The changes that restore the parts with these indices.
    pub fn changes(&self, chosen: &BTreeSet<usize>) -> Vec<Change> {
        let (mut hunks, mut changes): (BTreeSet<usize>, Vec<Change>) = Default::default();
        for part in chosen.iter().filter_map(|index| self.parts.get(*index)) {
            match &part.restores {
                Restores::Lines(hunk) => drop(hunks.insert(*hunk)),
                Restores::Change(change) => add(&mut changes, change),
            }
        }
        let text = self.text.as_ref().filter(|_| !hunks.is_empty()).map(|(asset, diff)| Change::Text {
            asset: asset.clone(),
            from: diff.side(Position::Left).text().to_string(),
            to: diff.with_hunks(Position::Left, |hunk| hunks.contains(&hunk)),
        });
        text.into_iter().chain(changes).collect()
    }
}

/// Adds a change; edits of fields are one change.
fn add(changes: &mut Vec<Change>, change: &Change) {
    match (changes.last_mut(), change) {
        (Some(Change::Edit { edits, .. }), Change::Edit { edits: more, .. }) => edits.extend(more.iter().cloned()),
        _ => changes.push(change.clone()),
    }
}

/// The part that is a changed part of the text.
fn lines(diff: &TextDiff, index: usize) -> Part {
    let [now, then] = &diff.hunks[index].lines;
    let (first, last) = (now.start + 1, now.end);
    let what = match now.len() {
        0 => format!("Before line {first}"),
        1 => format!("Line {first}"),
        _ => format!("Lines {first} to {last}"),
    };
    let shown = |at: Position, lines: &Range<u32>| shown_lines(diff.side(at), lines);
    Part { what, now: shown(Position::Left, now), then: shown(Position::Right, then), restores: Restores::Lines(index) }
}

fn shown_lines(lines: &Lines, range: &Range<u32>) -> Shown {
    match range.len() {
        0 => Shown::default(),
        count => Shown { first: lines.line(range.start).trim_end().to_owned(), more: count - 1 },
    }
}

/// The part that is a field or a link.
fn field(change: Change) -> Part {
    let kind = |kind: LinkKind| capitalized(kind.one());
    let name_of = |specific: &str| language_name(specific).to_owned();
    let (what, now, then) = match &change {
        Change::Edit { edits, .. } => match edits.as_slice() {
            [Edit { field, from, to }] => {
                let from = from.as_ref().map(value).unwrap_or_default();
                (capitalized(field.as_str()), from, value(to))
            }
            _ => (change.what(), String::new(), String::new()),
        },
        Change::Reclassify { from, to, .. } => {
            ("Language".to_owned(), from.as_deref().map(name_of).unwrap_or_default(), name_of(to))
        }
        Change::Link { item, .. } => (kind(item.kind), NOT_LINKED.to_owned(), item.name().to_owned()),
        Change::Unlink { item, .. } => (kind(item.kind), item.name().to_owned(), NOT_LINKED.to_owned()),
        Change::LinkNew { kind: of, text, .. } => (kind(*of), NOT_LINKED.to_owned(), format!("{text} (created anew)")),
        other => (capitalized(&other.what()), String::new(), String::new()),
    };
    Part { what, now: shown(&now), then: shown(&then), restores: Restores::Change(Box::new(change)) }
}

fn shown(text: &str) -> Shown {
    let mut lines = text.lines();
    Shown { first: lines.next().unwrap_or_default().to_owned(), more: lines.count() }
}

fn value(value: &Value) -> String {
    match value {
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::change::{Field, Item};

    fn asset() -> AssetId {
        "5f0c1a34-0b7e-4c5d-9a51-2f6f3d1ae159".parse().expect("an id")
    }

    fn restore() -> Restore {
        let edit = |field, from: Value, to: Value| Edit { field, from: Some(from), to };
        let (asset, tag) = (asset(), Item::new(LinkKind::Tag, "t", "blue", None));
        Restore {
            changes: vec![
                Change::Text { asset: asset.clone(), from: "a\nB\nc\nD\ne\n".into(), to: "a\nb\nc\nd\n".into() },
                Change::Reclassify { asset: asset.clone(), from: Some("rs".to_owned()), to: "py".to_owned() },
                Change::Edit {
                    asset: asset.clone(),
                    edits: vec![
                        edit(Field::Name, "new".into(), "old".into()),
                        edit(Field::Favorited, true.into(), false.into()),
                    ],
                },
                Change::Unlink { asset, item: tag },
            ],
            left: vec!["its comments".to_owned()],
        }
    }

    #[test]
    fn changed_lines_fields_and_links_are_parts_that_say_what_is_now_and_what_was() {
        let parts = Parts::of(restore(), "new".to_owned());
        let shown: Vec<_> = parts
            .parts
            .iter()
            .map(|Part { what, now, then, .. }| (what.as_str(), &*now.first, now.more, &*then.first, then.more))
            .collect();
        let expected = [
            ("Line 2", "B", 0, "b", 0),
            ("Lines 4 to 5", "D", 1, "d", 0),
            ("Language", "Rust", 0, "Python", 0),
            ("Name", "new", 0, "old", 0),
            ("Favourite", "yes", 0, "no", 0),
            ("Tag", "blue", 0, "not linked", 0),
        ];
        assert_eq!((shown.as_slice(), parts.left.len()), (expected.as_slice(), 1));
    }

    #[test]
    fn all_parts_restore_the_version_and_some_restore_nothing_else() {
        let parts = Parts::of(restore(), "new".to_owned());
        assert_eq!(parts.changes(&(0..6).collect()), restore().changes);
        let some = parts.changes(&[1, 4].into());
        let [Change::Text { from, to, .. }, Change::Edit { edits, .. }] = some.as_slice() else {
            panic!("two changes: {some:?}")
        };
        assert_eq!((from.as_str(), to.as_str()), ("a\nB\nc\nD\ne\n", "a\nB\nc\nd\n"));
        assert_eq!((edits.len(), edits[0].field), (1, Field::Favorited));
        assert_eq!(parts.changes(&BTreeSet::new()), []);
    }
}
