//! The receipt: by kind what the service named, what was received, stored and found equal, and what is missing and why.
//!
//! What must hold: a record counts as equal only if it was read back; every record that is named and not equal is named
//! in the receipt, with the reason.

use std::collections::HashMap;
use std::io;
use std::path::Path;

use serde::Serialize;

mod page;

use crate::rescue::Kind;
use crate::rescue::ledger::{Ledger, hash};
use crate::rescue::store::Outcome;
use crate::rescue::verify::Verified;
use lunette_storage::atomic;

/// What became of everything that a service has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Receipt {
    /// The address of the service.
    pub from: String,
    /// When it was written.
    pub at: String,
    /// Each kind.
    pub kinds: Vec<KindReceipt>,
    /// The hash of the hashes of all kinds, in their order.
    pub sha256: String,
}

/// What became of the records of a kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct KindReceipt {
    /// The name of the kind.
    pub kind: &'static str,
    /// Why the service has no such list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub absent: Option<String>,
    /// How many records the service named.
    pub named: usize,
    /// How many requests were sent for them.
    pub asked: usize,
    /// How many were received, and are kept byte for byte.
    pub received: usize,
    /// How many are in the store; `None` for a kind that it does not have.
    pub stored: Option<usize>,
    /// How many say the same when they are read back; `None` for a kind that the store does not have.
    pub equal: Option<usize>,
    /// The others.
    pub missing: Vec<Missing>,
    /// Those that were here before under another id, which is linked in place of theirs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stored_as: Vec<StoredAs>,
    /// The hash of what was received.
    pub sha256: String,
}

/// A record that was named and is not equal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Missing {
    /// Its id.
    pub id: String,
    /// Why.
    pub reason: String,
    /// Whether it is there and says something else.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub differs: bool,
}

/// A record that was here before under another id.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StoredAs {
    /// Its id at the other service.
    pub id: String,
    /// Its id here.
    pub here: String,
}

/// Makes the receipt.
pub(super) fn of(ledger: &mut Ledger, stored: &Outcome, mut verified: HashMap<Kind, Verified>) -> Receipt {
    let kinds: Vec<KindReceipt> = Kind::ALL
        .into_iter()
        .map(|kind| {
            let (seen, state) = (verified.remove(&kind), ledger.kind(kind).clone());
            let missing = |(id, reason): (String, String)| {
                let reason = stored.reasons.get(&(kind, id.clone())).cloned().unwrap_or(reason);
                let differs = seen.as_ref().is_some_and(|seen| seen.differing.contains(&id));
                Missing { id, reason, differs }
            };
            let differ = seen.iter().flat_map(|seen| seen.differ.iter().cloned());
            KindReceipt {
                kind: kind.name(),
                named: state.named,
                asked: state.asked,
                received: ledger.count(kind),
                stored: seen.as_ref().map(|seen| seen.found),
                equal: seen.as_ref().map(|seen| seen.equal),
                missing: state.missing.into_iter().chain(differ).map(missing).collect(),
                stored_as: stored
                    .mapping
                    .among(|id| ledger.has(kind, id))
                    .map(|(id, here)| StoredAs { id: id.to_owned(), here: here.to_owned() })
                    .collect(),
                sha256: ledger.hash(kind),
                absent: state.absent,
            }
        })
        .collect();
    let whole: String = kinds.iter().map(|kind| format!("{} {}\n", kind.kind, kind.sha256)).collect();
    Receipt {
        from: ledger.state.from.clone(),
        at: jiff::Timestamp::now().to_string(),
        kinds,
        sha256: hash(whole.as_bytes()),
    }
}

impl Receipt {
    /// How many records are missing or differ.
    pub fn missing(&self) -> usize {
        self.kinds.iter().map(|kind| kind.missing.len()).sum()
    }

    /// The receipt as JSON.
    pub fn json(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// Writes both forms beside what was received.
    pub(super) fn save(&self, folder: &Path) -> io::Result<()> {
        atomic::write(&folder.join("receipt.json"), self.json().as_bytes())?;
        atomic::write(&folder.join("receipt.html"), self.html().as_bytes())
    }
}
