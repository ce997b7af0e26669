//! Drafts: what an asset created from a seed would be.

use serde_json::{Value, json};

use super::seed;
use crate::input::normalize;
use crate::resources::assets::{needed, transfer};
use crate::store::records::asset::Transfer;
use crate::store::records::create::NewAsset;
use crate::store::records::format::Content;
use crate::{RequestContext, Service, ServiceError};
use lunette_client::model::record::Record as _;
use lunette_client::model::seed::Seed;
use lunette_client::operation::table::AssetsDraft;

/// Returns a seed with the name, the language and the normalized values that its asset would have. Stores nothing.
pub(crate) fn draft(_: &Service, _: &RequestContext, op: AssetsDraft) -> Result<Seed, ServiceError> {
    let body: Seed = needed(op.seed, "a seed with the asset to preview")?;
    let new = seed::read(&body)?;
    let mut tree = body.into_tree();
    tree["type"] = "SEEDED_ASSET".into();
    if let Some(asset) = tree.get_mut("asset") {
        fill(asset, &new, transfer(op.transferables));
    }
    Ok(Seed::from_tree(normalize::normalized_record::<Seed>(tree))?)
}

fn fill(asset: &mut Value, new: &NewAsset, transfer: Transfer) {
    asset["application"] = normalize::application(asset["application"].take());
    let format = &mut asset["format"];
    format["classification"] = json!({ "generic": new.generic, "specific": new.specific });
    let (key, withheld) = match new.content {
        Content::Text(_) => ("fragment", json!({ "metadata": { "ext": new.specific } })),
        Content::Bytes(_) => ("file", json!({})),
    };
    if transfer == Transfer::Withheld {
        format[key] = withheld;
    } else if format[key].is_object() && key == "fragment" {
        format[key]["metadata"] = json!({ "ext": new.specific });
    }
    if !asset["metadata"].is_object() {
        asset["metadata"] = json!({});
    }
    let metadata = &mut asset["metadata"];
    metadata["mechanism"] = new.mechanism.as_str().into();
    if let Some(name) = &new.name {
        metadata["name"] = name.as_str().into();
    }
    let texts = metadata.get_mut("annotations").and_then(Value::as_array_mut);
    for (given, made) in texts.into_iter().flatten().zip(&new.annotations) {
        given["type"] = made.kind.as_str().into();
    }
    let tags = metadata.get_mut("tags").and_then(Value::as_array_mut);
    for tag in tags.into_iter().flatten().filter(|tag| tag["category"].is_string()) {
        tag["category"] = normalize::tag_category(tag["category"].as_str()).to_owned().into();
    }
}
