//! Reads what a service has: fingerprints from a service of this program, the list of assets from another one, and one
//! asset after the other where a service has no list or leaves the content out of it.
//!
//! What must hold: one call is in flight at first, and more only while the service answers quickly; a page of the list
//! is decoded while the next one is asked for; what was read is kept when the service no longer responds or the reading is cancelled, and is not asked for again when it goes on,
//! unless the list says something else of it by then; an asset that came, went or moved to another page while the list
//! was read is neither missed nor taken for one that is there.

use std::collections::{HashMap, HashSet, VecDeque};
use std::path::Path;
use std::sync::Arc;

use lunette_client::client::Client;
use lunette_client::model::asset::Asset;
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::{
    AssetSnapshot, AssetsFingerprintsSnapshot, AssetsIdentifiersSnapshot, AssetsSnapshot,
};
use lunette_client::operation::{Call, DecodeError};
use serde::Deserialize;
use tokio::task::JoinSet;

use super::facts::{Facts, Fingerprint, Part};
use super::items::Items;
use super::kept::Kept;
use super::page::{Page, assets};
use super::read::{Progress, SideError, is_absent, patiently};
use crate::change::LinkKind;
use crate::runs::silent;
use crate::tasks::{CancelFlag, Ended};
use crate::{CallError, Vendor};

/// How many fingerprints are asked for at once.
const FINGERPRINTS: u64 = 10_000;
/// How many assets with their content are asked for at once.
const ASSETS: u64 = 200;
/// How many assets without content are asked for at once.
const LISTED: u64 = 1_000;
/// A response with whole assets may be this many times as large as others.
pub(super) const JSON_TIMES: usize = 32;

/// Reads what a service has. It can be asked to go on after it stopped.
#[derive(Debug)]
pub struct ServiceReader {
    client: Client,
    stage: Stage,
    items: Arc<Items>,
    found: Vec<Facts>,
    /// The place of each asset in `found`.
    places: HashMap<Arc<str>, usize>,
    /// What could not be read, in sentences.
    left_out: Vec<String>,
    /// The file in which what was read is kept.
    kept: Option<Kept>,
    /// The assets that were read by an earlier reader.
    earlier: HashSet<Arc<str>>,
    /// The assets that were read by themselves.
    alone: HashSet<Arc<str>>,
    /// Those that were named, and were gone when they were read.
    gone: HashSet<Arc<str>>,
    /// What is asked for after the items.
    then: Stage,
    /// The page that was received last, while it is decoded.
    decoding: Option<Page>,
}

/// What is asked for next.
#[derive(Clone, Debug)]
enum Stage {
    Fingerprints(Option<u64>),
    Items,
    Pages {
        offset: u64,
        limit: u64,
    },
    /// Which assets there are, after the pages were read.
    Check,
    Identifiers,
    Each(VecDeque<AssetId>),
    Done,
}

/// What a list says of assets without content.
type Listed = HashMap<Arc<str>, Facts>;

/// A page of fingerprints.
#[derive(Deserialize)]
struct Fingerprints {
    iterable: Vec<Fingerprint>,
    next: Option<u64>,
}

impl ServiceReader {
    /// A reader that has read nothing.
    pub fn new(client: Client, vendor: Vendor) -> Self {
        let stage = match vendor.is_lunette() {
            true => Stage::Fingerprints(None),
            false => Stage::Items,
        };
        Self {
            client: client.with_json_limit(JSON_TIMES),
            stage,
            items: Arc::default(),
            found: Vec::new(),
            places: HashMap::new(),
            left_out: Vec::new(),
            kept: None,
            earlier: HashSet::new(),
            alone: HashSet::new(),
            gone: HashSet::new(),
            then: Stage::Pages { offset: 0, limit: ASSETS },
            decoding: None,
        }
    }

    /// Goes on where an earlier reader of the service stopped, and keeps what is read in this data folder until it is
    /// read to its end. A service that sends fingerprints is read anew. Blocks.
    #[must_use]
    pub fn kept_in(mut self, data: &Path) -> Self {
        if !matches!(self.stage, Stage::Items) {
            return self;
        }
        match Kept::open(data, &self.client.address().to_string()) {
            Ok(Some((kept, before))) => {
                before.found.into_iter().for_each(|facts| self.add(facts));
                self.earlier = self.places.keys().cloned().collect();
                self.alone = before.alone.into_iter().map(Arc::from).collect();
                self.then = match before.listed {
                    true => Stage::Check,
                    false => Stage::Pages { offset: before.offset, limit: ASSETS },
                };
                self.kept = Some(kept);
            }
            Ok(None) => {}
            Err(error) => tracing::warn!("what is read of {} is not kept: {error}", self.client.address()),
        }
        self
    }

    /// How many assets were read by an earlier reader.
    pub fn read_earlier(&self) -> usize {
        self.earlier.len()
    }

    /// Whether what was read is kept on the disk, so that another reader goes on from there.
    pub fn is_kept(&self) -> bool {
        self.kept.is_some() && !self.found.is_empty()
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
                // One that cannot be read is asked for again.
                self.take_decoded().await.ok();
                return Err(SideError::Cancelled);
            }
            match self.stage.clone() {
                Stage::Fingerprints(position) => self.fingerprints(position).await?,
                Stage::Items => self.items().await?,
                Stage::Pages { offset, limit } => self.page(offset, limit).await?,
                Stage::Check => self.check().await?,
                Stage::Identifiers => self.identifiers().await?,
                Stage::Each(_) => self.each(progress, cancel).await?,
                Stage::Done => {
                    self.kept.take().into_iter().for_each(Kept::remove);
                    return Ok(());
                }
            }
            let received = self.decoding.as_ref().map_or(0, |page| page.limit as usize);
            progress(Progress { done: self.found.len() + received, total: None });
        }
    }

    /// What was read, what could not be, and the items of the service as far as they were asked for.
    pub(super) fn finish(self) -> (Vec<Arc<Facts>>, Vec<String>, Arc<Items>) {
        let there = self.found.into_iter().filter(|facts| !self.gone.contains(&facts.id));
        (there.map(Arc::new).collect(), self.left_out, self.items)
    }

    async fn fingerprints(&mut self, position: Option<u64>) -> Result<(), SideError> {
        let call = AssetsFingerprintsSnapshot { position, limit: Some(FINGERPRINTS) }.into();
        let read = |body: &[u8]| {
            let page: Fingerprints =
                serde_json::from_slice(body).map_err(|error| DecodeError::NotJson(error.to_string()))?;
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
                self.stage = Stage::Items;
                Ok(())
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Reads the items that assets are linked to, since records of assets may name them by their ids alone.
    async fn items(&mut self) -> Result<(), SideError> {
        for kind in LinkKind::ALL {
            Arc::make_mut(&mut self.items).read(&self.client, kind).await?;
        }
        self.stage = std::mem::replace(&mut self.then, Stage::Done);
        Ok(())
    }

    /// Reads a page of assets with their content. A service without pages sends all of them at once.
    async fn page(&mut self, offset: u64, limit: u64) -> Result<(), SideError> {
        let mut page = Page::request(&self.client, &self.items, offset, limit);
        // The page before is decoded while this one is on its way.
        if !self.take_decoded().await? {
            return Ok(());
        }
        if page.received().await {
            self.stage = Stage::Pages { offset: offset + limit, limit };
            self.decoding = Some(page);
            return Ok(());
        }
        self.take(page).await.map(drop)
    }

    /// Adds the assets of the page that is being decoded, if one is. Gives whether the list goes on after it.
    async fn take_decoded(&mut self) -> Result<bool, SideError> {
        match self.decoding.take() {
            Some(page) => self.take(page).await,
            None => Ok(true),
        }
    }

    /// Adds the assets of a page once they are decoded. Gives whether the list goes on after it; what is asked for next
    /// is set unless it does.
    async fn take(&mut self, page: Page) -> Result<bool, SideError> {
        let (offset, limit, full) = (page.offset, page.limit, page.full);
        let assets = match page.decoded().await {
            Ok(assets) => assets,
            Err(error) => {
                self.stage = self.without_page(error, offset, limit)?;
                return Ok(false);
            }
        };
        let before = self.found.len();
        let ended = !full || assets.iter().all(|facts| self.places.contains_key(&facts.id));
        self.keep((!ended).then_some(offset + limit), &assets);
        assets.into_iter().for_each(|facts| self.add(facts));
        if ended {
            // One response is of one moment.
            let is_all = before == 0 && self.left_out.is_empty();
            self.stage = if is_all { self.without_content() } else { Stage::Check };
        }
        Ok(!ended)
    }

    /// What is asked for next after a page that could not be read. Fails if nothing can be; called again, the reading
    /// goes on with the page.
    fn without_page(&mut self, error: SideError, offset: u64, limit: u64) -> Result<Stage, SideError> {
        match &error {
            SideError::Call(error) if error.too_large() && limit > 1 => {
                Ok(Stage::Pages { offset, limit: (limit / 4).max(1) })
            }
            SideError::Call(error) if error.too_large() => {
                self.left_out.push(format!("an asset is too large to be read: {}", error.reason()));
                Ok(Stage::Pages { offset: offset + 1, limit: ASSETS })
            }
            SideError::Call(error) if is_absent(error) && self.found.is_empty() => Ok(Stage::Identifiers),
            _ => {
                self.stage = Stage::Pages { offset, limit };
                Err(error)
            }
        }
    }

    /// Reads the assets by themselves whose content the list leaves out.
    fn without_content(&self) -> Stage {
        let untold = self.found.iter().filter(|facts| !facts.tells(Part::Content) && !self.alone.contains(&facts.id));
        Stage::Each(untold.filter_map(|facts| facts.id.parse().ok()).collect())
    }

    /// Compares what was read with which assets there are now: those that are gone are forgotten, and those are read
    /// that are new, were missed between two pages, or say something else than when an earlier reader read them.
    async fn check(&mut self) -> Result<(), SideError> {
        let ids = self.ids().await?;
        let listed = match self.earlier.is_empty() {
            true => None,
            false => self.list().await?,
        };
        let there: HashSet<Arc<str>> = match (ids, &listed) {
            // A list of ids is of one moment.
            (Some(ids), _) => ids.iter().map(|id| Arc::from(id.as_str().to_lowercase())).collect(),
            (None, Some(listed)) => listed.keys().cloned().collect(),
            // Without either list, nothing is known but what the pages said.
            (None, None) => {
                self.stage = self.without_content();
                return Ok(());
            }
        };
        let listed = listed.unwrap_or_default();
        let is_stale = |facts: &Facts| {
            self.earlier.contains(&facts.id) && listed.get(&facts.id).is_some_and(|now| facts.may_have_changed(now))
        };
        self.found.retain(|facts| there.contains(&facts.id) && !is_stale(facts));
        self.places = self.found.iter().enumerate().map(|(place, facts)| (Arc::clone(&facts.id), place)).collect();
        // Those that were too large for a page are among those that are read by themselves.
        self.left_out.clear();
        let missed = there.into_iter().filter(|id| !self.places.contains_key(id));
        let mut waiting: VecDeque<AssetId> = missed.filter_map(|id| id.parse().ok()).collect();
        if let Stage::Each(untold) = self.without_content() {
            waiting.extend(untold);
        }
        self.stage = Stage::Each(waiting);
        Ok(())
    }

    /// The assets without content; `None` of a service without such a list.
    async fn list(&self) -> Result<Option<Listed>, SideError> {
        let mut listed = Listed::new();
        loop {
            let call = AssetsSnapshot {
                transferables: Some(false),
                suggested: None,
                pseudo: Some(true),
                offset: Some(listed.len() as u64),
                limit: Some(LISTED),
            };
            let items = Arc::clone(&self.items);
            let page = match patiently(&self.client, &call.into(), move |body: &[u8]| assets(body, &items)).await {
                Ok(page) => page,
                Err(error) if is_absent(&error) || error.too_large() => return Ok(None),
                Err(error) => return Err(error.into()),
            };
            let (count, before) = (page.len() as u64, listed.len());
            listed.extend(page.into_iter().map(|facts| (Arc::clone(&facts.id), facts)));
            if count != LISTED || listed.len() == before {
                return Ok(Some(listed));
            }
        }
    }

    /// The ids of all assets; `None` of a service without such a list.
    async fn ids(&self) -> Result<Option<Vec<AssetId>>, SideError> {
        match patiently(&self.client, &identifiers(), ids).await {
            Ok(ids) => Ok(Some(ids)),
            Err(error) if is_absent(&error) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    async fn identifiers(&mut self) -> Result<(), SideError> {
        let ids = match patiently(&self.client, &identifiers(), ids).await {
            Ok(ids) => ids,
            Err(error) if is_absent(&error) => return Err(SideError::NoList(error)),
            Err(error) => return Err(error.into()),
        };
        // All assets are named, as after the last page.
        self.keep(None, &[]);
        self.stage = Stage::Each(ids.into());
        Ok(())
    }

    /// Keeps what a call returned. What cannot be kept is read again by the next reader.
    fn keep(&mut self, offset: Option<u64>, found: &[Facts]) {
        if let Some(Err(error)) = self.kept.as_mut().map(|kept| kept.add(offset, found)) {
            tracing::warn!("what is read of {} is no longer kept: {error}", self.client.address());
            self.kept = None;
        }
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
                running.spawn(read_asset(self.client.clone(), Arc::clone(&self.items), id));
            }
            let Some(ended) = running.join_next().await else { break };
            let (id, asset) = ended.map_err(|error| SideError::Ended(Ended::Panicked(error.to_string())))?;
            match asset {
                Ok(facts) => {
                    self.keep(None, std::slice::from_ref(&facts));
                    self.alone.insert(Arc::clone(&facts.id));
                    self.add(facts);
                }
                Err(CallError::Status { status: 404 | 410, .. }) => {
                    self.gone.insert(id.as_str().to_lowercase().into());
                }
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

fn identifiers() -> Call {
    AssetsIdentifiersSnapshot { pseudo: Some(true) }.into()
}

/// Reads the ids of a list.
fn ids(body: &[u8]) -> Result<Vec<AssetId>, DecodeError> {
    let list: Ids = serde_json::from_slice(body).map_err(|error| DecodeError::NotJson(error.to_string()))?;
    Ok(list.iterable.into_iter().filter_map(Id::id).collect())
}

async fn read_asset(client: Client, items: Arc<Items>, id: AssetId) -> (AssetId, Result<Facts, CallError>) {
    let call = AssetSnapshot { asset: id.clone(), transferables: Some(true) }.into();
    let read = move |body: &[u8]| {
        let tree = serde_json::from_slice(body).map_err(|error| DecodeError::NotJson(error.to_string()))?;
        let asset = Asset::from_any(tree).map_err(|error| DecodeError::NotJson(error.to_string()))?;
        Ok(Facts::of_foreign(items.named_in(asset).view()))
    };
    let facts = patiently(&client, &call, read).await;
    (id.clone(), facts.map(|facts| facts.known_by(&id.as_str().to_lowercase())))
}
