//! The programs whose libraries can be read. What is said of one is said beside its reader.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use crate::place::Place;
use crate::{Reader, readers};

/// A program, or a kind of files, that candidates come from.
#[derive(Clone, Copy)]
pub struct Source(pub(crate) &'static Facts);

/// What is known of a source.
pub(crate) struct Facts {
    /// Its name on the command line and in records of imports.
    pub name: &'static str,
    /// The name of the program or of the kind of files.
    pub program: &'static str,
    /// Whether its reader was only tested with our own samples, not with files of the program or its users.
    pub is_experimental: bool,
    /// Whether the ids of its items are unique in all its libraries.
    pub has_unique_ids: bool,
    /// Whether earlier versions recorded its items by the name of the library too.
    pub had_library_name: bool,
    /// Whether its items are files, whose folders say nothing.
    pub is_plain: bool,
    /// What the texts that insert an item are called.
    pub trigger: &'static str,
    /// Where its libraries usually are.
    pub places: &'static [Place],
    pub reader: &'static dyn Reader,
}

impl Facts {
    /// The facts of a program that has nothing special.
    pub const fn new(name: &'static str, program: &'static str, reader: &'static dyn Reader) -> Self {
        Self {
            name,
            program,
            is_experimental: false,
            has_unique_ids: false,
            had_library_name: false,
            is_plain: false,
            trigger: "Trigger",
            places: &[],
            reader,
        }
    }
}

impl Source {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Source> {
        readers::ALL.iter().copied()
    }

    /// Returns its name on the command line, such as `vscode`.
    pub fn name(self) -> &'static str {
        self.0.name
    }

    /// Returns the name of the program or of the kind of files, such as `massCode`.
    pub fn program(self) -> &'static str {
        self.0.program
    }

    /// Returns its display name, such as `VS Code snippets`, which says if it is experimental.
    pub fn title(self) -> String {
        if self.experimental() { format!("{} (experimental)", self.0.program) } else { self.0.program.to_owned() }
    }

    /// Returns whether its reader was only tested with our own samples.
    pub fn experimental(self) -> bool {
        self.0.is_experimental
    }

    /// Returns whether the ids of its items are unique in all its libraries.
    pub fn has_unique_ids(self) -> bool {
        self.0.has_unique_ids
    }

    /// Returns whether earlier versions recorded its items by the name of the library too.
    pub fn had_library_name(self) -> bool {
        self.0.had_library_name
    }

    /// Returns whether its items are files, whose folders say nothing.
    pub fn is_plain(self) -> bool {
        self.0.is_plain
    }

    /// Returns what the texts that insert an item are called, such as `Trigger`.
    pub fn trigger(self) -> &'static str {
        self.0.trigger
    }

    /// Returns where its libraries usually are.
    pub fn places(self) -> &'static [Place] {
        self.0.places
    }

    pub(crate) fn reader(self) -> &'static dyn Reader {
        self.0.reader
    }
}

impl PartialEq for Source {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Source {}

impl Hash for Source {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name().hash(state);
    }
}

impl fmt::Debug for Source {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Source({})", self.name())
    }
}

impl fmt::Display for Source {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.title())
    }
}

/// There is no source of this name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the sources are {}", Source::all().map(Source::name).collect::<Vec<_>>().join(", "))]
pub struct UnknownSource;

impl FromStr for Source {
    type Err = UnknownSource;

    fn from_str(name: &str) -> Result<Self, UnknownSource> {
        Source::all().find(|source| source.name() == name).ok_or(UnknownSource)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::fs;
    use std::path::{Path, PathBuf};

    use super::*;

    /// The files of a folder, at any depth.
    fn files(folder: &Path) -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
        entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
    }

    #[test]
    fn each_source_is_said_in_one_file_and_registered_once() {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/readers");
        let text = |path: &PathBuf| fs::read_to_string(path).expect("a text").split_whitespace().collect::<String>();
        let texts: Vec<String> = files(&source).iter().map(text).collect();
        let said = texts.iter().map(|text| text.matches(":Self=Self(&Facts").count()).sum::<usize>();
        let names: HashSet<_> = Source::all().map(Source::name).collect();
        assert_eq!((Source::all().count(), names.len()), (said, said));
        for source in Source::all() {
            let facts = format!("Facts::new(\"{}\",\"{}\"", source.name(), source.program().replace(' ', ""));
            assert_eq!(texts.iter().filter(|text| text.contains(&facts)).count(), 1, "{source}");
            assert_eq!(source.name().parse(), Ok(source));
        }
    }
}
