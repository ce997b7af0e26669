//! The receipt: by kind what the service named, what was received, stored and found equal, and what is missing and why.
//!
//! What must hold: a record counts as equal only if it was read back; every record that is named and not equal is named
//! in the receipt, with the reason.

use std::collections::HashMap;
use std::io;
use std::path::Path;

use serde::Serialize;

use crate::rescue::Kind;
use crate::rescue::ledger::{Ledger, hash};
use crate::rescue::store::Outcome;
use crate::rescue::verify::Verified;
use lunette_client::model::display::Breaks;
use lunette_client::model::escape::html;
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
                Missing { id, reason }
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

    /// The receipt as a page that names nothing outside of itself.
    pub fn html(&self) -> String {
        let rows: String = self.kinds.iter().map(KindReceipt::row).collect();
        let named = |kind: &KindReceipt| kind.missing.iter().map(|missing| missing.row(kind.kind)).collect::<String>();
        let missing: String = self.kinds.iter().map(named).collect();
        let missing = match missing.is_empty() {
            true => "<p>Nothing is missing.</p>".to_owned(),
            false => format!("<table><tr><th>Kind</th><th>Id</th><th>Reason</th></tr>\n{missing}</table>"),
        };
        let mapped = |kind: &KindReceipt| kind.stored_as.iter().map(|mapped| mapped.row(kind.kind)).collect::<String>();
        let mapped: String = self.kinds.iter().map(mapped).collect();
        let mapped = match mapped.is_empty() {
            true => String::new(),
            false => format!(
                "<h2>Stored under another id</h2>\n<table><tr><th>Kind</th><th>Id there</th><th>Id here</th></tr>\n\
                 {mapped}</table>\n"
            ),
        };
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Receipt</title><style>{STYLE}</style>\
             </head><body>\n<h1>What was taken along from {}</h1>\n<p>{}, SHA-256 <code>{}</code></p>\n<table><tr>\
             <th>Kind</th><th>Named</th><th>Received</th><th>Stored</th><th>Equal</th><th>Missing</th><th></th>\
             <th>SHA-256 of what was received</th></tr>\n{rows}</table>\n<h2>Missing or different</h2>\n{missing}\n{mapped}\
             </body></html>\n",
            shown(&self.from),
            shown(&self.at),
            self.sha256,
        )
    }

    /// Writes both forms beside what was received.
    pub(super) fn save(&self, folder: &Path) -> io::Result<()> {
        atomic::write(&folder.join("receipt.json"), self.json().as_bytes())?;
        atomic::write(&folder.join("receipt.html"), self.html().as_bytes())
    }
}

impl KindReceipt {
    /// Its row of the page.
    fn row(&self) -> String {
        let count = |count: Option<usize>| count.map_or("kept as received".to_owned(), |count| count.to_string());
        let note = self.absent.as_ref().map(|why| format!("not offered: {}", shown(why))).unwrap_or_default();
        let (stored, equal, missing) = (count(self.stored), count(self.equal), self.missing.len());
        let Self { kind, named, received, sha256, .. } = self;
        format!(
            "<tr><th>{kind}</th><td>{named}</td><td>{received}</td><td>{stored}</td><td>{equal}</td><td>{missing}</td>\
             <td>{note}</td><td><code>{sha256}</code></td></tr>\n"
        )
    }
}

impl Missing {
    /// Its row of the page.
    fn row(&self, kind: &str) -> String {
        let Self { id, reason } = self;
        format!("<tr><th>{kind}</th><td><code>{}</code></td><td>{}</td></tr>\n", shown(id), shown(reason))
    }
}

impl StoredAs {
    /// Its row of the page.
    fn row(&self, kind: &str) -> String {
        let Self { id, here } = self;
        format!("<tr><th>{kind}</th><td><code>{}</code></td><td><code>{}</code></td></tr>\n", shown(id), shown(here))
    }
}

fn shown(text: &str) -> String {
    html(text, Breaks::Kept)
}

const STYLE: &str = "body{font-family:sans-serif;margin:2em}table{border-collapse:collapse}\
    th,td{border:1px solid #888;padding:.3em .6em;text-align:left;vertical-align:top}";
