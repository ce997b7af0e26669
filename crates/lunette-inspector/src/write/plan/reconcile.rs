//! Reconciles a write whose outcome is unknown, by reading the asset, never by repeating the write.

use serde_json::Value;

use crate::change::{Change, Edit, Evidence, Item, Reads, linked, reports_links};
use crate::write::plan::parts::{specific, unreported_text};
use crate::write::plan::rebase::rebase;
use crate::write::plan::{Reconciled, read, relink, text};
use crate::{CallError, Transport};
use lunette_client::model::asset::Asset;
use lunette_client::model::record::Record as _;

/// Reads the asset again and determines whether the change was applied. Fails if it cannot be read.
pub async fn reconcile<C: Transport>(caller: &C, change: &Change) -> Result<Reconciled, CallError> {
    Ok(reconciled(caller, change).await?.0)
}

/// Reconciles a change, and returns the applied one if only the service knew it.
pub(crate) async fn reconciled<C: Transport>(
    caller: &C,
    change: &Change,
) -> Result<(Reconciled, Option<Change>), CallError> {
    let info = change.info();
    if let Change::Recreate { name, .. } | Change::Copy { name, keeps_id: false, .. } = change {
        let why = format!("a new asset would have a new id; look for “{name}” in the list");
        return Ok((Reconciled::Unclear(why), None));
    }
    match read(caller, change.asset(), info.reads == Reads::Content).await {
        Ok(asset) => Ok(info.if_found.map_or_else(|| compare(change, &asset), |evidence| (evidence.into(), None))),
        Err(CallError::Status { status: 404 | 410, .. }) => Ok((info.if_missing.into(), None)),
        Err(error) => Err(error),
    }
}

impl From<Evidence> for Reconciled {
    fn from(evidence: Evidence) -> Self {
        match evidence {
            Evidence::Applied => Self::Applied,
            Evidence::NotApplied => Self::NotApplied,
            Evidence::Unclear(why) => Self::Unclear(why.to_owned()),
        }
    }
}

/// Whether the asset has the values that the change sets.
fn compare(change: &Change, asset: &Asset) -> (Reconciled, Option<Change>) {
    let view = asset.view();
    if let Some(kind) = change.item_kind().filter(|kind| !reports_links(view, *kind)) {
        return (Reconciled::Unclear(unreported_text(kind)), None);
    }
    let is_linked = |item: &Item| relink::known(asset, item).is_some();
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
        // The rows of all other kinds say what it means that the asset exists.
        _ => Reconciled::NotApplied,
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
