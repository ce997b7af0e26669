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
fn an_asset_is_exported_as_a_picture_of_its_code_from_any_service() {
    let (home, files) = (Home::new(), tempfile::tempdir().expect("a folder"));
    let id = home.asset("<b>.rs", "fn main() { let hidden = \"<script>\"; }\n");
    fs::write(files.path().join("x.bin"), b"\0\xff\0\xfe\x01").expect("a file");
    home.done(&["import", files.path().join("x.bin").to_str().expect("UTF-8")]);
    let file = |name: &str| files.path().join(name).to_str().expect("UTF-8").to_owned();
    home.done(&["export", &id, "-o", &file("a.svg")]);
    let svg = fs::read_to_string(file("a.svg")).expect("the file");
    assert!(svg.starts_with("<svg ") && svg.contains(">Rust</text>") && svg.contains("&lt;script&gt;"), "{svg}");
    assert!(!svg.contains("<script") && !svg.contains("<b>"), "{svg}");
    let dots = |theme: &str| {
        home.done(&["export", &id, "--as", "png", "--theme", theme, "-o", &file(theme)]);
        let picture = image::load_from_memory(&fs::read(file(theme)).expect("the file")).expect("a picture");
        let picture = picture.to_rgba8();
        picture.get_pixel(picture.width() / 2, picture.height() - 10).0
    };
    assert_eq!((dots("light"), dots("dark")), ([0xfa, 0xf9, 0xf6, 255], [0x10, 0x12, 0x16, 255]));
    let bytes = home.run(&["export", "x.bin", "--as", "png"]);
    assert_eq!(bytes.code, Some(1), "{bytes:?}");
    assert!(bytes.err.contains("this asset has none"), "{bytes:?}");
    let theme = home.run(&["export", &id, "--as", "png", "--theme", "blue"]);
    assert_eq!(theme.code, Some(2), "{theme:?}");
}

#[test]
fn an_export_overwrites_a_file_only_with_force() {
    let (home, files) = (Home::new(), tempfile::tempdir().expect("a folder"));
    home.asset("a.txt", "new");
    let path = files.path().join("a.txt");
    fs::write(&path, "old").expect("a file");
    let folder = files.path().to_str().expect("UTF-8");
    let path = path.to_str().expect("UTF-8");
    for (target, code) in [(path, 2), (folder, 1)] {
        let ended = home.run(&["export", "a.txt", "-o", target]);
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

#[test]
fn everything_is_written_as_an_archive_that_import_reads_back_and_a_second_import_adds_nothing() {
    let (home, other, files) = (Home::new(), Home::new(), tempfile::tempdir().expect("a folder"));
    home.asset("a.rs", "fn main() {}\n");
    home.asset("A.rs", "fn other() {}\n");
    let archive = files.path().join("all.zip");
    let archive = archive.to_str().expect("UTF-8");
    let exported = home.done(&["export", "--to", archive, "--json"]);
    assert_eq!((&exported.json()["exported"], &exported.json()["format"]), (&2.into(), &"archive".into()));
    let again = home.run(&["export", "--to", archive]);
    assert_eq!(again.code, Some(2), "{again:?}");
    assert!(again.err.contains("already exists; choose another name"), "{again:?}");
    let imported = other.done(&["import", archive]);
    assert!(imported.err.ends_with("2 imported, 0 already present, 0 failed\n"), "{imported:?}");
    let second = other.done(&["import", archive]);
    assert!(second.err.contains("archive of Lunette: 2 same"), "{second:?}");
    assert!(second.err.ends_with("0 imported, 0 already present, 0 failed\n"), "{second:?}");
    assert_eq!(other.done(&["export", "A.rs"]).out, "fn other() {}\n");
}

#[test]
fn a_filter_and_a_format_choose_what_is_written_and_how() {
    let (home, files) = (Home::new(), tempfile::tempdir().expect("a folder"));
    let id = home.asset("a.rs", "fn main() {}\n");
    home.asset("b.txt", "text");
    let to = |name: &str| files.path().join(name).to_str().expect("UTF-8").to_owned();
    home.done(&["export", "--filter", "language:rust", "--to", &to("rust"), "--format", "files"]);
    let names: Vec<_> =
        fs::read_dir(to("rust")).expect("a folder").map(|entry| entry.expect("one").file_name()).collect();
    assert_eq!(names, ["a.rs"]);
    home.done(&["export", &id, "--to", &to("list.csv"), "--format", "csv"]);
    assert_eq!(fs::read_to_string(to("list.csv")).expect("a file").lines().count(), 2);
    home.done(&["export", "--sort", "name:desc", "--to", &to("list.json"), "--format", "json"]);
    let list: serde_json::Value = serde_json::from_slice(&fs::read(to("list.json")).expect("a file")).expect("JSON");
    assert_eq!((&list[0]["name"], &list[1]["name"]), (&"b.txt".into(), &"a.rs".into()));
    let wrong = home.run(&["export", "--to", &to("x"), "--format", "pdf"]);
    assert_eq!(wrong.code, Some(2), "{wrong:?}");
    assert!(wrong.err.contains("the formats are archive, files, masscode"), "{wrong:?}");
}

#[test]
fn possible_secrets_are_reported_by_rule_and_line_when_exporting_and_previewing() {
    let (home, files) = (Home::new(), tempfile::tempdir().expect("a folder"));
    home.asset("card.txt", "a\n4111 1111 1111 1111\n");
    home.asset("id.txt", "41111111-1111-1111-8111-111111111111");
    let to = files.path().join("out");
    let to = to.to_str().expect("UTF-8");
    let exported = home.done(&["export", "--to", to, "--json"]);
    assert_eq!(exported.json()["looks_like_secrets"][0]["findings"][0]["rule"], "card-number");
    assert!(exported.err.contains("looks like a secret: card.txt: line 2 (card-number)\n"), "{exported:?}");
    assert!(!exported.err.contains("id.txt") && !exported.err.contains("4111"), "{exported:?}");
    let preview = home.done(&["import", "--dry-run", to]);
    assert!(preview.err.contains("looks like a secret: card.txt: line 2 (card-number)\n"), "{preview:?}");
}

#[test]
fn a_bulk_export_names_what_looks_like_a_secret_in_the_row_of_its_asset() {
    let (home, files) = (Home::new(), tempfile::tempdir().expect("a folder"));
    let card = home.asset("card.txt", "a\n4111 1111 1111 1111\n");
    let plain = home.asset("plain.txt", "nothing");
    let to = files.path().join("out");
    let each = serde_json::json!({ "export": { "kind": "TXT", "to": { "folder": to } } });
    let plan = serde_json::json!({ "version": 1, "each": each, "assets": [card, plain] });
    let file = files.path().join("plan.json");
    fs::write(&file, plan.to_string()).expect("a plan");
    let ended = home.done(&["bulk", file.to_str().expect("UTF-8"), "--json"]).json();
    let reasons: Vec<_> = ended["rows"].as_array().expect("rows").iter().map(|row| &row["reason"]).collect();
    assert_eq!(reasons, [&serde_json::json!("looks like a secret: line 2 (card-number)"), &serde_json::Value::Null]);
}

#[test]
fn no_cell_of_a_list_or_a_receipt_is_a_formula_in_a_spreadsheet() {
    const NAMES: [&str; 7] = ["=1+1", "+cmd", "=-2", "@SUM(1)", "\t=1", "x;=HYPERLINK(\"h\")", "\u{ff1d}1"];
    let (home, files) = (Home::new(), tempfile::tempdir().expect("a folder"));
    let to = |name: &str| files.path().join(name).to_str().expect("UTF-8").to_owned();
    for (number, name) in NAMES.iter().enumerate() {
        home.asset(name, &format!("text {number}\n"));
    }
    home.done(&["export", "--to", &to("list.csv"), "--format", "csv"]);
    home.done(&["export", "--to", &to("all.zip")]);
    home.done(&["import", "--receipt", &to("receipt.csv"), &to("all.zip")]);
    for file in ["list.csv", "receipt.csv"] {
        let records = csv::Reader::from_path(to(file)).expect("a file").into_records();
        let records: Vec<_> = records.collect::<Result<_, _>>().expect("CSV");
        assert_eq!(records.len(), NAMES.len(), "{file}");
        for part in records.iter().flatten().flat_map(|cell| cell.split([';', '\t'])).map(str::trim_start) {
            assert!(!part.starts_with(['=', '+', '-', '@', '\u{ff1d}']), "{file}: {part:?}");
        }
    }
}

#[cfg(unix)]
#[test]
fn only_the_owner_can_read_what_is_exported_whatever_the_umask() {
    use std::os::unix::fs::PermissionsExt as _;
    use std::process::Command;

    use crate::program::command;

    let (home, files) = (Home::new(), tempfile::tempdir().expect("a folder"));
    home.asset("a.rs", "fn main() {}\n");
    let formats =
        ["archive", "files", "masscode", "vscode", "snippetslab", "gist", "obsidian", "csv", "json", "sqlite", "zip"];
    for format in formats {
        let (name, format) = if format == "zip" { ("all.zip", "archive") } else { (format, format) };
        let target = files.path().join(name);
        let (to, data) = (target.to_str().expect("UTF-8"), home.data.path().to_str().expect("UTF-8"));
        let plain = command(&["export", "--to", to, "--format", format, "--data", data]);
        let mut shell = Command::new("sh");
        shell.args(["-c", "umask 0; exec \"$0\" \"$@\""]).arg(plain.get_program()).args(plain.get_args());
        let ended = shell.output().expect("it runs");
        assert!(ended.status.success(), "{format}: {ended:?}");
        let mut waiting = vec![target];
        while let Some(path) = waiting.pop() {
            let found = fs::symlink_metadata(&path).expect("it is there");
            let expected = if found.is_dir() { 0o700 } else { 0o600 };
            assert_eq!(found.permissions().mode() & 0o777, expected, "{}", path.display());
            if found.is_dir() {
                waiting.extend(fs::read_dir(&path).expect("a folder").map(|entry| entry.expect("an entry").path()));
            }
        }
    }
}

#[test]
fn what_a_format_has_no_place_for_is_said_with_the_export() {
    let (home, files) = (Home::new(), tempfile::tempdir().expect("a folder"));
    let id = home.asset("a.rs", "fn main() {}\n");
    home.asset("b.txt", "text");
    home.done(&["tag", "odd", &id]);
    let to = |name: &str| files.path().join(name).to_str().expect("UTF-8").to_owned();
    let exported = home.done(&["export", "--to", &to("a"), "--format", "vscode", "--json"]);
    let lost = serde_json::json!([{ "part": "tags", "assets": 1 }, { "part": "dates", "assets": 2 }]);
    assert_eq!(exported.json()["lost"], lost);
    assert!(exported.err.contains("The format has no place for tags of 1 asset; dates of 2 assets\n"), "{exported:?}");
    let archive = home.done(&["export", "--to", &to("b"), "--json"]);
    assert_eq!(archive.json()["lost"], serde_json::json!([]));
}
