//! Reads what a service has: fingerprints from a service of this program, the list of assets from another one, and one
//! asset after the other where a service has no list or leaves the content out of it.
//!
//! What must hold: one call is in flight at first, and more only while the service answers quickly; what was read is kept
//! when the service no longer responds or the reading is cancelled, and is not asked for again when it goes on.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use lunette_client::client::Client;
use lunette_client::model::asset::Asset;
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::{
    AssetSnapshot, AssetsFingerprintsSnapshot, AssetsIdentifiersSnapshot, AssetsSnapshot,
};
use lunette_client::operation::{Call, DecodeError, elements};
use serde::Deserialize;
use tokio::task::JoinSet;

use super::facts::{Facts, Fingerprint, Part};
use super::read::{Progress, SideError};
use crate::runs::silent;
use crate::tasks::{CancelFlag, Ended};
use crate::{CallError, Vendor};

/// How many fingerprints are asked for at once.
const FINGERPRINTS: u64 = 10_000;
/// How many assets with their content are asked for at once.
const ASSETS: u64 = 200;
/// How often a call without a response is made before the reading stops.
const TRIES: u32 = 4;
/// The delay before the second; it doubles each time.
const FIRST_DELAY: Duration = Duration::from_millis(200);
/// A response with whole assets may be this many times as large as others.
pub(super) const JSON_TIMES: usize = 32;

/// Reads what a service has. It can be asked to go on after it stopped.
#[derive(Debug)]
pub struct ServiceReader {
    client: Client,
    stage: Stage,
    found: Vec<Facts>,
    /// The place of each asset in `found`.
    places: HashMap<Arc<str>, usize>,
    /// What could not be read, in sentences.
    left_out: Vec<String>,
}

/// What is asked for next.
#[derive(Clone, Debug)]
enum Stage {
    Fingerprints(Option<u64>),
    Pages { offset: u64, limit: u64 },
    Identifiers,
    Each(VecDeque<AssetId>),
    Done,
}

/// A page of fingerprints.
#[derive(Deserialize)]
struct Page {
    iterable: Vec<Fingerprint>,
    next: Option<u64>,
}

impl ServiceReader {
    /// A reader that has read nothing.
    pub fn new(client: Client, vendor: Vendor) -> Self {
        let stage = match vendor.is_lunette() {
            true => Stage::Fingerprints(None),
            false => Stage::Pages { offset: 0, limit: ASSETS },
        };
        let client = client.with_json_limit(JSON_TIMES);
        Self { client, stage, found: Vec::new(), places: HashMap::new(), left_out: Vec::new() }
    }

    /// Reads on to the end. `progress` is called after each response.
    ///
    /// # Errors
    ///
    /// Fails if the service does not respond, or has no list of assets. Called again, it goes on.
    pub async fn read(
        &mut self,
        progress: &(dyn Fn(Progress) + Send + Sync),
        cancel: &CancelFlag,
    ) -> Result<(), SideError> {
        loop {
            if cancel.cancelled() {
                return Err(SideError::Cancelled);
            }
            match self.stage.clone() {
                Stage::Fingerprints(position) => self.fingerprints(position).await?,
                Stage::Pages { offset, limit } => self.page(offset, limit).await?,
                Stage::Identifiers => self.identifiers().await?,
                Stage::Each(_) => self.each(progress, cancel).await?,
                Stage::Done => return Ok(()),
            }
            progress(Progress { done: self.found.len(), total: None });
        }
    }

    /// What was read, and what could not be.
    pub(super) fn finish(self) -> (Vec<Arc<Facts>>, Vec<String>) {
        (self.found.into_iter().map(Arc::new).collect(), self.left_out)
    }

    async fn fingerprints(&mut self, position: Option<u64>) -> Result<(), SideError> {
        let call = AssetsFingerprintsSnapshot { position, limit: Some(FINGERPRINTS) }.into();
        let read = |body: &[u8]| {
            let page: Page = serde_json::from_slice(body).map_err(|error| DecodeError::NotJson(error.to_string()))?;
            Ok((page.iterable.into_iter().map(Facts::of_fingerprint).collect::<Vec<_>>(), page.next))
        };
        match patiently(&self.client, &call, read).await {
            Ok((facts, next)) => {
                facts.into_iter().for_each(|facts| self.add(facts));
                self.stage = next.map_or(Stage::Done, |next| Stage::Fingerprints(Some(next)));
                Ok(())
            }
            // A service of an earlier version.
            Err(error) if error.missing() && position.is_none() => {
                self.stage = Stage::Pages { offset: 0, limit: ASSETS };
                Ok(())
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Reads a page of assets with their content. A service without pages sends all of them at once.
    async fn page(&mut self, offset: u64, limit: u64) -> Result<(), SideError> {
        let call = AssetsSnapshot {
            transferables: Some(true),
            suggested: None,
            pseudo: Some(true),
            offset: Some(offset),
            limit: Some(limit),
        };
        let assets = match patiently(&self.client, &call.into(), assets).await {
            Ok(assets) => assets,
            Err(error) if error.too_large() && limit > 1 => {
                self.stage = Stage::Pages { offset, limit: (limit / 4).max(1) };
                return Ok(());
            }
            Err(error) if error.too_large() => {
                self.left_out.push(format!("an asset is too large to be read: {}", error.reason()));
                self.stage = Stage::Pages { offset: offset + 1, limit: ASSETS };
                return Ok(());
            }
            Err(error) if is_absent(&error) && self.found.is_empty() => {
                self.stage = Stage::Identifiers;
                return Ok(());
            }
            Err(error) => return Err(error.into()),
        };
        let (count, before) = (assets.len() as u64, self.found.len());
        assets.into_iter().for_each(|facts| self.add(facts));
        let ended = count != limit || self.found.len() == before;
        self.stage = match ended {
            false => Stage::Pages { offset: offset + count, limit },
            true => self.without_content(),
        };
        Ok(())
    }

    /// Reads the assets by themselves whose content the list leaves out.
    fn without_content(&self) -> Stage {
        let untold = self.found.iter().filter(|facts| !facts.tells(Part::Content));
        Stage::Each(untold.filter_map(|facts| facts.id.parse().ok()).collect())
    }

    async fn identifiers(&mut self) -> Result<(), SideError> {
        let call = AssetsIdentifiersSnapshot { pseudo: Some(true) }.into();
        let ids = |body: &[u8]| {
            let list: Ids = serde_json::from_slice(body).map_err(|error| DecodeError::NotJson(error.to_string()))?;
            Ok(list.iterable.into_iter().filter_map(Id::id).collect())
        };
        let ids: VecDeque<AssetId> = match patiently(&self.client, &call, ids).await {
            Ok(ids) => ids,
            Err(error) if is_absent(&error) => return Err(SideError::NoList(error)),
            Err(error) => return Err(error.into()),
        };
        self.stage = Stage::Each(ids);
        Ok(())
    }

    /// Reads the waiting assets one by one. One that was deleted meanwhile is not there.
    async fn each(
        &mut self,
        progress: &(dyn Fn(Progress) + Send + Sync),
        cancel: &CancelFlag,
    ) -> Result<(), SideError> {
        let (mut running, mut failed) = (JoinSet::new(), None);
        loop {
            let at_once = self.client.pace().map_or(1, |pace| pace.limit.max(1));
            while running.len() < at_once && failed.is_none() && !cancel.cancelled() {
                let Stage::Each(waiting) = &mut self.stage else { break };
                let Some(id) = waiting.pop_front() else { break };
                running.spawn(read_asset(self.client.clone(), id));
            }
            let Some(ended) = running.join_next().await else { break };
            let (id, asset) = ended.map_err(|error| SideError::Ended(Ended::Panicked(error.to_string())))?;
            match asset {
                Ok(facts) => self.add(facts),
                Err(CallError::Status { status: 404 | 410, .. }) => {}
                Err(error) if silent(&error) => {
                    self.wait_for(id);
                    failed = Some(error);
                }
                Err(error) => self.left_out.push(format!("the asset {id} could not be read: {}", error.reason())),
            }
            progress(Progress { done: self.found.len(), total: None });
        }
        match (failed, &self.stage) {
            (Some(error), _) => Err(error.into()),
            (None, Stage::Each(waiting)) if !waiting.is_empty() => Err(SideError::Cancelled),
            _ => {
                self.stage = Stage::Done;
                Ok(())
            }
        }
    }

    fn wait_for(&mut self, id: AssetId) {
        if let Stage::Each(waiting) = &mut self.stage {
            waiting.push_front(id);
        }
    }

    /// Adds an asset; what was read of it before is replaced.
    fn add(&mut self, facts: Facts) {
        match self.places.get(&facts.id) {
            Some(place) => self.found[*place] = facts,
            None => {
                self.places.insert(Arc::clone(&facts.id), self.found.len());
                self.found.push(facts);
            }
        }
    }
}

#[derive(Deserialize)]
struct Ids {
    iterable: Vec<Id>,
}

/// An entry of a list of ids: the id, or a reference to its asset.
#[derive(Deserialize)]
#[serde(untagged)]
enum Id {
    Text(String),
    Reference { id: String },
}

impl Id {
    fn id(self) -> Option<AssetId> {
        match self {
            Self::Text(id) | Self::Reference { id } => id.parse().ok(),
        }
    }
}

/// Reads the assets of a list, one by one, so that one record is in memory at a time.
fn assets(body: &[u8]) -> Result<Vec<Facts>, DecodeError> {
    let mut found = Vec::new();
    elements::each(body, lunette_client::model::asset::Assets::NAME, |element| {
        let asset = element.record::<Asset>()?;
        found.extend(Some(Facts::of_record(asset.view())).filter(|facts| !facts.id.is_empty()));
        Ok(())
    })?;
    Ok(found)
}

async fn read_asset(client: Client, id: AssetId) -> (AssetId, Result<Facts, CallError>) {
    let call = AssetSnapshot { asset: id.clone(), transferables: Some(true) }.into();
    let read = |body: &[u8]| {
        let tree = serde_json::from_slice(body).map_err(|error| DecodeError::NotJson(error.to_string()))?;
        let asset = Asset::from_any(tree).map_err(|error| DecodeError::NotJson(error.to_string()))?;
        Ok(Facts::of_record(asset.view()))
    };
    let facts = patiently(&client, &call, read).await;
    (id.clone(), facts.map(|facts| facts.known_by(&id.as_str().to_lowercase())))
}

/// Repeats a read while the service does not respond, with growing delays.
async fn patiently<T: Send + 'static>(
    client: &Client,
    call: &Call,
    read: impl FnOnce(&[u8]) -> Result<T, DecodeError> + Clone + Send + 'static,
) -> Result<T, CallError> {
    let mut tries = 1;
    loop {
        match client.exchange_reading(call, read.clone()).await.outcome {
            Err(error) if silent(&error) && tries < TRIES => {
                tokio::time::sleep(FIRST_DELAY * 2_u32.pow(tries - 1)).await;
                tries += 1;
            }
            read => return read,
        }
    }
}

/// Whether a service has no such list, rather than no answer.
fn is_absent(error: &CallError) -> bool {
    error.missing() || matches!(error, CallError::Status { status: 400..=499, .. } | CallError::NotJson { .. })
}
