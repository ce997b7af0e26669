//! The lists of applications, read in the same way for the user and in the background.

use std::sync::Arc;

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

/// Detected and related applications. A service that has only one of the two still fills the list.
pub async fn external(client: &impl Transport) -> Result<Vec<Arc<ExternalRow>>, CallError> {
    let (detected, related) =
        tokio::join!(client.call(ApplicationsExternalSnapshot {}), client.call(ApplicationsExternalRelated {}));
    let (detected, related) = match (detected, related) {
        (Err(error), Err(_)) => return Err(error),
        (detected, related) => (detected.ok(), related.ok()),
    };
    let records = |records: &Option<DetectedExternalApplications>| {
        records.as_ref().map(|records| records.view().iterable().trees()).unwrap_or_default().to_vec()
    };
    let (detected, related) = (records(&detected), records(&related));
    let rows = ExternalRow::merged(detected.iter().map(View::of), related.iter().map(View::of));
    Ok(rows.into_iter().map(Arc::new).collect())
}
