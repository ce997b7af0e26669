//! `check` and `guide`.

use serde_json::{Value, json};

use lunette_inspector::check::{Options, check as check_service};
use lunette_inspector::tasks::CancelFlag;

use super::{Answered, Tool, ToolError};
use crate::arguments::{Argument, Arguments, Kind};
use crate::backend::{Permission, Session};
use crate::prompts::{NAMES, PROMPTS};

pub(crate) const CHECK: Tool = Tool {
    name: "check",
    title: "Check the service",
    about: "Calls the read operations of the service and reports whether each conforms to the interface. Nothing is \
            written: operations that write are skipped.",
    arguments: &[],
    needs: Permission::Read,
    run: |session, arguments| Box::pin(check(session, arguments)) as Answered<'_>,
};

pub(crate) const GUIDE: Tool = Tool {
    name: "guide",
    title: "Guides",
    about: "Returns instructions for a common task: tidying tags, describing assets that have no description, or \
            finding duplicates.",
    arguments: &[Argument::needed("task", Kind::Choice(&NAMES), "The task.")],
    needs: Permission::Read,
    run: |session, arguments| Box::pin(guide(session, arguments)) as Answered<'_>,
};

async fn check(session: &Session, _: Arguments<'_>) -> Result<Value, ToolError> {
    let options = Options { read_only: true, asset: None, samples: 1 };
    let report = check_service(&session.client, &options, &CancelFlag::default(), &|_, _| {}).await;
    Ok(json!({ "passed": report.passed(), "summary": report.summary(), "report": report.json() }))
}

async fn guide(_: &Session, arguments: Arguments<'_>) -> Result<Value, ToolError> {
    let task = arguments.needed("task")?;
    let prompt = PROMPTS.iter().find(|prompt| prompt.name == task);
    prompt.map(|prompt| json!({ "guide": prompt.text })).ok_or_else(|| ToolError::new("there is no such guide"))
}
