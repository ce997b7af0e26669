//! `lunette compare`: which assets two sides share, and how they differ.
//!
//! What must hold: the exit code 1 means that they differ, and only with `--exit-code`; every failure has the code 2.
//! What a side does not tell is not a difference. Nothing is written to either side.

use std::sync::Arc;

use serde_json::{Value, json};

use lunette_inspector::listing::{Columns as _, Query, apply_query};
use lunette_inspector::sides::{Base, Comparison, Location, Matches, RowState, Side, SideRow, Sides};
use lunette_inspector::tables;
use lunette_inspector::tasks::CancelFlag;

use crate::cli::connect;
use crate::cli::list::{self, Extent};
use crate::cli::sides::{self, Named, Reached};
use crate::cli::target::ReadTarget;
use crate::cli::{Failure, data_dir, print, print_json, print_message};

/// What `compare` takes.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Side: own for your service, a URL, @DAY or @CHECKPOINT for your service as it was, a data folder, a backup, an
    /// archive or a folder of files.
    #[arg(value_name = "LEFT")]
    left: String,
    /// What it is compared with.
    #[arg(value_name = "RIGHT")]
    right: String,
    /// Show only rows that match, such as 'state:only-left language:rust differs:content'.
    #[arg(long, value_name = "FILTER", default_value = "", hide_default_value = true, allow_hyphen_values = true)]
    filter: String,
    /// Also print assets that are the same, and those that a side does not tell everything about.
    #[arg(long)]
    all: bool,
    /// Tell which side changed an asset since a day or a checkpoint of your service, instead of since both were the
    /// same.
    #[arg(long, value_name = "DAY")]
    since: Option<String>,
    /// Exit with 1 if they differ.
    #[arg(long)]
    exit_code: bool,
    /// Print a JSON object.
    #[arg(long, group = "format")]
    json: bool,
    /// Print a Markdown table.
    #[arg(long, group = "format")]
    markdown: bool,
    /// Print CSV.
    #[arg(long, group = "format")]
    csv: bool,
    #[command(flatten)]
    target: ReadTarget,
}

/// Prints how the two sides differ.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let differ = compared(arguments).map_err(Failure::into_usage)?;
    match arguments.exit_code && differ {
        true => Err(Failure::reported()),
        false => Ok(()),
    }
}

/// Compares, and prints; returns whether they differ.
fn compared(arguments: &Arguments) -> Result<bool, Failure> {
    let filter = list::filter::<SideRow>(&arguments.filter)?;
    let named = [Named::to_read(&arguments.left)?, Named::to_read(&arguments.right)?];
    let [left, right] = &named;
    let memory = sides::memory(arguments.target.data());
    let work = async |reached: [Reached<'_>; 2]| {
        let sides = sides::read([left, right], reached, memory.as_deref()).await?;
        let base = base(arguments, &named, &sides, reached).await?;
        Ok((sides, base))
    };
    let (sides, base) = connect::run(sides::with([left, right], arguments.target.wanted(), work))?;
    let comparison = Comparison::of(Arc::new(sides), Matches::default(), Arc::new(base));
    if let Some(memory) = &memory {
        sides::remember(memory, &comparison, []);
    }
    let shown = apply_query(&comparison.rows, &Query { filter, ..Query::default() });
    let rows = shown.iter().filter_map(|index| comparison.rows.get(*index as usize)).map(Arc::as_ref);
    let rows: Vec<&SideRow> = rows.filter(|row| arguments.all || row.state.is_difference()).collect();
    print_rows(arguments, &comparison, &rows)?;
    Ok(rows.iter().any(|row| row.state.is_difference()))
}

/// What the sides were: when they were last the same, or at the time that was named.
async fn base(
    arguments: &Arguments,
    named: &[Named; 2],
    sides: &Sides,
    reached: [Reached<'_>; 2],
) -> Result<Base, Failure> {
    let folder = data_dir::folder(arguments.target.data())?;
    let remembered = Base::load(&folder, sides.names());
    let Some(since) = &arguments.since else { return Ok(remembered) };
    // The day is one of your own service, where that is a side.
    let own = |(named, _): &(&Named, Reached<'_>)| matches!(named.location, Location::Own | Location::Then(_));
    let mut both: Vec<(&Named, Reached<'_>)> = named.iter().zip(reached).collect();
    both.sort_by_key(|side| (!own(side), !side.1.is_some_and(|service| service.vendor.is_lunette())));
    let service =
        both.into_iter().filter_map(|(_, service)| service).find(|service| service.version_source().is_some());
    let then = Location::Then(since.trim_start_matches('@').to_owned());
    let side: Side = sides::read_side(&then, service, None, &CancelFlag::default()).await.map_err(sides::failure)?;
    Ok(Base::of_checkpoint(side.facts.iter().map(Arc::as_ref)).with_copied_of(remembered))
}

fn print_rows(arguments: &Arguments, comparison: &Comparison, rows: &[&SideRow]) -> Result<(), Failure> {
    if arguments.json {
        return print_json(&format!("{:#}\n", as_json(comparison, rows)));
    }
    sides::print_left_out(&comparison.sides);
    print_message(&summary(comparison));
    let columns = || SideRow::COLUMNS.iter().filter(|column| column.copied);
    let names: Vec<String> = columns().map(|column| column.name()).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let cells = rows.iter().map(|row| columns().map(|column| (column.value)(row).json()).collect::<Vec<Value>>());
    match (arguments.csv, arguments.markdown) {
        (true, _) => print(&tables::csv(&names, cells)),
        (false, true) => print(&tables::markdown(&names, cells)),
        (false, false) => list::print(rows, false, Extent::of(arguments.all && arguments.filter.is_empty())),
    }
}

fn counts(comparison: &Comparison) -> impl Iterator<Item = (RowState, usize)> {
    RowState::ALL.into_iter().map(|state| (state, comparison.counts.of(state)))
}

/// How many assets there are of each state, in a sentence.
fn summary(comparison: &Comparison) -> String {
    let counted: Vec<String> = counts(comparison).map(|(state, count)| format!("{count} {}", state.as_str())).collect();
    let [left, right] = comparison.sides.names();
    let none = if comparison.counts.differences() == 0 { "; nothing that both tell differs" } else { "" };
    format!("{left} and {right}: {}{none}", counted.join(", "))
}

fn as_json(comparison: &Comparison, rows: &[&SideRow]) -> Value {
    let counts: serde_json::Map<String, Value> =
        counts(comparison).map(|(state, count)| (state.token().replace('-', "_"), count.into())).collect();
    let side = |side: &Side| json!({ "name": side.name, "complete": side.complete, "left_out": side.left_out });
    json!({
        "left": side(&comparison.sides.left),
        "right": side(&comparison.sides.right),
        "counts": counts,
        "rows": rows.iter().map(|row| row.record()).collect::<Value>(),
    })
}
