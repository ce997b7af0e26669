//! Reads back what was stored, and compares it with what was received.

use std::collections::HashMap;

use serde_json::Value;

use crate::CallError;
use crate::rescue::compare::{differences, without_content};
use crate::rescue::kind::Listing;
use crate::rescue::ledger::Ledger;
use crate::rescue::{Kind, RescueError};
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

/// Reads back every kind that is stored.
pub(super) async fn verify(ledger: &Ledger, client: &Client) -> Result<HashMap<Kind, Verified>, RescueError> {
    let client = client.with_json_limit(32);
    let mut verified = HashMap::new();
    for kind in Kind::ALL.into_iter().filter(|kind| kind.is_stored()) {
        let stored = match kind.listing() {
            Listing::Operation(call) => read(&client, call).await,
            Listing::Ids(_) => read_assets(&client).await,
            Listing::Path(_) => continue,
        };
        let stored = stored.map_err(|error| RescueError::ReadBack(Box::new(error)))?;
        let stored: HashMap<String, Value> =
            stored.into_iter().filter_map(|record| Some((record["id"].as_str()?.to_lowercase(), record))).collect();
        let mut seen = Verified::default();
        ledger.each(kind, 1_000, |batch| {
            for kept in batch {
                let received: Value = serde_json::from_str(&kept.raw).unwrap_or_default();
                seen.compare(kind, kept.id, &received, &stored);
            }
            Ok(())
        })?;
        verified.insert(kind, seen);
    }
    Ok(verified)
}

impl Verified {
    fn compare(&mut self, kind: Kind, id: String, received: &Value, stored: &HashMap<String, Value>) {
        let Some(stored) = stored.get(&id.to_lowercase()) else {
            return self.differ.push((id, "it is not there".to_owned()));
        };
        self.found += 1;
        let fields = differences(kind, received, stored);
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
            _ => Err(DecodeError::NotJson("the response has no list `iterable`".to_owned())),
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
