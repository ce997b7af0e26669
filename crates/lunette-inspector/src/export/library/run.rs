//! Runs an export: assets are read concurrently and written in order.
//!
//! What must hold: at most [`MEMORY_MIB`] of content is in memory; an asset that cannot be read does not affect the
//! others; after a cancellation or an error, nothing remains at the target.

use std::io::{self, ErrorKind};
use std::path::PathBuf;
use std::sync::Arc;

use futures_util::{StreamExt as _, stream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};

use super::format::Format;
use super::history::History;
use super::item::ExportItem;
use super::left_out::LeftOutAsset;
use super::report::{ExportOptions, ExportReport, Suspect};
use super::target::Target;
use super::writer;
use super::writer::{Added, Ending, LibraryWriter};
use crate::Vendor;
use crate::assets::content;
use crate::files::reason;
use crate::listing::rows::AssetRow;
use crate::tasks::{CancelFlag, Ended, blocking};
use crate::{CallError, Transport};
use lunette_client::operation::table::AssetSnapshot;

/// The maximum number of concurrent reads.
const IN_FLIGHT: usize = 8;
/// The maximum size of content in memory, in MiB.
const MEMORY_MIB: u32 = 128;

/// The progress of an export.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The number of processed assets.
    pub done: usize,
    /// All of them.
    pub total: usize,
    /// The name of the last one.
    pub last: String,
}

/// Why nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The target exists already.
    #[error("{} already exists; choose another name", .0.display())]
    Exists(PathBuf),
    /// It could not be written.
    #[error("cannot write {}: {}", .0.display(), reason(.1))]
    Io(PathBuf, io::Error),
    /// The service can no longer be read.
    #[error(transparent)]
    Call(#[from] CallError),
    /// The user cancelled.
    #[error("cancelled; nothing was written")]
    Cancelled,
    /// The user saw what looks like a secret, and declined.
    #[error("nothing was written")]
    Declined,
    /// A task panicked or was cancelled.
    #[error("an internal error: {0}")]
    Ended(#[from] Ended),
}

/// An asset that was read, with its permit for memory.
enum Fetched {
    Item(Box<ExportItem>, Option<OwnedSemaphorePermit>),
    Failed(LeftOutAsset),
}

/// An export that is on disk under a temporary name. It is removed when dropped.
pub struct PreparedExport {
    target: Target,
    report: ExportReport,
    options: ExportOptions,
}

impl PreparedExport {
    /// Returns its report.
    pub fn report(&self) -> &ExportReport {
        &self.report
    }

    /// Renames it to its final name. Blocks.
    pub fn finish(self) -> Result<ExportReport, ExportError> {
        let Self { target, report, options } = self;
        let path = target.finish().map_err(|error| of_file(&options, error))?;
        Ok(ExportReport { path, ..report })
    }
}

/// Writes assets in this order.
pub async fn export_library<C: Transport>(
    client: C,
    rows: Vec<Arc<AssetRow>>,
    options: ExportOptions,
    progress: impl FnMut(Progress),
    cancel: CancelFlag,
) -> Result<ExportReport, ExportError> {
    let prepared = prepare_library(client, rows, options, progress, cancel).await?;
    blocking(|| prepared.finish()).await?
}

/// Does the same without renaming it, so that the user can be asked first.
pub async fn prepare_library<C: Transport>(
    client: C,
    rows: Vec<Arc<AssetRow>>,
    options: ExportOptions,
    mut progress: impl FnMut(Progress),
    cancel: CancelFlag,
) -> Result<PreparedExport, ExportError> {
    let (send, receive) = mpsc::channel(IN_FLIGHT);
    let (format, vendor, total) = (options.format, options.vendor, rows.len());
    let flag = cancel.clone();
    let writing = blocking(move || write(options, receive, &flag));
    let memory = Arc::new(Semaphore::new(MEMORY_MIB as usize));
    let read = |row: Arc<AssetRow>| fetch(client.clone(), row, (format, vendor), Arc::clone(&memory));
    let mut items = stream::iter(rows.into_iter().map(read)).buffered(IN_FLIGHT);
    let reading = async {
        let mut lost = None;
        let mut done = 0;
        while !cancel.cancelled()
            && let Some(fetched) = items.next().await
        {
            let fetched = match fetched {
                Ok(fetched) => fetched,
                Err(error) => {
                    lost = Some(error);
                    cancel.cancel();
                    break;
                }
            };
            done += 1;
            let last = match &fetched {
                Fetched::Item(item, _) => item.title(),
                Fetched::Failed(left_out) => left_out.name.clone(),
            };
            // The receiver is closed if writing failed.
            if send.send(fetched).await.is_err() {
                break;
            }
            progress(Progress { done, total, last });
        }
        drop(send);
        lost
    };
    let (written, lost) = tokio::join!(writing, reading);
    lost.map_or(written?, |error| Err(error.into()))
}

/// Reads an asset. Fails if no other could be read either, since the service is lost.
async fn fetch<C: Transport>(
    client: C,
    row: Arc<AssetRow>,
    (format, vendor): (Format, Vendor),
    memory: Arc<Semaphore>,
) -> Result<Fetched, CallError> {
    if !format.has_content() {
        return Ok(Fetched::Item(Box::new(ExportItem { row, whole: None, history: History::default() }), None));
    }
    let mib =
        u32::try_from(row.size().unwrap_or_default().max(0) / (1024 * 1024)).unwrap_or(MEMORY_MIB).clamp(1, MEMORY_MIB);
    // The semaphore is never closed. Assets acquire permits in order, so that the first one never waits for a later
    // one.
    let permit = memory.acquire_many_owned(mib).await.ok();
    let asset = row.id();
    let read = async {
        let record = client.call(AssetSnapshot { asset: asset.clone(), transferables: Some(false) }).await?;
        let content = content::whole(&client, asset.clone(), vendor).await?;
        let history = match format == Format::Archive {
            true => History::read(&client, asset.clone()).await?,
            false => History::default(),
        };
        Ok((record, content, history))
    };
    match read.await {
        Ok((record, content, history)) => {
            Ok(Fetched::Item(Box::new(ExportItem { row, whole: Some((record, content)), history }), permit))
        }
        Err(error @ (CallError::Refused { .. } | CallError::Disconnected { .. })) => Err(error),
        Err(error) => {
            let name = row.title().into_owned();
            Ok(Fetched::Failed(LeftOutAsset { asset, name, reason: error.reason(), failed: true }))
        }
    }
}

fn of_file(options: &ExportOptions, error: io::Error) -> ExportError {
    match error.kind() {
        ErrorKind::AlreadyExists => ExportError::Exists(options.target.clone()),
        _ => ExportError::Io(options.target.clone(), error),
    }
}

/// Writes the received assets until the channel closes. Blocks.
fn write(
    options: ExportOptions,
    mut items: mpsc::Receiver<Fetched>,
    cancel: &CancelFlag,
) -> Result<PreparedExport, ExportError> {
    let failed = |error| of_file(&options, error);
    let mut target = Target::create(&options.target, options.format, options.if_exists).map_err(failed)?;
    let mut writer = writer(&options, &target).map_err(failed)?;
    let mut report = ExportReport::default();
    while let Some(fetched) = items.blocking_recv() {
        match fetched {
            Fetched::Item(item, _permit) => {
                add((&item, options.format), writer.as_mut(), &mut target, &mut report).map_err(failed)?;
            }
            Fetched::Failed(left_out) => report.left_out.unreadable(left_out),
        }
    }
    if cancel.cancelled() {
        return Err(ExportError::Cancelled);
    }
    writer.end(&Ending { options: &options, report: &report }, &mut target).map_err(failed)?;
    Ok(PreparedExport { target, report, options })
}

fn add(
    (item, format): (&ExportItem, Format),
    writer: &mut dyn LibraryWriter,
    target: &mut Target,
    report: &mut ExportReport,
) -> io::Result<()> {
    match writer.add(item, target)? {
        Added::Written(_) => {
            report.exported += 1;
            report.bytes += item.bytes().len() as u64;
            report.left_out.exported(item, format.lost());
            let findings = lunette_secrets::find_in_bytes(item.bytes());
            if !findings.is_empty() {
                report.suspects.push(Suspect { asset: item.row.id(), name: item.title(), findings });
            }
        }
        Added::LeftOut(reason) => report.left_out.unsupported(item, reason),
    }
    Ok(())
}
