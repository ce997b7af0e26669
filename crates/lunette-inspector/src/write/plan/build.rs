//! Builds a plan from a change and the current asset.
//!
//! What must hold: nothing is sent here; the values that the user saw are compared with the asset before a call is
//! built.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::change::fingerprint::Fingerprint;
use crate::change::{Change, Counter, Edit, Field, Item, LinkKind, LinkState, edited, linked, reports_links};
use crate::write::plan::parts::{by, moved, ready, specific, unreported_text, with_link};
use crate::write::plan::record::plan_record;
use crate::write::plan::relink::{self, plan_relink};
use crate::write::plan::{Plan, PlanError, Preflight, UndoKind, ambiguous, trash};
use lunette_client::model::asset::{Asset, AssetReclassification};
use lunette_client::model::diff::{FieldChange, Path};
use lunette_client::model::id::AssetId;
use lunette_client::model::language::{language, language_name};
use lunette_client::model::record::Record as _;
use lunette_client::model::value::SeededScoreIncrement;
use lunette_client::operation::table::{AssetReclassify, AssetScoresIncrement, AssetUpdate, AssetsDeleteAsset};

/// Plans a change on an asset that was read. Links, increments and deletions can be planned without it, with fewer
/// details; all other changes fail without it, as does a change for which no request can be built.
pub fn plan_on(change: Change, asset: Option<&Arc<Asset>>) -> Result<Preflight, PlanError> {
    match change {
        Change::Link { asset: id, item } => plan_link(id, item, LinkState::Linked, asset),
        Change::Unlink { asset: id, item } => plan_link(id, item, LinkState::Unlinked, asset),
        Change::LinkNew { asset: id, kind, text, url, unlink } => plan_new_link(id, kind, text, url, unlink, asset),
        Change::Relink { asset: id, link, unlink } => plan_relink(id, &link, &unlink, needed(asset)?),
        Change::Edit { asset: id, edits } => plan_edit(id, edits, needed(asset)?),
        Change::Record { asset: id, from, to } => {
            let asset = needed(asset)?;
            plan_record(id, from, to, asset, asset)
        }
        Change::Text { .. } => Err(PlanError::NeedsContent),
        Change::Reclassify { asset: id, from, to } => plan_reclassify(id, from, to, needed(asset)?),
        Change::Increment { asset: id, counter, from } => plan_increment(id, counter, from, asset),
        Change::Create { .. } => Err(PlanError::OnlyRecorded),
        Change::Delete { asset: id, name, made } => plan_delete(id, name, made, asset),
        Change::Restore { .. } | Change::Purge { .. } => trash::plan_in_trash(change, asset),
        Change::Recreate { .. } => Err(PlanError::OnlyUndo),
        Change::Copy { .. } => Err(PlanError::OnlyCopied),
    }
}

/// A record that is sent back must have been read as a whole.
fn needed(asset: Option<&Arc<Asset>>) -> Result<&Arc<Asset>, PlanError> {
    let asset = asset.ok_or(PlanError::NotRead)?;
    ambiguous(asset).map_or(Ok(asset), Err)
}

fn plan_link(id: AssetId, item: Item, to_be: LinkState, asset: Option<&Arc<Asset>>) -> Result<Preflight, PlanError> {
    let call = item.id.link_call(&id, to_be)?;
    let unreported = asset.is_some_and(|asset| !reports_links(asset.view(), item.kind));
    let known = asset.and_then(|asset| relink::known(asset, &item));
    let (one, name) = (item.kind.one(), item.name());
    match (asset, &known, to_be) {
        (Some(_), Some(_), LinkState::Linked) => {
            return Ok(Preflight::NoOp(format!("the {one} “{name}” is already linked")));
        }
        // A link that the record tells can be removed, even if it does not tell the others.
        (Some(_), None, LinkState::Unlinked) if unreported => {
            return Err(PlanError::NotRemoved { kind: item.kind, name: name.to_owned() });
        }
        (Some(_), None, LinkState::Unlinked) => {
            return Ok(Preflight::NoOp(format!("the {one} “{name}” is no longer linked")));
        }
        _ => {}
    }
    let after = asset.map(|asset| with_link(asset.tree().clone(), &item, to_be));
    // The name of the unlinked item is taken from the record, so that Undo links it with the same name.
    let item = known.unwrap_or(item);
    let (change, undo) = match to_be {
        LinkState::Linked if unreported => (Change::Link { asset: id, item: item.clone() }, unreported_undo(item.kind)),
        LinkState::Linked => (Change::Link { asset: id, item }, by("Undo removes the link again")),
        LinkState::Unlinked => (Change::Unlink { asset: id, item }, by("Undo links it again")),
    };
    Ok(ready(change, call, asset, after, undo))
}

/// Says why a new link cannot be undone if the record does not tell the links of its asset.
fn unreported_undo(kind: LinkKind) -> UndoKind {
    UndoKind::Never(format!("{}, and links that are not reported are not removed", unreported_text(kind)))
}

fn plan_new_link(
    id: AssetId,
    kind: LinkKind,
    text: String,
    url: Option<String>,
    unlink: Vec<Item>,
    asset: Option<&Arc<Asset>>,
) -> Result<Preflight, PlanError> {
    let removed = asset.map_or(Ok(Some(unlink.clone())), |asset| relink::to_unlink(&unlink, asset))?;
    let Some(unlink) = removed else { return Ok(relink::no_longer_linked(&unlink)) };
    let call = kind.create_call(&text, url.as_deref())?;
    let same = |known: &Item| known.text == text && (url.is_none() || known.url == url);
    if unlink.is_empty() && asset.is_some_and(|asset| linked(asset.view(), kind).iter().any(same)) {
        return Ok(Preflight::NoOp(format!("a {} “{text}” is already linked", kind.one())));
    }
    // Where others go, the new one needs an id to be told from them in the plan.
    let id_of_new = if unlink.is_empty() { "" } else { "new" };
    let item = Item::new(kind, id_of_new, text.clone(), url.clone());
    let replaced = |asset: &Arc<Asset>| {
        let linked = with_link(asset.tree().clone(), &item, LinkState::Linked);
        unlink.iter().fold(linked, |record, other| with_link(record, other, LinkState::Unlinked))
    };
    let after = asset.map(replaced);
    let unreported = asset.is_some_and(|asset| !reports_links(asset.view(), kind));
    let undo = match unreported {
        true => unreported_undo(kind),
        false if unlink.is_empty() => by(&format!("Undo removes the link again; the {} is kept", kind.one())),
        false => by(&format!("Undo restores the previous links; the new {} is kept", kind.one())),
    };
    Ok(ready(Change::LinkNew { asset: id, kind, text, url, unlink }, call, asset, after, undo))
}

fn plan_edit(id: AssetId, edits: Vec<Edit>, asset: &Arc<Asset>) -> Result<Preflight, PlanError> {
    let theirs = |edit: &Edit| edit.field.value(asset.view());
    if edits.iter().all(|edit| theirs(edit) == edit.to) {
        let so: Vec<_> = edits.iter().map(so_already).collect();
        return Ok(Preflight::NoOp(so.join(" and ")));
    }
    if let Some(moved) = moved(&Change::Edit { asset: id.clone(), edits: edits.clone() }, asset.tree(), asset) {
        return Ok(moved);
    }
    let differ = edits.into_iter().filter(|edit| theirs(edit) != edit.to);
    let edits: Vec<_> = differ.map(|edit| Edit { from: Some(theirs(&edit)), ..edit }).collect();
    let after = edits.iter().try_fold((**asset).clone(), edited)?;
    let call = AssetUpdate { transferables: Some(false), asset: Some(after.clone()) };
    let undo = by("Undo restores the previous values");
    Ok(ready(Change::Edit { asset: id, edits }, call.into(), Some(asset), Some(after.into_tree()), undo))
}

fn so_already(edit: &Edit) -> String {
    match (edit.field, edit.to.as_str(), edit.to.as_bool()) {
        (Field::Favorited, _, Some(true)) => "it is already a favourite".to_owned(),
        (Field::Favorited, ..) => "it is not a favourite".to_owned(),
        (field @ (Field::Name | Field::Description), text, _) => {
            format!("the {} is already “{}”", field.as_str(), text.unwrap_or_default())
        }
    }
}

fn plan_reclassify(id: AssetId, from: Option<String>, to: String, asset: &Arc<Asset>) -> Result<Preflight, PlanError> {
    let now = specific(asset.view());
    if now.as_ref() == Some(&to) {
        return Ok(Preflight::NoOp(format!("it is already {}", language_name(&to))));
    }
    let change = Change::Reclassify { asset: id.clone(), from, to: to.clone() };
    if let Some(moved) = moved(&change, asset.tree(), asset) {
        return Ok(moved);
    }
    let body = json!({ "ext": to, "asset": asset.tree() });
    // The asset is sent as it came, whatever it tells.
    let reclassification = AssetReclassification::from_any(body)?;
    let call = AssetReclassify { transferables: Some(false), reclassification: Some(reclassification) };
    let after = with_language(asset.tree().clone(), &to);
    let undo = match &now {
        Some(now) => by(&format!("Undo makes it {} again", language_name(now))),
        None => UndoKind::Never("the current language is not known".to_owned()),
    };
    Ok(ready(Change::Reclassify { asset: id, from: now, to }, call.into(), Some(asset), Some(after), undo))
}

/// The record with another language of its original; the service updates the copies.
fn with_language(mut record: Value, specific: &str) -> Value {
    if let Some(Value::Object(classification)) = record.pointer_mut("/original/reference/classification") {
        let generic = language(specific).map(|language| language.generic);
        classification.extend(generic.map(|generic| ("generic".to_owned(), generic.into())));
        classification.insert("specific".to_owned(), specific.into());
    }
    record
}

fn plan_increment(
    id: AssetId,
    counter: Counter,
    from: Option<i64>,
    asset: Option<&Arc<Asset>>,
) -> Result<Preflight, PlanError> {
    let now = asset.and_then(|asset| counter.value(asset.view()));
    let change = Change::Increment { asset: id.clone(), counter, from };
    if let Some(moved) = asset.and_then(|asset| moved(&change, asset.tree(), asset)) {
        return Ok(moved);
    }
    let body = json!({ "asset": { counter.as_str(): true } });
    let increment = SeededScoreIncrement::from_tree(body)?;
    let call = AssetScoresIncrement { asset: id.clone(), increment: Some(increment) };
    // Without the present value it is not known what changes.
    let count = now.map(|now| now.saturating_add(1));
    let after = asset.zip(count).map(|(asset, count)| with_count(asset.tree().clone(), counter, count));
    let undo = UndoKind::Never("a score cannot be decremented".to_owned());
    Ok(ready(Change::Increment { asset: id, counter, from: now.or(from) }, call.into(), asset, after, undo))
}

fn with_count(mut record: Value, counter: Counter, count: i64) -> Value {
    if let Some(fields) = record.as_object_mut() {
        let score = fields.entry("score").or_insert(Value::Null);
        if !score.is_object() {
            *score = json!({ "manual": 0, "automatic": 0 });
        }
        score[counter.as_str()] = count.into();
    }
    record
}

fn plan_delete(
    id: AssetId,
    name: String,
    made: Option<Fingerprint>,
    asset: Option<&Arc<Asset>>,
) -> Result<Preflight, PlanError> {
    let now = asset.map(|asset| Fingerprint::of(asset.tree()));
    let change = Change::Delete { asset: id.clone(), name: name.clone(), made: made.clone() };
    if let Some(moved) = asset.and_then(|asset| moved(&change, asset.tree(), asset)) {
        return Ok(moved);
    }
    let call = AssetsDeleteAsset { asset: id.clone() };
    let whole =
        |asset: &Arc<Asset>| FieldChange { path: Path::default(), before: Some(asset.tree().clone()), after: None };
    Ok(Preflight::Ready(Box::new(Plan {
        change: Change::Delete { asset: id, name, made: now.or(made) },
        calls: vec![call.into()],
        before: asset.cloned(),
        fields: asset.map(whole).into_iter().collect(),
        // `prepare` knows how the service restores assets, and replaces this.
        undo: UndoKind::Never("the service cannot restore a deleted asset".to_owned()),
    })))
}
