//! Executes a plan: sends its calls unchanged, each once.

use std::sync::Arc;

use serde_json::Value;

use crate::app::assets::content::original;
use crate::app::change::{Change, Edit};
use crate::app::write::plan::parts::{MAX_SHOWN, shown_value};
use crate::app::write::plan::rebase::without_volatile;
use crate::app::write::plan::{Applied, ApplyError, Plan, text};
use crate::app::write::recovery::recreated;
use crate::app::{CallError, Transport, broken};
use lunette_client::model::asset::Asset;
use lunette_client::model::diff::{FieldChange, Step, diff, labels};
use lunette_client::model::display::beginning;
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
    let reply = reply.ok_or_else(|| not_done(broken("the plan has no call")))?;
    let change = plan.change.clone();
    match change {
        Change::LinkNew { asset, kind, unlink, .. } => {
            let item = kind.created(reply).ok_or_else(|| not_done(broken(WRONG_REPLY)))?;
            let call = item.link_call(&asset, true).map_err(|problem| not_done(broken(problem)))?;
            let linked = caller.reply(&call).await;
            linked.map_err(|error| ApplyError { made: Some(item.clone()), ..not_done(error) })?;
            for other in &unlink {
                let call = other.link_call(&asset, false).map_err(|problem| not_done(broken(problem)))?;
                let unlinked = caller.reply(&call).await;
                unlinked.map_err(|error| ApplyError { made: Some(item.clone()), ..not_done(error) })?;
            }
            Ok(Applied { change: Change::linked_new(asset, item, unlink), asset: None, message: None })
        }
        Change::Edit { asset, edits } => Ok(updated(
            reply,
            |now| {
                let edits: Vec<_> =
                    edits.iter().map(|edit| Edit { to: edit.field.value(now.view()), ..edit.clone() }).collect();
                let message = edit_deviations(&plan.change, &edits);
                (Change::Edit { asset, edits }, message)
            },
            &plan.change,
        )),
        Change::Record { asset, from, to } => Ok(updated(
            reply,
            |now| {
                let changed = |name: &&str| from.get(*name) != to.get(*name);
                let intended: Vec<_> = crate::app::change::fingerprint::VOLATILE.into_iter().filter(changed).collect();
                let now = without_volatile(now.tree().clone(), &to, &intended);
                let message = record_deviations(&plan.fields, &diff(&to, &now));
                (Change::Record { asset, from, to: now }, message)
            },
            &plan.change,
        )),
        Change::Text { .. } => Ok(text::done(reply, change)),
        Change::Reclassify { .. } => {
            let asset = AssetReclassify::output(reply).map(Arc::new);
            let message = asset.as_ref().and_then(|asset| reclassify_deviation(&plan.change, asset));
            Ok(Applied { change, asset, message })
        }
        Change::Restore { .. } => {
            Ok(Applied { change, asset: AssetsTrashRestore::output(reply).map(Arc::new), message: None })
        }
        Change::Recreate { asset, links, untold, .. } => {
            let made = AssetsCreateNewAsset::output(reply).ok_or_else(|| not_done(broken(WRONG_REPLY)))?;
            recreated(caller, asset, made, (&links, &untold)).await.map_err(|problem| not_done(broken(problem)))
        }
        Change::Link { .. }
        | Change::Unlink { .. }
        | Change::Relink { .. }
        | Change::Increment { .. }
        | Change::Create { .. }
        | Change::Delete { .. }
        | Change::Purge { .. } => Ok(Applied { change, asset: None, message: None }),
    }
}

/// A write that failed, and whether it may have been applied nevertheless.
pub(in crate::app) fn not_done(error: CallError) -> ApplyError {
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

/// The fields of an edit that the service did not set as requested.
fn edit_deviations(intended: &Change, done: &[Edit]) -> Option<String> {
    let Change::Edit { edits, .. } = intended else { return None };
    let deviations = edits.iter().zip(done).filter(|(intended, done)| intended.to != done.to);
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
    let message = |(place, label): (&FieldChange, String)| {
        let was = asked.iter().find(|asked| asked.path == place.path).map(|asked| &asked.before);
        let path = beginning(&label, MAX_SHOWN);
        match was == Some(&place.after) {
            true => format!("did not change {path}"),
            false => format!("changed {path}"),
        }
    };
    // The indices by id follow from the entries.
    let derived = |place: &&FieldChange| place.path.0.iter().any(|step| *step == Step::Key("indices".to_owned()));
    let differ: Vec<_> = differ.iter().filter(|place| !derived(place)).collect();
    let named = labels(differ.iter().take(MAX_NAMED).map(|place| &place.path));
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
    let now = original(asset.view())?.classification().specific().to_owned();
    (now != *to).then(|| format!("the service classified it as {}", shown_value(&Value::from(now))))
}
