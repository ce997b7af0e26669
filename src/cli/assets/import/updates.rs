//! Updates assets whose items changed in their library, as one step of the history, and reports the results.

use anyhow::Error;
use serde_json::{Value, json};

use super::Arguments;
use crate::cli::Failure;
use crate::cli::changes::{self, shown};
use crate::cli::connect::{self, Service};
use lunette_inspector::db::Database;
use lunette_inspector::import::sources::{Reason, SourcePlan, Updated};

/// Updates the assets of these libraries whose items changed.
pub(super) async fn apply(
    arguments: &Arguments,
    service: &Service,
    database: &Database,
    plans: &[SourcePlan],
) -> Result<Updated, Failure> {
    let mut result = Updated::default();
    for plan in plans {
        let updates = plan.updates(&service.client, service.vendor).await.map_err(connect::failure)?;
        let mut done = result.add_unchanged(&updates);
        if !updates.changes.is_empty() {
            let run = changes::apply(arguments.target.data(), service, updates.record(plan.source.name())).await?;
            done.extend(result.add_results(&updates, run.rows.iter()));
        }
        let recorded = plan.record_updated(database, &service.connection, &done);
        recorded.map_err(|error| Failure::failed(Error::new(error)))?;
    }
    Ok(result)
}

/// Returns whether an update failed.
pub(super) fn failed(updated: &Updated) -> bool {
    !updated.failed.is_empty()
}

/// Returns a line for each updated asset.
pub(super) fn lines(updated: &Updated) -> impl Iterator<Item = String> {
    updated.updated.iter().map(|(asset, name)| format!("{asset}  {}  (updated)\n", shown(name)))
}

/// Returns lines for what was not updated, and a summary; empty if nothing changed.
pub(super) fn summary(updated: &Updated) -> String {
    let Updated { updated, up_to_date: _, skipped, failed } = updated;
    let line = |word: &str, (asset, name, why): &Reason| format!("{word}: {asset} {}: {}\n", shown(name), shown(why));
    let mut text: String = failed.iter().map(|reason| line("lunette: not updated", reason)).collect();
    text.extend(skipped.iter().map(|reason| line("left as it is", reason)));
    if updated.len() + skipped.len() + failed.len() > 0 {
        text.push_str(&format!(
            "{} updated, {} left as they are, {} not updated\n",
            updated.len(),
            skipped.len(),
            failed.len()
        ));
    }
    text
}

/// Adds the results to a report.
pub(super) fn add_to(updated: &Updated, tree: &mut Value) {
    let reasons = |list: &[Reason]| -> Value {
        list.iter().map(|(asset, name, why)| json!({ "asset": asset, "name": name, "reason": why })).collect()
    };
    tree["left_as_they_are"] = reasons(&updated.skipped);
    tree["not_updated"] = reasons(&updated.failed);
    let updated = updated.updated.iter().map(|(asset, name)| json!({ "asset": asset, "name": name }));
    tree["updated"] = updated.collect();
}
