//! `lunette search` and `lunette show`: finding an asset and reading it.

use serde_json::Value;
use tempfile::TempDir;

use crate::paged::{List, Paged};
use crate::program::{Ended, Served, command, run};

/// A service with these files as assets; their ids are in the order of the files.
fn service(files: &[(&str, &[u8])]) -> (Served, TempDir, Vec<String>) {
    let data = tempfile::tempdir().expect("a folder");
    let service = Served::start(data.path(), &[]);
    let folder = tempfile::tempdir().expect("a folder");
    let mut ids = Vec::new();
    for (name, content) in files {
        let path = folder.path().join(name);
        std::fs::write(&path, content).expect("a file");
        let imported = run(&["import", "--json", "--url", &service.url, path.to_str().expect("UTF-8")]);
        ids.push(imported.json()["imported"][0]["asset"].as_str().expect("an id").to_owned());
    }
    (service, data, ids)
}

fn at(service: &Served, arguments: &[&str]) -> Ended {
    run(&[arguments, &["--url", &service.url]].concat())
}

fn names(ended: &Ended) -> Vec<String> {
    assert_eq!((ended.code, ended.err.as_str()), (Some(0), ""), "{ended:?}");
    ended.out.lines().map(|line| line.split('\t').next().unwrap_or_default().to_owned()).collect()
}

#[test]
fn a_search_finds_assets_by_name_and_content_and_shows_the_passage() {
    let (service, _data, ids) = service(&[
        ("needle.rs", b"fn main() {}\n"),
        ("b.md", b"Where is the needle in this?\n"),
        ("c.txt", b"nothing\n"),
    ]);
    let found = at(&service, &["search", "needle"]);
    assert_eq!(names(&found), ["needle.rs", "b.md"], "{found:?}");
    assert!(found.out.lines().all(|line| line.matches('\t').count() == 4), "{found:?}");
    let found = at(&service, &["search", "needle", "--json"]).json();
    assert_eq!((&found[0]["passage"], found[1]["id"].as_str()), (&Value::Null, Some(&*ids[1])), "{found}");
    assert_eq!(found[1]["passage"]["field"], "content");
    assert!(found[1]["passage"]["text"].as_str().is_some_and(|text| text.contains("the needle")), "{found}");
    assert_eq!(names(&at(&service, &["search", "needle", "--limit", "1"])), ["needle.rs"]);
    assert_eq!(names(&at(&service, &["search", "the", "needle", "in", "--exact"])), ["b.md"], "several words");
    assert_eq!(names(&at(&service, &["search", "absent"])), [""; 0]);
    let empty = at(&service, &["search", " "]);
    assert_eq!((empty.code, empty.out.as_str()), (Some(2), ""), "{empty:?}");
}

#[test]
fn a_search_that_goes_on_says_what_the_assets_lack() {
    let (service, _data, ids) = service(&[
        ("center.css", b".box { place-items: center; }\n"),
        ("both.css", b".box { align-items: center; gap: 1px; }\n"),
        ("debounce.js", b"let timer;\n"),
    ]);
    let found = at(&service, &["search", "center", "gap", "flexbox", "grid"]);
    let lines: Vec<&str> = found.err.lines().collect();
    let first = "lunette: No asset has all 4 words as typed. These have 2 of the 4 words:";
    assert_eq!(lines, [first, "lunette: These have 1 of the 4 words:"], "{found:?}");
    let order: Vec<_> = found.out.lines().map(|line| line.split('\t').next().unwrap_or_default()).collect();
    assert_eq!((found.code, order), (Some(0), vec!["both.css", "center.css"]));
    let misspelt = at(&service, &["search", "debuonce"]);
    let told = "lunette: Searched for debounce instead of debuonce. For debuonce itself, search for '\"debuonce\"'.\nlunette: No asset has “debuonce”. These have something like it:\n";
    assert_eq!((misspelt.err.as_str(), misspelt.out.contains("debounce.js")), (told, true), "{misspelt:?}");
    let json = at(&service, &["search", "debuonce", "--json"]);
    assert_eq!((json.err.as_str(), &json.json()[0]["id"]), ("", &Value::from(ids[2].as_str())));
    assert_eq!(json.json()[0]["found_by"], serde_json::json!({ "step": "SPELLING", "missing": [] }));
    assert_eq!(names(&at(&service, &["search", "debuonce", "--exact"])), [""; 0]);
    assert_eq!(names(&at(&service, &["search", "\"debuonce\""])), [""; 0]);
    assert_eq!(names(&at(&service, &["search", "\"timer\""])), ["debounce.js"]);
}

#[test]
fn a_word_that_was_replaced_is_found_as_typed_in_quotation_marks() {
    let (service, _data, _ids) = service(&[("debounce.js", b"let input;\n"), ("queries.sql", b"select 1;\n")]);
    let found = at(&service, &["search", "debuonce", "qureies"]);
    assert!(found.err.contains("For debuonce itself, search for '\"debuonce\" qureies'."), "{found:?}");
    assert_eq!(found.out.lines().count(), 2);
    let marked = at(&service, &["search", "\"debuonce\" qureies"]);
    assert!(marked.out.starts_with("queries.sql") && marked.out.lines().count() == 1, "{marked:?}");
    assert!(marked.err.contains("instead of qureies") && !marked.err.contains("instead of debuonce"), "{marked:?}");
}

#[test]
fn a_search_takes_the_words_that_mean_the_same_from_the_data_folder() {
    let (service, data, _ids) = service(&[("standup.md", b"x\n")]);
    assert_eq!(names(&at(&service, &["search", "daily"])), [""; 0]);
    std::fs::write(data.path().join("synonyms.txt"), "daily standup\n").expect("written");
    let found = at(&service, &["search", "daily"]);
    assert!(found.out.starts_with("standup.md"), "{found:?}");
}

#[test]
fn a_service_that_does_not_search_is_searched_by_its_list() {
    let name = |index| format!("\"name\": \"{}\",", if index % 2 == 0 { "even" } else { "odd" });
    let service = Paged::start(List { count: 5, fields: name, pages: true, tagged: 0 });
    let found = run(&["search", "odd", "--url", service.url()]);
    assert_eq!((found.code, found.out.lines().count()), (Some(0), 2), "{found:?}");
    assert!(found.err.contains("this service does not search"), "{found:?}");
}

#[test]
fn an_asset_is_shown_with_the_same_words_in_text_and_json() {
    let (service, _data, ids) = service(&[("a.rs", b"fn main() {}\n")]);
    let shown = at(&service, &["show", &ids[0]]);
    assert_eq!((shown.code, shown.err.as_str()), (Some(0), ""), "{shown:?}");
    for line in [
        "name         a.rs",
        &format!("id           {}", ids[0]),
        "language     Rust",
        "description  Imported from a.rs",
        "score        0",
        "size         13 B",
        "favourite    no",
    ] {
        assert!(shown.out.lines().any(|known| known == line), "{line}: {shown:?}");
    }
    assert!(shown.out.ends_with("\n\nfn main() {}\n"), "{shown:?}");
    let json = at(&service, &["show", &ids[0], "--json"]).json();
    for name in shown.out.lines().take_while(|line| !line.is_empty()).filter_map(|line| line.split(' ').next()) {
        assert!(json.get(name).is_some(), "{name}: {json}");
    }
    assert_eq!((&json["content"], &json["favourite"]), (&"fn main() {}\n".into(), &false.into()));
}

#[test]
fn the_content_of_an_asset_is_written_byte_for_byte() {
    let bytes = b"\0\xff\0\xfe\x01\r\n";
    let (service, _data, ids) = service(&[("x.bin", bytes), ("a.txt", b"no line break")]);
    for (id, content) in ids.iter().zip([&bytes[..], b"no line break"]) {
        let arguments = ["show", id, "--content", "--url", &service.url];
        let output = command(&arguments).output().expect("the program runs");
        assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(0), content));
    }
    let shown = at(&service, &["show", &ids[0]]);
    assert!(shown.out.ends_with("content      not text; write it to a file with --content\n"), "{shown:?}");
    assert_eq!(at(&service, &["show", &ids[0], "--json"]).json()["content"], Value::Null);
}

#[test]
fn an_asset_is_named_by_its_id_a_part_of_it_a_link_or_its_name() {
    let (service, _data, ids) = service(&[("a.rs", b"fn main() {}\n"), ("b", b"1"), ("c.rs", b"fn c() {}\n")]);
    let link = format!("lunette://asset/{}", ids[0]);
    for named in ["a.rs", &ids[0], &ids[0][..32], &link] {
        let shown = at(&service, &["show", named, "--json"]).json();
        assert_eq!(shown["id"], ids[0].as_str(), "{named}");
    }
    let none = at(&service, &["show", "none"]);
    assert_eq!((none.code, none.out.as_str()), (Some(1), ""), "{none:?}");
    assert!(none.err.contains("no asset has the id or the name \"none\""), "{none:?}");
    let gone = at(&service, &["show", "5f0c1a34-0b7e-4c5d-9a51-2f6f3d1ae159"]);
    assert_eq!((gone.code, gone.out.as_str()), (Some(1), ""), "{gone:?}");
    let other = at(&service, &["show", "lunette://search?q=a"]);
    assert_eq!(other.code, Some(2), "{other:?}");
}

#[test]
fn an_ambiguous_name_lists_the_candidates_and_exits_with_2() {
    let (service, _data, ids) = service(&[("same.txt", b"one"), ("same.txt", b"two")]);
    let ended = at(&service, &["show", "same.txt"]);
    assert_eq!((ended.code, ended.out.as_str()), (Some(2), ""), "{ended:?}");
    assert!(ended.err.contains("matches 2 assets"), "{ended:?}");
    assert!(ids.iter().all(|id| ended.err.contains(&format!("  {id}  same.txt\n"))), "{ended:?}");
}
