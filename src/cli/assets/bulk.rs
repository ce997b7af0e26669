//! `lunette bulk`: applies a plan to many assets as the window does, with the same ledger and report.

use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};

use lunette_inspector::bulk::ReportKind;
use lunette_inspector::bulk::headless::{Carried, HeadlessRun};
use lunette_inspector::bulk::plan_file::PlanFile;
use lunette_inspector::bulk::report::report;
use lunette_inspector::files::{reason, write_new};
use lunette_inspector::runs::{Control, Run, RunRecord, StopMode};
use lunette_inspector::write::headless::recovery;
use lunette_inspector::write::recovery::DeletedAssets;

use crate::cli::Failure;
use crate::cli::changes::{finish, line, print_error, print_line, shown};
use crate::cli::connect::{self, Access, Service, Wanted};
use crate::cli::data_dir;
use crate::cli::number::number_in;
use crate::cli::progress::ProgressLine;
use crate::cli::signals::Signals;
use crate::cli::target::ServiceTarget;

pub(in crate::cli) mod names;
pub(in crate::cli) mod preview;

/// How a run of a plan is continued that stopped.
const AGAIN: &str = "run the plan again";
/// The progress of fewer rows is not shown.
const FEW: usize = 10;

/// What `bulk` takes.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Plan saved by the window: the changes to make and the assets to change; - reads it from standard input.
    #[arg(value_name = "PLAN.json")]
    plan: PathBuf,
    #[command(flatten)]
    service: ServiceTarget,
    /// Allow writes to a service on another machine, which are sent unencrypted.
    #[arg(long)]
    allow_writes: bool,
    /// Number of parallel requests, 1 to 8. Default: the number in the plan.
    #[arg(long, value_name = "N", value_parser = number_in(1_u8..=8))]
    in_flight: Option<u8>,
    /// Write the report to this new file; the format follows the extension unless an option sets it.
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Write the report as JSON.
    #[arg(long, group = "format")]
    json: bool,
    /// Write the report as CSV.
    #[arg(long, group = "format")]
    csv: bool,
    /// Write the report as a Markdown table.
    #[arg(long, group = "format")]
    markdown: bool,
    /// Print what would change without changing anything.
    #[arg(long, conflicts_with_all = ["report", "csv", "markdown", "anew"])]
    dry_run: bool,
    /// Start from the beginning even if an interrupted run of this plan exists.
    #[arg(long)]
    anew: bool,
}

impl Arguments {
    /// Returns the format of the report; `None` for plain lines.
    fn kind(&self) -> Option<ReportKind> {
        let asked = match self {
            Self { json: true, .. } => Some(ReportKind::Json),
            Self { csv: true, .. } => Some(ReportKind::Csv),
            Self { markdown: true, .. } => Some(ReportKind::Markdown),
            _ => None,
        };
        let ending = || match self.report.as_ref()?.extension()?.to_str()? {
            "json" => Some(ReportKind::Json),
            "md" | "markdown" => Some(ReportKind::Markdown),
            _ => None,
        };
        asked.or_else(ending).or(self.report.is_some().then_some(ReportKind::Csv))
    }
}

/// Applies the plan, and fails if any row failed.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let record = plan(arguments)?;
    if let Some(path) = &arguments.report {
        check_report_path(path)?;
    }
    let writes = !arguments.dry_run && record.writes();
    let access = if writes { Access::Change { allowed: arguments.allow_writes } } else { Access::Read };
    let wanted = Wanted { identify: true, in_flight: arguments.in_flight, ..arguments.service.wanted(access) };
    let carried = connect::run(wanted.with(async |service: &Service| begin(arguments, service, record).await))?;
    let Some(Carried { run, exported }) = carried else { return Ok(()) };
    write_report(arguments, &run)?;
    match &exported {
        None => {}
        Some(Ok(target)) => print_line(&format!("exported to {}", shown(&target.to_string_lossy()))),
        Some(Err(failure)) => print_error(&format!("lunette: {}", shown(&failure.reason))),
    }
    finish(&run, exported.is_some_and(|exported| exported.is_err()), AGAIN)
}

/// Builds the run of the plan.
fn plan(arguments: &Arguments) -> Result<RunRecord, Failure> {
    let path = arguments.plan.display();
    let bytes = match arguments.plan.to_str() {
        Some("-") => {
            let mut bytes = Vec::new();
            io::stdin().read_to_end(&mut bytes).map(|_| bytes)
        }
        _ => fs::read(&arguments.plan),
    };
    let bytes = bytes.with_context(|| format!("cannot read the plan {path}"));
    let plan = PlanFile::read(&bytes.map_err(Failure::usage)?);
    let mut plan = plan.map_err(|error| Failure::usage(anyhow!("{path} is not a plan: {error}")))?;
    plan.absolute()
        .map_err(|error| Failure::usage(anyhow!("the export path in the plan {path} cannot be used: {error}")))?;
    if let Some(count) = arguments.in_flight {
        plan.in_flight = count.into();
    }
    Ok(plan.record())
}

/// Fails if the report would overwrite a file; checked before the first write is sent.
fn check_report_path(path: &Path) -> Result<(), Failure> {
    let refused = |why: &str| Err(Failure::usage(anyhow!("cannot write the report to {}: {why}", path.display())));
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match (fs::symlink_metadata(path), folder.is_dir()) {
        (Ok(_), _) => refused("the file already exists; choose another name"),
        (Err(_), false) => refused("the folder does not exist; create it or choose another one"),
        (Err(_), true) => Ok(()),
    }
}

/// Applies a run until it ends or a signal stops it. `None` for a dry run.
async fn begin(arguments: &Arguments, service: &Service, mut record: RunRecord) -> Result<Option<Carried>, Failure> {
    names::read(&service.reporting(), &mut record).await?;
    if arguments.dry_run {
        return preview::print(service, &DeletedAssets::default(), &record, arguments.json).await.map(|()| None);
    }
    let folder = data_dir::folder(arguments.service.data())?;
    let alone = HeadlessRun::open(&folder, &service.connection, record, arguments.anew);
    let alone = alone.map_err(|error| Failure::failed(anyhow!("{error}; nothing was sent")))?;
    let alone = alone.with_recovery(recovery(&service.client, service.vendor).await);
    for problem in &alone.messages {
        print_line(&format!("lunette: {}", shown(problem)));
    }
    let counts = alone.run().counts();
    match (alone.resumed(), existing_archive(alone.run())) {
        (true, _) => print_line(&format!(
            "resuming the interrupted run of this plan: {} of {} done (use --anew to start over)",
            counts.ended(),
            counts.all()
        )),
        (false, Some(path)) => {
            let message = "the archive already exists; choose another name in the plan";
            return Err(Failure::usage(anyhow!("cannot export to {}: {message}", path.display())));
        }
        (false, None) => {}
    }
    carry_out(alone, service, AGAIN).await.map(Some)
}

/// Executes a run until it ends or a signal stops it; `again` says what continues it.
pub(in crate::cli) async fn carry_out(alone: HeadlessRun, service: &Service, again: &str) -> Result<Carried, Failure> {
    let mut signals = Signals::listen()?;
    let control = Control::new(alone.run().in_flight);
    let line = std::sync::Mutex::new(ProgressLine::of(&service.client));
    let tell = move |run: &Run| {
        let counts = run.counts();
        if counts.all() < FEW {
            return;
        }
        let mut line = line.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        line.show(counts.ended(), counts.all(), None);
    };
    let address = service.client.address().to_string();
    let run = alone.carry_out(service.reporting(), &address, service.vendor, control.clone(), tell);
    let mut run = std::pin::pin!(run);
    let mut halted = false;
    loop {
        tokio::select! {
            run = &mut run => return run.map_err(|error| Failure::failed(anyhow!(error))),
            () = signals.next() => {
                if halted {
                    return Err(Failure::failed(anyhow!("stopped immediately; {again} to check the last rows")));
                }
                halted = true;
                control.halt(StopMode::Pause);
                print_line("stopping after the requests in progress; press Ctrl+C again to stop immediately");
            }
        }
    }
}

/// Returns the archive that a run would overwrite.
fn existing_archive(run: &Run) -> Option<&Path> {
    let target = run.target.as_deref()?;
    let archive = fs::symlink_metadata(target).is_ok_and(|metadata| !metadata.is_dir());
    archive.then_some(target)
}

/// Writes the report.
fn write_report(arguments: &Arguments, run: &Run) -> Result<(), Failure> {
    match (&arguments.report, arguments.kind()) {
        (Some(path), Some(kind)) => write_new(path, report(run, kind).as_bytes()).map_err(|error| {
            Failure::failed(anyhow!("cannot write the report to {}: {}", path.display(), reason(&error)))
        }),
        (None, Some(ReportKind::Json)) => crate::cli::print_json(&report(run, ReportKind::Json)),
        (None, Some(kind)) => crate::cli::print(&report(run, kind)),
        (_, None) => crate::cli::print(&run.rows.iter().map(line).collect::<String>()),
    }
}
