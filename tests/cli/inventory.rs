//! `lunette list applications --since`: how the lists of applications changed.

use lunette_inspector::settings::Settings;
use serde_json::json;

use crate::write::Home;

fn register(home: &Home, version: &str) {
    let application = json!({
        "id": "00000000-0000-4000-8000-000000000001", "name": "VS_CODE", "version": version, "platform": "LINUX",
        "onboarded": true, "privacy": "OPEN", "capabilities": "BLENDED",
    });
    home.done(&["call", "applicationsRegister", &format!("application={application}")]);
}

#[test]
fn changes_since_a_day_are_printed_once_they_were_noticed() {
    let home = Home::new();
    register(&home, "1.0");
    let first = home.done(&["list", "applications", "--since", "7d", "--json"]).json();
    assert_eq!(first, json!([]), "the first answer is not a change");
    register(&home, "1.1");
    for _ in 0..2 {
        let changes = home.done(&["list", "applications", "--since", "yesterday", "--json"]).json();
        let [change] = changes.as_array().map(Vec::as_slice).expect("a list") else { panic!("{changes}") };
        let reported = [&change["name"], &change["change"], &change["from"], &change["to"], &change["list"]];
        assert_eq!(reported, ["VS_CODE", "upgraded", "1.0", "1.1", "tracked"]);
    }
    assert_eq!(home.done(&["list", "applications", "--since", "2999-01-01"]).out, "");
}

#[test]
fn updates_of_an_application_that_is_quiet_in_the_window_are_not_printed() {
    let home = Home::new();
    register(&home, "1.0");
    home.done(&["list", "applications", "--since", "7d"]);
    let mut settings = Settings::default();
    settings.save_quiet(["vscode".to_owned()].into(), true);
    settings.save(&Settings::default(), home.data.path()).expect("kept");
    register(&home, "1.1");
    let changes = home.done(&["list", "applications", "--since", "7d", "--json"]).json();
    assert_eq!(changes, json!([]));
}

#[test]
fn an_invalid_day_is_a_usage_error() {
    let home = Home::new();
    for arguments in [["list", "applications", "--since", "soon"], ["list", "assets", "--since", "7d"]] {
        let ended = home.run(&arguments);
        assert_eq!((ended.code, ended.out.as_str()), (Some(2), ""), "{ended:?}");
    }
}
