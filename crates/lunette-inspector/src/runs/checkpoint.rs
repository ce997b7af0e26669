//! Checkpoints that are made by themselves before many assets change, so that what was before can be compared and
//! restored.
//!
//! What must hold: a service of another program is asked nothing; a checkpoint that cannot be made stops nothing.

use lunette_client::model::record::Record as _;
use lunette_client::model::version::SeededCheckpoint;
use lunette_client::operation::table::CheckpointsCreate;
use serde_json::json;

use crate::Vendor;
use crate::transport::Transport;

/// A run over at least as many assets begins with a checkpoint.
pub(super) const MANY: usize = 101;
/// The longest name of a checkpoint, in characters: the title of what follows may have a name of any length.
const MAX_NAME: usize = 200;
/// The most assets that a checkpoint names; one of more is about all.
const MAX_ASSETS: usize = 10_000;

/// Makes a checkpoint before something with this title is done to these assets, or to all.
pub(crate) async fn checkpoint_before(
    caller: &impl Transport,
    vendor: Vendor,
    title: &str,
    assets: Option<Vec<String>>,
) {
    let name: String = format!("Before: {title}").chars().take(MAX_NAME).collect();
    let assets = assets.filter(|assets| assets.len() <= MAX_ASSETS);
    if vendor == Vendor::Other {
        // It is asked nothing: the versions of its assets are kept here, if somebody keeps any.
        return caller.mark(&name, assets.as_deref());
    }
    let seed = match assets {
        Some(assets) => json!({ "name": name, "automatic": true, "assets": assets }),
        None => json!({ "name": name, "automatic": true }),
    };
    let Ok(checkpoint) = SeededCheckpoint::from_tree(seed) else { return };
    if let Err(error) = caller.call(CheckpointsCreate { checkpoint: Some(checkpoint) }).await {
        tracing::warn!(%error, "could not make a checkpoint");
    }
}
