//! `lunette proposals`: what assistants proposed, shown, applied or declined.
//!
//! What must hold: a proposal is applied as it is shown: with the conflict check, the history and the undo of every
//! other change, and the name of the assistant in its steps.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use clap::Subcommand;
use serde_json::Value;

use lunette_inspector::change::Change;
use lunette_inspector::compare::{Body, Comparison, ContentDiff, Side, Whitespace, unified};
use lunette_inspector::db::Database;
use lunette_inspector::proposals::{
    self, Action as Proposed, Applied, NotSent, Proposal, ProposalStore, ProposedChange, Selection, Status, Target,
    Undo,
};
use lunette_inspector::write::headless::recovery;
use lunette_service::maintenance;

use super::changes::{print_error, print_line, shown};
use super::connect::{self, Access, Service, Wanted};
use super::number::number;
use super::progress::{escaped, whole};
use super::target::{ReadTarget, WriteTarget};
use super::{Failure, data_dir};
use lunette_client::model::size::plural;

/// What `proposals` takes.
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Arguments {
    #[command(subcommand)]
    action: Option<Action>,
    #[command(flatten)]
    list: ListArguments,
}

/// What can be done with proposals.
#[derive(Debug, Subcommand)]
enum Action {
    /// List the proposals, waiting ones first.
    List(ListArguments),
    /// Show what a proposal would change.
    Show(ShowArguments),
    /// Apply a proposal, or some of its changes.
    Apply(ApplyArguments),
    /// Decline a proposal, with a reply to the assistant.
    Decline(DeclineArguments),
}

#[derive(Debug, clap::Args)]
struct ListArguments {
    /// Also list those that have been decided.
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    target: ReadTarget,
    /// Print a JSON array with one object per proposal.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, clap::Args)]
struct ShowArguments {
    /// Number of the proposal.
    #[arg(value_name = "NUMBER", value_parser = number::<u64>)]
    number: u64,
    #[command(flatten)]
    target: ReadTarget,
    /// Print the proposal as a JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, clap::Args)]
struct ApplyArguments {
    /// Number of the proposal.
    #[arg(value_name = "NUMBER", value_parser = number::<u64>)]
    number: u64,
    /// Apply only these changes, by their numbers in `lunette proposals show`; repeatable.
    #[arg(long, value_name = "N", value_parser = number::<usize>)]
    only: Vec<usize>,
    #[command(flatten)]
    target: WriteTarget,
}

#[derive(Debug, clap::Args)]
struct DeclineArguments {
    /// Number of the proposal.
    #[arg(value_name = "NUMBER", value_parser = number::<u64>)]
    number: u64,
    /// Reply to the assistant, such as the reason.
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    reply: String,
    #[command(flatten)]
    target: ReadTarget,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.action {
        None => list(&arguments.list),
        Some(Action::List(arguments)) => list(arguments),
        Some(Action::Show(arguments)) => show(arguments),
        Some(Action::Apply(arguments)) => apply(arguments),
        Some(Action::Decline(arguments)) => decline(arguments),
    }
}

/// Opens the proposals of the connection that a target means; none if there is no data. Nothing is created, and no
/// service is started.
fn open(target: &ReadTarget) -> Result<Option<ProposalStore>, Failure> {
    let folder = data_dir::folder(target.data())?;
    if target.data().is_some() && maintenance::never_used(&folder) && !Database::exists(&folder) {
        return Err(connect::no_data(&folder));
    }
    let connection = connect::run(target.wanted().connection())?;
    let Some(store) = store(&folder, &connection)? else { return Ok(None) };
    let cut_off = proposals::cut_off(&folder, &connection, &store);
    if !cut_off.map_err(|error| Failure::failed(anyhow!(error)))?.is_empty() {
        let to_change = Wanted { access: Access::Change { allowed: false }, ..target.wanted() };
        let settling = async |service: &Service| {
            settle(service, &folder, &store).await;
            Ok(())
        };
        // What cannot be read again now stays as it is, and is listed so.
        if let Err(why) = connect::run(to_change.with(settling)) {
            print_error(&format!("lunette: a proposal that was cut off was not read again: {why}"));
        }
    }
    Ok(Some(store))
}

/// Reads again what became of proposals that were cut off while they were sent, and says it.
pub(super) async fn settle(service: &Service, folder: &Path, store: &ProposalStore) {
    let back_up = backup_of(service, folder);
    let target = target(service, folder, &back_up).await;
    match proposals::settle(&target, store).await {
        Ok(settled) => settled.iter().for_each(|proposal| print_line(&found(proposal))),
        Err(why) => print_error(&format!("lunette: a proposal that was cut off was not read again: {why}")),
    }
}

/// What was found about a proposal that was cut off.
fn found(proposal: &Proposal) -> String {
    let result = match &proposal.status {
        Status::Applied(applied) => counts(applied),
        status => status.as_str().to_owned(),
    };
    format!("proposal {} {}; reading again shows: {result}", proposal.number, proposal.status.why_read_again())
}

fn store(folder: &Path, connection: &str) -> Result<Option<ProposalStore>, Failure> {
    if !Database::exists(folder) {
        return Ok(None);
    }
    let store = ProposalStore::open(folder, connection);
    store.map(Some).map_err(|error| Failure::failed(anyhow!(error)))
}

fn none(number: u64) -> Failure {
    Failure::failed(anyhow!("there is no proposal {number}; `lunette proposals --all` lists them"))
}

fn find(store: Option<&ProposalStore>, number: u64) -> Result<Proposal, Failure> {
    let found = store.map(|store| store.get(number)).transpose().map_err(|error| Failure::failed(anyhow!(error)))?;
    found.flatten().ok_or_else(|| none(number))
}

fn list(arguments: &ListArguments) -> Result<(), Failure> {
    let store = open(&arguments.target)?;
    let all = store.map(|store| store.list()).transpose().map_err(|error| Failure::failed(anyhow!(error)))?;
    let mut shown: Vec<Proposal> = all.unwrap_or_default();
    shown.retain(|proposal| arguments.all || matches!(proposal.status, Status::Waiting | Status::Sending));
    // Those that wait first, each the newest first.
    shown.sort_by_key(|proposal| (!proposal.is_waiting(), std::cmp::Reverse(proposal.number)));
    match arguments.json {
        true => super::print_json(&format!("{:#}\n", shown.iter().map(as_json).collect::<Value>())),
        false => super::print(&shown.iter().map(line).collect::<String>()),
    }
}

fn line(proposal: &Proposal) -> String {
    let count = plural(proposal.changes.len(), "change");
    let Proposal { number, client, title, status, .. } = proposal;
    format!("{number:>4}  {:14}  {}  {}  {count}\n", status.as_str(), escaped(client), escaped(title))
}

fn as_json(proposal: &Proposal) -> Value {
    let mut tree = serde_json::to_value(proposal).unwrap_or_default();
    tree["state"] = proposal.status.as_str().into();
    tree
}

fn show(arguments: &ShowArguments) -> Result<(), Failure> {
    let proposal = find(open(&arguments.target)?.as_ref(), arguments.number)?;
    match arguments.json {
        true => super::print_json(&format!("{:#}\n", as_json(&proposal))),
        false => super::print(&as_text(&proposal)),
    }
}

/// Returns what a proposal would do. The reason is text of another program, and is in quotation marks.
fn as_text(proposal: &Proposal) -> String {
    let Proposal { number, client, reason, at, title, changes, status, .. } = proposal;
    let mut text = format!(
        "proposal     {number}: {}\nasked by     {}, {at}\nstate        {}\n",
        whole(title),
        escaped(client),
        status.as_str()
    );
    // Writing to a string does not fail.
    if !reason.is_empty() {
        writeln!(text, "reason       “{}”", whole(reason)).ok();
    }
    match status {
        Status::Declined(reply) if !reply.is_empty() => _ = writeln!(text, "your reply   “{}”", whole(reply)),
        Status::Applied(applied) => text.push_str(&result(applied)),
        _ => {}
    }
    for (index, change) in changes.iter().enumerate() {
        writeln!(text, "\n{}. {}", index + 1, whole(&change.title)).ok();
        text.push_str(&change_text(change));
    }
    text
}

fn counts(applied: &Applied) -> String {
    let Applied { done, unchanged, failed, unknown, left_out, undone, .. } = applied;
    let counts = format!("{done} done, {unchanged} unchanged, {failed} failed, {unknown} unknown, {left_out} left out");
    if *undone > 0 { format!("{counts}, {undone} undone since") } else { counts }
}

fn result(applied: &Applied) -> String {
    let mut text = format!("result       {}\n", counts(applied));
    for problem in &applied.problems {
        writeln!(text, "             {}", whole(problem)).ok();
    }
    if applied.unknown > 0 {
        text.push_str("             unknown: look at the assets that are named; nothing is sent again by itself\n");
    }
    text
}

fn change_text(change: &ProposedChange) -> String {
    let mut text = String::new();
    match &change.action {
        Proposed::Change(boxed) => match &**boxed {
            Change::Text { from, to, .. } => text.push_str(&diff(from, to)),
            _ => {
                for field in &change.fields {
                    let value = |value: &Option<Value>| {
                        value.as_ref().map_or("nothing".to_owned(), |value| escaped(&value.to_string()))
                    };
                    let path = escaped(&field.path.to_string());
                    let (before, after) = (value(&field.before), value(&field.after));
                    writeln!(text, "    {path}: {before} becomes {after}").ok();
                }
            }
        },
        Proposed::Create(new) => text.extend(new.text.lines().map(|line| format!("    +{}\n", whole(line)))),
    }
    for call in &change.calls {
        writeln!(text, "    {}", escaped(call)).ok();
    }
    match &change.undo {
        Undo::By(how) => writeln!(text, "    {how}").ok(),
        Undo::Never(why) => writeln!(text, "    cannot be undone: {why}").ok(),
    };
    text
}

/// Returns how two texts differ, in the unified format.
fn diff(from: &str, to: &str) -> String {
    let side = |text: &str| Side { body: Body::text(text.to_owned()), ..Side::default() };
    let comparison = Comparison::of(side(from).into(), side(to).into(), Whitespace::Exact);
    match &comparison.content {
        ContentDiff::Text(diff) => unified(diff).lines().map(|line| format!("    {line}\n")).collect(),
        _ => "    the texts are too large to be compared\n".to_owned(),
    }
}

fn apply(arguments: &ApplyArguments) -> Result<(), Failure> {
    let folder = data_dir::folder(arguments.target.data())?;
    let work = async |service: &Service| {
        let store = store(&folder, &service.connection)?.ok_or_else(|| none(arguments.number))?;
        if !arguments.target.dry_run() {
            settle(service, &folder, &store).await;
        }
        let proposal = find(Some(&store), arguments.number)?;
        let selection = selection(&arguments.only, &proposal)?;
        if arguments.target.dry_run() {
            return Ok(proposal);
        }
        applied(service, &folder, &store, (&proposal, &selection)).await
    };
    let proposal = connect::run(arguments.target.to_change().with(work))?;
    match arguments.target.json() {
        true => super::print_json(&format!("{:#}\n", as_json(&proposal)))?,
        false if arguments.target.dry_run() => super::print(&as_text(&proposal))?,
        false => super::print(&line(&proposal))?,
    }
    let Status::Applied(applied) = &proposal.status else { return Ok(()) };
    applied.problems.iter().for_each(|problem| print_error(&format!("lunette: {}", shown(problem))));
    print_line(&counts(applied));
    match applied.failed + applied.unknown {
        0 => Ok(()),
        _ => Err(Failure::reported()),
    }
}

/// The changes that are applied, by their numbers from 1 on.
fn selection(only: &[usize], proposal: &Proposal) -> Result<Selection, Failure> {
    if only.is_empty() {
        return Ok(Selection::All);
    }
    let count = proposal.changes.len();
    let index = |number: &usize| match number.checked_sub(1) {
        Some(index) if index < count => Ok(index),
        _ => Err(Failure::usage(anyhow!("proposal {} has no change {number}; it has {count}", proposal.number))),
    };
    Ok(Selection::Some(only.iter().map(index).collect::<Result<BTreeSet<_>, _>>()?))
}

async fn applied(
    service: &Service,
    folder: &Path,
    store: &ProposalStore,
    (proposal, selection): (&Proposal, &Selection),
) -> Result<Proposal, Failure> {
    let back_up = backup_of(service, folder);
    let target = target(service, folder, &back_up).await;
    let applied = proposals::apply(&target, store, proposal, selection).await;
    applied.map_err(|error| Failure::failed(anyhow!("{error}; nothing was sent")))
}

/// Where proposals are applied and taken back.
pub(super) async fn target<'a>(
    service: &'a Service,
    folder: &'a Path,
    back_up: &'a (dyn Fn() -> Result<(), NotSent> + Send + Sync),
) -> Target<'a> {
    Target {
        client: service.client.clone(),
        vendor: service.vendor,
        recovery: recovery(&service.client, service.vendor).await,
        connection: &service.connection,
        folder,
        back_up,
    }
}

/// What backs up the service of a data folder; another one cannot be backed up.
pub(super) fn backup_of(service: &Service, folder: &Path) -> impl Fn() -> Result<(), NotSent> + Send + Sync + use<> {
    let folder: Option<PathBuf> = service.of_folder().then(|| folder.to_owned());
    move || match &folder {
        Some(folder) => {
            let failed = |error| NotSent::of(format!("no backup was made: {error}"));
            maintenance::back_up(folder, None).map(drop).map_err(failed)
        }
        None => Ok(()),
    }
}

fn decline(arguments: &DeclineArguments) -> Result<(), Failure> {
    let store = open(&arguments.target)?.ok_or_else(|| none(arguments.number))?;
    let declined = store.decline(arguments.number, &arguments.reply);
    super::print(&line(&declined.map_err(|error| Failure::failed(anyhow!(error)))?))
}
