//! Storing records of another service in a running one.

use std::sync::Arc;

use serde_json::Value;

use super::maintenance::StoreError;
use super::running::Running;
use crate::resources::restored::{self, RestoredKind};
use crate::store::records::restored::Outcome;
use crate::{Service, ServiceError};

/// Stores records of another service in a running one. As long as one is held, the store stays open.
#[derive(Clone)]
pub struct Restorer {
    service: Arc<Service>,
    url: String,
}

impl Running {
    /// What stores records of another service in this one.
    pub fn restorer(&self) -> Restorer {
        Restorer { service: self.service(), url: self.url() }
    }
}

impl Restorer {
    /// Where the service answers.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Stores records with their ids, times and counters; returns what became of each, or why it was not stored. Fails if
    /// the disk does. Blocks.
    pub fn restore(
        &self,
        kind: RestoredKind,
        records: &[Value],
    ) -> Result<Vec<Result<Outcome, ServiceError>>, StoreError> {
        restored::restore(&self.service, kind, records)
    }

    /// Replaces what stored records of a kind say, by their ids; returns for each whether that was done, or why not. Fails
    /// if the disk does. Blocks.
    pub fn change(&self, kind: RestoredKind, records: &[Value]) -> Result<Vec<Result<(), ServiceError>>, StoreError> {
        restored::change(&self.service, kind, records)
    }

    /// Links what stored records of a kind name, without recording an activity; returns the links that were not made:
    /// the id of the asset, that of the other end, and why. Fails if the disk does. Blocks.
    pub fn link(&self, kind: RestoredKind, records: &[Value]) -> Result<Vec<(String, String, String)>, StoreError> {
        restored::restore_links(&self.service, kind, records)
    }
}
