//! Assets whose items have changed in their library: updated as one step of the history, and reported.

use anyhow::Error;
use serde_json::{Value, json};

use super::Arguments;
use crate::app::db::Database;
use crate::app::import::sources::{Reason, SourcePlan, Updated};
use crate::cli::Failure;
use crate::cli::changes::{self, shown};
use crate::cli::connect::{self, Service};

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
        let mut done = result.take_unchanged(&updates);
        if !updates.changes.is_empty() {
            let run = changes::apply(arguments.target.data(), service, updates.record(plan.source.name())).await?;
            done.extend(result.take(&updates, run.rows.iter()));
        }
        let kept = plan.keep_updated(database, &service.connection, &done);
        kept.map_err(|error| Failure::failed(Error::new(error)))?;
    }
    Ok(result)
}

/// Whether an update was not made.
pub(super) fn failed(updated: &Updated) -> bool {
    !updated.failed.is_empty()
}

/// A line for each asset that was updated.
pub(super) fn lines(updated: &Updated) -> impl Iterator<Item = String> {
    updated.updated.iter().map(|(asset, name)| format!("{asset}  {}  (updated)\n", shown(name)))
}

/// Lines for what was not updated, and a summary; nothing where nothing has changed.
pub(super) fn summary(updated: &Updated) -> String {
    let Updated { updated, settled: _, kept, failed } = updated;
    let line = |word: &str, (asset, name, why): &Reason| format!("{word}: {asset} {}: {}\n", shown(name), shown(why));
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
pub(super) fn add_to(updated: &Updated, tree: &mut Value) {
    let reasons = |list: &[Reason]| -> Value {
        list.iter().map(|(asset, name, why)| json!({ "asset": asset, "name": name, "reason": why })).collect()
    };
    tree["left_as_they_are"] = reasons(&updated.kept);
    tree["not_updated"] = reasons(&updated.failed);
    let updated = updated.updated.iter().map(|(asset, name)| json!({ "asset": asset, "name": name }));
    tree["updated"] = updated.collect();
}
