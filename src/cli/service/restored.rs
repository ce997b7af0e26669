//! A service of ours in which what a rescue received is stored.

use serde_json::Value;

use lunette_client::client::{Address, Client, Limits, WritePolicy};
use lunette_inspector::rescue::{Destination, DestinationError, Kind, StoredRecord};
use lunette_service::maintenance::StoreError;
use lunette_service::restored::{Outcome, RestoredKind, Restorer};

/// A running service.
pub struct Here(pub Restorer);

impl Destination for Here {
    fn store(&self, kind: Kind, records: &[Value]) -> Result<Vec<StoredRecord>, DestinationError> {
        let Some(kind) = restored(kind) else { return Ok(vec![StoredRecord::Here; records.len()]) };
        let outcomes = self.0.restore(kind, records).map_err(failed)?;
        let stored = outcomes.into_iter().map(|outcome| match outcome {
            Ok(Outcome::Stored | Outcome::Existing) => StoredRecord::Here,
            Ok(Outcome::StoredAs(id)) => StoredRecord::As(id),
            Err(why) => StoredRecord::Refused(why.to_string()),
        });
        Ok(stored.collect())
    }

    fn change(&self, kind: Kind, records: &[Value]) -> Result<Vec<Option<String>>, DestinationError> {
        let Some(kind) = restored(kind) else { return Ok(vec![None; records.len()]) };
        let outcomes = self.0.change(kind, records).map_err(failed)?;
        Ok(outcomes.into_iter().map(|outcome| outcome.err().map(|why| why.to_string())).collect())
    }

    fn link(&self, kind: Kind, records: &[Value]) -> Result<Vec<(String, String, String)>, DestinationError> {
        let Some(kind) = restored(kind) else { return Ok(Vec::new()) };
        self.0.link(kind, records).map_err(failed)
    }

    fn client(&self) -> Result<Client, DestinationError> {
        let address: Address = self.0.url().parse()?;
        let client = Client::new(address, Limits::default())?;
        Ok(client.with_write_policy(WritePolicy::ReadOnly))
    }
}

fn failed(error: StoreError) -> DestinationError {
    DestinationError::Store(error.to_string())
}

/// The kind as the service stores it.
fn restored(kind: Kind) -> Option<RestoredKind> {
    Some(match kind {
        Kind::Applications => RestoredKind::Application,
        Kind::Tags => RestoredKind::Tag,
        Kind::Websites => RestoredKind::Website,
        Kind::Summaries => RestoredKind::Summary,
        Kind::Persons => RestoredKind::Person,
        Kind::Anchors => RestoredKind::Anchor,
        Kind::Hints => RestoredKind::Hint,
        Kind::Conversations => RestoredKind::Conversation,
        Kind::Messages => RestoredKind::Message,
        Kind::Assets => RestoredKind::Asset,
        Kind::Annotations => RestoredKind::Annotation,
        Kind::Activities => RestoredKind::Activity,
        Kind::Models | Kind::Ranges | Kind::Events | Kind::Sensitives | Kind::Shares => return None,
    })
}
