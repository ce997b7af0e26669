//! `lunette export`: assets as files.

use std::fs;

use crate::program::run;
use crate::write::Home;

#[test]
fn an_asset_is_exported_to_a_file_in_the_kind_of_its_extension() {
    let (home, files) = (Home::new(), tempfile::tempdir().expect("a folder"));
    let id = home.asset("a.rs", "fn main() {}\n");
    let file = |name: &str| files.path().join(name).to_str().expect("UTF-8").to_owned();
    let exported = home.done(&["export", "a.rs", "-o", &file("a.md")]);
    assert_eq!(exported.out, format!("{id}  {}\n", file("a.md")), "{exported:?}");
    let text = fs::read_to_string(file("a.md")).expect("the file");
    assert!(text.contains("```rs\nfn main() {}\n```"), "{text}");
    home.done(&["export", &id, "-o", &file("copy.rs")]);
    assert_eq!(fs::read_to_string(file("copy.rs")).expect("the file"), "fn main() {}\n");
    home.done(&["export", &id, "--as", "HTML", "-o", &file("page")]);
    assert!(fs::read_to_string(file("page")).expect("the file").starts_with("<!DOCTYPE html>"));
    let out = home.done(&["export", &id, "--as", "json"]);
    assert_eq!(out.json()["id"], id.as_str(), "{out:?}");
    assert_eq!(home.done(&["export", &id]).out, "fn main() {}\n");
    let unknown = home.run(&["export", &id, "--as", "pdf"]);
    assert_eq!(unknown.code, Some(2), "{unknown:?}");
}

#[test]
fn an_export_overwrites_a_file_only_with_force() {
    let (home, files) = (Home::new(), tempfile::tempdir().expect("a folder"));
    home.asset("a.txt", "new");
    let path = files.path().join("a.txt");
    fs::write(&path, "old").expect("a file");
    let folder = files.path().to_str().expect("UTF-8");
    let path = path.to_str().expect("UTF-8");
    for (place, code) in [(path, 2), (folder, 1)] {
        let ended = home.run(&["export", "a.txt", "-o", place]);
        assert_eq!((ended.code, ended.out.as_str()), (Some(code), ""), "{ended:?}");
        assert!(ended.err.contains("already exists; add --force to overwrite it"), "{ended:?}");
        assert_eq!(fs::read_to_string(path).expect("the file"), "old");
    }
    home.done(&["export", "a.txt", "-o", path, "--force"]);
    assert_eq!(fs::read_to_string(path).expect("the file"), "new");
}

#[test]
fn several_assets_are_exported_to_a_folder_each_to_its_own_file() {
    let (home, files) = (Home::new(), tempfile::tempdir().expect("a folder"));
    let (a, b) = (home.asset("same.txt", "1"), home.asset("same.txt", "2"));
    let folder = files.path().to_str().expect("UTF-8");
    let gone = "5f0c1a34-0b7e-4c5d-9a51-2f6f3d1ae159";
    let ended = home.run(&["export", &a, gone, &b, "-o", folder, "--json"]);
    assert_eq!(ended.code, Some(1), "{ended:?}");
    let report = ended.json();
    assert_eq!((&report["exported"][1]["asset"], &report["failed"][0]["asset"]), (&b.as_str().into(), &gone.into()));
    let text = |name: &str| fs::read_to_string(files.path().join(name)).expect("the file");
    assert_eq!((text("same.txt"), text("same (2).txt")), ("1".to_owned(), "2".to_owned()));
    let nowhere = home.run(&["export", &a, &b]);
    assert_eq!((nowhere.code, nowhere.out.as_str()), (Some(2), ""), "{nowhere:?}");
    let missing = home.run(&["export", &a, "-o", "/nonexistent/folder/"]);
    assert_eq!(missing.code, Some(2), "{missing:?}");
    let unreachable = run(&["export", &a, "--url", "http://127.0.0.1:9"]);
    assert_eq!(unreachable.code, Some(2), "{unreachable:?}");
}
