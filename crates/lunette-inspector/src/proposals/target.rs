//! Where proposals are applied and taken back: a service, and the folder with its history.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use crate::Vendor;
use crate::bulk::headless::HeadlessRun;
use crate::change::Recovery;
use crate::runs::{Control, Run, RunRecord};
use crate::tasks::blocking;
use crate::write::headless::{HeadlessService, HeadlessWriter};
use lunette_client::client::Client;

/// Why something was not sent, or why its end could not be recorded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NotSent(String);

impl NotSent {
    /// Because of this.
    pub fn of(error: impl Display) -> Self {
        Self(error.to_string())
    }
}

/// Where proposals are applied.
pub struct Target<'a> {
    /// The client, which sends writes.
    pub client: Client,
    /// Whether the service is one of ours.
    pub vendor: Vendor,
    /// How it restores deleted assets.
    pub recovery: Recovery,
    /// The name of its journal.
    pub connection: &'a str,
    /// The data folder with the history.
    pub folder: &'a Path,
    /// Backs up the service before many assets are deleted; fails with the reason.
    pub back_up: &'a (dyn Fn() -> Result<(), NotSent> + Send + Sync),
}

impl Target<'_> {
    pub(super) async fn writer(&self) -> Result<HeadlessWriter, NotSent> {
        let service = HeadlessService { client: self.client.clone(), vendor: self.vendor, recovery: self.recovery };
        let (folder, connection) = self.place();
        let opened = blocking(move || HeadlessWriter::open(&folder, &connection, service)).await;
        opened.map_err(NotSent::of)?.map_err(NotSent::of)
    }

    pub(super) fn place(&self) -> (PathBuf, String) {
        (self.folder.to_owned(), self.connection.to_owned())
    }
}

/// Sends a run and returns it as it ended. Fails if nothing was sent, or if its end could not be recorded.
pub(super) async fn carried_out(target: &Target<'_>, record: RunRecord) -> Result<Run, NotSent> {
    let (folder, connection) = target.place();
    let opened = blocking(move || HeadlessRun::open(&folder, &connection, record, true)).await;
    let alone = opened.map_err(NotSent::of)?.map_err(NotSent::of)?;
    executed(target, alone).await
}

/// Executes a run that was opened.
pub(super) async fn executed(target: &Target<'_>, alone: HeadlessRun) -> Result<Run, NotSent> {
    let alone = alone.with_recovery(target.recovery);
    let control = Control::new(alone.run().in_flight);
    let address = target.client.address().to_string();
    let carried = alone.carry_out(target.client.clone(), &address, target.vendor, control, |_| {}).await;
    carried.map(|carried| carried.run).map_err(NotSent::of)
}
