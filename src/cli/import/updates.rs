//! Assets whose items have changed in their library: updated as one step of the history, and reported.

use std::collections::HashSet;

use anyhow::Error;
use serde_json::{Value, json};

use super::Arguments;
use crate::app::bulk::{Row, RowStatus};
use crate::app::db::Database;
use crate::app::import::sources::{SourcePlan, Updates};
use crate::cli::Failure;
use crate::cli::changes::{self, shown};
use crate::cli::connect::{self, Service};
use lunette_client::model::id::AssetId;

/// An asset, its name, and why it stays as it is, or was not updated.
type Reason = (AssetId, String, String);

/// What became of assets whose items have changed.
#[derive(Clone, Debug, Default)]
pub(super) struct Updated {
    updated: Vec<(AssetId, String)>,
    kept: Vec<Reason>,
    failed: Vec<Reason>,
}

/// Updates the assets of these libraries whose items have changed.
pub(super) async fn apply(
    arguments: &Arguments,
    service: &Service,
    database: &Database,
    plans: &[SourcePlan],
) -> Result<Updated, Failure> {
    let mut result = Updated::default();
    for plan in plans {
        let updates = plan.updates(&service.client, service.own).await.map_err(connect::failure)?;
        let mut done: HashSet<AssetId> = updates.settled.iter().cloned().collect();
        result.kept.extend(updates.kept.iter().cloned());
        if !updates.changes.is_empty() {
            let run = changes::apply(arguments.target.data(), service, updates.record(plan.source.name())).await?;
            let rows: Vec<Row> = run.rows.iter().cloned().collect();
            done.extend(result.take(&updates, &rows));
        }
        let kept = plan.keep_updated(database, &service.connection, &done);
        kept.map_err(|error| Failure::failed(Error::new(error)))?;
    }
    Ok(result)
}

impl Updated {
    /// Takes what became of the changes; returns the assets of which all were made.
    fn take(&mut self, updates: &Updates, rows: &[Row]) -> Vec<AssetId> {
        let mut seen = HashSet::new();
        let mut whole = Vec::new();
        for (change, name) in &updates.changes {
            let asset = change.asset();
            if !seen.insert(asset) {
                continue;
            }
            let failed = rows.iter().filter(|row| row.asset == *asset).find_map(|row| match &row.status {
                RowStatus::Done | RowStatus::Unchanged(_) => None,
                RowStatus::Failed(why) => Some(why.clone()),
                RowStatus::Unknown(why) => Some(format!("it is unknown whether it was updated: {why}")),
                RowStatus::Pending | RowStatus::Sending => Some("it was not reached".to_owned()),
            });
            match failed {
                Some(why) => self.failed.push((asset.clone(), name.clone(), why)),
                None => {
                    self.updated.push((asset.clone(), name.clone()));
                    whole.push(asset.clone());
                }
            }
        }
        whole
    }

    /// Whether an update was not made.
    pub fn failed(&self) -> bool {
        !self.failed.is_empty()
    }

    /// A line for each asset that was updated.
    pub fn lines(&self) -> impl Iterator<Item = String> {
        self.updated.iter().map(|(asset, name)| format!("{asset}  {}  (updated)\n", shown(name)))
    }

    /// Lines for what was not updated, and a summary; nothing where nothing has changed.
    pub fn summary(&self) -> String {
        let Self { updated, kept, failed } = self;
        let line =
            |word: &str, (asset, name, why): &Reason| format!("{word}: {asset} {}: {}\n", shown(name), shown(why));
        let mut text: String = failed.iter().map(|reason| line("lunette: not updated", reason)).collect();
        text.extend(kept.iter().map(|reason| line("left as it is", reason)));
        if updated.len() + kept.len() + failed.len() > 0 {
            text.push_str(&format!(
                "{} updated, {} left as they are, {} not updated\n",
                updated.len(),
                kept.len(),
                failed.len()
            ));
        }
        text
    }

    /// Adds it to a report.
    pub fn add_to(&self, tree: &mut Value) {
        let reasons = |list: &[Reason]| -> Value {
            list.iter().map(|(asset, name, why)| json!({ "asset": asset, "name": name, "reason": why })).collect()
        };
        let updated = self.updated.iter().map(|(asset, name)| json!({ "asset": asset, "name": name }));
        tree["updated"] = updated.collect();
        tree["left_as_they_are"] = reasons(&self.kept);
        tree["not_updated"] = reasons(&self.failed);
    }
}
