//! The path that an asset was imported from, as its description says it.
//!
//! What must hold: a description without such a line has no path; a path is given back without the notes that an import
//! writes after it. An item of another program's library has no file of its own: its path is the folder that the program
//! shows it in, with a `/` behind it.

/// The beginning of the line that an import writes into the description of an asset.
pub const PREFIX: &str = "Imported from ";

/// What an import writes before the folder that another program shows an item in; behind the folder it writes a `/`.
pub const FOLDER: &str = ", folder ";

/// The path that a description says the asset was imported from; `None` if it says none.
pub fn import_path(description: &str) -> Option<&str> {
    let line = description.lines().rev().find_map(|line| line.strip_prefix(PREFIX))?;
    let path = without_dates(without_encoding(line)).trim();
    let path = path.split_once(FOLDER).filter(|_| path.ends_with('/')).map_or(path, |(_, folder)| folder);
    (!path.is_empty()).then_some(path)
}

/// The folder of a path, which it is itself if it ends with a `/`; `None` for a path that is a name alone.
pub fn folder(path: &str) -> Option<&str> {
    let (folder, _) = path.rsplit_once('/')?;
    Some(folder.trim_end_matches('/')).filter(|folder| !folder.is_empty())
}

/// Cuts off the note ` (was windows-1252)`.
fn without_encoding(line: &str) -> &str {
    match line.rsplit_once(" (was ") {
        Some((path, encoding)) if encoding.ends_with(')') && !encoding.contains('/') => path,
        _ => line,
    }
}

/// Cuts off the notes `, created DATE` and `, changed DATE`.
fn without_dates(mut line: &str) -> &str {
    for word in [", changed ", ", created "] {
        line = match line.rsplit_once(word) {
            Some((path, date)) if date.ends_with(" UTC") && date.starts_with(|c: char| c.is_ascii_digit()) => path,
            _ => line,
        };
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_is_read_from_every_description_that_an_import_writes() {
        for (description, path) in [
            ("Imported from src/parser/lib.rs", Some("src/parser/lib.rs")),
            ("Imported from docs/ü.txt (was windows-1252)", Some("docs/ü.txt")),
            ("Title: Sorting\n\nAliases: order\n\nImported from notes/x.md", Some("notes/x.md")),
            (
                "Imported from lib/a/b.json, created 2024-01-02 03:04:05 UTC, changed 2025-01-02 03:04:05 UTC",
                Some("lib/a/b.json"),
            ),
            ("Imported from masscode, db.json, folder Work/SQL/", Some("Work/SQL/")),
            ("Imported from pet, a/b.toml, folder Old, new/, created 2024-01-02 03:04:05 UTC", Some("Old, new/")),
            ("Imported from a, folder b/c.rs", Some("a, folder b/c.rs")),
            ("Imported from a, created by (was me)/b.rs", Some("a, created by (was me)/b.rs")),
            ("Imported from ", None),
            ("A note. Imported from nowhere", None),
            ("", None),
        ] {
            assert_eq!(import_path(description), path, "{description}");
        }
    }

    #[test]
    fn the_folder_is_the_path_without_its_last_name() {
        let paths = ["src/parser/lib.rs", "src/lib.rs", "lib.rs", "/lib.rs", "src/parser/", "/", ""];
        let folders = [Some("src/parser"), Some("src"), None, None, Some("src/parser"), None, None];
        assert_eq!(paths.map(folder), folders);
    }
}
