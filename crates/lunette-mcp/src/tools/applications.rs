//! `applications`.

use jiff::ZonedDateTime;
use serde_json::{Value, json};

use lunette_inspector::applications::Source;
use lunette_inspector::applications::read::{ExternalAnswers, applications, external};
use lunette_inspector::filter::Filter;
use lunette_inspector::inventory::Since;
use lunette_inspector::inventory::headless::Inventory;
use lunette_inspector::listing::{Columns, Query, Row, RowList, apply_query};
use lunette_inspector::tasks::blocking;

use super::assets::filter;
use super::{Answered, Tool, ToolError};
use crate::answer::{CURSOR, LIMIT, Page};
use crate::arguments::{Argument, Arguments, Kind, SHORT};
use crate::backend::{Permission, Session};

pub(crate) const APPLICATIONS: Tool = Tool {
    name: "applications",
    title: "Applications",
    about: "Lists the applications that the service tracks, those detected on the machine or known to work with the \
            service, or what changed in these lists since a given day.",
    arguments: &[
        Argument::optional(
            "list",
            Kind::Choice(&["tracked", "external", "changes"]),
            "Which list; tracked by default.",
        ),
        Argument::optional("filter", Kind::Text(SHORT), "Which rows: words and fields, as in the window."),
        Argument::optional("since", Kind::Text(40), "For changes: yesterday, 7d, 2w, all or a day such as 2026-01-31."),
        LIMIT,
        CURSOR,
    ],
    needs: Permission::Read,
    run: |session, arguments| Box::pin(list(session, arguments)) as Answered<'_>,
};

async fn list(session: &Session, arguments: Arguments<'_>) -> Result<Value, ToolError> {
    let (page, text) = (Page::of(arguments)?, arguments.text("filter").unwrap_or_default());
    match arguments.text("list") {
        Some("external") => {
            let answer = external(&session.client, ExternalAnswers::default()).await;
            if !answer.any_read() {
                return Err(answer
                    .failed
                    .into_iter()
                    .next()
                    .map_or_else(|| ToolError::new("nothing was read"), |(_, error)| error.into()));
            }
            Ok(filtered(&RowList::from(answer.rows), text, page)?)
        }
        Some("changes") => changes(session, arguments, page).await,
        _ => Ok(filtered(&RowList::from(applications(&session.client).await?), text, page)?),
    }
}

/// A page of the rows that a filter takes.
pub(super) fn filtered<R: Row + Columns>(rows: &RowList<R>, text: &str, page: Page) -> Result<Value, ToolError> {
    let filter: Filter = filter(text, R::LIST)?;
    let order = apply_query(rows, &Query { filter, ..Query::default() });
    let shown = order.iter().skip(page.offset).filter_map(|index| rows.get(*index as usize));
    Ok(page.answer(shown.map(|row| row.record()), Some(order.len())))
}

async fn changes(session: &Session, arguments: Arguments<'_>, page: Page) -> Result<Value, ToolError> {
    let since = arguments.filled("since").unwrap_or("7d");
    let since = Since::parse(since, &ZonedDateTime::now()).map_err(ToolError::of)?;
    let tracked = applications(&session.client).await;
    let read = external(&session.client, ExternalAnswers::default()).await;
    let mut failed: Vec<Source> = read.failed.iter().map(|(source, _)| *source).collect();
    let tracked = tracked.map_err(|_| failed.push(Source::Tracked)).ok();
    let inventory = Inventory::new(tracked, read.rows);
    let (database, connection) = (session.backend.assistants().database(), session.backend.connection.clone());
    let changes = blocking(move || inventory.changes(&failed, database, &connection, since)).await;
    let changes = changes.map_err(ToolError::of)?.map_err(ToolError::of)?;
    let total = changes.len();
    let rows = changes
        .iter()
        .skip(page.offset)
        .map(|change| json!({ "at": change.at.to_string(), "name": change.name, "change": change.what.token() }));
    Ok(page.answer(rows, Some(total)))
}
