//! The list of versions of an asset: which step wrote each, what changed, and what is said where that is not known.

use serde_json::Value;

use crate::history::{edit, titles, versions};
use crate::program::Served;
use crate::write::Home;

#[test]
fn a_version_names_the_step_that_wrote_it_also_one_of_a_run_or_an_import() {
    let (home, files) = (Home::new(), tempfile::tempdir().expect("a folder"));
    let id = home.asset("a", "one\n");
    home.done(&["tag", "x", &id]);
    let other = home.asset("b", "two\n");
    home.done(&["tag", "y", &id, &other]);
    home.done(&["edit", &id, "--name", "c", "--language", "py"]);
    let step = |version: &Value| version["step"]["title"].as_str().unwrap_or("no step").to_owned();
    let mut named: Vec<String> = versions(&home, &id).iter().map(step).collect();
    assert_eq!(named.len(), 5, "{named:?}");
    named.dedup();
    let of_asset = |(title, _): &(String, String)| title != "Created “b”";
    let steps: Vec<String> = titles(&home).into_iter().filter(of_asset).map(|(title, _)| title).collect();
    assert_eq!(named, steps);
    let printed = home.done(&["history", &id]).out;
    assert!(printed.lines().next().is_some_and(|line| line.contains("\tEdited “a”\t")), "{printed}");

    for name in ["d.txt", "e.txt"] {
        std::fs::write(files.path().join(name), name).expect("a file");
    }
    home.done(&["import", files.path().to_str().expect("UTF-8")]);
    let imported = home.done(&["list", "assets", "--filter", "name:d.txt", "--json"]).json()[0]["id"].clone();
    let first = versions(&home, imported.as_str().expect("an id"));
    assert_eq!(step(&first[0]), titles(&home)[0].0, "{first:?}");
}

#[test]
fn a_changed_description_is_called_so_in_the_list_and_in_a_version() {
    let home = Home::new();
    let id = home.asset("a", "one\n");
    home.done(&["edit", &id, "--description", "about it"]);
    let listed = versions(&home, &id);
    assert_eq!(listed[0]["changed"], serde_json::json!(["description"]), "{listed:?}");
    assert_eq!(listed[0]["step"]["title"], titles(&home)[0].0, "{listed:?}");
    let shown = home.done(&["show", &format!("{id}@2")]).out;
    assert!(shown.contains("description  about it\n") && !shown.contains("annotations"), "{shown}");
}

#[test]
fn no_version_is_listed_with_nothing_but_its_number() {
    let home = Home::new();
    let id = home.asset("a", "one\n");
    edit(&home, &id, "two\n");
    edit(&home, &id, "three\n");
    home.done(&["history", "forget", &format!("{id}@2")]);
    let Home { data, service } = home;
    drop(service);
    let service = Served::start(data.path(), &["--history-versions", "0"]);
    let home = Home { data, service };
    home.done(&["edit", &id, "--name", "b"]);
    let printed = home.done(&["history", &id]).out;
    for line in printed.lines() {
        let told: Vec<&str> = line.split('\t').skip(1).filter(|cell| !cell.is_empty() && *cell != "now").collect();
        assert!(!told.is_empty(), "{printed}");
    }
    let newest = printed.lines().next().unwrap_or_default();
    assert!(newest.ends_with("what changed, when and by whom is not known"), "{printed}");
}
