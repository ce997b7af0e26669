//! What plans of every kind are made of, and the sentences for an asset that is not as its change began with it.

use std::sync::Arc;

use serde_json::Value;

use crate::app::assets::content::original;
use crate::app::change::fingerprint::lasting;
use crate::app::change::{Change, Edit};
use crate::app::write::conflict::Conflict;
use crate::app::write::plan::{Plan, Preflight, UndoKind};
use lunette_client::model::asset::Asset;
use lunette_client::model::diff::diff;
use lunette_client::model::display::beginning;
use lunette_client::model::language::language;
use lunette_client::model::record::{Record as _, View};
use lunette_client::operation::Call;

/// A plan of one call; `after` is the record as the call leaves it, as far as can be known.
pub(super) fn ready(
    change: Change,
    call: Call,
    asset: Option<&Arc<Asset>>,
    after: Option<Value>,
    undo: UndoKind,
) -> Preflight {
    let fields = match (asset, after) {
        (Some(asset), Some(after)) => diff(asset.tree(), &after),
        _ => Vec::new(),
    };
    Preflight::Ready(Box::new(Plan { change, calls: vec![call], before: asset.cloned(), fields, undo }))
}

pub(super) fn by(how: &str) -> UndoKind {
    UndoKind::By(how.to_owned())
}

/// The conflict where the asset is not what the change began with.
pub(super) fn moved(change: &Change, base: &Value, asset: &Arc<Asset>) -> Option<Preflight> {
    let conflict = Conflict::of(change, base, Arc::new(asset.tree().clone()))?;
    Some(Preflight::Conflict(Box::new(conflict)))
}

/// How much of a value of the service stands in a sentence, in characters.
pub(super) const TOLD: usize = 200;

/// A value for a sentence: a service says how long it is.
pub(super) fn told(value: &Value) -> String {
    beginning(&value.to_string(), TOLD).into_owned()
}

/// What is no longer as the change began with it, for people: "the name was changed meanwhile, to “x”".
pub fn conflict_message(change: &Change, theirs: &Value) -> String {
    let asset = View::<Asset>::of(theirs);
    let edited = |edits: &[Edit]| {
        let moved =
            edits.iter().find(|edit| edit.from.as_ref().is_some_and(|from| *from != edit.field.value(asset)))?;
        let now = moved.field.value(asset);
        let now = now.as_str().map_or_else(|| told(&now), |text| format!("“{}”", beginning(text, TOLD)));
        Some(format!("the {} changed to {now} in the meantime", moved.field.as_str()))
    };
    let message = match change {
        Change::Edit { edits, .. } => edited(edits),
        Change::Record { from, .. } => diff(&lasting(from), &lasting(theirs))
            .first()
            .map(|place| format!("{} changed in the meantime", beginning(&place.path.label(), TOLD))),
        Change::Text { .. } => Some("the text changed in the meantime".to_owned()),
        Change::Reclassify { .. } => specific(asset)
            .map(|now| format!("the language changed to {} in the meantime", beginning(language_name(&now), TOLD))),
        Change::Increment { counter, .. } => {
            Some(format!("{} changed to {} in the meantime", counter.as_str(), counter.value(asset)))
        }
        Change::Link { .. }
        | Change::Unlink { .. }
        | Change::LinkNew { .. }
        | Change::Create { .. }
        | Change::Delete { .. }
        | Change::Restore { .. }
        | Change::Purge { .. }
        | Change::Recreate { .. } => None,
    };
    message.unwrap_or_else(|| "the asset changed in the meantime".to_owned())
}

/// The language of the original, by its file extension.
pub(super) fn specific(asset: View<'_, Asset>) -> Option<String> {
    original(asset).map(|format| format.classification().specific().to_owned())
}

/// The name of a language for people; the extension where it is not known.
pub(super) fn language_name(specific: &str) -> &str {
    language(specific).map_or(specific, |language| language.name)
}
