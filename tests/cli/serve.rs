//! `lunette serve`, and `lunette call` on it.

use std::net::TcpListener;

use crate::program::{Served, run};

#[cfg(unix)]
#[test]
fn a_signal_shuts_the_service_down_cleanly() {
    for signal in ["TERM", "INT"] {
        let folder = tempfile::tempdir().expect("a folder");
        assert_eq!(Served::start(folder.path(), &[]).end(signal), Some(0), "{signal}");
    }
}

#[test]
fn serve_prints_its_address_and_responds_there() {
    let folder = tempfile::tempdir().expect("a folder");
    let served = Served::start(folder.path(), &[]);
    let version = served.call(&["getWellKnownVersion"]);
    assert_eq!((version.code, version.err.as_str()), (Some(0), ""));
    assert_eq!(version.json(), concat!("12.4.1-lunette.", env!("CARGO_PKG_VERSION")));
}

#[test]
fn serve_reports_the_version_that_it_is_given() {
    let folder = tempfile::tempdir().expect("a folder");
    let served = Served::start(folder.path(), &["--announce-version", "12.9.0"]);
    assert_eq!(served.call(&["getWellKnownVersion"]).json(), "12.9.0");
    let ended = run(&["serve", "--announce-version", "twelve"]);
    assert_eq!((ended.code, ended.out.as_str()), (Some(2), ""));
    assert!(ended.err.contains("use three numbers with dots, such as 12.4.1"), "{ended:?}");
}

#[test]
fn interface_only_disables_the_extensions() {
    let folder = tempfile::tempdir().expect("a folder");
    let served = Served::start(folder.path(), &["--interface-only"]);
    let version = served.call(&["getWellKnownVersion"]);
    assert_eq!((version.code, version.out.as_str()), (Some(1), ""));
    assert!(version.err.contains("status 404"), "{version:?}");
}

#[test]
fn a_port_in_use_is_named_in_the_error() {
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("an address").port().to_string();
    let folder = tempfile::tempdir().expect("a folder");
    let ended = run(&["serve", "--port", &port, "--data", folder.path().to_str().expect("UTF-8")]);
    assert_eq!((ended.code, ended.out.as_str()), (Some(2), ""));
    assert!(ended.err.contains(&format!("127.0.0.1:{port} is in use by another program: choose")), "{ended:?}");
}

#[test]
fn a_data_folder_allows_one_service_at_a_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let _served = Served::start(folder.path(), &[]);
    let ended = run(&["serve", "--port", "0", "--data", folder.path().to_str().expect("UTF-8")]);
    assert_eq!(ended.code, Some(2));
    assert!(ended.err.contains("another instance of Lunette uses this folder"), "{ended:?}");
}
