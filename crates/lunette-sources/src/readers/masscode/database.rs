//! massCode 4: `massCode.db`, a SQLite database.

use std::collections::HashMap;

use super::add;
use crate::candidate::{Candidate, Fragment, Library};
use crate::date;
use crate::files::Files;
use crate::shared_names::{FolderTree, tags_by_item};
use crate::sqlite::{Database, DatabaseError, Texts, read_database, shown_row};
use crate::warning::{Warning, shown};

pub(super) fn read(files: &Files, path: &str, library: &mut Library) {
    read_database(files, path, library, snippets);
}

/// Groups fragments by their snippet. Those without one are grouped by an empty id.
fn by_snippet(rows: Vec<Texts>) -> HashMap<String, Vec<Texts>> {
    let mut grouped: HashMap<String, Vec<Texts>> = HashMap::new();
    for mut row in rows {
        let id = row.first_mut().and_then(Option::take).unwrap_or_default();
        grouped.entry(id).or_default().push(row);
    }
    grouped
}

/// Warns of the fragments that are left when each snippet has taken its own.
fn warn_of_left(contents: HashMap<String, Vec<Texts>>, location: &str, library: &mut Library) {
    let mut left: Vec<_> = contents.into_iter().collect();
    left.sort();
    for (id, row) in left.iter().flat_map(|(id, rows)| rows.iter().map(move |row| (id, row))) {
        library.report_with(|| {
            let location = format!("{location}:snippet {id}");
            Warning::of_value(&location, "fragment", &shown_row(row), "the fragment of a snippet that is there")
        });
    }
}

fn snippets(database: &Database, location: &str, library: &mut Library) -> Result<(), DatabaseError> {
    let folders = folders(database, location, library)?;
    let mut contents = by_snippet(database.masscode_contents()?);
    let mut tags = tags_by_item(database.masscode_links()?, database.masscode_tags()?, location, library);
    for row in database.masscode_snippets()? {
        let [Some(id), name, description, folder, deleted, favourite, created, updated] = row.as_slice() else {
            library.warn(
                "sqlite.id",
                location,
                format!("a snippet without an id was left out: {}", shown(&shown_row(&row))),
            );
            continue;
        };
        let location = format!("{location}:snippet {id}");
        let date = |text: &Option<String>| text.as_deref().and_then(date::of_text);
        let candidate = Candidate {
            source_id: id.clone(),
            name: name.clone().unwrap_or_default(),
            fragments: contents.remove(id).unwrap_or_default().iter().filter_map(fragment).collect(),
            tags: tags.remove(id).unwrap_or_default().iter().map(|tag| tag.to_string()).collect(),
            folder: folders.path(folder.as_deref(), &location, library),
            description: description.clone(),
            favourite: favourite.as_deref() == Some("1"),
            trashed: deleted.as_deref() == Some("1"),
            created: date(created),
            updated: date(updated),
            ..Candidate::default()
        };
        add(None, candidate, &location, library);
    }
    warn_of_left(contents, location, library);
    Ok(())
}

fn folders(database: &Database, location: &str, library: &mut Library) -> Result<FolderTree, DatabaseError> {
    let mut folders = FolderTree::default();
    for row in database.masscode_folders()? {
        match <[Option<String>; 3]>::try_from(row) {
            Ok([Some(id), name, above]) => {
                folders.insert(id, library.shared_name(&name.unwrap_or_default(), location), above);
            }
            Ok(row) => {
                library.report([Warning::of_value(location, "folders", &shown_row(&row), "a folder with an id")])
            }
            Err(_) => {}
        }
    }
    Ok(folders)
}

fn fragment(row: &Texts) -> Option<Fragment> {
    let [_, label, value, language, _] = row.as_slice() else { return None };
    let (label, value) = (label.as_deref().unwrap_or_default(), value.as_deref().unwrap_or_default());
    Some(Fragment::of_text(label, language.as_deref(), value))
}
