//! Common parts of all plans, and the messages for an asset that was changed meanwhile.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::assets::content::original;
use crate::change::fingerprint::lasting;
use crate::change::{Change, Edit, Item, LinkKind, LinkState};
use crate::write::conflict::Conflict;
use crate::write::plan::{Plan, Preflight, UndoKind};
use lunette_client::model::asset::Asset;
use lunette_client::model::diff::diff;
use lunette_client::model::display::beginning;
use lunette_client::model::language::language_name;
use lunette_client::model::record::{Record as _, View};
use lunette_client::operation::Call;

/// A plan with one call; `after` is the expected record.
pub(super) fn ready(
    change: Change,
    call: Call,
    asset: Option<&Arc<Asset>>,
    after: Option<Value>,
    undo: UndoKind,
) -> Preflight {
    ready_all(change, vec![call], asset, after, undo)
}

/// Plans a change that takes several calls, which are sent in this order.
pub(super) fn ready_all(
    change: Change,
    calls: Vec<Call>,
    asset: Option<&Arc<Asset>>,
    after: Option<Value>,
    undo: UndoKind,
) -> Preflight {
    let fields = match (asset, after) {
        (Some(asset), Some(after)) => diff(asset.tree(), &after),
        _ => Vec::new(),
    };
    Preflight::Ready(Box::new(Plan { change, calls, before: asset.cloned(), fields, undo }))
}

pub(super) fn by(how: &str) -> UndoKind {
    UndoKind::By(how.to_owned())
}

/// The record with an item linked or unlinked.
pub(super) fn with_link(mut record: Value, item: &Item, to_be: LinkState) -> Value {
    let Item { kind, id, text, url } = item;
    let name = if *kind == LinkKind::Tag { "text" } else { "name" };
    let mut entry = serde_json::Map::new();
    // An item that is not created yet has no id.
    entry.extend((!id.is_empty()).then(|| ("id".to_owned(), id.as_str().into())));
    entry.insert(name.to_owned(), text.as_str().into());
    entry.extend(url.as_ref().map(|url| ("url".to_owned(), url.as_str().into())));
    let Some(fields) = record.as_object_mut() else { return record };
    let links = fields.entry(kind.collection()).or_insert(Value::Null);
    if links.get("iterable").is_none_or(|iterable| !iterable.is_array()) {
        *links = json!({ "iterable": [] });
    }
    if let Some(entries) = links["iterable"].as_array_mut() {
        let same = |entry: &Value| entry["id"].as_str().is_some_and(|known| known.eq_ignore_ascii_case(id));
        match to_be {
            LinkState::Linked => entries.push(Value::Object(entry)),
            LinkState::Unlinked => entries.retain(|entry| !same(entry)),
        }
    }
    record
}

/// The conflict if the asset differs from what the change began with.
pub(super) fn moved(change: &Change, base: &Value, asset: &Arc<Asset>) -> Option<Preflight> {
    let conflict = Conflict::of(change, base, Arc::new(asset.tree().clone()))?;
    Some(Preflight::Conflict(Box::new(conflict)))
}

/// The maximum length of a value in a message, in characters.
pub(super) const MAX_SHOWN: usize = 200;

/// A value for a message, truncated: a service may send values of any length.
pub(super) fn shown_value(value: &Value) -> String {
    beginning(&value.to_string(), MAX_SHOWN).into_owned()
}

/// The message of a conflict: "the name was changed meanwhile, to “x”".
pub fn conflict_message(change: &Change, theirs: &Value) -> String {
    let asset = View::<Asset>::of(theirs);
    let edited = |edits: &[Edit]| {
        let moved =
            edits.iter().find(|edit| edit.from.as_ref().is_some_and(|from| *from != edit.field.value(asset)))?;
        let now = moved.field.value(asset);
        let now = now.as_str().map_or_else(|| shown_value(&now), |text| format!("“{}”", beginning(text, MAX_SHOWN)));
        Some(format!("the {} changed to {now} in the meantime", moved.field.as_str()))
    };
    let message = match change {
        Change::Edit { edits, .. } => edited(edits),
        Change::Record { from, .. } => diff(&lasting(from), &lasting(theirs))
            .first()
            .map(|differing| format!("{} changed in the meantime", beginning(&differing.path.label(), MAX_SHOWN))),
        Change::Text { .. } => Some("the text changed in the meantime".to_owned()),
        Change::Reclassify { .. } => specific(asset).map(|now| {
            format!("the language changed to {} in the meantime", beginning(language_name(&now), MAX_SHOWN))
        }),
        Change::Increment { counter, .. } => {
            counter.value(asset).map(|now| format!("{} changed to {now} in the meantime", counter.as_str()))
        }
        _ => None,
    };
    message.unwrap_or_else(|| "the asset changed in the meantime".to_owned())
}

/// Says why it is not known what an asset is linked to.
pub(super) fn unreported_text(kind: LinkKind) -> String {
    format!("the service does not say which {} this asset has", kind.many().to_lowercase())
}

/// The language of the original, by its file extension; None where the record does not tell it.
pub(super) fn specific(asset: View<'_, Asset>) -> Option<String> {
    let specific = original(asset)?.classification().specific();
    (!specific.is_empty()).then(|| specific.to_owned())
}
