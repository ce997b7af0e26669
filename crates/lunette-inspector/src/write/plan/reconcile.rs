//! Reconciles a write whose outcome is unknown, by reading the asset, never by repeating the write.

use serde_json::Value;

use crate::change::{Change, Edit, Item, linked, reports_links};
use crate::write::plan::parts::{specific, unreported_text};
use crate::write::plan::rebase::rebase;
use crate::write::plan::{Reconciled, read, relink, text};
use crate::{CallError, Transport};
use lunette_client::model::asset::Asset;
use lunette_client::model::record::Record as _;

/// Reads the asset again and determines whether the change was applied. Fails if it cannot be read.
pub async fn reconcile<C: Transport>(caller: &C, change: &Change, _own: bool) -> Result<Reconciled, CallError> {
    Ok(reconciled(caller, change).await?.0)
}

/// Reconciles a change, and returns the applied one if only the service knew it.
pub(crate) async fn reconciled<C: Transport>(
    caller: &C,
    change: &Change,
) -> Result<(Reconciled, Option<Change>), CallError> {
    let deletes = matches!(change, Change::Delete { .. });
    if let Change::Recreate { name, .. } = change {
        let why = format!("a new asset would have a new id; look for “{name}” in the list");
        return Ok((Reconciled::Unclear(why), None));
    }
    let content = matches!(change, Change::Text { .. });
    match read(caller, change.asset(), content).await {
        Ok(asset) => Ok(compare(change, &asset)),
        Err(CallError::Status { status: 404 | 410, .. }) if deletes => Ok((Reconciled::Applied, None)),
        Err(CallError::Status { status: 404 | 410, .. })
            if matches!(change, Change::Create { .. } | Change::Restore { .. }) =>
        {
            Ok((Reconciled::NotApplied, None))
        }
        Err(CallError::Status { status: 404 | 410, .. }) if matches!(change, Change::Purge { .. }) => {
            Ok((Reconciled::Unclear("check whether it is still in the Trash".to_owned()), None))
        }
        Err(CallError::Status { status: 404 | 410, .. }) => {
            Ok((Reconciled::Unclear("the asset no longer exists".to_owned()), None))
        }
        Err(error) => Err(error),
    }
}

/// Whether the asset has the values that the change sets.
fn compare(change: &Change, asset: &Asset) -> (Reconciled, Option<Change>) {
    let view = asset.view();
    let kind = match change {
        Change::Link { item, .. } | Change::Unlink { item, .. } => Some(item.kind),
        Change::LinkNew { kind, .. } => Some(*kind),
        _ => None,
    };
    if let Some(kind) = kind.filter(|kind| !reports_links(view, *kind)) {
        return (Reconciled::Unclear(unreported_text(kind)), None);
    }
    let is_linked = |item: &Item| linked(view, item.kind).iter().any(|known| known.id.eq_ignore_ascii_case(&item.id));
    let reconciled = match change {
        Change::Link { item, .. } => done_if(is_linked(item)),
        Change::Unlink { item, .. } => done_if(!is_linked(item)),
        Change::Relink { link, unlink, .. } => relink::reconciled(link, unlink, asset),
        Change::LinkNew { asset, kind, text, url, unlink } => {
            let same = |known: &Item| known.text == *text && (url.is_none() || known.url == *url);
            let found = linked(view, *kind).into_iter().find(same).filter(|_| !unlink.iter().any(is_linked));
            let made = found.map(|item| Change::linked_new(asset.clone(), item, unlink.clone()));
            return (done_if(made.is_some()), made);
        }
        Change::Edit { edits, .. } => reconciled_edits(edits, asset),
        Change::Record { from, to, .. } => reconciled_record(from, to, asset.tree()),
        Change::Text { from, to, .. } => text::reconciled(from, to, asset),
        Change::Reclassify { from, to, .. } => {
            let now = specific(view);
            reconciled_language(from.as_deref(), to, now.as_deref())
        }
        Change::Increment { counter, from, .. } => reconciled_counter(*from, counter.value(view)),
        Change::Create { .. } | Change::Restore { .. } => Reconciled::Applied,
        Change::Delete { .. } | Change::Purge { .. } | Change::Recreate { .. } => Reconciled::NotApplied,
    };
    (reconciled, None)
}

fn done_if(done: bool) -> Reconciled {
    if done { Reconciled::Applied } else { Reconciled::NotApplied }
}

fn reconciled_record(from: &Value, to: &Value, now: &Value) -> Reconciled {
    match now {
        now if rebase(from, to, now) == *now => Reconciled::Applied,
        now if rebase(to, from, now) == *now => Reconciled::NotApplied,
        _ => Reconciled::Unclear("the record matches neither the previous nor the new version".to_owned()),
    }
}

fn reconciled_language(from: Option<&str>, to: &str, now: Option<&str>) -> Reconciled {
    match now {
        Some(now) if now == to => Reconciled::Applied,
        Some(now) if Some(now) == from => Reconciled::NotApplied,
        Some(now) => Reconciled::Unclear(format!("the language is now {now:?}, neither the previous nor the new one")),
        None => Reconciled::Unclear("the current language is not known".to_owned()),
    }
}

fn reconciled_counter(from: Option<i64>, now: Option<i64>) -> Reconciled {
    let Some(now) = now else {
        return Reconciled::Unclear("the service does not say what the counter is now".to_owned());
    };
    match from {
        Some(from) if now == from.saturating_add(1) => Reconciled::Applied,
        Some(from) if now == from => Reconciled::NotApplied,
        Some(from) => Reconciled::Unclear(format!("the counter was {from} and is now {now}")),
        None => Reconciled::Unclear(format!("the counter is {now}; its previous value is not known")),
    }
}

fn reconciled_edits(edits: &[Edit], asset: &Asset) -> Reconciled {
    let now = |edit: &Edit| edit.field.told(asset.view());
    let fields: Vec<_> = edits.iter().map(|edit| edit.field.as_str()).collect();
    if edits.iter().any(|edit| now(edit).is_none()) {
        return Reconciled::Unclear(format!("the service does not say what the {} is now", fields.join(" or the ")));
    }
    if edits.iter().all(|edit| now(edit).as_ref() == Some(&edit.to)) {
        return Reconciled::Applied;
    }
    if edits.iter().all(|edit| edit.from.is_some() && now(edit) == edit.from) {
        return Reconciled::NotApplied;
    }
    Reconciled::Unclear(format!("the {} has neither the previous nor the new value", fields.join(" or the ")))
}
