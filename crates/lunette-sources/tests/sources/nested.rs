//! A folder is a library only if all its files belong to it; a library among other files is offered.

use std::fs;
use std::path::Path;

use lunette_sources::{NestedLibrary, Source, nested_libraries, recognise};

use crate::{open, sample};

/// The samples that are folders, and their sources.
const FOLDERS: [(&str, Source); 10] = [
    ("boostnote", Source::BOOSTNOTE),
    ("espanso", Source::ESPANSO),
    ("lunette", Source::LUNETTE),
    ("masscode-v1", Source::MASS_CODE),
    ("masscode-v3", Source::MASS_CODE),
    ("masscode-v5", Source::MASS_CODE),
    ("masscode-v5-made", Source::MASS_CODE),
    ("obsidian", Source::OBSIDIAN),
    ("pieces", Source::PIECES),
    ("pieces-4", Source::PIECES),
];

/// Files of a project, none of which belongs to a library.
const PROJECT: [(&str, &str); 4] = [
    ("README.txt", "A project.\n"),
    ("src/main.rs", "fn main() {}\n"),
    ("config/app.toml", "port = 1\n"),
    ("templates/page.html", "<p>\n"),
];

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("the sample is there") {
        let entry = entry.expect("an entry");
        let target = to.join(entry.file_name());
        match entry.file_type().expect("a type").is_dir() {
            true => copy(&entry.path(), &target),
            false => _ = fs::copy(entry.path(), target).expect("copied"),
        }
    }
}

fn add(folder: &Path, files: &[(&str, &str)]) {
    for (name, content) in files {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, content).expect("written");
    }
}

#[test]
fn a_project_with_a_library_below_it_is_no_library_and_the_library_is_found() {
    for (name, source) in FOLDERS {
        let project = tempfile::tempdir().expect("a folder");
        add(project.path(), &PROJECT);
        for below in ["snippets", "deep/below/the root"] {
            copy(&sample(name), &project.path().join(below));
        }
        let files = open(project.path());
        assert_eq!(recognise(&files), None, "{name}");
        let found = nested_libraries(&files);
        for folder in ["deep/below/the root", "snippets"] {
            let wanted = NestedLibrary { source, folder: folder.to_owned() };
            assert!(found.contains(&wanted), "{name}: {found:?}");
        }
    }
}

#[test]
fn each_file_of_a_project_beside_a_library_makes_the_folder_ordinary() {
    for (name, source) in FOLDERS {
        for file in PROJECT {
            let folder = tempfile::tempdir().expect("a folder");
            copy(&sample(name), folder.path());
            add(folder.path(), &[file]);
            let files = open(folder.path());
            assert_eq!(recognise(&files), None, "{name} with {}", file.0);
            let wanted = NestedLibrary { source, folder: String::new() };
            assert!(nested_libraries(&files).contains(&wanted), "{name} with {}", file.0);
        }
    }
}

#[test]
fn a_project_with_expansions_in_its_configuration_is_no_library() {
    let project = tempfile::tempdir().expect("a folder");
    let expansions = "matches:\n  - trigger: \":a\"\n    replace: \"b\"\n";
    add(project.path(), &[("README.md", "x"), ("src/main.rs", "fn main() {}"), ("config/match/base.yml", expansions)]);
    assert_eq!(recognise(&open(project.path())), None);
}

#[test]
fn a_library_has_no_others_within_it() {
    for (name, source) in FOLDERS {
        let found = nested_libraries(&open(&sample(name)));
        assert_eq!(found, [NestedLibrary { source, folder: String::new() }], "{name}");
    }
}
