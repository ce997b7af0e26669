//! A copy to try things on: a service inside with a data folder of its own, which is thrown away without a trace.
//!
//! What must hold: filling it reads the side that is copied and writes to the copy alone; after that nothing is asked
//! of the side; what is thrown away leaves no file, no setting and no history.

use std::path::PathBuf;
use std::sync::Arc;

use lunette_client::client::Client;
use lunette_client::model::record::Record as _;
use lunette_client::operation::Call;
use lunette_client::operation::table::{ActivitiesSnapshot, AssetSpecificAssetActivities};
use lunette_storage::system::error_text;
use serde_json::Value;

use super::read::{Progress, SideError, is_absent, patiently};
use super::reader::JSON_TIMES;
use super::side::Side;
use crate::rescue::{Destination, DestinationError, Kind, StoredRecord, records};
use crate::settings::Origin;
use crate::setup::BoxFuture;
use crate::tasks::CancelFlag;

/// How many assets are stored at once.
const BATCH: usize = 100;

/// Starts copies. The program implements this, with the service inside.
pub trait Scratches: Send + Sync {
    /// Starts an empty service on a folder of its own below the data folder.
    fn empty(&self) -> BoxFuture<Result<Box<dyn Scratch>, ScratchError>>;

    /// Starts a service on a copy of the whole data folder of this program.
    fn of_own(&self) -> BoxFuture<Result<Box<dyn Scratch>, ScratchError>>;

    /// The copies that were kept and that no program uses, oldest first. Removes those that were not finished.
    fn left(&self) -> BoxFuture<Result<Vec<LeftCopy>, ScratchError>>;

    /// Starts a service on a copy that was kept.
    fn reopen(&self, folder: PathBuf) -> BoxFuture<Result<Box<dyn Scratch>, ScratchError>>;

    /// Removes a copy that was kept and that no program uses.
    fn remove(&self, folder: PathBuf) -> BoxFuture<Result<(), ScratchError>>;
}

/// A copy that a program kept when it ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftCopy {
    /// Its folder.
    pub folder: PathBuf,
    /// What it is a copy of.
    pub of: Origin,
}

/// A copy that runs.
pub trait Scratch: Send + Sync {
    /// Its address.
    fn url(&self) -> String;

    /// The folder with all that belongs to it.
    fn folder(&self) -> PathBuf;

    /// What records are stored in.
    fn destination(&self) -> Arc<dyn Destination>;

    /// Keeps it until it is discarded, also when the program ends. Blocks.
    fn keep(&mut self, origin: &Origin) -> Result<(), ScratchError>;

    /// Stops it and removes all of it.
    fn discard(self: Box<Self>) -> BoxFuture<Result<(), ScratchError>>;
}

/// Why a copy cannot be made or removed.
#[derive(Debug, thiserror::Error)]
pub enum ScratchError {
    /// Its service does not start.
    #[error("the copy cannot be started: {0}")]
    NotStarted(String),
    /// Its folder cannot be made, copied or removed.
    #[error("the folder of the copy: {}", error_text(.0))]
    Folder(#[from] std::io::Error),
    /// The side cannot be read.
    #[error(transparent)]
    Side(#[from] SideError),
    /// The records cannot be stored.
    #[error("the copy cannot be filled: {0}")]
    Store(#[from] DestinationError),
    /// The work on it panicked or was cancelled.
    #[error(transparent)]
    Ended(#[from] crate::tasks::Ended),
}

/// The kinds that an asset names whole, by the field of its record.
const LINKED: [(&str, Kind); 6] = [
    ("tags", Kind::Tags),
    ("websites", Kind::Websites),
    ("summaries", Kind::Summaries),
    ("persons", Kind::Persons),
    ("anchors", Kind::Anchors),
    ("hints", Kind::Hints),
];

/// Copies assets of a side, with what they are linked to. Returns those that were not stored, and why.
///
/// # Errors
///
/// Fails if the side cannot be read, or the copy not be written.
pub async fn fill(
    side: &Side,
    ids: &[Arc<str>],
    to: &dyn Destination,
    progress: &(dyn Fn(Progress) + Send + Sync),
    cancel: &CancelFlag,
) -> Result<Vec<String>, ScratchError> {
    let mut unstored = Vec::new();
    for (number, ids) in ids.chunks(BATCH).enumerate() {
        let mut assets = Vec::with_capacity(ids.len());
        for id in ids {
            if cancel.cancelled() {
                return Err(SideError::Cancelled.into());
            }
            assets.push(side.record(id).await?.into_tree());
            progress(Progress { done: number * BATCH + assets.len(), total: None });
        }
        for (field, kind) in LINKED {
            let linked: Vec<Value> = assets.iter().flat_map(|asset| entries(&asset[field])).collect();
            to.store(kind, &linked)?;
        }
        let outcomes = to.store(Kind::Assets, &assets)?;
        let refused = ids.iter().zip(outcomes).filter_map(|(id, stored)| match stored {
            StoredRecord::Here => None,
            StoredRecord::As(other) => Some(format!("asset {id}: it is there as {other}")),
            StoredRecord::Refused(why) => Some(format!("asset {id}: {why}")),
        });
        unstored.extend(refused);
        to.link(Kind::Assets, &assets)?;
    }
    Ok(unstored)
}

/// Copies what happened to assets that were copied, which their scores are made of; all activities if no assets are
/// named. A service without lists of them, and a side that is none, has none that are known. Returns those that were
/// not stored, and why.
///
/// # Errors
///
/// Fails if the side cannot be read, or the copy not be written.
pub async fn fill_activities(
    side: &Side,
    assets: Option<&[Arc<str>]>,
    to: &dyn Destination,
    cancel: &CancelFlag,
) -> Result<Vec<String>, ScratchError> {
    let Some((client, _)) = side.client() else { return Ok(Vec::new()) };
    let calls: Vec<Call> = match assets {
        None => vec![ActivitiesSnapshot { transferables: Some(false), pseudo: Some(true) }.into()],
        Some(ids) => {
            let ids = ids.iter().filter_map(|id| id.parse().ok());
            ids.map(|asset| AssetSpecificAssetActivities { asset, transferables: Some(false) }.into()).collect()
        }
    };
    let client = client.with_json_limit(JSON_TIMES);
    let mut unstored = Vec::new();
    for call in calls {
        if cancel.cancelled() {
            return Err(SideError::Cancelled.into());
        }
        for batch in listed(&client, &call).await?.chunks(BATCH) {
            let activities: Vec<Value> =
                batch.iter().filter_map(|activity| serde_json::from_slice(activity).ok()).collect();
            let outcomes = to.store(Kind::Activities, &activities)?;
            unstored.extend(activities.iter().zip(outcomes).filter_map(|(activity, stored)| match stored {
                StoredRecord::Here | StoredRecord::As(_) => None,
                StoredRecord::Refused(why) => {
                    let id = activity["id"].as_str().unwrap_or("without an id");
                    Some(format!("activity {id}: {why}"))
                }
            }));
        }
    }
    Ok(unstored)
}

/// The records of a list as they were sent; none of a service without such a list.
async fn listed(client: &Client, call: &Call) -> Result<Vec<Vec<u8>>, SideError> {
    match patiently(client, call, records).await {
        Ok(records) => Ok(records),
        Err(error) if is_absent(&error) => Ok(Vec::new()),
        Err(error) => Err(error.into()),
    }
}

/// The records of a list, each by itself or in a `reference`.
fn entries(list: &Value) -> Vec<Value> {
    let entries = list["iterable"].as_array().into_iter().flatten();
    entries.map(|entry| entry.get("reference").filter(|whole| whole.is_object()).unwrap_or(entry).clone()).collect()
}
