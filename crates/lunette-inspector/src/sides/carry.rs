//! What makes one side say what the other one says: the changes of one run at one service.
//!
//! What must hold: nothing is written to a side that the plan does not name; nothing is deleted; nothing is unlinked because
//! of what the other side does not tell; each change says what it replaces, so that a plan from an older state is refused
//! row by row.

use std::sync::Arc;

use lunette_client::model::View;
use lunette_client::model::asset::Asset;
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;
use lunette_client::model::seed::Seed;

use super::decide::{Decisions, Taken};
use super::facts::Part;
use super::items::Items;
use super::read::SideError;
use super::row::SideRow;
use super::side::Sides;
use crate::Vendor;
use crate::assets::content::{of_original, original};
use crate::assets::page::Content;
use crate::change::{Change, Edit, Field, LinkKind, replaced};
use crate::compare::Position;
use crate::runs::{RunRecord, Task};
use crate::tasks::{CancelFlag, Ended};
use crate::write::recovery::{Copies, CopyError};

mod links;
mod seed;

use seed::seed;

/// How many rows of a run are in flight at once.
const IN_FLIGHT: usize = 4;

/// What is going to be carried over.
#[derive(Debug)]
pub struct Carry {
    /// The side that is written to.
    pub to: Position,
    /// The run at its service: each change is a row, and all of them are one step of its history.
    pub record: RunRecord,
    /// The assets that are created there, whose seeds are to be kept before the run begins.
    pub seeds: Vec<(AssetId, Seed)>,
    /// What is not carried over, and why, in sentences.
    pub left: Vec<String>,
}

/// Why nothing can be carried over.
#[derive(Debug, thiserror::Error)]
pub enum CarryError {
    /// The side is no service as it is now.
    #[error("{0} cannot be written to: only a service as it is now can")]
    NotWritable(String),
    /// A side cannot be read.
    #[error(transparent)]
    Side(#[from] SideError),
    /// What is created cannot be kept on the disk.
    #[error("what is carried over cannot be kept on the disk: {0}")]
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
) -> Result<Carry, CarryError> {
    plan_decided(sides, rows, to, &Decisions::default(), progress, cancel).await
}

/// Plans what makes these rows at one side what was decided of them, or what they are at the other one. Reads both; writes
/// nothing.
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
) -> Result<Carry, CarryError> {
    let target = sides.at(to);
    let Some((client, vendor)) = target.client() else {
        return Err(CarryError::NotWritable(target.name.clone()));
    };
    let mut planner =
        Planner { vendor, items: Items::default(), tasks: Vec::new(), seeds: Vec::new(), left: Vec::new() };
    for (done, row) in rows.iter().enumerate() {
        if cancel.cancelled() {
            return Err(SideError::Cancelled.into());
        }
        let (here, there) = (row.side(to), row.side(to.other()));
        match (here, there) {
            (Some(here), Some(there)) if !row.differs.is_empty() => {
                let (now, then) = (target.record(&here.id).await?, sides.at(to.other()).record(&there.id).await?);
                match decisions.taken(row, to, [now.view(), then.view()]) {
                    Ok(taken) => {
                        for kind in LinkKind::ALL.into_iter().filter(|kind| taken.parts.has(Part::of_links(*kind))) {
                            planner.items.read(client, kind).await.map_err(SideError::from)?;
                        }
                        planner.change(row.name(), &taken, now.view(), then.view());
                    }
                    Err(why) => planner.left.push(format!("“{}” is not carried over: {why}", row.name())),
                }
            }
            (None, Some(there)) => {
                let record = sides.at(to.other()).record(&there.id).await?;
                planner.create(&there.id, row.name(), record.view());
            }
            // The same, or not told; and what the other side does not have is not deleted.
            _ => {}
        }
        progress(done + 1);
    }
    let Planner { tasks, seeds, left, .. } = planner;
    let title = format!("Carry over from {} to {}", sides.at(to.other()).name, target.name);
    Ok(Carry { to, record: RunRecord::of_tasks(title, tasks, IN_FLIGHT), seeds, left })
}

impl Carry {
    /// Keeps on the disk what the run creates, from where the run takes it, also when it is resumed.
    ///
    /// # Errors
    ///
    /// Fails if the disk does.
    pub async fn keep(&self, copies: &Copies) -> Result<(), CarryError> {
        for (asset, seed) in &self.seeds {
            copies.keep_seed(asset.clone(), seed.tree().clone()).await?;
        }
        Ok(())
    }

    /// Whether there is nothing to do.
    pub fn is_empty(&self) -> bool {
        self.record.rest.tasks.is_empty()
    }
}

/// The new ids of assets that a service created under others than they had, from a run that ended: the old and the new.
pub fn mapping(run: &crate::runs::Run) -> Vec<(AssetId, AssetId)> {
    run.rows.iter().filter_map(|row| replaced(row.done.as_deref()?)).collect()
}

struct Planner {
    vendor: Vendor,
    items: Items,
    tasks: Vec<(Task, String)>,
    seeds: Vec<(AssetId, Seed)>,
    left: Vec<String>,
}

impl Planner {
    fn add(&mut self, change: Change, name: &str) {
        self.tasks.push((Task::Change(change), name.to_owned()));
    }

    /// Plans the creation of an asset, with its id where the service allows that.
    fn create(&mut self, id: &str, name: &str, record: View<'_, Asset>) {
        let asset = id.parse::<AssetId>().ok().filter(|id| uuid::Uuid::try_parse(id.as_str()).is_ok());
        let kept = self.vendor.is_lunette() && asset.is_some();
        match seed(record, self.vendor, kept) {
            Ok(seed) => {
                let asset = asset.unwrap_or_else(AssetId::random);
                self.seeds.push((asset.clone(), seed));
                self.add(Change::Copy { asset, name: name.to_owned(), keeps_id: kept }, name);
            }
            Err(why) => self.left.push(format!("“{name}” is not carried over: {why}")),
        }
    }

    /// Plans what makes an asset what it is on the other side, in the parts in which they differ.
    fn change(&mut self, name: &str, taken: &Taken, now: View<'_, Asset>, then: View<'_, Asset>) {
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
        let fields =
            [(Part::Name, Field::Name), (Part::Description, Field::Description), (Part::Favourite, Field::Favorited)];
        let edit = |(_, field): &(Part, Field)| {
            let (from, to) = (field.told(now)?, field.told(then)?);
            (from != to).then_some(Edit { field: *field, from: Some(from), to })
        };
        let edits: Vec<Edit> = fields.iter().filter(|(part, _)| taken.parts.has(*part)).filter_map(edit).collect();
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
            _ => self.left.push(format!("the content of “{name}” is not carried over: it is not text on both sides")),
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
