//! Reads everything that a service has: the lists first, which say how much there is, then assets one by one.
//!
//! What must hold: one call is in flight at first, and more only while the service answers quickly; each list is read
//! once in a run, and of the assets only those that are new, missing or changed; a service that no longer responds ends
//! the reading, which goes on where it was.

use std::collections::VecDeque;
use std::time::Duration;

use serde_json::Value;
use tokio::task::JoinSet;

use crate::CallError;
use crate::rescue::compare::changed;
use crate::rescue::kind::{Listing, asset, assets_without_content};
use crate::rescue::ledger::Ledger;
use crate::rescue::{Kind, Phase, Progress, RescueError};
use crate::runs::silent;
use crate::tasks::CancelFlag;
use lunette_client::client::Client;
use lunette_client::model::id::AssetId;
use lunette_client::operation::{Call, DecodeError};
use lunette_json::token::elements;

/// How often a service that does not respond is tried before the reading ends.
const TRIES: u32 = 5;
/// The delay before the first of them; it doubles each time.
const FIRST_DELAY: Duration = Duration::from_millis(250);
/// How many assets are received between two saves of the state.
const SAVED_EACH: usize = 100;

/// Reads from a service into its files.
pub(super) struct Reader<'a> {
    pub client: &'a Client,
    pub ledger: &'a mut Ledger,
    pub progress: &'a (dyn Fn(Progress) + Send + Sync),
    pub cancel: &'a CancelFlag,
}

/// The records of a list as they were received.
type Records = Vec<Vec<u8>>;

impl Reader<'_> {
    /// Reads the lists. Their records are received with them, except those of assets: the ids of the assets to ask for
    /// are returned.
    pub async fn lists(&mut self) -> Result<Vec<AssetId>, RescueError> {
        for kind in Kind::ALL.into_iter().filter(|kind| *kind != Kind::Assets) {
            let records = match kind.listing() {
                Listing::Operation(call) | Listing::Ids(call) => self.list(&call).await,
                Listing::Path(path) => self.path(path).await,
            };
            self.listed(kind, records)?;
        }
        self.assets_to_read().await
    }

    /// Takes in the list of a kind; a service without such a list says so.
    fn listed(&mut self, kind: Kind, records: Result<Records, CallError>) -> Result<(), RescueError> {
        match records {
            Ok(records) => {
                let mut missing = Vec::new();
                for raw in &records {
                    match id_of(raw) {
                        Some(id) => self.ledger.keep(kind, &id, raw)?,
                        // Nothing is left out: one without an id is kept by its hash.
                        None => {
                            let id = format!("sha256:{}", super::ledger::hash(raw));
                            self.ledger.keep(kind, &id, raw)?;
                            missing.push((id, "it has no id".to_owned()));
                        }
                    }
                }
                let state = self.ledger.kind(kind);
                state.asked += 1;
                (state.named, state.absent) = (records.len(), None);
                if kind.is_stored() {
                    state.missing.extend(missing);
                }
            }
            Err(error) if is_absent(&error) => {
                let state = self.ledger.kind(kind);
                (state.named, state.absent) = (0, Some(error.reason()));
            }
            Err(error) => return Err(RescueError::Silent(Box::new(error))),
        }
        let named = self.ledger.kind(kind).named;
        self.report(kind, named);
        self.ledger.save()?;
        self.stop_if_cancelled()
    }

    /// The ids of the assets that are new, missing or changed. What was received before is compared with the list of
    /// assets without content, if the service has one; else by ids alone.
    async fn assets_to_read(&mut self) -> Result<Vec<AssetId>, RescueError> {
        let kind = Kind::Assets;
        let records = match self.list_of_assets().await {
            Ok(records) => records,
            Err(error) if is_absent(&error) => {
                let state = self.ledger.kind(kind);
                (state.named, state.absent) = (0, Some(error.reason()));
                return Ok(Vec::new());
            }
            Err(error) => return Err(RescueError::Silent(Box::new(error))),
        };
        let (mut named, mut to_read) = (0, Vec::new());
        for raw in &records {
            let Some(id) = id_of(raw).and_then(|id| id.parse::<AssetId>().ok()) else { continue };
            named += 1;
            if self.is_to_be_read(&id, raw)? {
                to_read.push(id);
            }
        }
        let state = self.ledger.kind(kind);
        (state.named, state.absent) = (named, None);
        self.report(kind, named);
        Ok(to_read)
    }

    /// The assets, without content if any was received before: to be compared. Else their ids, which is less to ask
    /// for.
    async fn list_of_assets(&self) -> Result<Records, CallError> {
        let whole = assets_without_content();
        if self.ledger.count(Kind::Assets) > 0
            && let Ok(records) = self.client.exchange_reading(&whole, records).await.outcome
        {
            return Ok(records);
        }
        let Listing::Ids(ids) = Kind::Assets.listing() else { return Ok(Records::new()) };
        match self.list(&ids).await {
            Err(error) if is_absent(&error) => self.list(&whole).await,
            listed => listed,
        }
    }

    /// Whether an asset was not received, or says something else in the list than when it was received.
    fn is_to_be_read(&mut self, id: &AssetId, listed: &[u8]) -> Result<bool, RescueError> {
        let Some(kept) = self.ledger.newest(Kind::Assets, id.as_str())? else { return Ok(true) };
        let read = |raw: &[u8]| serde_json::from_slice::<Value>(raw).unwrap_or_default();
        Ok(changed(&read(kept.raw.as_bytes()), &read(listed)))
    }

    /// Reads assets.
    pub async fn assets(&mut self, ids: Vec<AssetId>) -> Result<(), RescueError> {
        let (named, mut waiting) = (self.ledger.kind(Kind::Assets).named, VecDeque::from(ids));
        let (mut running, mut lost, mut unsaved) = (JoinSet::new(), 0, 0);
        loop {
            let at_once = if lost > 0 { 1 } else { self.client.pace().map_or(1, |pace| pace.limit.max(1)) };
            for id in waiting.drain(..waiting.len().min(at_once.saturating_sub(running.len()))) {
                self.ledger.kind(Kind::Assets).asked += 1;
                running.spawn(read_asset(self.client.clone(), id));
            }
            let Some(ended) = running.join_next().await else { break };
            let (id, received) = ended.map_err(|panic| RescueError::Broken(panic.to_string()))?;
            match received {
                Ok(raw) => {
                    self.ledger.keep(Kind::Assets, id.as_str(), &raw)?;
                    (lost, unsaved) = (0, unsaved + 1);
                }
                Err(error) if silent(&error) => {
                    lost += 1;
                    waiting.push_front(id);
                    if lost >= TRIES {
                        self.ledger.save()?;
                        return Err(RescueError::Silent(Box::new(error)));
                    }
                    delay(lost).await;
                }
                Err(error) => {
                    self.ledger.kind(Kind::Assets).missing.insert(id.to_string(), error.reason());
                }
            }
            if unsaved >= SAVED_EACH {
                unsaved = 0;
                self.ledger.save()?;
            }
            self.report(Kind::Assets, named);
            self.stop_if_cancelled()?;
        }
        Ok(self.ledger.save()?)
    }

    fn report(&self, kind: Kind, named: usize) {
        (self.progress)(Progress { phase: Phase::Reading, kind, done: self.ledger.count(kind), named });
    }

    fn stop_if_cancelled(&mut self) -> Result<(), RescueError> {
        if !self.cancel.cancelled() {
            return Ok(());
        }
        self.ledger.save()?;
        Err(RescueError::Cancelled)
    }

    async fn list(&self, call: &Call) -> Result<Records, CallError> {
        patiently(async || self.client.exchange_reading(call, records).await.outcome).await
    }

    async fn path(&self, path: &str) -> Result<Records, CallError> {
        patiently(async || self.client.read_path(path, records).await.outcome).await
    }
}

/// Reads the records of a list from the body of a response, each as it was sent.
pub(crate) fn records(body: &[u8]) -> Result<Records, DecodeError> {
    let not_json = |error: serde_json::Error| DecodeError::NotJson(error.to_string());
    serde_json::from_slice::<serde::de::IgnoredAny>(body).map_err(not_json)?;
    match elements(body, "iterable") {
        Some(elements) => Ok(elements.map(<[u8]>::to_vec).collect()),
        None => Err(DecodeError::NotJson("the response has no list “iterable”".to_owned())),
    }
}

/// The id of a record of a list, or the id that stands for it.
fn id_of(raw: &[u8]) -> Option<String> {
    let record: Value = serde_json::from_slice(raw).ok()?;
    record["id"].as_str().or(record.as_str()).map(str::to_owned)
}

async fn read_asset(client: Client, id: AssetId) -> (AssetId, Result<Vec<u8>, CallError>) {
    let read = |body: &[u8]| {
        let not_json = |error: serde_json::Error| DecodeError::NotJson(error.to_string());
        serde_json::from_slice::<serde::de::IgnoredAny>(body).map_err(not_json)?;
        Ok(body.trim_ascii().to_vec())
    };
    let received = client.exchange_reading(&asset(&id), read).await.outcome;
    (id, received)
}

/// Repeats a read while the service does not respond, with growing delays.
async fn patiently<T>(read: impl AsyncFn() -> Result<T, CallError>) -> Result<T, CallError> {
    let mut tries = 0;
    loop {
        match read().await {
            Err(error) if silent(&error) && tries + 1 < TRIES => {
                tries += 1;
                delay(tries).await;
            }
            read => return read,
        }
    }
}

async fn delay(tries: u32) {
    tokio::time::sleep(FIRST_DELAY * 2_u32.pow(tries.saturating_sub(1).min(TRIES))).await;
}

/// Whether a service has no such list, rather than no answer.
fn is_absent(error: &CallError) -> bool {
    error.missing() || matches!(error, CallError::Status { status: 400..=499, .. } | CallError::NotJson { .. })
}

/// The client with room for whole lists.
pub(super) fn source(client: &Client) -> Client {
    client.with_json_limit(32)
}
