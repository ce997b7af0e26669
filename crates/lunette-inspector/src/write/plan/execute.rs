//! Executes a plan: sends its calls unchanged, each once.

use std::iter;
use std::sync::Arc;

use serde_json::Value;

use crate::change::fingerprint::VOLATILE;
use crate::change::{Change, Edit, Item, LinkKind, LinkState};
use crate::write::plan::parts::{MAX_SHOWN, shown_value, specific};
use crate::write::plan::rebase::without_volatile;
use crate::write::plan::reconcile::reconciled;
use crate::write::plan::{Applied, ApplyError, Plan, Reconciled, text};
use crate::write::recovery::{copied, recreated};
use crate::{CallError, Transport, internal_error};
use lunette_client::model::asset::Asset;
use lunette_client::model::diff::{FieldChange, Step, diff, labels};
use lunette_client::model::display::beginning;
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::{AssetReclassify, AssetUpdate, AssetsCreateNewAsset, AssetsTrashRestore};
use lunette_client::operation::{Operation as _, Reply};

/// Why a reply is invalid.
const WRONG_REPLY: &str = "the response belongs to another operation";

/// How many fields are named if a service did not apply a change exactly.
const MAX_NAMED: usize = 3;

/// Sends the calls of a plan and returns the applied change. No call is sent twice, whatever the responses are.
pub async fn execute<C: Transport>(caller: &C, plan: &Plan) -> Result<Applied, ApplyError> {
    let mut reply = None;
    for call in &plan.calls {
        reply = Some(caller.reply(call).await.map_err(not_done)?);
    }
    let reply = reply.ok_or_else(|| not_done(internal_error("the plan has no call")))?;
    applied(caller, plan, reply).await
}

/// The change that was applied, as far as the response to the last call says it. A new item is linked to its asset.
async fn applied<C: Transport>(caller: &C, plan: &Plan, reply: Reply) -> Result<Applied, ApplyError> {
    let change = plan.change.clone();
    match change {
        Change::LinkNew { asset, kind, unlink, .. } => linked_new(caller, asset, kind, unlink, reply).await,
        Change::Edit { asset, edits } => Ok(updated(reply, |now| edited(asset, edits, now), &plan.change)),
        Change::Record { asset, from, to } => {
            let stored = |now: &Asset| recorded(asset, from, &to, &plan.fields, now);
            Ok(updated(reply, stored, &plan.change))
        }
        Change::Text { .. } => match text::told(reply) {
            Some(now) => Ok(text::done(change, &now)),
            None => read_again(caller, change).await,
        },
        Change::Reclassify { .. } => {
            let asset = AssetReclassify::output(reply).map(Arc::new);
            let message = asset.as_ref().and_then(|asset| reclassify_deviation(&plan.change, asset));
            Ok(Applied { change, asset, message })
        }
        Change::Restore { .. } => {
            Ok(Applied { change, asset: AssetsTrashRestore::output(reply).map(Arc::new), message: None })
        }
        Change::Recreate { asset, links, unreported, .. } => {
            let made = AssetsCreateNewAsset::output(reply).ok_or_else(|| not_done(internal_error(WRONG_REPLY)))?;
            recreated(caller, asset, made, &links, &unreported).await.map_err(not_done)
        }
        Change::Copy { asset, keeps_id, .. } => {
            let made = AssetsCreateNewAsset::output(reply).ok_or_else(|| not_done(internal_error(WRONG_REPLY)))?;
            copied(asset, keeps_id, made).map_err(not_done)
        }
        change => Ok(Applied { change, asset: None, message: None }),
    }
}

/// A change whose response does not say what was stored, as the asset has it now. It is not sent again.
async fn read_again<C: Transport>(caller: &C, change: Change) -> Result<Applied, ApplyError> {
    let failed = |unknown, why: String| ApplyError { unknown, error: internal_error(why), made: None };
    match reconciled(caller, &change).await {
        Ok((Reconciled::Applied, _)) => Ok(Applied { change, asset: None, message: None }),
        Ok((Reconciled::NotApplied, _)) => {
            Err(failed(false, "the service accepted the change, and the asset is as it was".to_owned()))
        }
        Ok((Reconciled::Unclear(why), _)) => {
            Err(failed(true, format!("the response does not say what was stored, and {why}")))
        }
        Err(error) => {
            let why = format!("the response does not say what was stored, and it could not be read again: {error}");
            Err(failed(true, why))
        }
    }
}

/// Links the item that was created to the asset.
async fn linked_new<C: Transport>(
    caller: &C,
    asset: AssetId,
    kind: LinkKind,
    unlink: Vec<Item>,
    reply: Reply,
) -> Result<Applied, ApplyError> {
    let item = kind.created(reply).ok_or_else(|| not_done(internal_error(WRONG_REPLY)))?;
    let calls = iter::once((&item, LinkState::Linked)).chain(unlink.iter().map(|other| (other, LinkState::Unlinked)));
    for (linked, to_be) in calls {
        let made = |error| ApplyError { made: Some(item.clone()), ..not_done(error) };
        let call = linked.id.link_call(&asset, to_be).map_err(|problem| made(internal_error(problem.to_string())))?;
        let done = caller.reply(&call).await;
        done.map_err(made)?;
    }
    Ok(Applied { change: Change::linked_new(asset, item, unlink), asset: None, message: None })
}

/// A write that failed, and whether it may have been applied nevertheless.
pub(crate) fn not_done(error: CallError) -> ApplyError {
    ApplyError { unknown: error.outcome_unknown(), error, made: None }
}

/// The applied update, determined from the asset in the response.
fn updated(reply: Reply, came_to: impl FnOnce(&Asset) -> (Change, Option<String>), intended: &Change) -> Applied {
    match AssetUpdate::output(reply) {
        Some(asset) => {
            let (change, message) = came_to(&asset);
            Applied { change, asset: Some(Arc::new(asset)), message }
        }
        None => Applied { change: intended.clone(), asset: None, message: None },
    }
}

/// The edit as the service applied it, and what it did not set as requested.
fn edited(asset: AssetId, intended: Vec<Edit>, now: &Asset) -> (Change, Option<String>) {
    // A value that the response does not tell is taken to be the one that was sent.
    let stored = |edit: &Edit| edit.field.told(now.view()).unwrap_or_else(|| edit.to.clone());
    let edits: Vec<_> = intended.iter().map(|edit| Edit { to: stored(edit), ..edit.clone() }).collect();
    let message = edit_deviations(&intended, &edits);
    (Change::Edit { asset, edits }, message)
}

/// The change of a record as the service stored it, and what it did not store as sent.
fn recorded(
    asset: AssetId,
    from: Value,
    to: &Value,
    requested: &[FieldChange],
    now: &Asset,
) -> (Change, Option<String>) {
    let changed = |name: &&str| from.get(*name) != to.get(*name);
    let intended: Vec<_> = VOLATILE.into_iter().filter(changed).collect();
    let now = without_volatile(now.tree().clone(), to, &intended);
    let message = record_deviations(requested, &diff(to, &now));
    (Change::Record { asset, from, to: now }, message)
}

/// The fields of an edit that the service did not set as requested.
fn edit_deviations(intended: &[Edit], done: &[Edit]) -> Option<String> {
    let deviations = intended.iter().zip(done).filter(|(intended, done)| intended.to != done.to);
    let message: Vec<_> = deviations
        .map(|(intended, done)| match intended.from == Some(done.to.clone()) {
            true => format!("the service did not change the {}", intended.field.as_str()),
            false => format!("the service set the {} to {}", intended.field.as_str(), shown_value(&done.to)),
        })
        .collect();
    (!message.is_empty()).then(|| message.join("; "))
}

/// The fields of a record that the service did not store as sent.
fn record_deviations(asked: &[FieldChange], differ: &[FieldChange]) -> Option<String> {
    let message = |(change, label): (&FieldChange, String)| {
        let was = asked.iter().find(|asked| asked.path == change.path).map(|asked| &asked.before);
        let path = beginning(&label, MAX_SHOWN);
        match was == Some(&change.after) {
            true => format!("did not change {path}"),
            false => format!("changed {path}"),
        }
    };
    // The indices by id follow from the entries.
    let derived = |change: &&FieldChange| change.path.0.iter().any(|step| *step == Step::Key("indices".to_owned()));
    let differ: Vec<_> = differ.iter().filter(|change| !derived(change)).collect();
    let named = labels(differ.iter().take(MAX_NAMED).map(|change| &change.path));
    let named: Vec<_> = differ.iter().copied().zip(named).map(message).collect();
    let more = match differ.len().saturating_sub(MAX_NAMED) {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    (!named.is_empty()).then(|| format!("the service {}{more}", named.join(", ")))
}

/// The language that the service set, if it is not the requested one.
fn reclassify_deviation(change: &Change, asset: &Asset) -> Option<String> {
    let Change::Reclassify { to, .. } = change else { return None };
    let now = specific(asset.view())?;
    (now != *to).then(|| format!("the service classified it as {}", shown_value(&Value::from(now))))
}
