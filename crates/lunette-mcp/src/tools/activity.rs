//! `activity` and `history`.

use serde_json::Value;

use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::AssetSpecificAssetActivities;
use lunette_inspector::journal::JournalError;
use lunette_inspector::listing::Columns as _;
use lunette_inspector::tasks::blocking;
use lunette_inspector::undo::HeadlessHistory;
use lunette_inspector::versions::VersionRow;

use super::{Answered, Tool, ToolError};
use crate::answer::{CURSOR, LIMIT, Page};
use crate::arguments::{Argument, Arguments, Kind, SHORT};
use crate::backend::{Permission, Session};
use crate::find_asset::asset_id;

pub(crate) const ACTIVITY: Tool = Tool {
    name: "activity",
    title: "Activity of an asset",
    about: "Lists what happened to an asset, newest first.",
    arguments: &[
        Argument::needed("asset", Kind::Text(SHORT), "The id of the asset, or a lunette://asset link."),
        LIMIT,
        CURSOR,
    ],
    needs: Permission::Read,
    run: |session, arguments| Box::pin(activity(session, arguments)) as Answered<'_>,
};

pub(crate) const HISTORY: Tool = Tool {
    name: "history",
    title: "Versions of an asset",
    about: "Lists the versions of an asset, newest first: when and by whom each was written, what changed and how many \
            lines, and the step of Lunette's history that wrote it. `get` and `diff` take ID@N for version N.",
    arguments: &[
        Argument::needed("asset", Kind::Text(SHORT), "The id of the asset, or a lunette://asset link."),
        LIMIT,
        CURSOR,
    ],
    needs: Permission::Read,
    run: |session, arguments| Box::pin(history(session, arguments)) as Answered<'_>,
};

async fn activity(session: &Session, arguments: Arguments<'_>) -> Result<Value, ToolError> {
    let (asset, page) = (asset_id(arguments.needed("asset")?)?, Page::of(arguments)?);
    let call = AssetSpecificAssetActivities { asset, transferables: Some(false) };
    let activities = session.client.call(call).await?;
    let all: Vec<Value> = activities.tree()["iterable"].as_array().cloned().unwrap_or_default();
    let total = all.len();
    Ok(page.answer(all.into_iter().rev().skip(page.offset), Some(total)))
}

async fn history(session: &Session, arguments: Arguments<'_>) -> Result<Value, ToolError> {
    let (asset, page) = (asset_id(arguments.needed("asset")?)?, Page::of(arguments)?);
    let source = session.versions();
    let rows = VersionRow::all(&source.list(asset.clone()).await?);
    if rows.is_empty() && source.is_local() {
        return Err(ToolError::new(
            "this service keeps no versions, and Lunette, which keeps those that it sees, has not seen this asset yet",
        ));
    }
    let rows = with_steps(session, asset, (rows, source.is_local())).await?;
    Ok(page.answer(rows.iter().skip(page.offset).map(VersionRow::record), Some(rows.len())))
}

/// Names the steps that wrote these versions, by the history of this program.
async fn with_steps(
    session: &Session,
    asset: AssetId,
    (mut rows, is_local): (Vec<VersionRow>, bool),
) -> Result<Vec<VersionRow>, ToolError> {
    let (folder, connection) = (session.backend.folder.clone(), session.backend.connection.clone());
    let named = blocking(move || {
        let history = HeadlessHistory::open(&folder, &connection)?;
        history.name_steps(&mut rows, &asset, is_local);
        Ok::<_, JournalError>(rows)
    });
    named.await.map_err(ToolError::of)?.map_err(ToolError::of)
}
