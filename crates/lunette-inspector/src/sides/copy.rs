//! What makes one side say what the other one says: the changes of one run at one service.
//!
//! What must hold: nothing is written to a side that the plan does not name; nothing is deleted; nothing is unlinked
//! because of what the other side does not tell; each change says what it replaces, so that a plan from an older state
//! is refused row by row.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use lunette_client::client::Client;
use lunette_client::model::View;
use lunette_client::model::asset::Asset;
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;
use lunette_client::model::seed::Seed;

use super::decide::{Decisions, Taken};
use super::facts::{FIELDS, Part};
use super::items::Items;
use super::read::{SideError, is_absent};
use super::row::{RowState, SideRow};
use super::side::{Side, Sides};
use crate::Vendor;
use crate::assets::content::{of_original, original};
use crate::assets::page::Content;
use crate::change::{Change, Edit, Field, LinkKind, linked, replaced};
use crate::compare::Position;
use crate::runs::{Run, RunRecord, Task};
use crate::tasks::{CancelFlag, Ended};
use crate::trash;
use crate::write::recovery::{Copies, CopyError};

mod links;
mod scores;
mod seed;

pub use scores::LostScores;
use seed::seed;

/// How many rows of a run are in flight at once.
const IN_FLIGHT: usize = 4;

/// What is going to be copied.
#[derive(Debug)]
pub struct CopyPlan {
    /// The side that is written to.
    pub to: Position,
    /// The run at its service: each change is a row, and all of them are one step of its history.
    pub record: RunRecord,
    /// The assets that are created there, whose seeds are to be kept before the run begins.
    pub seeds: Vec<(AssetId, Seed)>,
    /// What is not copied, and why, in sentences.
    pub left: Vec<String>,
    /// What the assets that are created do not have of the scores of those that they are copies of.
    pub lost_scores: Option<LostScores>,
    /// What the assets that are created are known by at the other side.
    pub known: Known,
}

/// What assets that are created are known by at the side that they come from, where that is not an id.
#[derive(Clone, Debug, Default)]
pub struct Known(Arc<HashMap<AssetId, Arc<str>>>);

/// Why nothing can be copied.
#[derive(Debug, thiserror::Error)]
pub enum CopyPlanError {
    /// The side is not a service as it is now.
    #[error("{0} cannot be written to: only a service as it is now can")]
    NotWritable(String),
    /// A side cannot be read.
    #[error(transparent)]
    Side(#[from] SideError),
    /// What is created cannot be kept on the disk.
    #[error("what is copied cannot be kept on the disk: {0}")]
    Copy(#[from] CopyError),
    /// The work panicked or was cancelled.
    #[error(transparent)]
    Ended(#[from] Ended),
}

/// Plans what makes these rows at one side what they are at the other one. Reads both; writes nothing.
///
/// # Errors
///
/// Fails if the side cannot be written to, or if either cannot be read.
pub async fn plan(
    sides: &Sides,
    rows: &[Arc<SideRow>],
    to: Position,
    progress: &(dyn Fn(usize) + Send + Sync),
    cancel: &CancelFlag,
) -> Result<CopyPlan, CopyPlanError> {
    plan_decided(sides, rows, to, &Decisions::default(), progress, cancel).await
}

/// Plans what makes these rows at one side what was decided of them, or what they are at the other one. Reads both;
/// writes nothing.
///
/// # Errors
///
/// Fails as [`plan`] does.
pub async fn plan_decided(
    sides: &Sides,
    rows: &[Arc<SideRow>],
    to: Position,
    decisions: &Decisions,
    progress: &(dyn Fn(usize) + Send + Sync),
    cancel: &CancelFlag,
) -> Result<CopyPlan, CopyPlanError> {
    let target = sides.at(to);
    let Some((client, vendor)) = target.client() else {
        return Err(CopyPlanError::NotWritable(target.name.clone()));
    };
    let mut planner = Planner::new(vendor);
    if vendor.is_lunette() && rows.iter().any(|row| row.side(to).is_none()) {
        planner.trashed = trashed(client).await?;
    }
    for (done, row) in rows.iter().enumerate() {
        if cancel.cancelled() {
            return Err(SideError::Cancelled.into());
        }
        planner.row(sides, row, to, decisions, client).await?;
        progress(done + 1);
    }
    let lost_scores = planner.scored.lost(&target.name);
    let Planner { tasks, seeds, left, unnamed, .. } = planner;
    let title = format!("Copied from {} to {}", sides.at(to.other()).name, target.name);
    Ok(CopyPlan {
        to,
        record: RunRecord::of_tasks(title, tasks, IN_FLIGHT),
        seeds,
        left,
        lost_scores,
        known: Known(unnamed.into()),
    })
}

impl CopyPlan {
    /// The assets that were created under other ids, from its run: what each is known by at the other side, and its new
    /// id.
    pub fn mapping(&self, run: &Run) -> Vec<(Arc<str>, AssetId)> {
        self.known.mapping(run)
    }

    /// Keeps on the disk what the run creates, from where the run takes it, also when it is resumed.
    ///
    /// # Errors
    ///
    /// Fails if the disk does.
    pub async fn keep(&self, copies: &Copies) -> Result<(), CopyPlanError> {
        for (asset, seed) in &self.seeds {
            copies.keep_seed(asset.clone(), seed.tree().clone()).await?;
        }
        Ok(())
    }

    /// What is not copied, in sentences: what is left and what the assets that are created do not have.
    pub fn omissions(&self) -> impl Iterator<Item = &str> {
        let scores = self.lost_scores.as_ref().map(|lost| &lost.sentence);
        self.left.iter().chain(scores).map(String::as_str)
    }

    /// Whether there is nothing to do.
    pub fn is_empty(&self) -> bool {
        self.record.rest.tasks.is_empty()
    }
}

impl Known {
    /// The ids with which assets were planned, by what they are known by at the other side.
    pub(super) fn ids<'a>(&self, known: &'a [Arc<str>]) -> impl Iterator<Item = (Arc<str>, AssetId)> + use<'a> {
        let unnamed: HashMap<Arc<str>, AssetId> =
            self.0.iter().map(|(id, known)| (Arc::clone(known), id.clone())).collect();
        known.iter().filter_map(move |known| {
            let id = unnamed.get(known).cloned().or_else(|| usable(known))?;
            Some((Arc::clone(known), id))
        })
    }

    /// The assets that were created under other ids, from their run: what each is known by at the other side, and its
    /// new id.
    pub fn mapping(&self, run: &Run) -> Vec<(Arc<str>, AssetId)> {
        let known = |id: &AssetId| self.0.get(id).cloned().unwrap_or_else(|| id.as_str().to_lowercase().into());
        mapping(run).into_iter().map(|(old, new)| (known(&old), new)).collect()
    }
}

/// The new ids of assets that a service created under others than they had, from a run that ended: the old and the new.
pub fn mapping(run: &Run) -> Vec<(AssetId, AssetId)> {
    run.rows.iter().filter_map(|row| replaced(row.done.as_deref()?)).collect()
}

struct Planner {
    vendor: Vendor,
    items: Items,
    /// The ids of the assets in the Trash of the side that is written to.
    trashed: HashSet<Box<str>>,
    tasks: Vec<(Task, String)>,
    seeds: Vec<(AssetId, Seed)>,
    left: Vec<String>,
    unnamed: HashMap<AssetId, Arc<str>>,
    scored: scores::Scored,
}

impl Planner {
    fn new(vendor: Vendor) -> Self {
        Self {
            vendor,
            items: Items::default(),
            trashed: HashSet::new(),
            tasks: Vec::new(),
            seeds: Vec::new(),
            left: Vec::new(),
            unnamed: HashMap::new(),
            scored: scores::Scored::default(),
        }
    }

    /// Plans what makes a row at one side what it is at the other one.
    async fn row(
        &mut self,
        sides: &Sides,
        row: &SideRow,
        to: Position,
        decisions: &Decisions,
        client: &Client,
    ) -> Result<(), SideError> {
        let (target, source) = (sides.at(to), sides.at(to.other()));
        match (row.side(to), row.side(to.other())) {
            (Some(here), Some(there)) if !row.differs.is_empty() => {
                let (now, then) = (target.record(&here.id).await?, source.record(&there.id).await?);
                let taken = match decisions.taken(row, to, [now.view(), then.view()]) {
                    Ok(taken) => taken,
                    Err(why) => {
                        self.left.push(format!("“{}” is not copied: {why}", row.name()));
                        return Ok(());
                    }
                };
                for kind in LinkKind::ALL.into_iter().filter(|kind| taken.parts.has(Part::of_links(*kind))) {
                    self.items.read(client, kind).await?;
                }
                self.change(row.name(), &taken, [(target, now.view()), (source, then.view())]);
            }
            (None, Some(_)) if row.state == RowState::NotTold => {
                let (name, side) = (row.name(), &target.name);
                self.left.push(format!("“{name}” is not copied: {side} was not read to its end, and may have it"));
            }
            (None, Some(there)) if self.trashed.contains(&*there.id) => self.restore(&there.id, row.name()),
            (None, Some(there)) => {
                let record = source.record(&there.id).await?;
                if self.needs_summaries(&there.id, record.view()) {
                    self.items.read(client, LinkKind::Summary).await?;
                }
                self.create(&there.id, row.name(), record.view());
            }
            // The same, or not told; and what the other side does not have is not deleted.
            _ => {}
        }
        Ok(())
    }

    fn add(&mut self, change: Change, name: &str) {
        self.tasks.push((Task::Change(change), name.to_owned()));
    }

    /// Plans the creation of an asset, with its id where the service allows that.
    fn create(&mut self, id: &str, name: &str, record: View<'_, Asset>) {
        let known = usable(id);
        let kept = self.vendor.is_lunette() && known.is_some();
        let seed = match seed(record, self.vendor, kept) {
            Ok(seed) => seed,
            Err(why) => return self.left.push(format!("“{name}” is not copied: {why}")),
        };
        let asset = known.unwrap_or_else(|| {
            let asset = AssetId::random();
            self.unnamed.insert(asset.clone(), id.into());
            asset
        });
        self.scored.add(record, kept);
        self.seeds.push((asset.clone(), seed));
        self.add(Change::Copy { asset: asset.clone(), name: name.to_owned(), keeps_id: kept }, name);
        if !kept {
            self.complete(&asset, name, record);
        }
    }

    /// Whether the links to summaries of an asset to create are changes of their own.
    fn needs_summaries(&self, id: &str, record: View<'_, Asset>) -> bool {
        let kept = self.vendor.is_lunette() && usable(id).is_some();
        !kept && !linked(record, LinkKind::Summary).is_empty()
    }

    /// Plans what a seed has no place for, once its asset is created.
    fn complete(&mut self, asset: &AssetId, name: &str, record: View<'_, Asset>) {
        for item in linked(record, LinkKind::Summary).iter().filter(|item| !item.text.is_empty()) {
            self.add(links::link(asset, item, &self.items), name);
        }
        if !self.vendor.is_lunette() && record.favorited() == Some(true) {
            let edits = vec![Edit { field: Field::Favorited, from: None, to: true.into() }];
            self.add(Change::Edit { asset: asset.clone(), edits }, name);
        }
    }

    /// Plans that an asset comes back that is in the Trash: its id is not free.
    fn restore(&mut self, id: &str, name: &str) {
        let Some(asset) = usable(id) else { return };
        self.add(Change::Restore { asset, name: name.to_owned() }, name);
        self.left
            .push(format!("“{name}” is in the Trash there and comes back as it was; compare again for what differs"));
    }

    /// Plans what makes an asset what it is on the other side, in the parts in which they differ.
    fn change(&mut self, name: &str, taken: &Taken, [(target, now), (source, then)]: [(&Side, View<'_, Asset>); 2]) {
        let Some(asset) = now.id().parse::<AssetId>().ok() else { return };
        if let (Some(to), Content::Text(from)) = (&taken.text, of_original(now))
            && **to != *from
        {
            let (asset, from, to) = (asset.clone(), from.to_string(), to.clone());
            self.add(Change::Text { asset, from, to }, name);
        }
        for part in taken.parts.iter() {
            match part {
                Part::Content => self.content(&asset, name, now, then),
                Part::Language => self.language(&asset, name, now, then),
                Part::Tags => self.links(LinkKind::Tag, [now, then], name),
                Part::Websites => self.links(LinkKind::Website, [now, then], name),
                Part::Summaries => self.links(LinkKind::Summary, [now, then], name),
                Part::Name | Part::Description | Part::Favourite => {}
            }
        }
        let edit = |(_, field): &(Part, Field)| {
            let (from, to) = (target.says(*field, now)?, source.says(*field, then)?);
            (from != to).then_some(Edit { field: *field, from: Some(from), to })
        };
        let edits: Vec<Edit> = FIELDS.iter().filter(|(part, _)| taken.parts.has(*part)).filter_map(edit).collect();
        if !edits.is_empty() {
            self.add(Change::Edit { asset, edits }, name);
        }
    }

    fn links(&mut self, kind: LinkKind, [now, then]: [View<'_, Asset>; 2], name: &str) {
        for change in links::changes(kind, now, then, &self.items) {
            self.add(change, name);
        }
    }

    fn content(&mut self, asset: &AssetId, name: &str, now: View<'_, Asset>, then: View<'_, Asset>) {
        match (of_original(now), of_original(then)) {
            (Content::Text(from), Content::Text(to)) if from != to => {
                let (asset, from, to) = (asset.clone(), from.to_string(), to.to_string());
                self.add(Change::Text { asset, from, to }, name);
            }
            (Content::Text(_), Content::Text(_)) => {}
            _ => self.left.push(format!("the content of “{name}” is not copied: it is not text on both sides")),
        }
    }

    fn language(&mut self, asset: &AssetId, name: &str, now: View<'_, Asset>, then: View<'_, Asset>) {
        let word = |asset| original(asset).map(|format: View<'_, _>| format.classification().specific().to_owned());
        if let (Some(from), Some(to)) = (word(now), word(then).filter(|to| !to.is_empty()))
            && from != to
        {
            self.add(Change::Reclassify { asset: asset.clone(), from: Some(from), to }, name);
        }
    }
}

/// The id of an asset, if it is one that a service takes.
fn usable(id: &str) -> Option<AssetId> {
    id.parse::<AssetId>().ok().filter(|id| uuid::Uuid::try_parse(id.as_str()).is_ok())
}

/// The ids of the assets in the Trash of a service, in lower case; none of a service without one.
async fn trashed(client: &Client) -> Result<HashSet<Box<str>>, SideError> {
    match trash::list(client).await {
        Ok(rows) => Ok(rows.iter().map(|row| row.asset.id().to_string().to_lowercase().into()).collect()),
        Err(error) if is_absent(&error) => Ok(HashSet::new()),
        Err(error) => Err(error.into()),
    }
}
