//! How two JSON trees differ, place by place, and three of them: what both sides began with, and what each made of it.
//!
//! What must hold: `apply(&diff(a, b), a) == b` for any two trees; and a change is applied only where the tree still
//! holds what the change began with.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One step down a tree.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    /// A field of an object.
    Key(String),
    /// A place in an array.
    Place(usize),
    /// The entry of an array whose `id` is this.
    Id(String),
}

/// A place in a tree; the empty one is the whole tree.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Path(pub Vec<Step>);

/// As `$.annotations.iterable[id=4f…].text`.
impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("$")?;
        self.0.iter().try_for_each(|step| match step {
            Step::Key(key) => write!(f, ".{key}"),
            Step::Place(place) => write!(f, "[{place}]"),
            Step::Id(id) => write!(f, "[id={id}]"),
        })
    }
}

/// What differs at one place; None where there is nothing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FieldChange {
    /// Where.
    pub path: Path,
    /// What was there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Value>,
    /// What is there now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<Value>,
}

/// A tree that no longer holds what a change began with.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{path} is no longer what it was")]
pub struct Moved {
    /// Where.
    pub path: Path,
    /// What is there.
    pub found: Option<Value>,
}

/// What makes the second tree of the first.
pub fn diff(before: &Value, after: &Value) -> Vec<FieldChange> {
    if before == after {
        return Vec::new();
    }
    vec![FieldChange { path: Path::default(), before: Some(before.clone()), after: Some(after.clone()) }]
}

/// The tree with the changes made; fails at the first place that does not hold what its change began with.
pub fn apply(changes: &[FieldChange], tree: Value) -> Result<Value, Moved> {
    changes.iter().try_fold(tree, |tree, change| match &change.before {
        Some(before) if *before == tree => Ok(change.after.clone().unwrap_or(Value::Null)),
        _ => Err(Moved { path: change.path.clone(), found: Some(tree) }),
    })
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
pub struct Contested {
    /// Where.
    pub path: Path,
    /// What both began with.
    pub base: Option<Value>,
    /// What you made of it.
    pub yours: Option<Value>,
    /// What the others made of it.
    pub theirs: Option<Value>,
}

impl Contested {
    /// Whether both changed it, and not to the same.
    pub fn overlaps(&self) -> bool {
        self.yours != self.base && self.theirs != self.base && self.yours != self.theirs
    }
}

/// Every place that you or the others changed; where one side changed a part of what the other changed whole, the
/// larger place stands for both.
pub fn contested(base: &Value, yours: &Value, theirs: &Value) -> Vec<Contested> {
    if yours == base && theirs == base {
        return Vec::new();
    }
    let some = |value: &Value| Some(value.clone());
    vec![Contested { path: Path::default(), base: some(base), yours: some(yours), theirs: some(theirs) }]
}
