//! New assets without a window, each a step of the history that the window shows and can undo.

use crate::app::import::made;
use crate::app::write::headless::{HeadlessWriter, Written};
use crate::app::write::plan::not_done;
use crate::app::write::step;
use lunette_client::model::asset::Asset;
use lunette_client::model::record::Record as _;
use lunette_client::model::seed::Seed;
use lunette_client::operation::Operation as _;
use lunette_client::operation::table::AssetsCreateNewAsset;

/// Makes an asset; fails with what became of it.
pub async fn create(writer: &HeadlessWriter, seed: Seed) -> Result<Asset, Written> {
    let name = seed.tree().pointer("/asset/metadata/name").and_then(serde_json::Value::as_str);
    let title = name.map_or_else(|| "Created an asset".to_owned(), |name| format!("Created “{name}”"));
    let call = AssetsCreateNewAsset { transferables: Some(false), once: None, seed: Some(seed) }.into();
    let (exchange, _) = step::call(&writer.context, &call, title, made).await.map_err(Written::Failed)?;
    let reply = exchange.outcome.map_err(|error| {
        let end = not_done(error);
        if end.unknown { Written::Unknown(end.reason()) } else { Written::Failed(end.reason()) }
    })?;
    AssetsCreateNewAsset::output(reply).ok_or_else(|| Written::Unknown("the response is of no asset".to_owned()))
}
