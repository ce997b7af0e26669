//! `activity` and `history`.

use serde_json::Value;

use lunette_client::model::record::Record as _;
use lunette_client::operation::table::AssetSpecificAssetActivities;
use lunette_inspector::listing::Columns as _;
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
    about: "Lists the versions of an asset, newest first: when, by whom, what and how many lines changed. `get` and `diff` \
            take ID@N for version N.",
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
    let rows = VersionRow::all(&source.list(asset).await?);
    if rows.is_empty() && source.is_local() {
        return Err(ToolError::new(
            "this service keeps no earlier versions, and Lunette, which keeps what it sees, has not seen this asset yet",
        ));
    }
    Ok(page.answer(rows.iter().skip(page.offset).map(VersionRow::record), Some(rows.len())))
}
