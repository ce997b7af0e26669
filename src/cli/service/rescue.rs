//! `lunette rescue`: takes everything along from a service into a data folder, and says what is there.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Error, anyhow};
use serde_json::Value;

use lunette_client::client::{Address, Client, DEFAULT_CONCURRENCY, Limiter, Limits, WritePolicy, probe};
use lunette_inspector::rescue::{
    Destination, DestinationError, Kind, Progress, Receipt, RescueError, kept, rescue, rescued,
};
use lunette_inspector::tasks::CancelFlag;
use lunette_service::maintenance::StoreError;
use lunette_service::restored::RestoredKind;
use lunette_service::{Ports, Running, start_unpublished};

use crate::cli::progress::ProgressLine;
use crate::cli::signals::Signals;
use crate::cli::time_out_report::TimeOutReport;
use crate::cli::{Failure, connect, data_dir, turn};

/// What `rescue` takes.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The service to read from; it is never written to.
    #[arg(long, value_name = "URL", required_unless_present = "kept")]
    from: Option<Address>,
    /// Data folder to store everything in, with the same ids; a service must not be running on it.
    #[arg(long, value_name = "DIR")]
    to: Option<PathBuf>,
    /// Print the receipt as JSON.
    #[arg(long)]
    json: bool,
    /// Print what was received of a kind, byte for byte, as one JSON array, or without a kind how much there is of each.
    #[arg(long, value_name = "KIND", num_args = 0..=1, conflicts_with_all = ["from", "json"])]
    kept: Option<Option<String>>,
}

/// Takes everything along, or prints what was received.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let folder = data_dir::folder(arguments.to.as_deref())?;
    match (&arguments.kept, &arguments.from) {
        (Some(None), _) => print_counts(&folder),
        (Some(Some(kind)), _) => print_kept(&folder, kind),
        (None, Some(from)) => connect::run(taken_along(from.clone(), &folder, arguments)),
        (None, None) => Err(Failure::usage(anyhow!("name the service with --from URL"))),
    }
}

async fn taken_along(from: Address, folder: &Path, arguments: &Arguments) -> Result<(), Failure> {
    probe(from.clone(), Limits::default()).await.result.map_err(connect::failure)?;
    let client = Client::new(from, Limits::default()).map_err(connect::failure)?;
    let client = client.with_write_policy(WritePolicy::ReadOnly).observed_by(TimeOutReport);
    let client = client.paced(Limiter::new(DEFAULT_CONCURRENCY)).for_run();
    let settings = data_dir::settings(Some(folder), Ports::Any)?;
    let _turn = turn::take(folder).await;
    let running = start_unpublished(settings).await.map_err(|error| match error.folder_in_use() {
        true => Failure::usage(anyhow!("another program serves {}; stop it first", folder.display())),
        false => data_dir::not_started(error),
    })?;
    let here = Arc::new(Here { running });
    let ended = read_and_store(&client, folder, &here).await;
    if let Some(Here { running }) = Arc::into_inner(here) {
        running.stop().await;
    }
    report(&ended?, arguments)
}

/// The first signal ends it after the call in flight; what was received is kept.
async fn read_and_store(client: &Client, folder: &Path, here: &Arc<Here>) -> Result<Receipt, Failure> {
    let cancel = CancelFlag::default();
    let line = Mutex::new(ProgressLine::of(client));
    let progress = |progress: Progress| {
        let Progress { kind, done, named } = progress;
        match kind {
            Kind::Assets => line.lock().unwrap_or_else(PoisonError::into_inner).show(done, named, Some(kind.name())),
            _ => crate::cli::print_message(&format!("{named} {}", kind.name())),
        }
    };
    let destination: Arc<dyn Destination> = Arc::<Here>::clone(here);
    let work = rescue(client, folder, destination, &progress, &cancel);
    tokio::pin!(work);
    let mut signals = Signals::listen()?;
    let ended = tokio::select! {
        ended = &mut work => ended,
        () = signals.next() => {
            cancel.cancel();
            work.await
        }
    };
    ended.map_err(|error: RescueError| Failure::failed(Error::new(error)))
}

/// Prints the receipt; something missing is a failure.
fn report(receipt: &Receipt, arguments: &Arguments) -> Result<(), Failure> {
    if arguments.json {
        crate::cli::print_json(&receipt.json())?;
    } else {
        crate::cli::print(&table(receipt))?;
    }
    match receipt.missing() {
        0 => Ok(()),
        missing => Err(Failure::failed(anyhow!("{missing} records are missing or differ; the receipt names each"))),
    }
}

fn table(receipt: &Receipt) -> String {
    let mut text =
        format!("{:<14}{:>9}{:>10}{:>9}{:>9}{:>9}\n", "kind", "named", "received", "stored", "equal", "missing");
    for kind in &receipt.kinds {
        let count = |count: Option<usize>| count.map_or_else(|| "kept".to_owned(), |count| count.to_string());
        let row = match &kind.absent {
            Some(_) if kind.received == 0 => format!("{:<14}  not offered\n", kind.kind),
            Some(_) | None => format!(
                "{:<14}{:>9}{:>10}{:>9}{:>9}{:>9}\n",
                kind.kind,
                kind.named,
                kind.received,
                count(kind.stored),
                count(kind.equal),
                kind.missing.len()
            ),
        };
        text.push_str(&row);
    }
    text.push_str(&format!("receipt {}\n", receipt.sha256));
    text
}

fn print_counts(folder: &Path) -> Result<(), Failure> {
    for service in rescued(folder) {
        crate::cli::print(&format!("{}\n", service.display()))?;
        for kind in Kind::ALL {
            let mut count = 0;
            kept(&service, kind, |_, _| {
                count += 1;
                Ok(())
            })
            .map_err(unreadable)?;
            crate::cli::print(&format!("  {:<14}{count:>9}\n", kind.name()))?;
        }
    }
    Ok(())
}

fn print_kept(folder: &Path, kind: &str) -> Result<(), Failure> {
    let Some(kind) = Kind::of(kind) else {
        let names = Kind::ALL.map(Kind::name).join(", ");
        return Err(Failure::usage(anyhow!("there is no kind {kind:?}; there are {names}")));
    };
    let (mut out, mut first) = (io::stdout().lock(), true);
    let mut write = |raw: &str| {
        let before = if std::mem::take(&mut first) { "[\n" } else { ",\n" };
        out.write_all(before.as_bytes())?;
        out.write_all(raw.as_bytes())
    };
    for service in rescued(folder) {
        kept(&service, kind, |_, raw| write(raw)).map_err(unreadable)?;
    }
    let end = if first { "[]\n" } else { "\n]\n" };
    out.write_all(end.as_bytes()).map_err(unreadable)
}

fn unreadable(error: io::Error) -> Failure {
    Failure::failed(Error::new(error).context("what was received cannot be read"))
}

/// The service on the data folder.
pub(super) struct Here {
    pub(super) running: Running,
}

impl Destination for Here {
    fn store(&self, kind: Kind, records: &[Value]) -> Result<Vec<Option<String>>, DestinationError> {
        let Some(kind) = restored(kind) else { return Ok(vec![None; records.len()]) };
        let outcomes = self.running.restore(kind, records).map_err(failed)?;
        Ok(outcomes.into_iter().map(|outcome| outcome.err().map(|why| why.to_string())).collect())
    }

    fn link(&self, kind: Kind, records: &[Value]) -> Result<Vec<(String, String, String)>, DestinationError> {
        let Some(kind) = restored(kind) else { return Ok(Vec::new()) };
        self.running.restore_links(kind, records).map_err(failed)
    }

    fn client(&self) -> Result<Client, DestinationError> {
        let address: Address = self.running.url().parse()?;
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
