//! `diff` and `export`.

use std::sync::Arc;

use serde_json::{Value, json};

use lunette_client::model::export::ExportType;
use lunette_client::model::record::Record as _;
use lunette_inspector::compare::{Comparison, ContentDiff, Side, Whitespace, asset_side, unified, version_side};
use lunette_inspector::export::document;
use lunette_inspector::tasks::blocking;

use super::{Answered, Tool, ToolError};
use crate::answer::{BYTES, FROM, object, part};
use crate::arguments::{Argument, Arguments, Kind, SHORT};
use crate::backend::{Permission, Session};
use crate::find_asset::{asset_id, asset_version, read_version};

pub(crate) const DIFF: Tool = Tool {
    name: "diff",
    title: "Compare two assets or versions",
    about: "Compares two assets, or two versions of one: the text as a unified diff, the fields and the links.",
    arguments: &[
        Argument::needed("left", Kind::Text(SHORT), "The id of an asset, or ID@N for version N of it."),
        Argument::needed("right", Kind::Text(SHORT), "What to compare it with, in the same form."),
        Argument::optional("ignore_whitespace", Kind::Flag, "Whether to ignore whitespace."),
        FROM,
        BYTES,
    ],
    needs: Permission::Read,
    run: |session, arguments| Box::pin(diff(session, arguments)) as Answered<'_>,
};

pub(crate) const EXPORT: Tool = Tool {
    name: "export",
    title: "Export an asset",
    about: "Returns an asset as a document: Markdown, HTML, plain text or JSON. Nothing is written to a file.",
    arguments: &[
        Argument::needed("asset", Kind::Text(SHORT), "The id of the asset, or a lunette://asset link."),
        Argument::needed("format", Kind::Choice(&["markdown", "html", "text", "json"]), "The format of the document."),
        FROM,
        BYTES,
    ],
    needs: Permission::Read,
    run: |session, arguments| Box::pin(export(session, arguments)) as Answered<'_>,
};

async fn diff(session: &Session, arguments: Arguments<'_>) -> Result<Value, ToolError> {
    let (left, left_unread) = side(session, arguments.needed("left")?).await?;
    let (right, right_unread) = side(session, arguments.needed("right")?).await?;
    let unread: Vec<String> = [left_unread, right_unread].into_iter().flatten().collect();
    let whitespace = match arguments.flag("ignore_whitespace") {
        Some(true) => Whitespace::Ignored,
        Some(false) | None => Whitespace::Exact,
    };
    let compared = move || Comparison::of(Arc::new(left), Arc::new(right), whitespace);
    let comparison = blocking(compared).await.map_err(ToolError::of)?;
    let fields = comparison
        .fields
        .iter()
        .take(MOST_NAMED)
        .map(|field| json!({ "path": field.path.to_string(), "left": field.before, "right": field.after }));
    let links = comparison
        .links
        .iter()
        .take(MOST_NAMED)
        .map(|link| json!({ "kind": link.item.kind, "name": link.item.name(), "only": link.on.as_str() }));
    let text = match &comparison.content {
        ContentDiff::Text(diff) => part(&unified(diff), arguments, session.shown_secrets),
        ContentDiff::None => Value::Null,
        ContentDiff::Pictures(_) | ContentDiff::Bytes(_) => "the contents are not text".into(),
        ContentDiff::TooLarge(_) => "the contents are too large to be compared".into(),
    };
    Ok(json!({
        "equal": comparison.is_equal() && unread.is_empty(),
        "diff": if unread.is_empty() { text } else { Value::Null },
        "not_known": unread,
        "fields": fields.collect::<Value>(),
        "links": links.collect::<Value>(),
        "not_named": comparison.fields.len().saturating_sub(MOST_NAMED) + comparison.links.len().saturating_sub(MOST_NAMED),
        "left_out": comparison.left_out(),
    }))
}

/// The most fields, and the most links, that a comparison names; the rest is counted.
const MOST_NAMED: usize = 50;

/// One side of a comparison, and why its content is not known, if it is not. The content of a version is compared if it
/// is text.
async fn side(session: &Session, text: &str) -> Result<(Side, Option<String>), ToolError> {
    match asset_version(text)? {
        (asset, None) => Ok((asset_side(&session.client, asset, session.backend.vendor).await?, None)),
        (asset, Some(version)) => {
            let then = read_version(session, asset, version).await?;
            let unread = then.unread.then(|| format!("the content of {text} was not read when the asset was so"));
            let content = then.content.filter(|bytes| std::str::from_utf8(bytes).is_ok());
            Ok((version_side(then.record.view(), content), unread))
        }
    }
}

async fn export(session: &Session, arguments: Arguments<'_>) -> Result<Value, ToolError> {
    let asset = asset_id(arguments.needed("asset")?)?;
    let kind = match arguments.needed("format")? {
        "markdown" => ExportType::Md,
        "html" => ExportType::Html,
        "json" => ExportType::Json,
        _ => ExportType::Txt,
    };
    let exported = document(&session.client, &asset, &kind, session.backend.vendor).await?;
    let text = exported.text.as_deref().map(|text| part(text, arguments, session.shown_secrets));
    Ok(object([("file_name", exported.file_name.into()), ("content", text.into())]))
}
