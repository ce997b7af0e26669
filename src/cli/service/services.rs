//! `lunette services`: every port of this family on this machine, and what listens there.
//!
//! What a program says about itself is printed with its control characters escaped. What must hold: the owner of a
//! program comes from the system and from the data folder, never from the program itself.

use std::fmt::Write as _;

use serde_json::{Value, json};

use lunette_client::client::{Limits, Owner, Probe, ProbeStatus, discover};
use lunette_service::address::Listening;

use crate::cli::progress::escaped;
use crate::cli::{Failure, connect, data_dir};

/// What `services` takes.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Print JSON with one object per port.
    #[arg(long)]
    json: bool,
}

/// Prints what was found; fails if no service was.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let probes = connect::run(async { Ok(discover(Limits::default()).await) })?;
    let own = data_dir::folder(None).ok().and_then(|folder| Listening::read(&folder));
    match arguments.json {
        true => crate::cli::print_json(&format!("{:#}\n", as_json(&probes, own.as_ref())))?,
        false => crate::cli::print(&table(&probes, own.as_ref()))?,
    }
    if probes.iter().any(|probe| probe.result.is_ok()) { Ok(()) } else { Err(Failure::usage(connect::nothing_runs())) }
}

/// Returns a table for people: a line for each address in use, and one for all the others.
pub fn table(probes: &[Probe], own: Option<&Listening>) -> String {
    let (shut, open): (Vec<&Probe>, Vec<&Probe>) =
        probes.iter().partition(|probe| probe.status() == ProbeStatus::Refused);
    let head = ["address", "owner", "service", "version", "latency", "problem"].map(str::to_owned);
    let rows: Vec<[String; 6]> = std::iter::once(head).chain(open.iter().map(|probe| cells(probe, own))).collect();
    let mut widths = [0; 5];
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let mut text = String::new();
    if !open.is_empty() {
        for row in &rows {
            let mut line = String::new();
            for (cell, width) in row.iter().zip(widths) {
                write!(line, "{cell:width$}  ").ok(); // Writing to a String cannot fail.
            }
            line.push_str(&row[5]);
            text.push_str(line.trim_end());
            text.push('\n');
        }
    }
    if !shut.is_empty() {
        writeln!(text, "no service on {} of {} ports", shut.len(), probes.len()).ok();
    }
    text
}

/// Returns the owner of a service: the user's own data folder, or a user. `None` if it is not a service.
fn owner(probe: &Probe, own: Option<&Listening>) -> Option<(&'static str, &'static str)> {
    let found = probe.result.as_ref().ok()?;
    let here = |own: &Listening| own.url() == probe.address.to_string() && found.folder() == Some(&own.folder);
    Some(match probe.owner != Owner::AnotherUser && own.is_some_and(here) {
        true => ("own_folder", "own folder"),
        false => (probe.owner.word(), probe.owner.name()),
    })
}

fn cells(probe: &Probe, own: Option<&Listening>) -> [String; 6] {
    let found = probe.result.as_ref().ok();
    let service = match (probe.status(), &probe.server) {
        (ProbeStatus::Family | ProbeStatus::Interface | ProbeStatus::Other, Some(server)) => {
            format!("{}: {}", probe.status().name(), escaped(server))
        }
        (standing, _) => standing.name().to_owned(),
    };
    let elapsed = found.map_or(probe.elapsed, |found| found.elapsed);
    [
        probe.address.to_string(),
        owner(probe, own).map(|(_, name)| name.to_owned()).unwrap_or_default(),
        service,
        found.and_then(|found| found.version.as_deref()).map(escaped).unwrap_or_default(),
        format!("{} ms", elapsed.as_millis().max(1)),
        probe.problem().map(|problem| escaped(&problem)).unwrap_or_default(),
    ]
}

/// Returns everything that was found, one object per address.
pub fn as_json(probes: &[Probe], own: Option<&Listening>) -> Value {
    probes.iter().map(|probe| probe_json(probe, own)).collect()
}

fn probe_json(probe: &Probe, own: Option<&Listening>) -> Value {
    let found = probe.result.as_ref().ok();
    let elapsed = found.map_or(probe.elapsed, |found| found.elapsed);
    json!({
        "address": probe.address.to_string(),
        "found": probe.status().id(),
        "owner": owner(probe, own).map(|(word, _)| word),
        "server": probe.server,
        "version": found.and_then(|found| found.version.as_deref()),
        "data": found.and_then(|found| found.folder()),
        // Tenths of a millisecond.
        "latency_ms": (elapsed.as_secs_f64() * 10_000.0).round() / 10.0,
        "phase": probe.result.as_ref().err().map(|error| error.phase()),
        "problem": probe.problem(),
    })
}
