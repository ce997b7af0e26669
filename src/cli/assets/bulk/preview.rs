//! A dry run: what a plan would change, field by field, from fresh reads, in the words of the report. Nothing else is
//! sent.

use anyhow::anyhow;
use serde_json::{Value, json};

use super::names::TIME_OUTS;
use crate::cli::Failure;
use crate::cli::changes::shown;
use crate::cli::connect::{self, Service};
use crate::cli::progress::escaped;
use lunette_client::client::{CallError, Client, TimeoutPhase};
use lunette_client::model::display::beginning;
use lunette_client::model::record::Record as _;
use lunette_client::model::size::size;
use lunette_inspector::Vendor;
use lunette_inspector::change::{Change, ChangedField};
use lunette_inspector::listing::rows::AssetRow;
use lunette_inspector::runs::{RunRecord, Task};
use lunette_inspector::write::plan::{PlanError, Preflight, conflict_message, prepare};
use lunette_inspector::write::recovery::DeletedAssets;

/// The most characters of a value that are shown.
const LONGEST_VALUE: usize = 200;

/// The result that a row would have.
enum Preview {
    Changes(Vec<ChangedField>),
    /// The size of the deleted content, in bytes; `None` if the record does not contain it.
    Deleted(Option<i64>),
    Restored,
    Recreated,
    Exported,
    Unchanged(String),
    Refused(String),
    Unanswered(CallError),
}

/// Prints what each row would change; fails if a row could not be applied.
pub(in crate::cli) async fn print(
    service: &Service,
    deleted: &DeletedAssets,
    record: &RunRecord,
    as_json: bool,
) -> Result<(), Failure> {
    let previews = preview_all(service, deleted, record).await?;
    match as_json {
        true => crate::cli::print_json(&in_json(record, &previews))?,
        false => crate::cli::print(&in_words(record, &previews))?,
    }
    let refused = |preview: &&Preview| matches!(preview, Preview::Refused(_) | Preview::Unanswered(_));
    let refused = previews.iter().filter(refused).count();
    match refused {
        0 => Ok(()),
        count => Err(Failure::failed(anyhow!("{count} of {} cannot be changed; nothing was sent", previews.len()))),
    }
}

/// Previews the rows, several at a time; fails if the service does not answer.
async fn preview_all(service: &Service, deleted: &DeletedAssets, record: &RunRecord) -> Result<Vec<Preview>, Failure> {
    let (client, vendor) = (service.reporting(), service.vendor);
    let mut previews = Vec::new();
    let mut timed_out = 0;
    for tasks in record.rest.tasks.chunks(record.run.in_flight) {
        let started: Vec<_> = tasks
            .iter()
            .map(|task| tokio::spawn(preview(client.clone(), deleted.clone(), vendor, task.clone())))
            .collect();
        for preview in started {
            let preview = preview.await.map_err(|error| Failure::failed(anyhow!(error)))?;
            let preview = preview.map_err(connect::failure)?;
            if let Preview::Unanswered(error) = &preview {
                timed_out += 1;
                if timed_out >= TIME_OUTS {
                    return Err(connect::timed_out(error, timed_out));
                }
            } else {
                timed_out = 0;
            }
            previews.push(preview);
        }
    }
    Ok(previews)
}

fn in_json(record: &RunRecord, previews: &[Preview]) -> String {
    let rows = record.run.rows.iter().zip(previews).map(|(row, preview)| {
        let mut tree = json!({ "id": row.asset, "name": &*row.name });
        let (field, value) = tree_of(preview);
        tree[field] = value;
        tree
    });
    let tree = json!({ "title": record.run.title, "rows": rows.collect::<Vec<_>>() });
    format!("{tree:#}\n")
}

fn in_words(record: &RunRecord, previews: &[Preview]) -> String {
    let rows = record.run.rows.iter().zip(previews);
    let rows = rows.map(|(row, preview)| format!("{}  {}\n{}", row.asset, escaped(&row.name), lines(preview)));
    format!("{}\n{}", shown(&record.run.title), rows.collect::<String>())
}

/// Fails only if the service does not answer.
async fn preview(client: Client, deleted: DeletedAssets, vendor: Vendor, task: Task) -> Result<Preview, CallError> {
    let change = match task {
        Task::Change(change) => change,
        Task::Export(_) => return Ok(Preview::Exported),
    };
    match prepare(&client, &deleted, change, vendor).await {
        Ok(Preflight::Ready(plan)) => Ok(match plan.change {
            Change::Delete { .. } => {
                let row = plan.before.and_then(|asset| AssetRow::of(asset.view()));
                Preview::Deleted(row.and_then(|row| row.size()))
            }
            Change::Restore { .. } => Preview::Restored,
            Change::Recreate { .. } => Preview::Recreated,
            change => Preview::Changes(change.changed_fields()),
        }),
        Ok(Preflight::NoOp(how)) => Ok(Preview::Unchanged(how)),
        Ok(Preflight::Conflict(conflict)) => Ok(Preview::Refused(conflict_message(&conflict.change, &conflict.theirs))),
        Err(PlanError::Call(
            error @ (CallError::Refused { .. }
            | CallError::NotThisService { .. }
            | CallError::TimedOut { waiting: TimeoutPhase::Connect, .. }),
        )) => Err(error),
        Err(PlanError::Call(error @ CallError::TimedOut { .. })) => Ok(Preview::Unanswered(error)),
        Err(error) => Ok(Preview::Refused(error.to_string())),
    }
}

fn tree_of(preview: &Preview) -> (&'static str, Value) {
    match preview {
        Preview::Changes(fields) => {
            let field =
                |field: &ChangedField| json!({ "field": field.field, "before": field.before, "after": field.after });
            ("changes", fields.iter().map(field).collect())
        }
        Preview::Deleted(size) => ("deleted", json!({ "size": size })),
        Preview::Restored => ("restored", true.into()),
        Preview::Recreated => ("created_again", true.into()),
        Preview::Exported => ("exported", true.into()),
        Preview::Unchanged(how) => ("unchanged", how.as_str().into()),
        Preview::Refused(why) => ("failed", why.as_str().into()),
        Preview::Unanswered(error) => ("failed", error.to_string().into()),
    }
}

fn lines(preview: &Preview) -> String {
    let value = |value: &Option<Value>| {
        let text = |value: &Value| shown(&beginning(&value.to_string(), LONGEST_VALUE));
        value.as_ref().map_or_else(|| "(nothing)".to_owned(), text)
    };
    let field = |field: &ChangedField| {
        format!("    {}: {} → {}\n", shown(&field.field), value(&field.before), value(&field.after))
    };
    match preview {
        Preview::Changes(fields) => fields.iter().map(field).collect(),
        Preview::Deleted(None) => "    would be deleted\n".to_owned(),
        Preview::Deleted(Some(bytes)) => format!("    would be deleted ({})\n", size(*bytes)),
        Preview::Restored => "    would be restored\n".to_owned(),
        Preview::Recreated => "    would be created again with a new id\n".to_owned(),
        Preview::Exported => "    would be exported\n".to_owned(),
        Preview::Unchanged(how) => format!("    nothing to change: {}\n", shown(how)),
        Preview::Refused(why) => format!("    cannot be changed: {}\n", shown(why)),
        Preview::Unanswered(error) => format!("    cannot be changed: {}\n", shown(&error.to_string())),
    }
}
