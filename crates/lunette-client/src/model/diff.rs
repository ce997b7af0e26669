//! How two JSON trees differ, place by place, and three of them: what both sides began with, and what each made of it.
//!
//! What must hold: `apply(&diff(a, b), a) == b` for any two trees; and a change is applied only where the tree still
//! holds what the change began with. Numbers are compared by their digits: `1` and `1.0` differ. The order of fields
//! does not matter. All of it takes time in proportion to the trees.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

mod label;
mod make;
#[cfg(test)]
mod tests;
mod walk;

pub use label::labels;

/// One step down a tree.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    /// A field of an object.
    Key(String),
    /// A place in an array.
    Place(usize),
    /// The entry of an array whose `id` is this; a new one comes to the end.
    Id(String),
    /// The same, of an entry that is taken out or put in: the place where it stands when it is there.
    IdAt(String, usize),
}

/// A place in a tree; the empty one is the whole tree.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Path(pub Vec<Step>);

/// As `$.annotations.iterable[id=4f…].text`, and `$["a b"]` for a key that is no word.
impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("$")?;
        self.0.iter().try_for_each(|step| match step {
            Step::Key(key) if is_word(key) => write!(f, ".{key}"),
            Step::Key(key) => write!(f, "[{}]", Value::from(key.as_str())),
            Step::Place(place) => write!(f, "[{place}]"),
            Step::Id(id) | Step::IdAt(id, _) => write!(f, "[id={id}]"),
        })
    }
}

fn is_word(key: &str) -> bool {
    !key.is_empty() && key.chars().all(|letter| letter.is_alphanumeric() || letter == '_' || letter == '-')
}

/// What differs at one place; None where there is nothing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FieldChange {
    /// Where.
    pub path: Path,
    /// What was there.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub before: Option<Value>,
    /// What is there now.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub after: Option<Value>,
}

/// A value that is written down is there, also where it is null.
fn present<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(from).map(Some)
}

/// A tree that no longer holds what a change began with.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{path} has changed")]
pub struct ApplyConflict {
    /// Where.
    pub path: Path,
    /// What is there.
    pub found: Option<Value>,
}

/// What makes the second tree of the first.
///
/// Objects are compared by key. Arrays are compared by the `id` of their entries where every entry is an object that has
/// one of its own and those on both sides stand in the same order; else by place where they are of one length; any other
/// array is one change as a whole.
pub fn diff(before: &Value, after: &Value) -> Vec<FieldChange> {
    let mut changes = Vec::new();
    walk::places(before, after, before, |path, [before, after, _]| {
        changes.push(FieldChange { path, before: before.cloned(), after: after.cloned() });
    });
    changes
}

/// The tree with the changes of one diff made; fails at a place that does not hold what its change began with.
///
/// New fields come last in their object. A new entry comes to its place, or to the end of an array that is shorter.
pub fn apply(changes: &[FieldChange], tree: Value) -> Result<Value, ApplyConflict> {
    make::applied(tree, changes)
}

/// What takes the changes back.
pub fn inverse(changes: &[FieldChange]) -> Vec<FieldChange> {
    let back = |change: &FieldChange| FieldChange {
        path: change.path.clone(),
        before: change.after.clone(),
        after: change.before.clone(),
    };
    changes.iter().rev().map(back).collect()
}

/// One place that somebody changed since both began.
#[derive(Clone, Debug, PartialEq)]
pub struct MergePlace {
    /// Where.
    pub path: Path,
    /// What both began with.
    pub base: Option<Value>,
    /// What you made of it.
    pub yours: Option<Value>,
    /// What the others made of it.
    pub theirs: Option<Value>,
}

impl MergePlace {
    /// Whether both changed it, and not to the same.
    pub fn overlaps(&self) -> bool {
        self.yours != self.base && self.theirs != self.base && self.yours != self.theirs
    }
}

/// Every place that you or the others changed; where one side changed a part of what the other changed whole, the
/// larger place stands for both.
///
/// The places do not overlap, and making `yours` of `theirs` at every one of them makes the whole of yours.
pub fn merge_places(base: &Value, yours: &Value, theirs: &Value) -> Vec<MergePlace> {
    let mut places = Vec::new();
    walk::places(base, yours, theirs, |path, [base, yours, theirs]| {
        places.push(MergePlace { path, base: base.cloned(), yours: yours.cloned(), theirs: theirs.cloned() });
    });
    places
}
