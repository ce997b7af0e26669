//! `lunette check`.

use crate::program::run;

#[test]
fn the_embedded_service_passes_and_the_report_is_available_as_json() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().to_str().expect("UTF-8");
    let ended = run(&["check", "--data", data, "--samples", "2", "--json"]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let report = ended.json();
    assert_eq!((report["passed"].as_bool(), report["operations"].as_array().map(Vec::len)), (Some(true), Some(27)));
    let ended = run(&["check", "--data", data, "--samples", "1", "--markdown"]);
    assert!(ended.out.contains("| `assetUpdate` | `POST /asset/update` | works |"), "{ended:?}");
}

#[test]
fn an_unreachable_service_exits_with_2() {
    let port = std::net::TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a port").port();
    let ended = run(&["check", "--url", &format!("http://127.0.0.1:{port}")]);
    assert_eq!((ended.code, ended.out.as_str()), (Some(2), ""), "{ended:?}");
}
