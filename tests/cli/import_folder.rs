//! `lunette import` of a folder that has a library of another program among other files.

use std::fs;
use std::path::Path;

use crate::program::{Ended, run};

fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

fn write(folder: &Path, name: &str, content: &str) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    fs::write(path, content).expect("written");
}

const EXPANSIONS: &str = "matches:\n  - trigger: \":a\"\n    replace: \"b\"\n";
const MASSCODE: &str = r#"{"folders": [], "tags": [], "snippets": [{"id": "s", "name": "One", "tagsIds": [],
    "content": [{"label": "", "language": "sql", "value": "SELECT 1;"}]}]}"#;

fn names(ended: &Ended) -> Vec<String> {
    let imported = ended.json()["imported"].as_array().cloned().expect("a list");
    let name = |row: &serde_json::Value| {
        let path = row["path"].as_str().expect("a path");
        path.rsplit(['/', '\\']).next().unwrap_or(path).to_owned()
    };
    imported.iter().map(name).collect()
}

#[test]
fn every_file_of_a_project_is_imported_and_the_library_in_it_is_offered() {
    for (library, content, source, place) in [
        ("config/match/base.yml", EXPANSIONS, "espanso", "config/match"),
        ("match/base.yml", EXPANSIONS, "espanso", ""),
        ("t/db.json", MASSCODE, "masscode", "t"),
        ("db.json", MASSCODE, "masscode", ""),
    ] {
        let (data, project) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
        write(project.path(), "README.md", "x");
        write(project.path(), "src/main.rs", "fn main() {}");
        write(project.path(), "config/settings.yml", "port: 1");
        write(project.path(), library, content);
        let import = |options: &[&str], path: &Path| {
            run(&[&["import", "--data", text(data.path()), "--json"], options, &[text(path)]].concat())
        };
        let tried = import(&["--dry-run"], project.path());
        assert_eq!(tried.json()["would_import"].as_array().map(Vec::len), Some(4), "{library}: {tried:?}");
        let ended = import(&[], project.path());
        assert_eq!(ended.code, Some(0), "{library}: {ended:?}");
        let mut names = names(&ended);
        names.sort();
        let file = library.rsplit('/').next().expect("a name");
        let mut expected = ["README.md", "main.rs", "settings.yml", file];
        expected.sort_unstable();
        assert_eq!(names, expected, "{library}");
        let folder = if place.is_empty() { project.path().to_owned() } else { project.path().join(place) };
        for ended in [&tried, &ended] {
            let offered = &ended.json()["libraries_offered"];
            assert_eq!(offered[0]["source"], source, "{library}: {offered}");
            assert_eq!(offered[0]["path"], text(&folder), "{library}: {offered}");
        }
        let offer = format!("{}: has a library of", text(&folder));
        let again = run(&["import", "--data", text(data.path()), text(project.path())]);
        assert!(again.err.contains(&offer) && again.err.contains(&format!("--as {source}")), "{library}: {again:?}");
        let taken = import(&["--as", source], &folder);
        assert_eq!(taken.json()["sources"][0]["items"].as_array().map(Vec::len), Some(1), "{library}: {taken:?}");
    }
}

#[test]
fn an_archive_of_a_project_with_a_library_in_it_gives_every_file() {
    use std::io::Write as _;
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("project.zip");
    let mut zip = zip::ZipWriter::new(fs::File::create(&path).expect("a file"));
    for (name, content) in [("README.md", "x"), ("src/main.rs", "fn main() {}"), ("config/match/base.yml", EXPANSIONS)]
    {
        zip.start_file(name, zip::write::SimpleFileOptions::default()).expect("an entry");
        zip.write_all(content.as_bytes()).expect("written");
    }
    zip.finish().expect("finished");
    let data = text(folder.path()).to_owned() + "/data";
    let ended = run(&["import", "--data", &data, "--json", text(&path)]);
    assert_eq!(ended.json()["sources"][0]["source"], "archive", "{ended:?}");
    assert_eq!(names(&ended).len(), 3, "{ended:?}");
}
