//! Reads back what was stored, and compares it with what was received.
//!
//! What must hold: what differs is never equal, also where a service of ours cannot say what the other one said: the
//! scores `manual` and `automatic` of an asset are the sums of the ranks of its activities here.

use std::collections::{HashMap, HashSet};

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
    /// The ids of those of them that are there.
    pub differing: HashSet<String>,
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
        let sums = if kind == Kind::Assets { Sums::of(ledger)? } else { Sums::default() };
        ledger.each(kind, 1_000, |batch| {
            for kept in batch {
                let received: Value = serde_json::from_str(&kept.raw).unwrap_or_default();
                seen.compare(kind, kept.id, mapping.applied(received), &stored, &sums);
            }
            Ok(())
        })?;
        progress(Progress { phase: Phase::Comparing, kind, done: seen.found, named: ledger.count(kind) });
        verified.insert(kind, seen);
    }
    Ok(verified)
}

/// The records of a kind that our service has, by their ids in lower case; assets have the hash of their content in
/// place of it.
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
    fn compare(&mut self, kind: Kind, id: String, mut received: Value, stored: &HashMap<String, Value>, sums: &Sums) {
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
        let mut reasons: Vec<String> = match fields.is_empty() {
            true => Vec::new(),
            false => vec![format!("it differs in: {}", fields.join(", "))],
        };
        if kind == Kind::Assets {
            reasons.extend(sums.differences(&id, &received, stored));
        }
        match reasons.is_empty() {
            true => self.equal += 1,
            false => {
                self.differing.insert(id.clone());
                self.differ.push((id, reasons.join("; ")));
            }
        }
    }
}

/// The scores that are sums, by their names, and the mechanisms of the activities that they are sums of.
const SUMMED: [(&str, &str); 2] = [("manual", "MANUAL"), ("automatic", "AUTOMATIC")];

/// The sums of the ranks of the activities that were received, by the ids of their assets in lower case.
#[derive(Debug, Default)]
struct Sums(HashMap<String, [i64; SUMMED.len()]>);

impl Sums {
    fn of(ledger: &Ledger) -> Result<Self, RescueError> {
        let mut sums = Self::default();
        ledger.each(Kind::Activities, 1_000, |batch| {
            for kept in batch {
                let activity: Value = serde_json::from_str(&kept.raw).unwrap_or_default();
                let mechanism = SUMMED.iter().position(|(_, mechanism)| activity["mechanism"] == *mechanism);
                if let (Some(asset), Some(place)) = (activity["asset"]["id"].as_str(), mechanism) {
                    sums.0.entry(asset.to_lowercase()).or_default()[place] += activity["rank"].as_i64().unwrap_or(0);
                }
            }
            Ok(())
        })?;
        Ok(sums)
    }

    /// How the scores of an asset here differ from the received ones, in sentences. Those that were the sums there may
    /// have grown here since.
    fn differences(&self, id: &str, received: &Value, stored: &Value) -> Vec<String> {
        let sums = self.0.get(&id.to_lowercase()).copied().unwrap_or_default();
        let differs = |((name, _), sum): (&(&str, &str), i64)| {
            let there = received["score"][*name].as_i64()?;
            let here = stored["score"][*name].as_i64().unwrap_or_default();
            let has_grown = here > there && there == sum;
            (here != there && !has_grown).then(|| {
                format!("its score “{name}” is {here} here and {there} there: here it is the sum of its activities")
            })
        };
        SUMMED.iter().zip(sums).filter_map(differs).collect()
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
