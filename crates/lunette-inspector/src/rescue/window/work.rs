//! The work of the rescue: it reads and writes files, and blocks threads that are made for that.

use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::Value;

use super::{ReceivedRecord, RescueRow, RowStatus, Shown};
use crate::context::Context;
use crate::output::ProgressEvent;
use crate::rescue::{Kind, Listed, Missing, Progress, Receipt, RescueError, kept, list, rescue_listed, write_kept};
use crate::session::reporter::ThrottledReporter;
use crate::setup::{EmbeddedService, RescueDestination};
use crate::tasks::{CancelFlag, blocking, blocking_and_waiting};
use crate::{Address, Limits, WritePolicy};
use lunette_client::client::{Client, DEFAULT_CONCURRENCY, Limiter};

/// Tells the window how far it is.
pub(super) struct Reports {
    number: u64,
    reporter: ThrottledReporter,
}

impl Reports {
    /// Reports of what was begun under this number.
    pub fn of(number: u64, cx: &Context<'_>) -> Self {
        Self { number, reporter: cx.reporter().throttled() }
    }

    fn report(&self, progress: Progress) {
        // That all of a kind was read is shown, however quickly the next kind follows.
        let is_whole = progress.done >= progress.named;
        let event = ProgressEvent::Rescue(self.number, progress);
        match is_whole {
            true => self.reporter.report_always(event),
            false => self.reporter.report(event),
        }
    }
}

/// A client that reads alone, one call at a time and more only while the service answers quickly.
fn client(from: Address) -> Result<Client, RescueError> {
    let client = Client::new(from, Limits::default()).map_err(|error| RescueError::Silent(Box::new(error)))?;
    Ok(client.with_write_policy(WritePolicy::ReadOnly).paced(Limiter::new(DEFAULT_CONCURRENCY)).for_run())
}

/// Our service, in which everything is stored, and its data folder.
async fn destination(embed: &dyn EmbeddedService) -> Result<RescueDestination, RescueError> {
    embed.rescue_destination().await.map_err(|error| RescueError::Store(error.to_string()))
}

/// Reads the lists of a service.
pub(super) async fn count(
    from: Address,
    cancel: CancelFlag,
    reports: Reports,
    embed: Arc<dyn EmbeddedService>,
) -> Result<Listed, RescueError> {
    let (client, (_, data)) = (client(from)?, destination(embed.as_ref()).await?);
    let progress = move |progress| reports.report(progress);
    blocking_and_waiting(move || async move { list(&client, &data, &progress, &cancel).await }).await?
}

/// Reads and stores everything; returns the receipt, and the folder of what was received.
pub(super) async fn run(
    from: Address,
    listed: Option<Listed>,
    cancel: CancelFlag,
    reports: Reports,
    embed: Arc<dyn EmbeddedService>,
) -> Result<(Receipt, PathBuf), RescueError> {
    let (client, (destination, data)) = (client(from)?, destination(embed.as_ref()).await?);
    let progress = move |progress| reports.report(progress);
    let whole = move || async move {
        let listed = match listed {
            Some(listed) => listed,
            None => list(&client, &data, &progress, &cancel).await?,
        };
        let folder = listed.folder().to_owned();
        let receipt = rescue_listed(&client, listed, destination, &progress, &cancel).await?;
        Ok((receipt, folder))
    };
    blocking_and_waiting(whole).await?
}

/// The rows of what is shown. Blocks.
pub(super) fn rows(folder: &Path, shown: Shown, receipt: Option<&Receipt>) -> Result<Vec<Arc<RescueRow>>, RescueError> {
    let mut rows = Vec::new();
    for kind in Kind::ALL {
        let of_kind = receipt.and_then(|receipt| receipt.kinds.iter().find(|row| row.kind == kind.name()));
        let missing = of_kind.map_or(&[][..], |row| &row.missing);
        let mut reasons: std::collections::HashMap<&str, RowStatus> =
            missing.iter().map(|missing| (missing.id.as_str(), status_of(missing))).collect();
        let listed = match shown {
            Shown::Kind(shown) => shown == kind,
            Shown::Missing => !reasons.is_empty(),
        };
        if !listed {
            continue;
        }
        let here: std::collections::HashMap<&str, &str> = of_kind
            .into_iter()
            .flat_map(|row| &row.stored_as)
            .map(|as_| (as_.id.as_str(), as_.here.as_str()))
            .collect();
        kept(folder, kind, |id, raw| {
            let status = match (reasons.remove(id), here.get(id), of_kind) {
                (Some(status), ..) => status,
                (None, Some(here), _) => RowStatus::StoredAs((*here).to_owned()),
                (None, None, _) if !kind.is_stored() => RowStatus::Kept,
                (None, None, Some(_)) => RowStatus::Equal,
                (None, None, None) => RowStatus::Received,
            };
            let row = RescueRow { kind, id: id.to_owned(), name: name_of(raw), status };
            if shown != Shown::Missing || row.is_not_equal() {
                rows.push(Arc::new(row));
            }
            Ok(())
        })?;
        // Those that were named and never received.
        let mut left: Vec<_> = reasons.into_iter().collect();
        left.sort_unstable_by_key(|(id, _)| *id);
        let row = |(id, status): (&str, _)| RescueRow { kind, id: id.to_owned(), name: String::new(), status };
        rows.extend(left.into_iter().map(row).map(Arc::new));
    }
    Ok(rows)
}

/// What became of a record that is not equal.
fn status_of(missing: &Missing) -> RowStatus {
    match missing.differs {
        true => RowStatus::Different(missing.reason.clone()),
        false => RowStatus::Missing(missing.reason.clone()),
    }
}

/// What people know a record by; empty if it says nothing of that.
fn name_of(raw: &str) -> String {
    let record: Value = serde_json::from_str(raw).unwrap_or_default();
    let fields = ["/name", "/text", "/url", "/type/basic/email", "/fragment/string/raw", "/title"];
    let text = fields.iter().find_map(|path| record.pointer(path)?.as_str().filter(|text| !text.trim().is_empty()));
    text.unwrap_or_default().chars().take(200).collect()
}

/// A record as it was received. Blocks.
pub(super) fn record(folder: &Path, kind: Kind, id: &str) -> Result<Arc<ReceivedRecord>, RescueError> {
    let mut found = None;
    let look = |other: &str, raw: &str| {
        if other == id {
            found = Some(raw.to_owned());
        }
        Ok(())
    };
    kept(folder, kind, look)?;
    let raw = found.ok_or(RescueError::NotReceived)?;
    let tree = serde_json::from_str(&raw).unwrap_or_default();
    Ok(Arc::new(ReceivedRecord { raw, tree }))
}

/// Writes all records of a kind into a file, byte for byte, as one JSON array; returns the path.
pub(super) async fn export(folder: PathBuf, kind: Kind, path: PathBuf) -> Result<PathBuf, RescueError> {
    let write = move || {
        let mut out = BufWriter::new(File::create(&path)?);
        write_kept(&[folder], kind, &mut out)?;
        out.into_inner().map_err(std::io::IntoInnerError::into_error)?.sync_all()?;
        Ok(path)
    };
    let written: std::io::Result<PathBuf> = blocking(write).await?;
    Ok(written?)
}
