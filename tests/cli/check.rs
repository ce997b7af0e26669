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
fn usage_counted_by_the_check_is_deleted() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().to_str().expect("UTF-8");
    assert_eq!(run(&["check", "--data", data, "--samples", "1"]).code, Some(0));
    // Registering the application of the check again shows what is kept of its use.
    let application = serde_json::json!({
        "id": "6c756e65-7474-4e00-8000-000000000004", "name": "OPEN_SOURCE", "version": "1", "platform": "UNKNOWN",
        "onboarded": true, "privacy": "CLOSED",
    });
    let ended = run(&["call", "applicationsRegister", &format!("application={application}"), "--data", data]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert_eq!(ended.json()["engagement"]["sessions"], 0, "{ended:?}");
}

#[test]
fn an_unreachable_service_exits_with_2() {
    let port = std::net::TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a port").port();
    let ended = run(&["check", "--url", &format!("http://127.0.0.1:{port}")]);
    assert_eq!((ended.code, ended.out.as_str()), (Some(2), ""), "{ended:?}");
}
