//! The command line: arguments, verbs, exit codes. Every error is printed once, as a chain, with advice.
//!
//! What must hold: results go to stdout, messages to stderr; a closed pipe is not an error; exit codes are 0 success, 1
//! the service refused or an item failed, 2 wrong usage or no service, 3 no display or a missing library.

use std::ffi::OsString;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::{Args, FromArgMatches as _, Parser, Subcommand};
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

use lunette_client::model::display::{Breaks, display_text};

mod assets;
#[cfg(feature = "mcp")]
mod assistants;
mod changes;
mod help;
mod history;
#[cfg(feature = "mcp")]
mod mcp;
mod proposals;
mod resume;
mod service;
mod terminal;
mod undo;
mod window;

pub use assets::{bulk, import, list};
#[doc(hidden)]
pub use service::embedded;
pub use service::{call, openapi, operations, serve, services};
#[doc(hidden)]
pub use terminal::crash;
pub use terminal::failure::Failure;

use assets::{
    asset_id, compare, copy, delete, diff, edit, export, indexed, language, links, new, related, search, secrets,
    short_id, show, tag, versions,
};
use help::{complete_values, completions, man};
use service::{assistants_endpoint, backup, check, connect, data_dir, rescue, restore, scratch, sides, target, turn};
use terminal::{failure, number, progress, signals, time_out_report};
use window::open;

/// Inspect the local application and asset service, or run the built-in one.
#[derive(Debug, Parser)]
#[command(name = "lunette", version, args_conflicts_with_subcommands = true)]
struct Arguments {
    #[command(flatten)]
    window: WindowArguments,
    #[command(subcommand)]
    verb: Option<Verb>,
}

/// The arguments without a verb. Whatever does not fit is read as [`Arguments`], help and version too.
#[derive(Debug, Parser)]
#[command(disable_help_flag = true)]
struct WindowAlone {
    #[command(flatten)]
    window: WindowArguments,
}

#[derive(Debug, Args)]
struct WindowArguments {
    /// Connect to this service, such as http://127.0.0.1:39300. Default: the last one used, or your own.
    #[arg(long, value_name = "URL", conflicts_with = "embedded")]
    url: Option<String>,
    /// Use the built-in service even if another one is running.
    #[arg(long)]
    embedded: bool,
    /// Folder for the built-in service's data and the window's settings and history.
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Allow web pages of this origin, such as http://localhost:8888, to use the built-in service; repeatable.
    #[arg(long, value_name = "ORIGIN")]
    allow_origin: Vec<String>,
    /// Open a new window even if one is already open on the same data.
    #[arg(long)]
    new_window: bool,
    /// Reset the layout of the window: panels, columns, filters, size and zoom of all connections.
    #[arg(long)]
    reset_layout: bool,
}

impl From<WindowArguments> for window::Wanted {
    fn from(arguments: WindowArguments) -> Self {
        let WindowArguments { url, embedded, data, allow_origin: allowed_origins, new_window, reset_layout } =
            arguments;
        Self { url, embedded, data, allowed_origins, new_window, reset_layout, ..Self::default() }
    }
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Open a link, or import files, in the open window or in a new one.
    Open(open::Arguments),
    /// Run the service without the window.
    Serve(serve::Arguments),
    /// Back up the database, even while a service is using it.
    Backup(backup::Arguments),
    /// Restore the database from a backup; the current database is kept.
    Restore(restore::Arguments),
    /// Rescue everything from a service into a data folder, with the same ids and a receipt.
    Rescue(rescue::Arguments),
    /// Import files and folders as assets.
    Import(import::Arguments),
    /// Apply a plan to many assets, each exactly once, and report the result.
    Bulk(bulk::Arguments),
    /// List assets, applications or external applications, optionally filtered.
    #[command(visible_alias = "ls")]
    List(list::Arguments),
    /// Search assets by their names, tags, descriptions and contents.
    Search(search::Arguments),
    /// Show an asset: its fields and its text; `cat` writes its content alone.
    #[command(visible_alias = "cat")]
    Show(show::Arguments),
    /// Show how two assets or files differ.
    Diff(diff::Arguments),
    /// Show which assets two sides share and how these differ: services, backups, archives, folders, the past.
    Compare(compare::Arguments),
    /// Make one side match another, as one step that can be undone.
    Copy(copy::Arguments),
    /// Export assets as documents.
    Export(export::Arguments),
    /// Create an asset from a file or standard input.
    New(new::Arguments),
    /// Change the name, the language, the text or other fields of an asset.
    Edit(edit::Arguments),
    /// Add a tag to assets.
    Tag(tag::Arguments),
    /// Remove a tag from assets.
    Untag(tag::Arguments),
    /// List, merge, rename or delete tags, websites and workstream summaries.
    Links(links::Arguments),
    /// Delete assets; they move to the Trash if the service has one.
    #[command(visible_alias = "rm")]
    Delete(delete::DeleteArguments),
    /// Restore deleted assets, or list them.
    Undelete(delete::UndeleteArguments),
    /// List the changes that were made, newest first.
    #[command(visible_alias = "log")]
    History(history::Arguments),
    /// Undo the last change, or a step of the history.
    Undo(undo::Arguments),
    /// List the proposals of assistants, and show, apply or decline one.
    Proposals(proposals::Arguments),
    #[cfg(feature = "mcp")]
    #[command(flatten)]
    Assistants(mcp::Verb),
    /// Continue what was interrupted: a run that has not ended, or a change of unknown outcome.
    Resume(resume::Arguments),
    /// End a run that was interrupted, without doing the rest.
    Cancel(resume::Arguments),
    /// Call any operation and print its response as JSON.
    Call(call::Arguments),
    /// List the services running on this machine.
    Services(services::Arguments),
    /// Call all 27 operations of a service and report how each one works; test data is deleted afterwards.
    Check(check::Arguments),
    /// Print the table of operations as Markdown or JSON.
    Operations(operations::Arguments),
    /// Print the interface as an OpenAPI 3.1 document.
    Openapi(openapi::Arguments),
    /// Print what the last word of a command can be, for the completion scripts.
    #[command(hide = true)]
    CompleteValues(complete_values::Arguments),
    /// Print a shell completion script.
    Completions(completions::Arguments),
    /// Print a manual page.
    Man(man::Arguments),
}

/// Runs the command line of this process.
pub fn run() -> ExitCode {
    run_with(std::env::args_os())
}

fn run_with(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments = match read(arguments.into_iter().collect()) {
        Ok(arguments) => arguments,
        Err(error) => {
            return failure::report_arguments(&error);
        }
    };
    init_tracing();
    match execute(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

/// Reads the arguments. Those of the window are tried alone first: with all verbs it takes a hundredth of the time until
/// the first frame.
fn read(mut arguments: Vec<OsString>) -> Result<Arguments, clap::Error> {
    if let Ok(WindowAlone { window }) = WindowAlone::try_parse_from(&arguments) {
        return Ok(Arguments { window, verb: None });
    }
    if arguments.get(1).is_some_and(|verb| verb == "cat") {
        arguments.insert(2, "--content".into());
    }
    let matches = help::command().try_get_matches_from(arguments)?;
    if matches
        .subcommand()
        .is_some_and(|(_, verb)| verb.try_get_one(help::QUIET).is_ok_and(|quiet| quiet == Some(&true)))
    {
        QUIET.store(true, Ordering::Relaxed);
    }
    Arguments::from_arg_matches(&matches)
}

/// Whether only results and errors are printed.
static QUIET: AtomicBool = AtomicBool::new(false);

fn is_quiet() -> bool {
    QUIET.load(Ordering::Relaxed)
}

fn execute(arguments: Arguments) -> Result<(), Failure> {
    match arguments.verb {
        None => window::run(arguments.window.into()),
        Some(Verb::Open(arguments)) => open::run(arguments),
        Some(Verb::Serve(arguments)) => serve::run(&arguments),
        Some(Verb::Backup(arguments)) => backup::run(&arguments),
        Some(Verb::Restore(arguments)) => restore::run(&arguments),
        Some(Verb::Rescue(arguments)) => rescue::run(&arguments),
        Some(Verb::Import(arguments)) => import::run(&arguments),
        Some(Verb::Bulk(arguments)) => bulk::run(&arguments),
        Some(Verb::Check(arguments)) => check::run(&arguments),
        Some(Verb::List(arguments)) => list::run(&arguments),
        Some(Verb::Search(arguments)) => search::run(&arguments),
        Some(Verb::Show(arguments)) => show::run(&arguments),
        Some(Verb::Diff(arguments)) => diff::run(&arguments),
        Some(Verb::Compare(arguments)) => compare::run(&arguments),
        Some(Verb::Copy(arguments)) => copy::run(&arguments),
        Some(Verb::Export(arguments)) => export::run(&arguments),
        Some(Verb::New(arguments)) => new::run(&arguments),
        Some(Verb::Edit(arguments)) => edit::run(&arguments),
        Some(Verb::Tag(arguments)) => tag::tag(&arguments),
        Some(Verb::Untag(arguments)) => tag::untag(&arguments),
        Some(Verb::Links(arguments)) => links::run(&arguments),
        Some(Verb::Delete(arguments)) => delete::delete(&arguments),
        Some(Verb::Undelete(arguments)) => delete::undelete(&arguments),
        Some(Verb::History(arguments)) => history::run(&arguments),
        Some(Verb::Undo(arguments)) => undo::run(&arguments),
        Some(Verb::Proposals(arguments)) => proposals::run(&arguments),
        #[cfg(feature = "mcp")]
        Some(Verb::Assistants(verb)) => mcp::execute(&verb),
        Some(Verb::Resume(arguments)) => resume::resume(&arguments),
        Some(Verb::Cancel(arguments)) => resume::cancel(&arguments),
        Some(Verb::Call(arguments)) => call::run(&arguments),
        Some(Verb::Services(arguments)) => services::run(&arguments),
        Some(Verb::Operations(arguments)) => operations::run(&arguments),
        Some(Verb::Openapi(arguments)) => openapi::run(&arguments),
        Some(Verb::CompleteValues(arguments)) => complete_values::run(&arguments),
        Some(Verb::Completions(arguments)) => completions::run(&arguments),
        Some(Verb::Man(arguments)) => man::run(&arguments),
    }
}

/// Warnings of the program go to stderr; LUNETTE_LOG shows more, such as `lunette=debug`.
fn init_tracing() {
    // winit warns about quirks of the desktop at each start, which users cannot fix, and rmcp about requests of others.
    let asked = std::env::var("LUNETTE_LOG").ok().and_then(|levels| levels.parse::<Targets>().ok());
    let levels = asked.unwrap_or_else(|| {
        let usual = Targets::new().with_default(LevelFilter::WARN).with_target("winit", LevelFilter::ERROR);
        usual.with_target("rmcp", LevelFilter::OFF)
    });
    let colours = io::stderr().is_terminal();
    let written = fmt().with_max_level(LevelFilter::TRACE).with_writer(io::stderr).with_ansi(colours).finish();
    written.with(levels).try_init().ok(); // A second run in one process listens already.
}

/// Prints a message to stderr, unless the command is to be quiet.
fn print_message(text: &str) {
    if is_quiet() {
        return;
    }
    writeln!(io::stderr(), "lunette: {}", display_text(text, Breaks::Kept)).ok(); // A closed stderr leaves nobody to tell.
}

/// Prints JSON to stdout like [`print`]; on a terminal, hidden characters are written as JSON escapes.
fn print_json(json: &str) -> Result<(), Failure> {
    if io::stdout().is_terminal() { print(&progress::visible(json)) } else { print(json) }
}

/// Prints to stdout; on a terminal, characters that move the cursor, reorder or hide text are escaped. A reader that
/// has exited, as in `lunette operations | head`, is not an error.
fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    let text = if out.is_terminal() { display_text(text, Breaks::Kept) } else { text.into() };
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::failed(anyhow::Error::new(error).context("the answer could not be written to stdout")))
        }
        _ => Ok(()),
    }
}
