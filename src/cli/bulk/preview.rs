//! What a plan would change, field by field from fresh reads. Nothing is sent but those reads.

use anyhow::anyhow;
use serde_json::{Value, json};

use super::shown;
use crate::app::bulk::{Kept, Task};
use crate::app::plan::{Prepared, prepare};
use crate::cli::{Failure, reach};
use crate::client::{CallError, Client, Waiting};
use crate::model::diff::FieldChange;

/// What one row would come to.
enum Preview {
    Changes(Vec<FieldChange>),
    Exported,
    Unchanged(String),
    Refused(String),
}

/// Prints what each row would change; fails when a row could not be carried out.
pub(super) async fn print(client: &Client, own: bool, kept: &Kept, as_json: bool) -> Result<(), Failure> {
    let mut previews = Vec::new();
    for tasks in kept.rest.tasks.chunks(kept.run.in_flight) {
        let begun: Vec<_> = tasks.iter().map(|task| tokio::spawn(preview(client.clone(), own, task.clone()))).collect();
        for preview in begun {
            let preview = preview.await.map_err(|error| Failure::failed(anyhow!(error)))?;
            previews.push(preview.map_err(reach::failure)?);
        }
    }
    let rows = kept.run.rows.iter().zip(&previews);
    if as_json {
        let rows = rows.map(|(row, preview)| {
            let mut tree = json!({ "id": row.asset, "name": &*row.name });
            let (field, value) = tree_of(preview);
            tree[field] = value;
            tree
        });
        let tree = json!({ "title": kept.run.title, "rows": rows.collect::<Vec<_>>() });
        super::super::print_json(&format!("{tree:#}\n"))?;
    } else {
        let rows = rows.map(|(row, preview)| format!("{}  {}\n{}", row.asset, shown(&row.name), lines(preview)));
        super::super::print(&format!("{}\n{}", shown(&kept.run.title), rows.collect::<String>()))?;
    }
    let refused = previews.iter().filter(|preview| matches!(preview, Preview::Refused(_))).count();
    match refused {
        0 => Ok(()),
        count => Err(Failure::failed(anyhow!("{count} of {} could not be done; nothing was sent", previews.len()))),
    }
}

/// Fails only where no service answers.
async fn preview(client: Client, own: bool, task: Task) -> Result<Preview, CallError> {
    let change = match task {
        Task::Change(change) => change,
        Task::Export(_) => return Ok(Preview::Exported),
    };
    match prepare(&client, change, own).await {
        Ok(Prepared::Ready(plan)) => Ok(Preview::Changes(plan.fields)),
        Ok(Prepared::Unchanged(how)) => Ok(Preview::Unchanged(how)),
        Ok(Prepared::Moved(_)) => Ok(Preview::Refused("it is no longer what the plan began with".to_owned())),
        Err(
            error @ (CallError::Refused { .. }
            | CallError::NotThisService { .. }
            | CallError::TimedOut { waiting: Waiting::Connection, .. }),
        ) => Err(error),
        Err(error) => Ok(Preview::Refused(error.to_string())),
    }
}

fn tree_of(preview: &Preview) -> (&'static str, Value) {
    match preview {
        Preview::Changes(fields) => {
            let field = |field: &FieldChange| json!({ "field": field.path.to_string(), "before": field.before, "after": field.after });
            ("changes", fields.iter().map(field).collect())
        }
        Preview::Exported => ("exported", true.into()),
        Preview::Unchanged(how) => ("unchanged", how.as_str().into()),
        Preview::Refused(why) => ("refused", why.as_str().into()),
    }
}

fn lines(preview: &Preview) -> String {
    let value = |value: &Option<Value>| {
        value.as_ref().map_or_else(|| "(nothing)".to_owned(), |value| shown(&value.to_string()).into_owned())
    };
    let field = |field: &FieldChange| {
        format!("    {}: {} → {}\n", shown(&field.path.to_string()), value(&field.before), value(&field.after))
    };
    match preview {
        Preview::Changes(fields) => fields.iter().map(field).collect(),
        Preview::Exported => "    would be exported\n".to_owned(),
        Preview::Unchanged(how) => format!("    nothing to send: {}\n", shown(how)),
        Preview::Refused(why) => format!("    could not be done: {}\n", shown(why)),
    }
}
