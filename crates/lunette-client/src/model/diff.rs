//! Differences between two JSON trees, path by path, and three-way merges: a base and two changed versions of it.
//!
//! What must hold: `apply(&diff(a, b), a) == b` for any two trees; and a change is applied only where the tree still
//! holds the old value. Numbers are compared by their digits: `1` and `1.0` differ. The order of fields does not
//! matter. All of it takes time in proportion to the trees.

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
    /// An index of an array.
    Place(usize),
    /// The entry of an array with this `id`; a new one is appended.
    Id(String),
    /// The entry with this `id` that is removed from an array or inserted into it, and its index.
    IdAt(String, usize),
}

/// A path in a tree; the empty path is the whole tree.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Path(pub Vec<Step>);

/// As `$.annotations.iterable[id=4f…].text`, and `$["a b"]` for a key that is not a word.
impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("$")?;
        self.0.iter().try_for_each(|step| match step {
            Step::Key(key) if is_word(key) => write!(f, ".{key}"),
            Step::Key(key) => write!(f, "[{}]", Value::from(key.as_str())),
            Step::Place(index) => write!(f, "[{index}]"),
            Step::Id(id) | Step::IdAt(id, _) => write!(f, "[id={id}]"),
        })
    }
}

fn is_word(key: &str) -> bool {
    !key.is_empty() && key.chars().all(|letter| letter.is_alphanumeric() || letter == '_' || letter == '-')
}

/// A difference at one path; None means absent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FieldChange {
    /// Where.
    pub path: Path,
    /// The old value.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub before: Option<Value>,
    /// The new value.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub after: Option<Value>,
}

/// A serialised value is present even if it is null.
fn present<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(from).map(Some)
}

/// A tree no longer holds the old value of a change.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{path} has changed")]
pub struct ApplyConflict {
    /// Where.
    pub path: Path,
    /// The current value.
    pub found: Option<Value>,
}

/// Returns the changes that turn the first tree into the second.
///
/// Objects are compared by key. Arrays are compared by the `id` of their entries where every entry is an object that
/// has one of its own and the shared ones have the same order; else by index if both have the same length; any other
/// array is one change as a whole.
pub fn diff(before: &Value, after: &Value) -> Vec<FieldChange> {
    let mut changes = Vec::new();
    walk::differences(before, after, before, |path, [before, after, _]| {
        changes.push(FieldChange { path, before: before.cloned(), after: after.cloned() });
    });
    changes
}

/// Applies the changes of one diff; fails where the tree does not hold the old value.
///
/// New fields come last in their object. A new entry comes to its index, or to the end of an array that is shorter.
pub fn apply(changes: &[FieldChange], tree: Value) -> Result<Value, ApplyConflict> {
    make::applied(tree, changes)
}

/// Returns the inverse of the changes.
pub fn inverse(changes: &[FieldChange]) -> Vec<FieldChange> {
    let back = |change: &FieldChange| FieldChange {
        path: change.path.clone(),
        before: change.after.clone(),
        after: change.before.clone(),
    };
    changes.iter().rev().map(back).collect()
}

/// One path that either side changed since the base.
#[derive(Clone, Debug, PartialEq)]
pub struct MergeField {
    /// Where.
    pub path: Path,
    /// The base value.
    pub base: Option<Value>,
    /// Your value.
    pub yours: Option<Value>,
    /// The other side's value.
    pub theirs: Option<Value>,
}

impl MergeField {
    /// Whether both sides changed it, to different values (a merge conflict).
    pub fn overlaps(&self) -> bool {
        self.yours != self.base && self.theirs != self.base && self.yours != self.theirs
    }
}

/// Every path that either side changed; if one side changed a part of what the other changed as a whole, the larger
/// path covers both.
///
/// The paths do not overlap, and applying `yours` at every one of them to `theirs` gives the whole of yours.
pub fn merge_fields(base: &Value, yours: &Value, theirs: &Value) -> Vec<MergeField> {
    let mut fields = Vec::new();
    walk::differences(base, yours, theirs, |path, [base, yours, theirs]| {
        fields.push(MergeField { path, base: base.cloned(), yours: yours.cloned(), theirs: theirs.cloned() });
    });
    fields
}
