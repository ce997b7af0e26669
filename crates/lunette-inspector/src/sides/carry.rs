//! What makes one side say what the other one says: the changes of one run at one service.
//!
//! What must hold: nothing is written to a side that the plan does not name; nothing is deleted; nothing is unlinked because
//! of what the other side does not tell; each change says what it replaces, so that a plan from an older state is refused
//! row by row.

use std::collections::HashMap;
use std::sync::Arc;

use lunette_client::client::Client;
use lunette_client::model::View;
use lunette_client::model::asset::Asset;
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;
use lunette_client::model::seed::Seed;
use serde_json::{Value, json};

use super::facts::{Part, key};
use super::read::SideError;
use super::row::SideRow;
use super::side::Sides;
use crate::assets::content::{of_original, original};
use crate::assets::page::Content;
use crate::change::{Change, Edit, Field, Item, LinkKind, linked, replaced, reports_links};
use crate::compare::Position;
use crate::import::engine::{ContentKind, NewAsset, NewWebsite, TakenIds};
use crate::runs::{RunRecord, Task};
use crate::tasks::CancelFlag;
use crate::write::recovery::{Copies, CopyError};
use crate::{Transport as _, Vendor};

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
                planner.items.read(client, row.differs.iter()).await?;
                planner.change(row, now.view(), then.view());
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
    fn change(&mut self, row: &SideRow, now: View<'_, Asset>, then: View<'_, Asset>) {
        let Some(asset) = now.id().parse::<AssetId>().ok() else { return };
        let name = row.name();
        for part in row.differs.iter() {
            match part {
                Part::Content => self.content(&asset, name, now, then),
                Part::Language => self.language(&asset, name, now, then),
                Part::Tags => self.links(LinkKind::Tag, &asset, name, [now, then]),
                Part::Websites => self.links(LinkKind::Website, &asset, name, [now, then]),
                Part::Summaries => self.links(LinkKind::Summary, &asset, name, [now, then]),
                Part::Name | Part::Description | Part::Favourite => {}
            }
        }
        let fields =
            [(Part::Name, Field::Name), (Part::Description, Field::Description), (Part::Favourite, Field::Favorited)];
        let edit = |(_, field): &(Part, Field)| {
            let (from, to) = (field.told(now)?, field.told(then)?);
            (from != to).then_some(Edit { field: *field, from: Some(from), to })
        };
        let edits: Vec<Edit> = fields.iter().filter(|(part, _)| row.differs.has(*part)).filter_map(edit).collect();
        if !edits.is_empty() {
            self.add(Change::Edit { asset, edits }, name);
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

    fn links(&mut self, kind: LinkKind, asset: &AssetId, name: &str, [now, then]: [View<'_, Asset>; 2]) {
        // What either does not tell says nothing about the links of the other.
        if !reports_links(now, kind) || !reports_links(then, kind) {
            return;
        }
        let (present, wanted) = (linked(now, kind), linked(then, kind));
        for item in &wanted {
            if present.iter().any(|known| key(known) == key(item)) {
                continue;
            }
            let asset = asset.clone();
            let change = match self.items.known.get(&(kind, key(item).to_owned())) {
                Some(item) => Change::Link { asset, item: item.clone() },
                None => {
                    let (text, url) = (item.name().to_owned(), item.url.clone());
                    Change::LinkNew { asset, kind, text, url, unlink: Vec::new() }
                }
            };
            self.add(change, name);
        }
        for item in present {
            if !wanted.iter().any(|known| key(known) == key(&item)) {
                self.add(Change::Unlink { asset: asset.clone(), item }, name);
            }
        }
    }
}

/// The items of the side that is written to, by kind and by what makes them the same.
#[derive(Default)]
struct Items {
    known: HashMap<(LinkKind, String), Item>,
    read: Vec<LinkKind>,
}

impl Items {
    /// Lists those kinds that parts have, each once. A service without such a list has none that are known.
    async fn read(&mut self, client: &Client, parts: impl Iterator<Item = Part>) -> Result<(), SideError> {
        for part in parts {
            let Some(kind) = LinkKind::ALL.into_iter().find(|kind| Part::of_links(*kind) == part) else { continue };
            if self.read.contains(&kind) {
                continue;
            }
            self.read.push(kind);
            let list = match client.reply(&kind.list_call(Some(false), Some(false))).await {
                Ok(list) => list.to_tree(),
                Err(error) if error.missing() => continue,
                Err(error) => return Err(error.into()),
            };
            let records = list["iterable"].as_array().into_iter().flatten();
            for item in records.filter_map(|record| Item::of_record(kind, record)) {
                self.known.entry((kind, key(&item).to_owned())).or_insert(item);
            }
        }
        Ok(())
    }
}

/// Why an asset cannot be created at another side.
#[derive(Debug, thiserror::Error)]
enum NoSeed {
    /// The side did not send its content.
    #[error("its content is not told")]
    NoContent,
    /// It cannot be written as a seed.
    #[error(transparent)]
    Seed(#[from] crate::import::engine::SeedError),
}

/// The seed of an asset. A service of this program restores from it what the interface has no fields for.
fn seed(record: View<'_, Asset>, vendor: Vendor, keeps_id: bool) -> Result<Seed, NoSeed> {
    let is_file = original(record).is_some_and(|format| format.file().is_some());
    let (content, kind) = match of_original(record) {
        Content::Text(text) => (text.as_bytes().to_vec(), if is_file { ContentKind::File } else { ContentKind::Text }),
        Content::Bytes(bytes) => (bytes.to_vec(), ContentKind::File),
        Content::None | Content::Large(_) | Content::Part(..) => return Err(NoSeed::NoContent),
    };
    let of_kind = |kind| linked(record, kind);
    let annotations = record
        .annotations()
        .map(|all| all.iterable().iter().map(|one| (one.kind().to_owned(), one.text().to_owned())).collect::<Vec<_>>());
    let time = |field: &str| record.tree()[field]["value"].as_str().and_then(|text| text.parse().ok());
    let new = NewAsset {
        name: record.name().map(str::to_owned),
        language: original(record)
            .map(|format| format.classification().specific().to_owned())
            .filter(|word| !word.is_empty()),
        tags: of_kind(LinkKind::Tag).into_iter().map(|tag| tag.text).collect(),
        annotations: annotations.unwrap_or_default(),
        websites: of_kind(LinkKind::Website)
            .into_iter()
            .filter_map(|site| Some(NewWebsite { url: site.url?, name: site.text }))
            .collect(),
        // A service that is not ours would get a tag in its place, which the other side does not have.
        favourite: vendor.is_lunette() && record.favorited() == Some(true),
        created: time("created"),
        updated: time("updated"),
        content,
        kind,
        archived: keeps_id.then(|| json!({ "record": without_content(record.tree()) }).to_string()),
        ids: keeps_id.then_some(TakenIds::Skip),
        duplicate: true,
    };
    Ok(new.seed(vendor)?)
}

/// The record without the bytes of its formats, which the seed has.
fn without_content(record: &Value) -> Value {
    let mut record = record.clone();
    if let Some(fields) = record.as_object_mut() {
        for field in ["formats", "preview", "original"] {
            fields.shift_remove(field);
        }
    }
    record
}
