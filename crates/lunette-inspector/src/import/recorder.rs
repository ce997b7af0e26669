//! Records in the inspector's database which assets items became, for the next import.

use std::collections::HashSet;
use std::path::PathBuf;

use super::engine::ImportReport;
use super::sources::SourcePlan;
use crate::context::Context;
use crate::db::{Database, DatabaseError};
use crate::tasks::blocking;
use lunette_client::model::id::AssetId;

/// The database, and the connection.
#[derive(Clone)]
pub(super) struct ImportRecorder {
    data: Option<PathBuf>,
    connection: String,
}

impl ImportRecorder {
    pub fn of(cx: &Context<'_>) -> Self {
        Self { data: cx.data(), connection: cx.connection.key() }
    }

    /// Records the assets of the items of libraries; returns why that failed.
    pub async fn keep(&self, plans: Vec<SourcePlan>, report: ImportReport) -> Option<String> {
        let keep = move |database: &Database, connection: &str| {
            plans.iter().try_for_each(|plan| plan.record_imported(database, connection, &report))
        };
        self.write(keep).await
    }

    /// Records which assets are up to date with their items; returns why that failed.
    pub async fn record_updated(&self, plan: SourcePlan, updated: HashSet<AssetId>) -> Option<String> {
        self.write(move |database, connection| plan.record_updated(database, connection, &updated)).await
    }

    async fn write(
        &self,
        write: impl FnOnce(&Database, &str) -> Result<(), DatabaseError> + Send + 'static,
    ) -> Option<String> {
        let (data, connection) = (self.data.clone()?, self.connection.clone());
        let keep = blocking(move || {
            let database = Database::open(&data)?.database;
            write(&database, &connection)
        });
        let why = match keep.await {
            Ok(written) => written.err()?.to_string(),
            Err(ended) => ended.to_string(),
        };
        Some(format!("the imported items could not be recorded for the next import: {why}"))
    }
}
