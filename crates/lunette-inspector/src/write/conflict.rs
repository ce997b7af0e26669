//! Three-way merges of an asset: the base version, the user's version, and the version of the service.
//!
//! What must hold: if both sides changed the same field, the user decides, and nothing is sent before every such field
//! is decided. The merged change is applied to the version of the service, so that its other changes are kept.
//!
//! Our choice: fields that change without being edited need no decision. If only the service changed such a field, its
//! version is used without being shown.

use std::sync::Arc;

use serde_json::Value;

use crate::assets::content::text_of;
use crate::change::fingerprint::{Fingerprint, VOLATILE};
use crate::change::{Change, Counter, Edit, Field};
use lunette_client::model::View;
use lunette_client::model::asset::Asset;
use lunette_client::model::diff::{FieldChange, MergeField, Path, Step, apply, merge_fields};
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;

#[cfg(test)]
mod tests;

/// A write to an asset that was changed meanwhile.
#[derive(Clone, Debug, PartialEq)]
pub struct Conflict {
    /// The id of the asset.
    pub asset: AssetId,
    /// The name of the asset.
    pub name: String,
    /// The intended change.
    pub change: Change,
    /// Every field that either side changed.
    pub fields: Vec<ContestedField>,
    /// The record of the service.
    pub theirs: Arc<Value>,
}

/// A field, and the chosen side.
#[derive(Clone, Debug, PartialEq)]
pub struct ContestedField {
    /// The three versions.
    pub field: MergeField,
    /// The chosen side. If only one side changed the field, that side is preselected.
    pub choice: Choice,
}

/// The chosen side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Not chosen yet.
    Open,
    /// The user's.
    Yours,
    /// The service's.
    Theirs,
}

/// The result of a conflict with the decisions so far.
#[derive(Clone, Debug, PartialEq)]
pub enum Resolved {
    /// This many fields must be decided first.
    Open(usize),
    /// The user's version has nothing left to send.
    Nothing,
    /// The write rebased onto the version of the service.
    Change(Box<Change>),
}

impl Conflict {
    /// The conflict of a write with the version of the service; `None` if no field of the write was changed, or if it
    /// was changed to the value that the write would set.
    ///
    /// `base` is the record that the user started from, if known.
    pub fn of(change: &Change, base: &Value, theirs: Arc<Value>) -> Option<Self> {
        let fields = match change {
            Change::Edit { edits, .. } => edits.iter().map(|edit| edited(edit, &theirs)).collect(),
            Change::Record { from, to, .. } => {
                merge_fields(from, to, &theirs).into_iter().filter(|field| !moves_by_itself(field)).collect()
            }
            Change::Text { from, to, .. } => vec![rewritten(from, to, &theirs)],
            Change::Reclassify { from: Some(from), to, .. } => vec![reclassified(from, to, &theirs)],
            Change::Increment { counter, from: Some(from), .. } => vec![counted(*counter, *from, &theirs)],
            Change::Delete { made: Some(made), .. } => vec![deleted(made, base, &theirs)],
            // Without the values that the user saw, and for links, nothing is compared.
            _ => return None,
        };
        let moved = |field: &MergeField| field.theirs != field.base && field.theirs != field.yours;
        if !fields.iter().any(moved) {
            return None;
        }
        let name = known_name(change).or_else(|| theirs.get("name")?.as_str()).filter(|name| !name.trim().is_empty());
        Some(Self {
            asset: change.asset().clone(),
            name: name.unwrap_or("Unnamed").to_owned(),
            change: change.clone(),
            fields: fields.into_iter().map(ContestedField::new).collect(),
            theirs,
        })
    }

    /// Whether every field is decided.
    pub fn decided(&self) -> bool {
        self.open() == 0
    }

    /// The number of undecided fields.
    pub fn open(&self) -> usize {
        self.fields.iter().filter(|contested| contested.choice == Choice::Open).count()
    }

    /// Whether no field was changed by both sides, so that no decision is needed.
    pub fn mergeable(&self) -> bool {
        self.fields.iter().all(|contested| !contested.field.overlaps())
    }

    /// Chooses the side of a field; has no effect if only one side changed it.
    pub fn decide(&mut self, index: usize, choice: Choice) {
        if let Some(contested) = self.fields.get_mut(index).filter(|contested| contested.field.overlaps()) {
            contested.choice = choice;
        }
    }

    /// The result with the decisions so far.
    pub fn resolved(&self) -> Resolved {
        match self.open() {
            0 => self.rebased().map_or(Resolved::Nothing, |change| Resolved::Change(Box::new(change))),
            open => Resolved::Open(open),
        }
    }

    /// The user's part of the change, applied to the version of the service.
    fn rebased(&self) -> Option<Change> {
        let mut yours = self.fields.iter().filter(|contested| contested.choice == Choice::Yours).peekable();
        yours.peek()?;
        match self.change.clone() {
            Change::Edit { asset, edits } => {
                // The fields of the conflict are those of the edit, in their order.
                let pairs =
                    edits.into_iter().zip(&self.fields).filter(|(_, contested)| contested.choice == Choice::Yours);
                let edits =
                    pairs.map(|(edit, ContestedField { field, .. })| Edit { from: field.theirs.clone(), ..edit });
                Some(Change::Edit { asset, edits: edits.collect() })
            }
            Change::Record { asset, .. } => {
                let changes: Vec<_> = yours.map(|contested| upon_theirs(&contested.field)).collect();
                let from = self.theirs.as_ref().clone();
                let to = apply(&changes, from.clone()).ok()?;
                Some(Change::Record { asset, from, to })
            }
            Change::Text { asset, to, .. } => {
                Some(Change::Text { asset, from: text_of(View::of(&self.theirs))?.to_string(), to })
            }
            Change::Reclassify { asset, to, .. } => {
                Some(Change::Reclassify { asset, from: Some(language_of(&self.theirs).to_owned()), to })
            }
            Change::Increment { asset, counter, .. } => {
                let from = counter.value(View::of(&self.theirs));
                Some(Change::Increment { asset, counter, from })
            }
            Change::Delete { asset, name, .. } => {
                Some(Change::Delete { asset, name, made: Some(Fingerprint::of(&self.theirs)) })
            }
            _ => None,
        }
    }
}

impl ContestedField {
    fn new(field: MergeField) -> Self {
        let choice = match () {
            () if field.overlaps() => Choice::Open,
            () if field.yours == field.theirs || field.yours == field.base => Choice::Theirs,
            () => Choice::Yours,
        };
        Self { field, choice }
    }
}

/// The name of the asset before the change, if the change contains it.
fn known_name(change: &Change) -> Option<&str> {
    match change {
        Change::Edit { edits, .. } => edits.iter().find(|edit| edit.field == Field::Name)?.from.as_ref()?.as_str(),
        Change::Record { from, .. } => from.get("name")?.as_str(),
        change => change.name(),
    }
}

fn upon_theirs(field: &MergeField) -> FieldChange {
    FieldChange { path: field.path.clone(), before: field.theirs.clone(), after: field.yours.clone() }
}

/// The merged field of an edit. An edit without a base value accepts any.
fn edited(edit: &Edit, theirs: &Value) -> MergeField {
    let now = edit.field.value(View::of(theirs));
    let path = match edit.field {
        Field::Name => keys(&["name"]),
        Field::Favorited => keys(&["favorited"]),
        Field::Description => description_path(theirs),
    };
    let base = edit.from.clone().unwrap_or_else(|| now.clone());
    MergeField { path, base: Some(base), yours: Some(edit.to.clone()), theirs: Some(now) }
}

/// The path of the description text; the whole annotations if there is none.
fn description_path(record: &Value) -> Path {
    let annotations = View::<Asset>::of(record).annotations();
    let id = annotations.and_then(|annotations| {
        let last = annotations.iterable().iter().rev().find(|annotation| annotation.kind() == "DESCRIPTION")?;
        Some(last.id().to_owned())
    });
    let mut path = keys(&["annotations"]);
    if let Some(id) = id {
        path.0.extend([Step::Key("iterable".to_owned()), Step::Id(id), Step::Key("text".to_owned())]);
    }
    path
}

/// The whole text.
fn rewritten(from: &str, to: &str, theirs: &Value) -> MergeField {
    let now = text_of(View::of(theirs)).map(|text| Value::from(&*text));
    let path = keys(&["original", "reference", "fragment", "string", "raw"]);
    MergeField { path, base: Some(from.into()), yours: Some(to.into()), theirs: now }
}

fn reclassified(from: &str, to: &str, theirs: &Value) -> MergeField {
    let path = keys(&["original", "reference", "classification", "specific"]);
    let some = |language: &str| Some(Value::from(language));
    // What is not told did not change, as far as is known.
    let now = Some(language_of(theirs)).filter(|language| !language.is_empty()).unwrap_or(from);
    MergeField { path, base: some(from), yours: some(to), theirs: some(now) }
}

fn language_of(record: &Value) -> &str {
    let format = crate::assets::content::original(View::of(record));
    format.map(|format| format.classification().specific()).unwrap_or_default()
}

/// The merged field of a counter. It increments the current value.
fn counted(counter: Counter, from: i64, theirs: &Value) -> MergeField {
    // What is not told did not change, as far as is known.
    let now = counter.value(View::of(theirs)).unwrap_or(from);
    let after = now.saturating_add(1);
    let path = keys(&["score", counter.as_str()]);
    MergeField { path, base: Some(from.into()), yours: Some(after.into()), theirs: Some(now.into()) }
}

/// The whole record, which a deletion removes. Of its base version only the fingerprint may be known.
fn deleted(made: &Fingerprint, base: &Value, theirs: &Value) -> MergeField {
    let base = if Fingerprint::of(base) == *made { base.clone() } else { Value::Null };
    let theirs = if Fingerprint::of(theirs) == *made { base.clone() } else { theirs.clone() };
    MergeField { path: Path::default(), base: Some(base), yours: None, theirs: Some(theirs) }
}

fn keys(keys: &[&str]) -> Path {
    Path(keys.iter().map(|key| Step::Key((*key).to_owned())).collect())
}

/// Whether only the service changed the field, and it is not one that users edit: volatile fields of a record (see
/// [`crate::change::fingerprint::lasting`]), and the indices of its lists.
fn moves_by_itself(contested: &MergeField) -> bool {
    let MergeField { path, base, yours, .. } = contested;
    let keys: Vec<_> = path.0.iter().filter_map(key_of).collect();
    let known = |name: &str| Asset::FIELDS.iter().any(|field| field.name == name);
    let volatile = |name: &&str| VOLATILE.contains(name);
    yours == base
        && match keys.as_slice() {
            [] => false,
            ["formats", "iterable", "asset", ..] => true,
            [first, rest @ ..] => {
                volatile(first) || known(first) && rest.iter().any(|key| volatile(key) || *key == "indices")
            }
        }
}

fn key_of(step: &Step) -> Option<&str> {
    match step {
        Step::Key(key) => Some(key),
        Step::Place(_) | Step::Id(_) | Step::IdAt(..) => None,
    }
}
