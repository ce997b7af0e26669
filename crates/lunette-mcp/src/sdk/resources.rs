//! Assets as resources, for clients that have them: what `find` lists and `get` reads, by links to the assets.

use std::sync::Arc;

use rmcp::model::{
    ErrorData, ListResourcesResult, ReadResourceResponse, ReadResourceResult, Resource, ResourceContents, ResourceTemplate,
};
use serde_json::{Value, json};

use crate::backend::Backend;
use crate::tools::call;

/// How a link to an asset begins.
const LINK: &str = "lunette://asset/";

/// What a resource is: an answer of `get`.
const JSON: &str = "application/json";

/// The most resources of a page.
const PAGE: u64 = 100;

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
    Some(Resource::new(format!("{LINK}{id}"), name).with_mime_type(JSON))
}

/// How the link of any asset is made.
pub(super) fn templates() -> Vec<ResourceTemplate> {
    vec![ResourceTemplate::new(format!("{LINK}{{id}}"), "asset").with_mime_type(JSON)]
}

/// An asset, as `get` answers.
pub(super) async fn read(backend: &Arc<Backend>, client: &str, uri: &str) -> Result<ReadResourceResponse, ErrorData> {
    let not_found = |why: String| ErrorData::resource_not_found(why, Some(json!({ "uri": uri })));
    if !uri.starts_with(LINK) {
        return Err(not_found("no resource has this link".to_owned()));
    }
    let got = call(backend, client, "get", &json!({ "asset": uri })).await;
    let got = got.map_err(|error| not_found(error.to_string()))?;
    let contents = ResourceContents::text(got.to_string(), uri).with_mime_type(JSON);
    Ok(ReadResourceResult::new(vec![contents]).into())
}
