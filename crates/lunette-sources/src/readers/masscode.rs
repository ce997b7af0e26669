//! massCode, versions 1 to 5. Each version stores its library in another form, and a folder may have several of them
//! after updates: the newest counts.

use serde_json::Value;

use crate::candidate::{Candidate, Library};
use crate::files::{Files, extension, file_name, roots_of};
use crate::shape::{Fields, Shape};
use crate::sqlite::{Database, is_database};
use crate::{Reader, Source};

mod database;
mod json;
mod lines;
mod vault;

/// Reads libraries of massCode.
pub(crate) struct MassCode;

/// The fields of a snippet and of its fragments that are read, of all versions.
const SNIPPET: Fields = &[
    ("name", Shape::Scalar),
    ("description", Shape::Scalar),
    ("tags", Shape::Scalars),
    ("tagsIds", Shape::Scalars),
    ("tagIds", Shape::Scalars),
    ("folderId", Shape::Scalar),
    ("isFavorites", Shape::Flag),
    ("isDeleted", Shape::Flag),
    ("content", Shape::Records(FRAGMENT)),
    ("contents", Shape::Records(FRAGMENT)),
];
const FRAGMENT: Fields = &[("label", Shape::Scalar), ("language", Shape::Scalar), ("value", Shape::Scalar)];
/// The fields of a library, of a folder and of a tag that are read.
const LIBRARY: Fields =
    &[("folders", Shape::Records(NAMED)), ("tags", Shape::Records(NAMED)), ("snippets", Shape::Records(&[]))];
const NAMED: Fields = &[("id", Shape::Scalar), ("_id", Shape::Scalar), ("name", Shape::Scalar)];

/// How many databases are opened to find the library.
const MOST_OPENED: usize = 16;

/// The forms, newest first.
enum Form<'a> {
    /// Version 5: a folder of Markdown files; the path of the folder, empty or with `/` at its end.
    Vault(&'a str),
    /// Version 4: the path of a SQLite database.
    Database(&'a str),
    /// Versions 2 and 3: the path of a JSON document.
    Json(&'a str),
    /// Version 1: the path of the folder, with one JSON document per line in its files.
    Lines(&'a str),
}

impl Reader for MassCode {
    fn source(&self) -> Source {
        Source::MassCode
    }

    fn detects(&self, files: &Files) -> bool {
        form(files).is_some()
    }

    fn foreign<'a>(&self, files: &'a Files) -> Vec<&'a str> {
        let Some(form) = form(files) else { return Vec::new() };
        files.visible_paths().filter(|path| !form.includes(path)).collect()
    }

    fn roots(&self, files: &Files) -> Vec<String> {
        let vaults = roots_of(files.paths(), STATE).into_iter().map(|root| {
            let outer = root.strip_suffix("code/").filter(|outer| outer.is_empty() || outer.ends_with('/'));
            outer.map(str::to_owned).unwrap_or(root)
        });
        let others = ["massCode.db", "db.json", "snippets.db"].into_iter().flat_map(|end| roots_of(files.paths(), end));
        vaults.chain(others).collect()
    }

    fn read(&self, files: &Files, library: &mut Library) {
        let form = form(files);
        files.begin_reading();
        match form {
            Some(Form::Vault(root)) => vault::read(files, root, library),
            Some(Form::Database(path)) => database::read(files, path, library),
            Some(Form::Json(path)) => json::read(files, path, library),
            Some(Form::Lines(folder)) => lines::read(files, folder, library),
            None => library.warn("masscode.none", files.name(), "holds no library of massCode"),
        }
    }
}

/// The file that makes a folder a vault.
const STATE: &str = ".masscode/state.json";
/// The folders beside that of the snippets, which belong to other parts of the program.
const SPACES: [&str; 4] = ["notes/", "http/", "math/", "drawings/"];

impl Form<'_> {
    /// Whether a file belongs to the library.
    fn includes(&self, path: &str) -> bool {
        let database = path.strip_suffix("-wal").or(path.strip_suffix("-shm")).unwrap_or(path);
        // Those of older versions stay beside the newest one.
        if extension(database) == "db" || extension(path) == "json" && file_name(path).starts_with("db") {
            return true;
        }
        match self {
            Self::Vault("") => extension(path) == "md",
            Self::Vault(root) => {
                let outer = root.strip_suffix("code/").unwrap_or(root);
                let inside = path.strip_prefix(outer).unwrap_or(path);
                path.starts_with(root) || SPACES.iter().any(|space| inside.starts_with(space))
            }
            Self::Json(library) => path == *library,
            Self::Database(_) | Self::Lines(_) => false,
        }
    }
}

/// Returns the form of a library. A library deeper in a folder does not make the folder a library.
fn form(files: &Files) -> Option<Form<'_>> {
    const STATES: [&str; 3] =
        ["code/.masscode/state.json", ".masscode/state.json", "markdown-vault/code/.masscode/state.json"];
    let shallow = |path: &&str| path.matches('/').count() <= 1;
    let state = STATES.iter().find_map(|state| files.paths().find(|path| path == state));
    if let Some(state) = state {
        let root = state.strip_suffix(".masscode/state.json").unwrap_or_default();
        return Some(Form::Vault(root));
    }
    let named = |path: &&str| file_name(path) == "massCode.db";
    let databases = || files.paths().filter(shallow).filter(|path| is_database(files, path, &["db"]));
    // Those of an archive are unpacked to be opened, so that only some are.
    let mut databases = databases().filter(named).chain(databases()).take(MOST_OPENED);
    let database = |path: &&str| Database::open(files, path).is_ok_and(|found| found.is_of_masscode());
    if let Some(path) = databases.find(database) {
        return Some(Form::Database(path));
    }
    let single = files.single();
    let json = |path: &&str| {
        (file_name(path) == "db.json" || single == Some(*path) && files.looks_like_json(path))
            && json::has_shape(files, path)
    };
    if let Some(path) = files.paths().filter(shallow).find(json) {
        return Some(Form::Json(path));
    }
    let lines =
        files.paths().filter(shallow).find(|path| file_name(path) == "snippets.db" && lines::has_shape(files, path));
    lines.map(|path| Form::Lines(path.strip_suffix("snippets.db").unwrap_or_default()))
}

/// Adds a snippet whose fragments have names such as *Fragment 1*, which are dropped if there is only one.
fn add(record: Option<&Value>, mut candidate: Candidate, location: &str, library: &mut Library) {
    if let [only] = candidate.fragments.as_mut_slice() {
        only.label.clear();
    }
    match record {
        Some(record) => library.add_of(record, SNIPPET, candidate, location),
        None => library.add(candidate, location),
    }
}
