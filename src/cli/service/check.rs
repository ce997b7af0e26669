//! `lunette check`: calls all 27 operations of the interface and reports how each one works.

use std::sync::Arc;

use anyhow::anyhow;

use lunette_client::client::{Address, Client};
use lunette_client::model::id::AssetId;
use lunette_inspector::check::{Options, Report, check};
use lunette_inspector::tasks::CancelFlag;

use crate::cli::Failure;
use crate::cli::connect::{self, Access, Service, Wanted};
use crate::cli::number::number_in;
use crate::cli::progress::ProgressLine;
use crate::cli::signals::Signals;
use crate::cli::target::ServiceTarget;
use crate::cli::time_out_report::TimeOutReport;

/// What `check` takes.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    service: ServiceTarget,
    /// Send no writes; about half of the operations are skipped. Always so for a service on another machine.
    #[arg(long)]
    read_only: bool,
    /// Asset to read if the check creates none.
    #[arg(long, value_name = "UUID")]
    asset: Option<AssetId>,
    /// Number of times each read is sent to measure its time.
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = number_in(1_u16..=1000))]
    samples: u16,
    /// Print the report as JSON.
    #[arg(long, conflicts_with = "markdown")]
    json: bool,
    /// Print the report as a Markdown table.
    #[arg(long)]
    markdown: bool,
}

/// Runs the check, prints the report, and fails if an operation does not work.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    // By default, a service on another machine is not written to.
    let here = |url: &str| url.parse::<Address>().is_ok_and(|address| address.is_loopback());
    let read_only = arguments.read_only || !arguments.service.url().is_none_or(here);
    let access = if read_only { Access::Read } else { Access::Write { allowed: false } };
    // A service that does not answer is reported differently from one that answers incorrectly.
    let wanted = Wanted { identify: true, ..arguments.service.wanted(access) };
    let checked = async |service: &Service| asked(service.client.clone(), arguments, read_only).await;
    let report = connect::run(wanted.with(checked))?;
    match arguments {
        Arguments { json: true, .. } => crate::cli::print_json(&format!("{:#}\n", report.json()))?,
        Arguments { markdown: true, .. } => crate::cli::print(&report.markdown())?,
        _ => crate::cli::print(&report.text())?,
    }
    if report.passed() { Ok(()) } else { Err(Failure::failed(anyhow!("{}", report.summary()))) }
}

/// The first signal cancels; test data is still deleted.
async fn asked(client: Client, arguments: &Arguments, read_only: bool) -> Result<Report, Failure> {
    let options = Options { read_only, asset: arguments.asset.clone(), samples: arguments.samples.into() };
    let cancel = CancelFlag::default();
    let line = Arc::new(std::sync::Mutex::new(ProgressLine::default()));
    let on_progress = move |done, all| {
        line.lock().unwrap_or_else(std::sync::PoisonError::into_inner).show(done, all, None);
    };
    let mut signals = Signals::listen()?;
    let client = client.unpaced().observed_by(TimeOutReport); // One call at a time, whatever it is told.
    let checking = check(&client, &options, &cancel, &on_progress);
    tokio::pin!(checking);
    tokio::select! {
        report = &mut checking => return Ok(report),
        () = signals.next() => cancel.cancel(),
    }
    Ok(checking.await)
}
