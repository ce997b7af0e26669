//! Dash: its SQLite library. The title of a snippet is its trigger. Placeholders are kept; there are no dates.

use std::collections::HashMap;

use crate::candidate::{Candidate, Fragment, Library};
use crate::files::{Files, extension};
use crate::sqlite::{Database, MARK};
use crate::{Reader, Source};

/// Reads libraries of Dash.
pub(crate) struct Dash;

impl Reader for Dash {
    fn source(&self) -> Source {
        Source::Dash
    }

    fn detects(&self, files: &Files) -> bool {
        let open = |path: &str| Database::open(files.on_disk(path)?, files.limits()).ok();
        files
            .single()
            .is_some_and(|path| is_database(files, path) && open(path).is_some_and(|found| found.is_of_dash()))
    }

    fn read(&self, files: &Files, library: &mut Library) {
        for path in files.content_paths().filter(|path| is_database(files, path)) {
            let place = files.place(path);
            let Some(file) = files.on_disk(path) else {
                library.warn("sqlite.archive", place, "is a database within an archive: unpack the archive first");
                continue;
            };
            if let Err(message) = snippets(file, files, &place, library) {
                library.warn("sqlite.unreadable", place, message);
            }
        }
    }
}

fn is_database(files: &Files, path: &str) -> bool {
    matches!(extension(path).as_str(), "dash" | "db" | "sqlite" | "sqlite3") && files.start(path, MARK.len()) == MARK
}

fn snippets(file: &std::path::Path, files: &Files, place: &str, library: &mut Library) -> Result<(), String> {
    let database = Database::open(file, files.limits())?;
    let mut tags: HashMap<String, Vec<String>> = HashMap::new();
    for row in database.dash_tags()? {
        if let [Some(snippet), Some(tag)] = row.as_slice() {
            tags.entry(snippet.clone()).or_default().push(tag.clone());
        }
    }
    for row in database.dash_snippets()? {
        let [Some(id), title, body, syntax] = row.as_slice() else { continue };
        let title = title.as_deref().unwrap_or_default();
        let candidate = Candidate {
            source_id: id.clone(),
            name: title.trim_end_matches(['`', ';']).to_owned(),
            fragments: vec![Fragment::of_text("", syntax.as_deref(), body.as_deref().unwrap_or_default())],
            tags: tags.remove(id).unwrap_or_default(),
            triggers: vec![title.to_owned()],
            ..Candidate::default()
        };
        library.add(candidate, &format!("{place}:snippet {id}"));
    }
    Ok(())
}
