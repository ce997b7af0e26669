//! The list of assets as it was at a time, and checkpoints.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use super::restoring::{Restoring, read_restore};
use super::{Output, SourceError, ThenRow, VersionSource, Versions};
use crate::action::VersionsAction;
use crate::bulk::Batch;
use crate::change::Change;
use crate::confirm::Confirmation;
use crate::context::Context;
use crate::event::Event;
use crate::journal::EntryRelation;
use crate::notifications::Topic;
use crate::panel::Panel;
use crate::request_versions::ResourceKey;
use crate::{Remote, Transport, Vendor};
use lunette_client::model::id::{AssetId, CheckpointId};
use lunette_client::model::record::Record as _;
use lunette_client::model::size::{grouped, plural};
use lunette_client::model::version::Checkpoints;

/// The list of assets as it was.
#[derive(Debug, Default)]
pub struct Then {
    /// The time; None while the list is shown as it is.
    pub at: Option<Timestamp>,
    /// What that time is called, such as a day or the name of a checkpoint.
    pub title: String,
    /// The assets that a checkpoint is about; None for all.
    pub scope: Option<BTreeSet<String>>,
    /// The assets, those last changed first.
    pub rows: Remote<Arc<Vec<PastRow>>, SourceError>,
    /// Whether a restore is being planned.
    pub planning: bool,
}

/// An asset as it was, and what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PastRow {
    /// What it was.
    pub then: ThenRow,
    /// What became of it.
    pub since: Since,
}

/// What became of an asset since a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Since {
    /// It is as it was.
    Same,
    /// It was changed.
    Changed,
    /// It is no longer there.
    Gone,
}

/// The end of a day in the zone of this machine, or now, if that is earlier; None for a day that is out of range.
pub fn end_of_day(day: Date) -> Option<Timestamp> {
    let next = day.tomorrow().ok()?.to_zoned_datetime(TimeZone::system()).ok()?;
    Some(next.timestamp().min(Timestamp::now()))
}

impl Versions {
    pub(super) fn show_then(&mut self, moment: Moment, cx: &mut Context<'_>) {
        let Moment { at, title, assets } = moment;
        let scope = assets.map(|assets| assets.into_iter().collect());
        self.then = Then { at: Some(at), title, scope, ..Then::default() };
        self.load_then(cx);
        cx.emit(Event::Show(Panel::Assets));
    }

    pub(super) fn load_then(&mut self, cx: &mut Context<'_>) {
        let Some(at) = self.then.at else { return };
        self.then.rows.start_loading();
        let (source, scope): (VersionSource, _) = (cx.version_source().for_long_list(), self.then.scope.clone());
        let read = async move {
            let then = source.assets_then(at, ThenRow::of).await?;
            let now = source.assets_then(Timestamp::now(), |row| (row.id().to_owned(), row.version())).await?;
            Ok(Arc::new(rows(then, now, scope.as_ref())))
        };
        cx.read(ResourceKey::AssetsThen, read, Output::ThenRead);
    }

    pub(super) fn then_read(&mut self, rows: Result<Arc<Vec<PastRow>>, SourceError>) {
        self.then.rows.resolve(rows);
    }

    /// Plans what makes the assets of the list that was changed what they were then.
    pub(super) fn plan_restore_then(&mut self, cx: &mut Context<'_>) {
        let Some(rows) = self.then.rows.value().cloned() else { return };
        self.then.planning = true;
        let (client, vendor, source) = (cx.client(), cx.connection.vendor, cx.version_source());
        let plan = async move { plan(&client?, vendor, &source, &rows).await };
        cx.read(ResourceKey::VersionToRestore, plan, Output::RestorePlanned);
    }

    /// Asks before assets are made what they were.
    pub(super) fn ask_to_restore_then(&mut self, plan: Result<RestorePlan, SourceError>, cx: &mut Context<'_>) {
        self.then.planning = false;
        let RestorePlan { changes, assets, left } = match plan {
            Ok(plan) => plan,
            Err(error) => {
                return cx.notify_failed(Topic::Checkpoints, format!("Nothing was restored: {error}"), Vec::new());
            }
        };
        let left: String = left.iter().map(|left| format!("Not restored: {left}.\n")).collect();
        if changes.is_empty() {
            return cx.show_success(format!("Nothing to restore. {left}").trim_end().to_owned());
        }
        for (change, _) in &changes {
            if cx.blocks_write(change.capability(), "Could not restore") {
                return;
            }
        }
        let count = plural(assets, "asset");
        let were = if assets == 1 { "it was" } else { "they were" };
        let title = format!("Restored {count} as {were} {}", self.then.title);
        let question = format!("Restore {count} as {were} {}?", self.then.title);
        let text = format!(
            "{} changes. {left}What changes meanwhile is left as it is. Undo takes the whole step back.",
            grouped(changes.len() as u64)
        );
        let batch = Batch { title, changes: Arc::new(changes), in_flight: 1, answers: EntryRelation::None };
        cx.ask_first(Confirmation::restore(question, text, batch));
    }

    pub(super) fn load_checkpoints(&mut self, cx: &mut Context<'_>) {
        self.checkpoints.start_loading();
        let source: VersionSource = cx.version_source();
        let read = async move { source.checkpoints().await.map(Arc::new) };
        cx.read(ResourceKey::Checkpoints, read, Output::CheckpointsRead);
    }

    pub(super) fn checkpoints_read(&mut self, read: Result<Arc<Checkpoints>, SourceError>) {
        self.checkpoints.resolve(read);
    }

    pub(super) fn add_checkpoint(&mut self, name: String, assets: Option<Vec<AssetId>>, cx: &mut Context<'_>) {
        let source: VersionSource = cx.version_source();
        let shown = name.clone();
        let add = async move { source.add_checkpoint(name, assets).await };
        cx.run(add, move |end| Output::CheckpointChanged(format!("Made the checkpoint “{shown}”"), end));
    }

    /// Asks before a checkpoint is deleted: what it keeps may be gone then.
    pub(super) fn ask_to_delete_checkpoint(&self, id: CheckpointId, cx: &mut Context<'_>) {
        let list = self.checkpoints.value();
        let known = list.and_then(|list| list.view().iterable().iter().find(|one| one.id() == id.as_str()));
        let title = match known {
            Some(checkpoint) => format!("Delete the checkpoint “{}”?", checkpoint.name()),
            None => "Delete the checkpoint?".to_owned(),
        };
        let text =
            "What assets were at that moment is then kept only within the limits on versions. This cannot be undone.";
        cx.ask_first(Confirmation::deletion(title, text, |confirmed| {
            VersionsAction::DeleteCheckpointConfirmed(id, confirmed)
        }));
    }

    pub(super) fn delete_checkpoint(&mut self, id: CheckpointId, cx: &mut Context<'_>) {
        let source: VersionSource = cx.version_source();
        let delete = async move { source.delete_checkpoint(id).await };
        cx.run(delete, |end| Output::CheckpointChanged("Deleted the checkpoint".to_owned(), end));
    }

    pub(super) fn checkpoint_changed(&mut self, done: String, end: Result<(), SourceError>, cx: &mut Context<'_>) {
        match end {
            Ok(()) => cx.show_success(done),
            Err(error) => {
                cx.notify_failed(Topic::Checkpoints, format!("The checkpoints were not changed: {error}"), Vec::new())
            }
        }
        self.load_checkpoints(cx);
    }
}

/// A moment at which the list of assets is looked at.
#[derive(Clone, Debug, PartialEq)]
pub struct Moment {
    /// The moment.
    pub at: Timestamp,
    /// What it is called.
    pub title: String,
    /// The assets that are looked at; None for all.
    pub assets: Option<Vec<String>>,
}

/// What makes assets what they were.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct RestorePlan {
    /// The changes, each with the name of its asset.
    changes: Vec<(Change, String)>,
    /// How many assets they are of.
    assets: usize,
    /// What is not restored, and why.
    left: Vec<String>,
}

/// The most lines that say what is not restored.
const MAX_LEFT: usize = 10;

async fn plan(
    client: &impl Transport,
    vendor: Vendor,
    source: &VersionSource,
    rows: &[PastRow],
) -> Result<RestorePlan, SourceError> {
    let (mut plan, mut gone, mut more) = (RestorePlan::default(), 0, 0);
    for row in rows {
        match row.since {
            Since::Same => continue,
            Since::Gone => {
                gone += 1;
                continue;
            }
            Since::Changed => {}
        }
        let (Ok(asset), Some(version)) = (row.then.id.parse(), row.then.number()) else { continue };
        let Restoring::Changes(restore, name) = read_restore((client, vendor), source, asset, version).await? else {
            gone += 1;
            continue;
        };
        for left in restore.left {
            match plan.left.len() < MAX_LEFT {
                true => plan.left.push(format!("{left} of “{name}”")),
                false => more += 1,
            }
        }
        plan.assets += usize::from(!restore.changes.is_empty());
        plan.changes.extend(restore.changes.into_iter().map(|change| (change, name.clone())));
    }
    if more > 0 {
        plan.left.push(format!("{} more parts", grouped(more)));
    }
    if gone > 0 {
        plan.left.push(format!("{} deleted assets, which the list as it was restores one by one", grouped(gone)));
    }
    Ok(plan)
}

/// The assets as they were, those last changed first, each with what became of it.
fn rows(then: Vec<ThenRow>, now: Vec<(String, i64)>, scope: Option<&BTreeSet<String>>) -> Vec<PastRow> {
    let now: HashMap<String, i64> = now.into_iter().collect();
    let in_scope = |row: &ThenRow| scope.is_none_or(|scope| scope.contains(&row.id));
    let row = |then: ThenRow| {
        let since = match now.get(&then.id) {
            Some(version) if *version == then.version => Since::Same,
            Some(_) => Since::Changed,
            None => Since::Gone,
        };
        PastRow { then, since }
    };
    let mut rows: Vec<_> = then.into_iter().filter(in_scope).map(row).collect();
    rows.sort_by(|one, other| other.then.updated.cmp(&one.then.updated));
    rows
}
