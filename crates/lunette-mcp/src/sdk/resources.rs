//! Assets and proposals as resources, for clients that have them: what `find` lists, `get` and `proposal` read, by
//! links.

use std::sync::Arc;

use rmcp::model::{
    ErrorData, ListResourcesResult, ReadResourceResponse, ReadResourceResult, Resource, ResourceContents,
    ResourceTemplate,
};
use serde_json::{Value, json};

use lunette_client::model::id::AssetId;

use crate::backend::Backend;
use crate::tools::call;

/// How a link to an asset begins.
const ASSET: &str = "lunette://asset/";

/// How a link to a proposal begins.
const PROPOSAL: &str = "lunette://proposal/";

/// What a resource is: an answer of a tool.
const JSON: &str = "application/json";

/// The most resources of a page.
const PAGE: u64 = 100;

/// The link of an asset.
pub(super) fn asset_link(id: &str) -> String {
    format!("{ASSET}{id}")
}

/// The link of a proposal.
pub(super) fn proposal_link(number: u64) -> String {
    format!("{PROPOSAL}{number}")
}

/// The number of the proposal that a link names.
fn number_of(link: &str) -> Option<u64> {
    link.strip_prefix(PROPOSAL).and_then(|number| number.parse().ok())
}

/// Whether a link is one of an asset.
pub(super) fn is_asset(link: &str) -> bool {
    link.starts_with(ASSET)
}

/// Whether a link is one of a resource.
pub(super) fn is_link(link: &str) -> bool {
    number_of(link).is_some() || link.strip_prefix(ASSET).is_some_and(|id| id.parse::<AssetId>().is_ok())
}

/// A page of the assets.
pub(super) async fn list(
    backend: &Arc<Backend>,
    client: &str,
    cursor: Option<String>,
) -> Result<ListResourcesResult, ErrorData> {
    let arguments = json!({ "limit": PAGE, "cursor": cursor });
    let found = call(backend, client, "find", &arguments).await;
    let found = found.map_err(|error| ErrorData::invalid_params(error.to_string(), None))?;
    let rows = found["data"]["rows"].as_array().map(Vec::as_slice).unwrap_or_default();
    let mut listed = ListResourcesResult::with_all_items(rows.iter().filter_map(resource).collect());
    listed.next_cursor = found["data"]["next"].as_str().map(Into::into);
    Ok(listed)
}

fn resource(row: &Value) -> Option<Resource> {
    let (id, name) = (row["id"].as_str()?, row["name"].as_str().unwrap_or_default());
    let name = if name.is_empty() { id } else { name };
    Some(Resource::new(asset_link(id), name).with_mime_type(JSON))
}

/// How the link of any asset and of any proposal is made.
pub(super) fn templates() -> Vec<ResourceTemplate> {
    vec![
        ResourceTemplate::new(format!("{ASSET}{{id}}"), "asset").with_mime_type(JSON),
        ResourceTemplate::new(format!("{PROPOSAL}{{number}}"), "proposal").with_mime_type(JSON),
    ]
}

/// An asset as `get` answers, or a proposal of the client as `proposal` does.
pub(super) async fn read(backend: &Arc<Backend>, client: &str, uri: &str) -> Result<ReadResourceResponse, ErrorData> {
    let not_found = |why: String| ErrorData::resource_not_found(why, Some(json!({ "uri": uri })));
    let got = match (number_of(uri), uri.starts_with(ASSET)) {
        (Some(number), _) => call(backend, client, "proposal", &json!({ "number": number })).await,
        (None, true) => call(backend, client, "get", &json!({ "asset": uri })).await,
        (None, false) => return Err(not_found("no resource has this link".to_owned())),
    };
    let got = got.map_err(|error| not_found(error.to_string()))?;
    let contents = ResourceContents::text(got.to_string(), uri).with_mime_type(JSON);
    Ok(ReadResourceResult::new(vec![contents]).into())
}
