//! The readers on samples of each format: what is recognised, what becomes of names, contents, tags, folders and dates, and
//! what is warned of.

mod archives;
mod editors;
mod expanders;
mod gists;
mod managers;
mod masscode;
mod nested;
mod notes;
mod pieces;
mod pieces_cache;

use std::fs;
use std::path::{Path, PathBuf};

use lunette_sources::{Cancelled, Candidate, Files, Library, Limits, Source, read, recognise};

fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/samples").join(name).join("library")
}

fn open(path: &Path) -> Files {
    Files::open(path, Limits::default(), Cancelled(None)).expect("the sample is there")
}

/// Reads a sample, which must be recognised.
fn library(name: &str) -> Library {
    let files = open(&sample(name));
    let source = recognise(&files).unwrap_or_else(|| panic!("{name} is not recognised"));
    read(&files, source)
}

fn texts(candidate: &Candidate) -> Vec<&str> {
    let text = |bytes| std::str::from_utf8(bytes).expect("UTF-8");
    candidate.fragments.iter().map(|fragment| text(fragment.bytes.as_slice())).collect()
}

fn languages(candidate: &Candidate) -> Vec<Option<&str>> {
    candidate.fragments.iter().map(|fragment| fragment.language.as_deref()).collect()
}

fn names(library: &Library) -> Vec<&str> {
    library.candidates.iter().map(|candidate| candidate.name.as_str()).collect()
}

fn codes(library: &Library) -> Vec<&str> {
    library.warnings.iter().map(|warning| warning.code).collect()
}

fn date(candidate: &Candidate) -> (Option<String>, Option<String>) {
    (candidate.created.map(|date| date.to_string()), candidate.updated.map(|date| date.to_string()))
}

const DATES: (&str, &str) = ("2024-01-02T03:04:05Z", "2024-01-02T03:04:06Z");

fn dates() -> (Option<String>, Option<String>) {
    (Some(DATES.0.to_owned()), Some(DATES.1.to_owned()))
}

#[test]
fn each_sample_is_recognised_only_as_its_source() {
    let expected = [
        ("alfred", Source::ALFRED),
        ("boostnote", Source::BOOSTNOTE),
        ("bytestash", Source::BYTE_STASH),
        ("bytestash-server", Source::BYTE_STASH),
        ("espanso", Source::ESPANSO),
        ("gist", Source::GIST),
        ("jetbrains", Source::JET_BRAINS),
        ("lunette", Source::LUNETTE),
        ("masscode-v1", Source::MASS_CODE),
        ("masscode-v3", Source::MASS_CODE),
        ("masscode-v5", Source::MASS_CODE),
        ("masscode-v5-made", Source::MASS_CODE),
        ("obsidian", Source::OBSIDIAN),
        ("pet", Source::PET),
        ("pieces", Source::PIECES),
        ("pieces-4", Source::PIECES),
        ("raycast", Source::RAYCAST),
        ("snippetslab", Source::SNIPPETS_LAB),
        ("snippetslab-1", Source::SNIPPETS_LAB),
        ("snippetslab-library", Source::SNIPPETS_LAB),
        ("vscode", Source::VS_CODE),
    ];
    for (name, source) in expected {
        assert_eq!(recognise(&open(&sample(name))), Some(source), "{name}");
        assert!(sample(name).with_file_name("NOTE.md").exists(), "{name} has no note");
    }
}

#[test]
fn ordinary_files_and_folders_are_not_a_library() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, content) in [
        ("package.json", r#"{"name": "x", "files": {"a": 1}}"#),
        ("list.json", r#"[{"name": "a", "text": "b", "more": 1}]"#),
        ("Cargo.toml", "[package]\nname = 'x'\n"),
        ("ci.yml", "jobs: {}\n"),
        ("layout.xml", "<layout/>"),
        ("README.md", "---\ntags: [a]\n---\n# x\n"),
        ("empty.json", "{}"),
    ] {
        let path = folder.path().join(name);
        fs::write(&path, content).expect("a file");
        assert_eq!(recognise(&open(&path)), None, "{name}");
    }
    fs::create_dir_all(folder.path().join(".vscode")).expect("a folder");
    fs::write(folder.path().join(".vscode/x.code-snippets"), r#"{"a": {"prefix": "a", "body": "b"}}"#).expect("a file");
    assert_eq!(recognise(&open(folder.path())), None, "a project with snippets of its own is not a library");
}
