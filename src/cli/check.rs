//! `lunette check`: asks a service all 27 operations of the interface, and says how each of them stands.

use std::sync::Arc;

use anyhow::anyhow;

use crate::app::check::{Options, Report, check};
use crate::app::harvest::CancelFlag;
use crate::client::{Client, Limits};
use crate::model::id::AssetId;
use crate::service::Ports;

use super::inside::{self, Signals};
use super::progress::ProgressLine;
use super::{Failure, reach};

/// What `check` takes.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The service to check; without it a running one is looked for.
    #[arg(long, value_name = "URL", conflicts_with = "data")]
    url: Option<String>,
    /// Check the service inside, on this data folder, for as long as this takes.
    #[arg(long, value_name = "DIR")]
    data: Option<std::path::PathBuf>,
    /// Send no write: half of the operations are not asked then.
    #[arg(long)]
    read_only: bool,
    /// The asset to read where none is made for the check.
    #[arg(long, value_name = "UUID")]
    asset: Option<AssetId>,
    /// How often each read is sent, to time it.
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u16).range(1..=1000))]
    samples: u16,
    /// Print the report as JSON.
    #[arg(long, conflicts_with = "markdown")]
    json: bool,
    /// Print the report as a Markdown table.
    #[arg(long)]
    markdown: bool,
}

/// Checks, prints the report, and fails where anything that was asked does not work.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let report = reach::run(async {
        let Some(folder) = &arguments.data else {
            // One that does not answer is no service, which is another ending than one that answers badly.
            let (client, _) = reach::found(arguments.url.as_deref()).await?;
            return asked(client, arguments).await;
        };
        let running = inside::started(inside::settings(Some(folder), Ports::Any)?).await?;
        let done = match reach::client(Some(&running.url()), Limits::default()).await {
            Ok(client) => asked(client, arguments).await,
            Err(failure) => Err(failure),
        };
        running.stop().await;
        done
    })?;
    match arguments {
        Arguments { json: true, .. } => super::print_json(&format!("{:#}\n", report.json()))?,
        Arguments { markdown: true, .. } => super::print(&report.markdown())?,
        _ => super::print(&report.text())?,
    }
    if report.passed() { Ok(()) } else { Err(Failure::failed(anyhow!("{}", report.summary()))) }
}

/// The first signal cancels, and what was made is still deleted.
async fn asked(client: Client, arguments: &Arguments) -> Result<Report, Failure> {
    let options = Options {
        // A service of another machine is not written to without being asked.
        read_only: arguments.read_only || !client.address().is_loopback(),
        asset: arguments.asset.clone(),
        samples: arguments.samples.into(),
    };
    let cancel = CancelFlag::default();
    let line = Arc::new(std::sync::Mutex::new(ProgressLine::default()));
    let told = move |done, all| {
        line.lock().unwrap_or_else(std::sync::PoisonError::into_inner).show(done, all, None);
    };
    let mut signals = Signals::listen()?;
    let checking = check(&client, &options, &cancel, &told);
    tokio::pin!(checking);
    tokio::select! {
        report = &mut checking => return Ok(report),
        () = signals.next() => cancel.cancel(),
    }
    Ok(checking.await)
}
