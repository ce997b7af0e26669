//! `lunette services`: every port of this family on this machine, and what is there.
//!
//! What a program at a port says of itself is shown to people with its control characters escaped.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::client::{Limits, Probe, Standing, discover};

use super::progress::escaped;
use super::{Failure, reach};

/// What `services` takes.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Print JSON, one object a port that was asked.
    #[arg(long)]
    json: bool,
}

/// Prints what is there; fails where no service is.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let probes = reach::run(async { Ok(discover(Limits::default()).await) })?;
    match arguments.json {
        true => super::print_json(&format!("{:#}\n", as_json(&probes)))?,
        false => super::print(&table(&probes))?,
    }
    if probes.iter().any(|probe| probe.result.is_ok()) { Ok(()) } else { Err(Failure::usage(reach::nothing_runs())) }
}

/// For people: a line for each address where something is, and one for all the others.
pub fn table(probes: &[Probe]) -> String {
    let (shut, open): (Vec<&Probe>, Vec<&Probe>) =
        probes.iter().partition(|probe| probe.standing() == Standing::Refused);
    let head = ["address", "whose", "version", "latency", "problem"].map(str::to_owned);
    let rows: Vec<[String; 5]> = std::iter::once(head).chain(open.iter().map(|probe| cells(probe))).collect();
    let mut widths = [0; 4];
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
            line.push_str(&row[4]);
            text.push_str(line.trim_end());
            text.push('\n');
        }
    }
    if !shut.is_empty() {
        writeln!(text, "nothing listens on {} other ports of {}", shut.len(), probes.len()).ok();
    }
    text
}

fn cells(probe: &Probe) -> [String; 5] {
    let found = probe.result.as_ref().ok();
    let whose = match (probe.standing(), &probe.server) {
        (Standing::Family | Standing::Interface | Standing::Other, Some(server)) => {
            format!("{}: {}", probe.standing().name(), escaped(server))
        }
        (standing, _) => standing.name().to_owned(),
    };
    let elapsed = found.map_or(probe.elapsed, |found| found.elapsed);
    [
        probe.address.to_string(),
        whose,
        found.and_then(|found| found.version.as_deref()).map(escaped).unwrap_or_default(),
        format!("{} ms", elapsed.as_millis().max(1)),
        probe.problem().map(|problem| escaped(&problem)).unwrap_or_default(),
    ]
}

/// Everything that was found out, one object an address.
pub fn as_json(probes: &[Probe]) -> Value {
    probes.iter().map(probe_json).collect()
}

fn probe_json(probe: &Probe) -> Value {
    let found = probe.result.as_ref().ok();
    let elapsed = found.map_or(probe.elapsed, |found| found.elapsed);
    json!({
        "address": probe.address.to_string(),
        "found": probe.standing().word(),
        "server": probe.server,
        "version": found.and_then(|found| found.version.as_deref()),
        "data": found.and_then(|found| found.folder()),
        "latency_ms": elapsed.as_secs_f64() * 1_000.0,
        "phase": probe.result.as_ref().err().map(|error| error.phase()),
        "problem": probe.problem(),
    })
}
