//! The formats of an export.

use std::path::Path;
use std::str::FromStr;

/// What many assets are written as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Format {
    /// An archive of Lunette: everything, to be imported again.
    #[default]
    Archive,
    /// The contents alone.
    Files,
    /// A vault of massCode 5.
    MassCode,
    /// Snippets of VS Code.
    VsCode,
    /// An export of SnippetsLab.
    SnippetsLab,
    /// A folder for each asset, as gists are cloned.
    Gist,
    /// A vault of Obsidian.
    Obsidian,
    /// The list, with a row for each asset.
    Csv,
    /// The list as JSON.
    Json,
    /// A SQLite database.
    Sqlite,
}

/// Each format: the name to choose it by, the name for people, and the file that it is if it is one file.
const TABLE: &[(Format, &str, &str, Option<&str>)] = &[
    (Format::Archive, "archive", "Archive of Lunette", None),
    (Format::Files, "files", "Plain files", None),
    (Format::MassCode, "masscode", "massCode vault", None),
    (Format::VsCode, "vscode", "VS Code snippets", Some("lunette.code-snippets")),
    (Format::SnippetsLab, "snippetslab", "SnippetsLab JSON", Some("snippetslab.json")),
    (Format::Gist, "gist", "Folders like gists", None),
    (Format::Obsidian, "obsidian", "Obsidian vault", None),
    (Format::Csv, "csv", "List as CSV", Some("assets.csv")),
    (Format::Json, "json", "List as JSON", Some("assets.json")),
    (Format::Sqlite, "sqlite", "SQLite database", Some("assets.sqlite")),
];

impl Format {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Self> {
        TABLE.iter().map(|(format, ..)| *format)
    }

    fn row(self) -> (&'static str, &'static str, Option<&'static str>) {
        let row = TABLE.iter().find(|(format, ..)| *format == self);
        row.map_or(("", "", None), |(_, name, title, file)| (name, title, *file))
    }

    /// The name to choose it by, such as `vscode`.
    pub fn name(self) -> &'static str {
        self.row().0
    }

    /// What people call it.
    pub fn title(self) -> &'static str {
        self.row().1
    }

    /// The name of its file, if it is one file.
    pub(super) fn file(self) -> Option<&'static str> {
        self.row().2
    }

    /// Whether this path is to be its file, rather than a folder that its file is in.
    pub(super) fn is_file(self, path: &Path) -> bool {
        let extension = |path: &Path| path.extension().map(|end| end.to_string_lossy().to_lowercase());
        self.file().is_some_and(|file| {
            let wanted = extension(Path::new(file));
            extension(path) == wanted || self == Self::Sqlite && extension(path).is_some_and(|end| end == "db")
        })
    }

    /// Whether the contents and records of the assets are in it, and not only what the list shows.
    pub fn has_content(self) -> bool {
        !matches!(self, Self::Csv | Self::Json)
    }
}

impl FromStr for Format {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Self::all().find(|format| format.name() == name).ok_or_else(|| {
            let names: Vec<_> = Self::all().map(Self::name).collect();
            format!("unknown format {name:?}; the formats are {}", names.join(", "))
        })
    }
}
