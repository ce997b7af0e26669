//! What is found on the machine, and the known integrations beside it.

use std::sync::Arc;

use lunette_client::operation::table::{ApplicationsExternalRelated, ApplicationsExternalSnapshot};
use lunette_service::detect::{Detect, Detected};

use super::*;
use crate::support::Planted;
use crate::support::assets::ODD;

async fn machine(detector: impl Detect + 'static) -> TestService {
    TestService::with(|settings| settings.detector = Arc::new(detector)).await
}

async fn found(service: &TestService) -> Vec<Value> {
    let found = service.client.call(ApplicationsExternalSnapshot {}).await.expect("a list").into_tree();
    found["iterable"].as_array().expect("a list").clone()
}

async fn related(service: &TestService) -> Vec<Value> {
    let related = service.client.call(ApplicationsExternalRelated {}).await.expect("a list").into_tree();
    related["iterable"].as_array().expect("a list").clone()
}

#[tokio::test]
async fn installed_applications_are_listed_with_their_version() {
    let service = machine(Planted(vec![Detected::named("Vim", Some("9.1")), Detected::named("a tool", None)])).await;
    let answer = service.send("GET", "/applications/external", None).await;
    assert_eq!((answer.status, answer.header("content-type")), (200, Some("application/json")));
    let expected = json!({ "iterable": [
        { "name": "a tool", "state": "installed" },
        { "name": "Vim", "version": "9.1", "state": "installed", "identifier": "VIM" },
    ] });
    assert_eq!(answer.json(), expected);
}

#[tokio::test]
async fn a_machine_without_applications_has_an_empty_list() {
    let service = TestService::start().await;
    assert_eq!(found(&service).await, Vec::<Value>::new());
}

#[tokio::test]
async fn unusual_application_names_are_listed_unchanged() {
    let odd: Vec<&str> = ODD.iter().copied().filter(|name| *name != "\u{0}\u{1b}[31m").collect();
    let service = machine(Planted(odd.iter().map(|name| Detected::named(*name, Some(name))).collect())).await;
    let listed = found(&service).await;
    for name in odd {
        assert!(listed.contains(&json!({ "name": name, "version": name, "state": "installed" })), "{name}");
    }
}

#[tokio::test]
async fn related_applications_are_split_into_installed_not_installed_and_anticipated() {
    let service =
        machine(Planted(vec![Detected::named("Vim", Some("9.1")), Detected::named("Slack", Some("4"))])).await;
    let all = related(&service).await;
    let of = |name: &str| all.iter().find(|one| one["name"] == name).expect("it is known").clone();
    let vim = json!({ "name": "Vim", "version": "9.1", "state": "installed", "identifier": "VIM" });
    assert_eq!((&all[0], of("Vim")), (&vim, vim.clone()));
    assert_eq!(of("Obsidian"), json!({ "name": "Obsidian", "state": "not_installed", "identifier": "OBSIDIAN" }));
    assert_eq!((&of("Slack")["state"], &of("Slack")["version"]), (&json!("anticipated"), &json!("4")));
}

#[tokio::test]
async fn extra_queries_and_bodies_are_ignored_and_a_wrong_method_is_reported() {
    let service = TestService::start().await;
    assert_eq!(service.send("GET", "/applications/external?x=%FF&..=/", None).await.status, 200);
    assert_eq!(service.send("GET", "/applications/external/related?transferables=ü", None).await.status, 200);
    assert_eq!(service.send("POST", "/applications/external", Some("{}")).await.status, 405);
    assert_eq!(service.send("POST", "/applications/external/related", None).await.status, 405);
    assert_eq!(service.send("GET", "/applications/external/other", None).await.status, 404);
}

#[cfg(all(unix, not(target_os = "macos")))]
mod desktop_entries {
    use std::fs;
    use std::path::Path;

    use lunette_service::detect::desktop::DesktopEntries;

    use super::*;

    fn plant(folder: &Path, id: &str, keys: &str) {
        let applications = folder.join("applications");
        fs::create_dir_all(&applications).expect("made");
        fs::write(applications.join(id), format!("[Desktop Entry]\nType=Application\n{keys}\n")).expect("written");
    }

    async fn machine_at(folder: &Path) -> TestService {
        let detector = DesktopEntries {
            data_folders: vec![folder.to_owned()],
            programs: Vec::new(),
            locales: vec!["de".to_owned()],
            root: folder.to_owned(),
        };
        machine(detector).await
    }

    #[tokio::test]
    async fn found_entries_are_listed_and_broken_ones_skipped() {
        let folder = tempfile::tempdir().expect("a folder");
        plant(folder.path(), "obsidian.desktop", "Name=Notes\nName[de]=Notizen ü 😀\nX-AppImage-Version=1.8.10");
        plant(folder.path(), "hidden.desktop", "Name=Hidden\nNoDisplay=true");
        fs::write(folder.path().join("applications/broken.desktop"), [0xff; 64]).expect("written");
        let service = machine_at(folder.path()).await;
        let notes = json!({ "name": "Notizen ü 😀", "version": "1.8.10", "state": "installed",
            "identifier": "OBSIDIAN", "found_by": "appimage",
            "path": folder.path().join("applications/obsidian.desktop") });
        assert_eq!(found(&service).await, [notes]);
        assert_eq!(related(&service).await[0]["version"], "1.8.10");
    }

    #[tokio::test]
    async fn applications_installed_at_run_time_are_detected() {
        let folder = tempfile::tempdir().expect("a folder");
        let service = machine_at(folder.path()).await;
        assert_eq!(found(&service).await.len(), 0);
        plant(folder.path(), "tool.desktop", "Name=Tool");
        assert_eq!(found(&service).await[0]["name"], "Tool");
        fs::remove_file(folder.path().join("applications/tool.desktop")).expect("removed");
        assert_eq!(found(&service).await.len(), 0);
    }
}
