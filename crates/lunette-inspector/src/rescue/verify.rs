//! Reads back what was stored, and compares it with what was received.

use std::collections::HashMap;

use serde_json::Value;

use crate::CallError;
use crate::rescue::compare::{differences, without_content};
use crate::rescue::kind::Listing;
use crate::rescue::ledger::Ledger;
use crate::rescue::mapping::Mapping;
use crate::rescue::{Kind, Phase, Progress, RescueError};
use lunette_client::client::Client;
use lunette_client::operation::table::AssetsSnapshot;
use lunette_client::operation::{Call, DecodeError};

/// How many assets are read back at once, with their content.
const PAGE: u64 = 50;

/// What reading back showed of a kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Verified {
    /// How many records are there.
    pub found: usize,
    /// How many of them say what the received ones said.
    pub equal: usize,
    /// The ids of the others, and what is missing or differs.
    pub differ: Vec<(String, String)>,
}

/// Reads back every kind that is stored, and compares it.
pub(super) async fn verify(
    ledger: &Ledger,
    client: &Client,
    mapping: &Mapping,
    progress: &(dyn Fn(Progress) + Send + Sync),
) -> Result<HashMap<Kind, Verified>, RescueError> {
    let mut verified = HashMap::new();
    for kind in Kind::ALL.into_iter().filter(|kind| kind.is_stored()) {
        let (stored, mut seen) = (read_back(client, kind).await?, Verified::default());
        ledger.each(kind, 1_000, |batch| {
            for kept in batch {
                let received: Value = serde_json::from_str(&kept.raw).unwrap_or_default();
                seen.compare(kind, kept.id, mapping.applied(received), &stored);
            }
            Ok(())
        })?;
        progress(Progress { phase: Phase::Comparing, kind, done: seen.found, named: ledger.count(kind) });
        verified.insert(kind, seen);
    }
    Ok(verified)
}

/// The records of a kind that our service has, by their ids in lower case; assets have the hash of their content in place
/// of it.
pub(super) async fn read_back(client: &Client, kind: Kind) -> Result<HashMap<String, Value>, RescueError> {
    let client = client.with_json_limit(32);
    let stored = match kind.listing() {
        Listing::Operation(call) => read(&client, call).await,
        Listing::Ids(_) => read_assets(&client).await,
        Listing::Path(_) => Ok(Vec::new()),
    };
    let stored = stored.map_err(|error| RescueError::ReadBack(Box::new(error)))?;
    Ok(stored.into_iter().filter_map(|record| Some((record["id"].as_str()?.to_lowercase(), record))).collect())
}

impl Verified {
    /// Compares a record, given its id when it was received, with the one that is here.
    fn compare(&mut self, kind: Kind, id: String, mut received: Value, stored: &HashMap<String, Value>) {
        let here = received["id"].as_str().unwrap_or(&id).to_owned();
        let Some(stored) = stored.get(&here.to_lowercase()) else {
            return self.differ.push((id, "it is not there".to_owned()));
        };
        self.found += 1;
        if here != id
            && let Some(fields) = received.as_object_mut()
        {
            // The one that was here before has times and counters of its own.
            ["created", "updated", "score"].iter().for_each(|field| drop(fields.shift_remove(*field)));
        }
        let fields = differences(kind, &received, stored);
        match fields.is_empty() {
            true => self.equal += 1,
            false => self.differ.push((id, format!("it differs in: {}", fields.join(", ")))),
        }
    }
}

async fn read(client: &Client, call: Call) -> Result<Vec<Value>, CallError> {
    let list = |body: &[u8]| {
        let mut list: Value = serde_json::from_slice(body).map_err(|error| DecodeError::NotJson(error.to_string()))?;
        match list["iterable"].take() {
            Value::Array(records) => Ok(records),
            _ => Err(DecodeError::NotJson("the response has no list “iterable”".to_owned())),
        }
    };
    client.exchange_reading(&call, list).await.outcome
}

async fn read_assets(client: &Client) -> Result<Vec<Value>, CallError> {
    let mut assets = Vec::new();
    loop {
        let page = AssetsSnapshot {
            transferables: Some(true),
            suggested: None,
            pseudo: Some(true),
            offset: Some(assets.len() as u64),
            limit: Some(PAGE),
        };
        let read = read(client, page.into()).await?;
        let last = (read.len() as u64) < PAGE;
        assets.extend(read.iter().map(without_content));
        if last {
            return Ok(assets);
        }
    }
}
