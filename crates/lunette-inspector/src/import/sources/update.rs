//! Updates of assets whose items changed in their library.
//!
//! What must hold: what was edited since the import is not replaced, and nothing is removed; the history can undo each
//! change.
//!
//! Our choice: an asset gets the new name, text and description, and missing tags and websites. Removals from an item,
//! its language and whether it is a favourite are ignored.

use std::collections::HashSet;

use lunette_client::model::asset::Asset;
use lunette_client::model::id::AssetId;
use lunette_client::model::record::{Record as _, View};
use lunette_client::operation::table::AssetSnapshot;

use super::mapping::{content_hash, description_hash};
use super::plan::{Difference, Planned, SourcePlan, Status};
use crate::Vendor;
use crate::assets::page::Content;
use crate::assets::{content, linkable};
use crate::change::{self, Change, Edit, Field, LinkKind, linked, reports_links};
use crate::db::source_items::SourceItem;
use crate::db::{Database, DatabaseError};
use crate::runs::{RunRecord, Task};
use crate::{CallError, Transport};

/// The update of an asset whose item changed.
#[derive(Clone, Debug, PartialEq)]
pub enum ItemUpdate {
    /// These changes, in order; empty if the asset is up to date.
    Changes(Vec<Change>),
    /// No update, with the reason.
    Records(String),
}

/// The updates of the assets of a library.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Updates {
    /// The changes, each with the name of its asset.
    pub changes: Vec<(Change, String)>,
    /// Assets that are up to date.
    pub up_to_date: Vec<AssetId>,
    /// Assets that are not updated, with their names and the reason.
    pub skipped: Vec<(AssetId, String, String)>,
}

impl Updates {
    /// Returns the changes as a run, which is one step of the history.
    pub fn record(&self, source: &str) -> RunRecord {
        let assets: HashSet<&AssetId> = self.changes.iter().map(|(change, _)| change.asset()).collect();
        let title = match assets.len() {
            1 => format!("Updated 1 asset from {source}"),
            count => format!("Updated {count} assets from {source}"),
        };
        let tasks = self.changes.iter().map(|(change, name)| (Task::Change(change.clone()), name.clone()));
        // Sequentially, since an asset may have several changes.
        RunRecord::of_tasks(title, tasks.collect(), 1)
    }
}

impl SourcePlan {
    /// Returns the updates of assets whose items changed. Fails if the service is lost.
    pub async fn updates<C: Transport>(&self, client: &C, vendor: Vendor) -> Result<Updates, CallError> {
        let mut updates = Updates::default();
        let mut existing = Vec::new();
        for kind in [LinkKind::Tag, LinkKind::Website] {
            // If the service does not list them, new ones are created, as for a new asset.
            existing.extend(linkable::list(client, kind, vendor).await.unwrap_or_default());
        }
        for planned in &self.items {
            let Status::Changed(asset, difference) = &planned.status else { continue };
            let name = planned.item.new.name.clone().unwrap_or_default();
            match prepare(client, vendor, planned, (asset, *difference), &existing).await? {
                ItemUpdate::Changes(changes) if changes.is_empty() => updates.up_to_date.push(asset.clone()),
                ItemUpdate::Changes(changes) => {
                    updates.changes.extend(changes.into_iter().map(|change| (change, name.clone())));
                }
                ItemUpdate::Records(why) => updates.skipped.push((asset.clone(), name, why)),
            }
        }
        Ok(updates)
    }

    /// Records that these assets are up to date. Blocks.
    pub fn record_updated(
        &self,
        database: &Database,
        connection: &str,
        updated: &HashSet<AssetId>,
    ) -> Result<(), DatabaseError> {
        let kept = self.items.iter().filter_map(|planned| match &planned.status {
            Status::Changed(asset, _) if updated.contains(asset) => Some(SourceItem {
                item: self.recorded_id(&planned.item),
                asset: asset.as_str().to_owned(),
                hash: planned.item.hash.to_string(),
            }),
            _ => None,
        });
        let kept: Vec<_> = kept.collect();
        if kept.is_empty() { Ok(()) } else { database.keep_source_items(connection, self.source.name(), &kept) }
    }
}

/// Reads an asset and returns its update.
async fn prepare<C: Transport>(
    client: &C,
    vendor: Vendor,
    planned: &Planned,
    (asset, difference): (&AssetId, Difference),
    existing: &[change::Item],
) -> Result<ItemUpdate, CallError> {
    let call = AssetSnapshot { asset: asset.clone(), transferables: Some(false) };
    let read = async { Ok((client.call(call).await?, content::whole(client, asset.clone(), vendor).await?)) };
    let (record, content) = match read.await {
        Ok(read) => read,
        Err(error @ (CallError::Refused { .. } | CallError::Disconnected { .. })) => return Err(error),
        Err(error) => return Ok(ItemUpdate::Records(format!("it could not be read: {}", error.reason()))),
    };
    let mut changes = Vec::new();
    if difference == Difference::Content {
        match of_content(planned, record.view(), &content) {
            Ok(found) => changes.extend(found),
            Err(why) => return Ok(ItemUpdate::Records(why.to_string())),
        }
    }
    let edits: Vec<Edit> =
        [name(planned, record.view(), difference), description(planned, record.view())].into_iter().flatten().collect();
    if !edits.is_empty() {
        changes.push(Change::Edit { asset: asset.clone(), edits });
    }
    changes.extend(links(planned, record.view(), asset, existing));
    Ok(ItemUpdate::Changes(changes))
}

/// Why the text of an asset is not updated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
enum NotUpdated {
    /// It is no longer as it was imported.
    #[error("its name or content was also edited here since the import")]
    Edited,
    /// The service named it in a way that no call can have.
    #[error("it has no usable id")]
    UnusableId,
    /// One of both contents is binary.
    #[error("its content is not text and cannot be replaced")]
    NotText,
}

/// Returns the change of the text, if it differs.
fn of_content(planned: &Planned, record: View<'_, Asset>, content: &Content) -> Result<Option<Change>, NotUpdated> {
    let current: &[u8] = match content {
        Content::Text(text) => text.as_bytes(),
        Content::Bytes(bytes) => bytes,
        Content::Part(..) | Content::Large(_) | Content::None => &[],
    };
    let before = planned.before.as_deref().unwrap_or_default();
    // The service named an item without a name.
    let names = [record.name().unwrap_or_default(), ""];
    if !names.iter().any(|name| before.starts_with(&content_hash(name, current))) {
        return Err(NotUpdated::Edited);
    }
    if current == planned.item.new.content {
        return Ok(None);
    }
    match (content, planned.item.new.text()) {
        (Content::Text(from), Some(to)) => {
            let asset = record.id().parse().map_err(|_| NotUpdated::UnusableId)?;
            Ok(Some(Change::Text { asset, from: from.to_string(), to }))
        }
        _ => Err(NotUpdated::NotText),
    }
}

fn name(planned: &Planned, record: View<'_, Asset>, difference: Difference) -> Option<Edit> {
    let (from, to) = (record.name().unwrap_or_default(), planned.item.new.name.as_deref()?);
    (difference == Difference::Content && from != to).then(|| edit(Field::Name, from, to))
}

/// Returns the change of the description if it is still the imported one.
fn description(planned: &Planned, record: View<'_, Asset>) -> Option<Edit> {
    let (_, to) = planned.item.new.annotations.iter().find(|(kind, _)| kind == "DESCRIPTION")?;
    let from = change::description(record)?;
    let kept = planned.before.as_deref()?.split(' ').nth(2)?;
    (kept == description_hash(from) && from != to).then(|| edit(Field::Description, from, to))
}

fn edit(field: Field, from: &str, to: &str) -> Edit {
    Edit { field, from: Some(from.into()), to: to.into() }
}

/// Returns the missing links, to existing or new items. Kinds of links that the service does not report are skipped.
fn links(planned: &Planned, record: View<'_, Asset>, asset: &AssetId, existing: &[change::Item]) -> Vec<Change> {
    let new = &planned.item.new;
    let missing = |kind: LinkKind, name: &str, url: Option<&str>| {
        let same = |item: &change::Item| match url {
            Some(url) => item.url.as_deref() == Some(url),
            None => item.text.to_lowercase() == name.to_lowercase(),
        };
        if !reports_links(record, kind) || linked(record, kind).iter().any(same) {
            return None;
        }
        let (asset, url) = (asset.clone(), url.map(str::to_owned));
        Some(match existing.iter().find(|item| item.kind == kind && same(item)) {
            Some(item) => Change::Link { asset, item: item.clone() },
            None => Change::LinkNew { asset, kind, text: name.to_owned(), url, unlink: Vec::new() },
        })
    };
    let tags = new.tags.iter().filter_map(|tag| missing(LinkKind::Tag, tag, None));
    let sites = new.websites.iter().filter_map(|site| missing(LinkKind::Website, &site.name, Some(&site.url)));
    tags.chain(sites).collect()
}
