//! Reads the lists of applications, for the user and in the background.

use std::sync::Arc;

use crate::app::inventory::Source;
use crate::app::listing::rows::{ApplicationRow, ExternalRow};
use crate::app::{CallError, Transport};
use lunette_client::model::View;
use lunette_client::model::application::{Applications, DetectedExternalApplications};
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::{
    ApplicationsExternalRelated, ApplicationsExternalSnapshot, ApplicationsSnapshot,
};

/// The tracked applications.
pub async fn applications(client: &impl Transport) -> Result<Vec<Arc<ApplicationRow>>, CallError> {
    client.call(ApplicationsSnapshot {}).await.map(application_rows)
}

pub(super) fn application_rows(applications: Applications) -> Vec<Arc<ApplicationRow>> {
    applications.view().iterable().iter().map(ApplicationRow::of).map(Arc::new).collect()
}

/// Detected and related applications, and which of the two could not be read.
#[derive(Clone, Debug, Default)]
pub struct External {
    /// The rows of the lists that could be read.
    pub rows: Vec<Arc<ExternalRow>>,
    /// The lists that could not, and why.
    pub failed: Vec<(Source, CallError)>,
}

impl External {
    /// Neither of the two could be read.
    pub(super) fn failed(error: &CallError) -> Self {
        Self {
            rows: Vec::new(),
            failed: [Source::Detected, Source::Related].map(|source| (source, error.clone())).into(),
        }
    }
}

/// Detected and related applications.
pub async fn external(client: &impl Transport) -> External {
    let (detected, related) =
        tokio::join!(client.call(ApplicationsExternalSnapshot {}), client.call(ApplicationsExternalRelated {}));
    let mut failed = Vec::new();
    let mut read = |source, answer: Result<DetectedExternalApplications, CallError>| {
        answer.map_err(|error| failed.push((source, error))).ok()
    };
    let (detected, related) = (read(Source::Detected, detected), read(Source::Related, related));
    let records = |records: &Option<DetectedExternalApplications>| {
        records.as_ref().map(|records| records.view().iterable().trees()).unwrap_or_default().to_vec()
    };
    let (detected, related) = (records(&detected), records(&related));
    let rows = ExternalRow::merged(detected.iter().map(View::of), related.iter().map(View::of));
    External { rows: rows.into_iter().map(Arc::new).collect(), failed }
}
