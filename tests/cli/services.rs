//! `lunette services`: the services running on this machine.
//!
//! Other programs may listen on these ports at the same time, so each claim is about a port that the test holds.

use std::net::TcpListener;
use std::process::Child;

use serde_json::Value;

use crate::program::{Ended, Served, command, run};

/// A listener on the first port of the family that is free on 127.0.0.1, and its port.
fn held() -> (TcpListener, u16) {
    let bind = |port| Some((TcpListener::bind(("127.0.0.1", port)).ok()?, port));
    (39_300..=39_333).rev().find_map(bind).expect("a free port")
}

fn row(ended: &Ended, address: &str) -> Value {
    let rows = ended.json();
    let rows = rows.as_array().expect("a list");
    rows.iter().find(|row| row["address"] == address).unwrap_or_else(|| panic!("{address} in {rows:?}")).clone()
}

#[test]
fn discovery_finds_our_service_with_its_version_and_data_id() {
    let folder = tempfile::tempdir().expect("a folder");
    let served = Served::start_on_a_family_port(folder.path());
    let ended = run(&["services", "--json"]);
    assert_eq!((ended.code, ended.err.as_str()), (Some(0), ""), "{ended:?}");
    let row = row(&ended, &served.url);
    assert_eq!(
        (&row["found"], &row["version"]),
        (&"lunette".into(), &concat!("12.4.1-lunette.", env!("CARGO_PKG_VERSION")).into()),
        "{row}"
    );
    let health = served.call(&["getWellKnownHealth"]).json();
    assert_eq!(health, format!("ok:{}", row["data"].as_str().expect("an id")));
    let shown = run(&["services"]);
    assert_eq!(shown.code, Some(0));
    let line = shown.out.lines().find(|line| line.starts_with(&served.url)).expect("its line");
    assert!(line.contains("Lunette") && line.contains(env!("CARGO_PKG_VERSION")) && line.contains(" ms"), "{line}");
}

#[test]
fn a_silent_port_is_reported_and_delays_nothing() {
    let (_silent, port) = held();
    let ended = run(&["services", "--json"]);
    let row = row(&ended, &format!("http://127.0.0.1:{port}"));
    assert_eq!((&row["found"], &row["phase"]), (&"silent".into(), &"timed out".into()), "{row}");
    let found = |row: &Value| ["lunette", "family", "interface"].iter().any(|word| row["found"] == *word);
    let any = ended.json().as_array().expect("a list").iter().any(found);
    assert_eq!(ended.code, Some(if any { 0 } else { 2 }), "{ended:?}");
    assert_eq!(ended.err.contains("Start one with `lunette serve`"), !any, "{ended:?}");
}

#[test]
fn services_reports_every_port_of_the_family() {
    let rows = run(&["services", "--json"]).json();
    let rows = rows.as_array().expect("a list");
    for port in (39_300..=39_333).chain([1_000, 5_323]) {
        let ends = format!(":{port}");
        assert!(rows.iter().any(|row| row["address"].as_str().is_some_and(|at| at.ends_with(&ends))), "{port}");
    }
}

/// A reader that exits early is not an error.
#[test]
fn services_tolerates_a_reader_that_exits_early() {
    let mut child: Child = command(&["services"]).spawn().expect("the program starts");
    drop(child.stdout.take());
    assert!(matches!(child.wait().expect("it ends").code(), Some(0 | 2)));
}
