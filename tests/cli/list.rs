//! `lunette list`: the lists of the window on the command line, with the same filter.

use std::fs;

use tempfile::TempDir;

use crate::paged::{List, Paged};
use crate::program::{Ended, Served, run};

/// A service with two Rust files and one text file, the smaller Rust file tagged.
fn service() -> (Served, TempDir) {
    let data = tempfile::tempdir().expect("a folder");
    let service = Served::start(data.path(), &[]);
    let files = tempfile::tempdir().expect("a folder");
    for (name, text) in [("a.rs", "fn main() {}\n"), ("b.rs", "fn other() { let long = 1; }\n"), ("std::io", "notes\n")]
    {
        fs::write(files.path().join(name), text).expect("a file");
    }
    let imported = run(&["import", "--json", "--url", &service.url, files.path().to_str().expect("UTF-8")]);
    assert_eq!(imported.code, Some(0), "{imported:?}");
    (service, data)
}

fn list(service: &Served, arguments: &[&str]) -> Ended {
    run(&[&["list"], arguments, &["--url", &service.url]].concat())
}

fn names(ended: &Ended) -> Vec<String> {
    assert_eq!((ended.code, ended.err.as_str()), (Some(0), ""), "{ended:?}");
    ended.out.lines().map(|line| line.split('\t').next().unwrap_or_default().to_owned()).collect()
}

#[test]
fn list_filters_sorts_and_limits_assets() {
    let (service, _data) = service();
    let sorted = list(&service, &["assets", "--sort", "name:desc"]);
    assert_eq!(names(&sorted), ["std::io", "b.rs", "a.rs"]);
    let filtered = list(&service, &["assets", "--filter", "language:rust size:>20b updated:<1h"]);
    assert_eq!(names(&filtered), ["b.rs"]);
    assert_eq!(names(&list(&service, &["assets", "--filter", "std::io"])), ["std::io"]);
    assert_eq!(names(&list(&service, &["assets", "--sort", "name", "--limit", "1"])), ["a.rs"]);
    assert_eq!(names(&list(&service, &["assets", "--filter", "nothing like this"])), [""; 0]);
}

#[test]
fn assets_are_found_by_the_shown_name_of_their_application_and_by_the_one_on_the_wire() {
    let (service, _data) = service();
    for filter in ["application:lunette", "application:OPEN_SOURCE", "application:\"open source\""] {
        let found = list(&service, &["assets", "--sort", "name", "--filter", filter]);
        assert_eq!(names(&found), ["a.rs", "b.rs", "std::io"], "{filter}");
    }
    assert_eq!(names(&list(&service, &["assets", "--filter", "application:vs_code"])), [""; 0]);
}

#[test]
fn assets_are_listed_by_the_folder_that_they_were_imported_from() {
    let data = tempfile::tempdir().expect("a folder");
    let service = Served::start(data.path(), &[]);
    let files = tempfile::tempdir().expect("a folder");
    let project = files.path().join("project");
    for path in ["lib.rs", "src/lib.rs", "src/parser/lib.rs", "src-old/lib.rs"] {
        let path = project.join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(&path, format!("// {}\n", path.display())).expect("a file");
    }
    let imported = run(&["import", "--json", "--url", &service.url, project.to_str().expect("UTF-8")]);
    assert_eq!(imported.code, Some(0), "{imported:?}");
    let folders = |filter: &str| {
        let listed = list(&service, &["assets", "--json", "--sort", "folder", "--filter", filter]).json();
        let rows = listed.as_array().expect("a list");
        rows.iter().map(|row| row["folder"].as_str().unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(folders("lib"), ["project", "project/src", "project/src-old", "project/src/parser"]);
    assert_eq!(folders("folder:Project/src"), ["project/src", "project/src/parser"]);
    assert_eq!(folders("folder:=project/src"), ["project/src"]);
    assert_eq!(folders("-folder:project/src/"), ["project", "project/src-old"]);
}

#[test]
fn json_output_has_one_record_per_row() {
    let (service, _data) = service();
    let assets = list(&service, &["assets", "--json", "--filter", "name:=a.rs"]).json();
    let [asset] = assets.as_array().map(Vec::as_slice).expect("a list") else { panic!("{assets}") };
    assert_eq!((&asset["name"], &asset["language"]), (&"a.rs".into(), &"Rust".into()), "{asset}");
    assert_eq!((asset["size"].as_i64(), asset["tags"].as_array().map(Vec::len)), (Some(13), Some(0)), "{asset}");
    let applications = list(&service, &["applications", "--json", "--filter", "-sessions:>1000"]).json();
    assert!(applications.as_array().is_some_and(|rows| rows.iter().any(|row| row["id"].is_string())));
    let external = list(&service, &["external", "--json", "--filter", "is:integration"]).json();
    let external = external.as_array().expect("a list");
    assert!(!external.is_empty() && external.iter().all(|row| row["integration"] == true), "{external:?}");
    let states = ["installed", "not_installed", "anticipated"];
    assert!(external.iter().all(|row| states.iter().any(|state| row["state"] == *state)), "{external:?}");
    for (filter, state) in [("state:installed", "installed"), ("state:\"not installed\"", "not_installed")] {
        let rows = list(&service, &["external", "--json", "--filter", filter]).json();
        assert!(rows.as_array().expect("a list").iter().all(|row| row["state"] == state), "{filter}: {rows}");
    }
}

#[test]
fn lines_for_other_programs_have_the_words_of_the_json() {
    let (service, _data) = service();
    let json = list(&service, &["external", "--json"]).json();
    let lines = list(&service, &["external"]);
    let states: Vec<&str> = lines.out.lines().filter_map(|line| line.split('\t').nth(2)).collect();
    let expected: Vec<&str> = json.as_array().expect("a list").iter().filter_map(|row| row["state"].as_str()).collect();
    assert!(!states.is_empty() && states == expected, "{states:?}");
}

#[test]
fn list_reads_a_data_folder_without_a_running_service() {
    let (service, data) = service();
    drop(service);
    let ended = run(&["list", "assets", "--data", data.path().to_str().expect("UTF-8"), "--filter", "is:tagged"]);
    assert_eq!((ended.code, ended.out.as_str()), (Some(0), ""), "{ended:?}");
}

#[test]
fn an_invalid_filter_exits_with_2_and_marks_the_error_before_any_request() {
    let ended = run(&["list", "assets", "--filter", "ü langauge:rust", "--url", "http://127.0.0.1:9"]);
    assert_eq!((ended.code, ended.out.as_str()), (Some(2), ""), "{ended:?}");
    let message = "lunette: invalid filter: unknown field “langauge”: did you mean “language”?\n  \
                ü langauge:rust\n    ^^^^^^^^\n";
    assert_eq!(ended.err, message);
    for (arguments, message) in [
        (["assets", "--sort", "colour"], "the columns are name, folder, language"),
        (["assets", "--sort", "name:down"], "`:asc` or `:desc`"),
        (["external", "--filter", "score:1"], "unknown field “score”"),
    ] {
        let ended = run(&[&["list"], &arguments[..], &["--url", "http://127.0.0.1:9"]].concat());
        assert_eq!(ended.code, Some(2), "{ended:?}");
        assert!(ended.err.contains(message), "{ended:?}");
    }
    let ended = run(&["list", "assets", "--url", "http://127.0.0.1:9"]);
    assert_eq!(ended.code, Some(2), "{ended:?}");
    assert!(ended.err.contains("no connection"), "{ended:?}");
}

#[test]
fn list_requests_only_as_many_assets_as_it_prints() {
    let service = Paged::start(List { count: 500, fields: |_| String::new(), pages: true, tagged: 0 });
    let ended = run(&["list", "assets", "--limit", "3", "--url", service.url()]);
    assert_eq!(names(&ended).len(), 3);
    assert_eq!(service.asked(), [(0, 3)]);
}

#[test]
fn a_filtered_list_reads_no_further_than_it_prints() {
    let name = |index| format!("\"name\": \"{}\",", if index % 2 == 0 { "even" } else { "odd" });
    let service = Paged::start(List { count: 5_000, fields: name, pages: true, tagged: 0 });
    let ended = run(&["list", "assets", "--filter", "odd", "--limit", "2", "--url", service.url()]);
    assert_eq!(names(&ended), ["odd", "odd"]);
    assert_eq!(service.asked().len(), 1, "pages");
    let ended = run(&["list", "assets", "--filter", "odd", "--sort", "name", "--url", service.url()]);
    assert_eq!(names(&ended).len(), 2_500);
}

#[test]
fn an_oversized_asset_is_skipped_and_reported_on_stderr() {
    let name = |index| if index == 1 { format!("\"name\": \"{}\",", "n".repeat(17_000_000)) } else { String::new() };
    let service = Paged::start(List { count: 3, fields: name, pages: true, tagged: 0 });
    let ended = run(&["list", "assets", "--url", service.url()]);
    assert_eq!((ended.code, ended.out.lines().count()), (Some(0), 2), "{ended:?}");
    assert_eq!(ended.err, "lunette: Skipped 1 asset that is too large to list: the asset at position 2\n");
}

#[test]
fn near_duplicates_are_listed_and_related_assets_are_shown_with_why() {
    let (service, _data) = service();
    let text = "fn sum(values: &[u64]) -> u64 { let mut total = 0; for value in values { total += value; } total }\n";
    let files = tempfile::tempdir().expect("a folder");
    for (name, text) in [("sum.rs", text.to_owned()), ("scratch.rs", text.replace("total", "all"))] {
        fs::write(files.path().join(name), text).expect("a file");
    }
    let imported = run(&["import", "--url", &service.url, files.path().to_str().expect("UTF-8")]);
    assert_eq!(imported.code, Some(0), "{imported:?}");
    let found = list(&service, &["assets", "--sort", "name", "--filter", "is:near-duplicate"]);
    let found = names(&found);
    assert!(found.len() == 2 && found[0].ends_with("scratch.rs") && found[1].ends_with("sum.rs"), "{found:?}");
    let related = run(&["show", &found[1], "--related", "--url", &service.url]);
    assert_eq!((related.code, related.err.as_str()), (Some(0), ""), "{related:?}");
    let first = related.out.lines().next().unwrap_or_default().to_owned();
    assert!(first.contains("scratch.rs\tnear duplicate (") && first.contains("same folder"), "{first}");
    let json = run(&["show", &found[1], "--related", "--json", "--url", &service.url]);
    let tree: serde_json::Value = serde_json::from_str(&json.out).expect("JSON");
    assert!(tree[0]["near_duplicate"].as_f64().is_some_and(|near| near > 0.5), "{tree}");
    assert_eq!(tree[0]["same_folder"], true);
}
