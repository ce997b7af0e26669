//! Tests of the joined list.

use serde_json::{Value, json};

use super::*;
use crate::listing::rows::InventoryState;
use lunette_client::model::View;
use lunette_client::model::application::{Application, DetectedExternalApplication};
use lunette_client::model::record::Record as _;

fn tracked(names: &[&str]) -> Option<RowList<ApplicationRow>> {
    let row = |name: &&str| {
        let tree = json!({ "id": name, "name": name, "version": "1.0", "platform": "LINUX", "onboarded": true,
            "privacy": "OPEN", "capabilities": "BLENDED" });
        Arc::new(ApplicationRow::of(Application::from_tree(tree).expect("an application").view()))
    };
    Some(names.iter().map(row).collect())
}

fn external(detected: &[Value], related: &[Value]) -> Option<RowList<ExternalRow>> {
    let record = |tree: &Value| DetectedExternalApplication::from_tree(tree.clone()).expect("an application");
    let (detected, related): (Vec<_>, Vec<_>) =
        (detected.iter().map(record).collect(), related.iter().map(record).collect());
    let views = |records: &'_ [DetectedExternalApplication]| {
        records.iter().map(|record| record.tree().clone()).collect::<Vec<_>>()
    };
    let (detected, related) = (views(&detected), views(&related));
    let (detected, related) = (detected.iter().map(View::of).collect(), related.iter().map(View::of).collect());
    let rows = ExternalRow::merged(Some(detected), Some(related));
    Some(rows.into_iter().map(Arc::new).collect())
}

fn change(source: Source, key: &str, name: &str, what: Difference) -> Arc<Change> {
    let at = "2026-11-20T12:00:00Z".parse().expect("a timestamp");
    Arc::new(Change { at, source, key: key.to_owned(), name: name.to_owned(), what })
}

fn joined_rows(answers: &AppLists, changes: Vec<Arc<Change>>, scope: &Scope) -> Vec<Arc<InventoryRow>> {
    let now = "2026-11-24T12:00:00+00:00[UTC]".parse().expect("a timestamp");
    rows(answers, &InventoryHistory { changes, ..InventoryHistory::default() }, scope, &now)
}

fn summary(rows: &[Arc<InventoryRow>]) -> Vec<(&str, InventoryState, Option<&str>)> {
    rows.iter()
        .map(|row| (row.name.as_str(), row.state, row.change.as_ref().map(|change| change.description.as_str())))
        .collect()
}

fn answers() -> AppLists {
    let detected = [json!({ "name": "VS Code", "version": "1.99" }), json!({ "name": "Zed", "version": "0.9" })];
    let related = [
        json!({ "name": "VS Code", "state": "installed", "identifier": "VS_CODE" }),
        json!({ "name": "Obsidian", "state": "not_installed" }),
    ];
    AppLists { tracked: tracked(&["VS_CODE", "OPERA"]), external: external(&detected, &related) }
}

#[test]
fn an_application_in_several_lists_is_one_row_and_none_is_lost() {
    let rows = joined_rows(&answers(), Vec::new(), &Scope::default());
    assert_eq!(
        summary(&rows),
        [
            ("VS Code", InventoryState::Tracked, None),
            ("OPERA", InventoryState::Tracked, None),
            ("Obsidian", InventoryState::NotInstalled, None),
            ("Zed", InventoryState::Installed, None),
        ]
    );
    assert!(rows[0].external.is_some() && rows[0].integration() == "Available");
}

#[test]
fn a_detected_application_is_not_joined_with_one_tracked_on_another_platform() {
    let on = |platform: &str| {
        let tree = json!({ "id": platform, "name": "VS_CODE", "version": "1.0", "platform": platform, "onboarded": true,
            "privacy": "OPEN", "capabilities": "BLENDED" });
        Arc::new(ApplicationRow::of(Application::from_tree(tree).expect("an application").view()))
    };
    let tracked = Some(["LINUX", "MACOS", "WEB"].map(on).into_iter().collect());
    let found = |evidence: &str| json!({ "name": "VS Code", "version": "1.99", "found_by": evidence });
    let external_of = |answers: &AppLists| -> Vec<(String, bool)> {
        let rows = joined_rows(answers, Vec::new(), &Scope::default());
        rows.iter().map(|row| (row.platform.clone(), row.external.is_some())).collect()
    };
    let summary =
        |linux, macos| [("LINUX", linux), ("MACOS", macos), ("WEB", true)].map(|(name, is)| (name.to_owned(), is));
    let answers = |evidence| AppLists { tracked: tracked.clone(), external: external(&[found(evidence)], &[]) };
    assert_eq!(external_of(&answers("flatpak")), summary(true, false));
    assert_eq!(external_of(&answers("bundle")), summary(false, true));
    assert_eq!(
        external_of(&answers("a word of later")),
        summary(true, true),
        "where it does not say, the name decides"
    );
}

#[test]
fn applications_are_joined_by_bundle_name_unless_another_has_the_exact_name() {
    let entry =
        |name: &str, path: &str| json!({ "name": name, "version": "1", "found_by": "desktop_entry", "path": path });
    let code = entry("Code - Insiders", "/usr/share/applications/com.visualstudio.vs-code.desktop");
    let names = |detected: &[Value]| {
        let answers = AppLists { tracked: tracked(&["VS_CODE"]), external: external(detected, &[]) };
        let rows = joined_rows(&answers, Vec::new(), &Scope::default());
        rows.iter().map(|row| (row.name.clone(), row.state)).collect::<Vec<_>>()
    };
    assert_eq!(names(std::slice::from_ref(&code)), [("Code - Insiders".to_owned(), InventoryState::Tracked)]);
    let exact = entry("VS Code", "/usr/share/applications/other.desktop");
    let summary = [("VS Code", InventoryState::Tracked), ("Code - Insiders", InventoryState::Installed)];
    assert_eq!(names(&[code, exact]), summary.map(|(name, state)| (name.to_owned(), state)));
}

#[test]
fn a_row_shows_its_change_only_since_the_chosen_day() {
    let upgraded = change(Source::Detected, "zed", "Zed", Difference::Version { from: "0.8".into(), to: "0.9".into() });
    let scope = |since| Scope { since, ..Scope::default() };
    let shown =
        |since| summary(&joined_rows(&answers(), vec![upgraded.clone()], &scope(since)))[3].2.map(str::to_owned);
    assert_eq!(shown(Since::Week).as_deref(), Some("Upgraded: 0.8 → 0.9"));
    assert_eq!(shown(Since::Yesterday), None);
    let history = &joined_rows(&answers(), vec![upgraded.clone()], &scope(Since::Yesterday))[3].history;
    assert_eq!(history.len(), 1, "its page has all changes");
}

#[test]
fn rows_of_one_name_share_their_history() {
    let detected: Vec<Value> =
        (0..3).map(|at| json!({ "name": "A", "version": "1", "path": format!("/{at}") })).collect();
    let answers = AppLists { tracked: tracked(&[]), external: external(&detected, &[]) };
    let upgraded = change(Source::Detected, "a", "A", Difference::Version { from: "0".into(), to: "1".into() });
    let rows = joined_rows(&answers, vec![upgraded; 100], &Scope::default());
    let histories: Vec<_> = rows.iter().map(|row| &row.history).filter(|history| !history.is_empty()).collect();
    assert!(histories.len() == 3 && histories[0].len() == 100, "{rows:?}");
    assert!(histories.iter().all(|history| Arc::ptr_eq(history, histories[0])));
}

#[test]
fn version_changes_of_a_muted_application_are_not_marked() {
    let upgraded = change(Source::Detected, "zed", "Zed", Difference::Version { from: "0.8".into(), to: "0.9".into() });
    let scope = Scope { muted: ["zed".to_owned()].into(), ..Scope::default() };
    assert_eq!(summary(&joined_rows(&answers(), vec![upgraded], &scope))[3].2, None);
}

#[test]
fn a_removed_application_has_a_row_of_its_own_or_is_shown_in_that_of_another_list() {
    let removed = |source, key: &str, name: &str| change(source, key, name, Difference::Removed("1.0".into()));
    let changes = vec![
        removed(Source::Detected, "gone", "Gone"),
        removed(Source::Detected, "obsidian", "Obsidian"),
        removed(Source::Tracked, "ZED|LINUX", "ZED"),
    ];
    let rows = joined_rows(&answers(), changes, &Scope::default());
    assert_eq!(
        summary(&rows)[2..],
        [
            ("Obsidian", InventoryState::NotInstalled, Some("Removed, version 1.0")),
            ("Zed", InventoryState::Installed, Some("No longer tracked")),
            ("Gone", InventoryState::Gone, Some("Removed, version 1.0")),
        ]
    );
}

#[test]
fn a_list_that_was_not_read_does_not_affect_the_others() {
    let only = AppLists { tracked: None, ..answers() };
    let removed = change(Source::Tracked, "OPERA|LINUX", "OPERA", Difference::Removed("1.0".into()));
    let rows = joined_rows(&only, vec![removed], &Scope::default());
    assert_eq!(summary(&rows).iter().map(|(name, ..)| *name).collect::<Vec<_>>(), ["Obsidian", "VS Code", "Zed"]);
}
