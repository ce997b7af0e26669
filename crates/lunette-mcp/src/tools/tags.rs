//! `tags`.

use serde_json::Value;

use lunette_inspector::change::LinkKind;
use lunette_inspector::links::list;
use lunette_inspector::listing::RowList;

use super::applications::filtered;
use super::{Answered, Tool, ToolError};
use crate::answer::{CURSOR, LIMIT, Page};
use crate::arguments::{Argument, Arguments, Kind, SHORT};
use crate::backend::{Permission, Session};

/// The kinds of items, as arguments.
pub(super) const KINDS: Kind = Kind::Choice(&["tag", "website", "summary"]);

pub(crate) const TAGS: Tool = Tool {
    name: "tags",
    title: "Tags, websites and summaries",
    about: "Lists the tags, the websites or the workstream summaries, with how many assets each has.",
    arguments: &[
        Argument::optional("kind", KINDS, "Which kind; tags by default."),
        Argument::optional("filter", Kind::Text(SHORT), "Which rows, such as is:unused assets:<3 text."),
        LIMIT,
        CURSOR,
    ],
    needs: Permission::Read,
    run: |session, arguments| Box::pin(tags(session, arguments)) as Answered<'_>,
};

/// The kind of items that an argument names; tags if it names none.
pub(super) fn kind(arguments: Arguments<'_>) -> LinkKind {
    match arguments.text("kind") {
        Some("website") => LinkKind::Website,
        Some("summary") => LinkKind::Summary,
        _ => LinkKind::Tag,
    }
}

async fn tags(session: &Session, arguments: Arguments<'_>) -> Result<Value, ToolError> {
    let rows = RowList::from(list(&session.client, kind(arguments), session.backend.vendor).await?);
    filtered(&rows, arguments.text("filter").unwrap_or_default(), Page::of(arguments)?)
}
