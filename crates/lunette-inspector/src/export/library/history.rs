//! What an archive has of an asset beyond its record and its content: conversations and activities.
//!
//! What must hold: what a service offers and cannot be read is reported; the asset is exported all the same.

use serde_json::Value;

use crate::{CallError, Transport};
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record;
use lunette_client::operation::table::{AssetSpecificAssetActivities, AssetSpecificAssetConversations};

/// The conversations and the activities of an asset.
#[derive(Clone, Debug, Default)]
pub struct History {
    /// A list of records; null if there is none.
    pub conversations: Value,
    /// A list of records, oldest first; null if there is none.
    pub activities: Value,
    /// What could not be read, and why.
    pub unread: Vec<String>,
}

impl History {
    /// Reads it. Fails if no other asset could be read either.
    pub(super) async fn read<C: Transport>(client: &C, asset: AssetId) -> Result<Self, CallError> {
        let conversations = AssetSpecificAssetConversations { asset: asset.clone(), transferables: Some(true) };
        let activities = AssetSpecificAssetActivities { asset, transferables: Some(false) };
        let mut history = Self::default();
        history.conversations = history.list("conversations", client.call(conversations).await)?;
        history.activities = without_the_asset(history.list("activities", client.call(activities).await)?);
        Ok(history)
    }

    /// The list of a response; null if the service does not offer it, or if it could not be read.
    fn list<T: Record>(&mut self, what: &str, response: Result<T, CallError>) -> Result<Value, CallError> {
        match response {
            Ok(records) => Ok(records.into_tree().get_mut("iterable").map(Value::take).unwrap_or_default()),
            Err(error @ (CallError::Refused { .. } | CallError::Disconnected { .. })) => Err(error),
            Err(error) => {
                if !error.missing() {
                    self.unread.push(format!("{what}: {}", error.reason()));
                }
                Ok(Value::Null)
            }
        }
    }
}

/// Activities without the record of their asset, which each of them repeats.
fn without_the_asset(mut activities: Value) -> Value {
    for activity in activities.as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut) {
        for field in ["asset", "format"] {
            activity.shift_remove(field);
        }
    }
    activities
}
