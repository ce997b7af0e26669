//! Dash: its SQLite library. The title of a snippet is its trigger. Placeholders are kept; there are no dates.

use crate::candidate::{Candidate, Fragment, Library};
use crate::files::Files;
use crate::place::{Base, System, place};
use crate::shared_names::tags_by_item;
use crate::source::Facts;
use crate::sqlite::{Database, DatabaseError, is_database, read_database, shown_row};
use crate::warning::shown;
use crate::{Reader, Source};

/// Reads libraries of Dash.
pub(crate) struct Dash;

const EXTENSIONS: [&str; 4] = ["dash", "db", "sqlite", "sqlite3"];

impl Source {
    /// Dash.
    pub const DASH: Self = Self(&Facts {
        places: &[place(Base::Config, "Dash/library.dash", &[]).on(&[System::Mac])],
        ..Facts::new("dash", "Dash", &Dash)
    });
}

impl Reader for Dash {
    fn detects(&self, files: &Files) -> bool {
        let open = |path: &str| Database::open(files, path).ok();
        files.single().is_some_and(|path| {
            is_database(files, path, &EXTENSIONS) && open(path).is_some_and(|found| found.is_of_dash())
        })
    }

    fn read(&self, files: &Files, library: &mut Library) {
        for path in files.content_paths().filter(|path| is_database(files, path, &EXTENSIONS)) {
            read_database(files, path, library, snippets);
        }
    }
}

fn snippets(database: &Database, location: &str, library: &mut Library) -> Result<(), DatabaseError> {
    if !database.is_of_dash() {
        return Err(DatabaseError::NotOf("Dash"));
    }
    let mut tags = tags_by_item(database.dash_links()?, database.dash_tags()?, location, library);
    for row in database.dash_snippets()? {
        let [Some(id), title, body, syntax] = row.as_slice() else {
            library.warn(
                "sqlite.id",
                location,
                format!("a snippet without an id was left out: {}", shown(&shown_row(&row))),
            );
            continue;
        };
        let title = title.as_deref().unwrap_or_default();
        let candidate = Candidate {
            source_id: id.clone(),
            name: title.trim_end_matches(['`', ';']).to_owned(),
            fragments: vec![Fragment::of_text("", syntax.as_deref(), body.as_deref().unwrap_or_default())],
            tags: tags.remove(id).unwrap_or_default().iter().map(|tag| tag.to_string()).collect(),
            triggers: vec![title.to_owned()],
            ..Candidate::default()
        };
        library.add(candidate, &format!("{location}:snippet {id}"));
    }
    Ok(())
}
