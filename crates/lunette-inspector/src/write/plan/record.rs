//! Plans a change of the raw editor, which replaces the record.
//!
//! What must hold: only the fields that the user changed are checked and changed, whatever else the service sent; removed fields are sent in a way that a service
//! which merges understands.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::change::Change;
use crate::write::plan::parts::{by, moved, ready};
use crate::write::plan::rebase::{rebase, without_volatile};
use crate::write::plan::{PlanError, Preflight};
use lunette_client::model::asset::Asset;
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::AssetUpdate;

/// Plans a change of the raw editor. `seen` is the current asset, read in the same way as the base version of the user,
/// and `whole` the one that is sent back.
///
/// A removed field is sent as null: a service that merges would keep an omitted field, and for one that replaces the
/// record null and absent are the same.
pub(super) fn plan_record(
    id: AssetId,
    from: Value,
    to: Value,
    seen: &Arc<Asset>,
    whole: &Arc<Asset>,
) -> Result<Preflight, PlanError> {
    if to.get("id") != from.get("id") {
        return Err(PlanError::IdChanged);
    }
    let intended = Asset::from_edit(&from, to).map_err(PlanError::InvalidRecord)?;
    // Volatile fields that changed since the user began are not conflicts.
    let base = without_volatile(from.clone(), seen.tree(), &[]);
    let (intended, from) = (rebase(&from, intended.tree(), &base), base);
    let change = Change::Record { asset: id.clone(), from: from.clone(), to: intended.clone() };
    if let Some(moved) = moved(&change, &from, seen) {
        return Ok(moved);
    }
    let after = rebase(&from, &intended, seen.tree());
    if after == *seen.tree() {
        return Ok(Preflight::NoOp("the record is already like this".to_owned()));
    }
    let mut body = rebase(&from, &intended, whole.tree());
    let gone = from.as_object().into_iter().flatten().filter(|(name, _)| intended.get(name.as_str()).is_none());
    for (name, _) in gone {
        body[name] = Value::Null;
    }
    if Arc::ptr_eq(seen, whole) {
        empty_descriptions(&from, &intended, &mut body);
    }
    let body = Asset::from_any(body)?;
    let call = AssetUpdate { transferables: Some(false), asset: Some(body) };
    let change = Change::Record { asset: id, from: seen.tree().clone(), to: after.clone() };
    let undo = by("Undo restores the previous record, except for fields that the service maintains");
    Ok(ready(change, call.into(), Some(seen), Some(after), undo))
}

/// Sends every removed description with an empty text: our service keeps an omitted one.
fn empty_descriptions(from: &Value, to: &Value, body: &mut Value) {
    fn entries(record: &Value) -> &[Value] {
        record.pointer("/annotations/iterable").and_then(Value::as_array).map_or(&[], Vec::as_slice)
    }
    let stays = |gone: &&Value| entries(to).iter().any(|entry| entry.get("id") == gone.get("id"));
    let gone = entries(from).iter().filter(|entry| entry["type"] == "DESCRIPTION" && !stays(entry));
    let emptied: Vec<_> = gone
        .map(|entry| {
            let mut entry = entry.clone();
            entry["text"] = "".into();
            entry
        })
        .collect();
    if emptied.is_empty() {
        return;
    }
    if entries(body).is_empty() {
        body["annotations"] = json!({ "iterable": [] });
    }
    if let Some(entries) = body.pointer_mut("/annotations/iterable").and_then(Value::as_array_mut) {
        entries.extend(emptied);
    }
}
