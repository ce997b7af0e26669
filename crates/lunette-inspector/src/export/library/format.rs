//! The formats of an export.

use std::path::Path;
use std::str::FromStr;

use super::left_out::AssetPart;

/// The format of an export of many assets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Format {
    /// A Lunette archive with everything, which can be imported again.
    #[default]
    Archive,
    /// Only the contents.
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

/// A format: its name on the command line, its display name, its file name if it is a single file, and what of an asset
/// it has no place for.
type Row = (Format, &'static str, &'static str, Option<&'static str>, &'static [AssetPart]);

const TABLE: &[Row] = &[
    (Format::Archive, "archive", "Lunette archive", None, &[]),
    (Format::Files, "files", "Plain files", None, CONTENTS_ALONE),
    (Format::MassCode, "masscode", "massCode vault", None, &[AssetPart::Websites, AssetPart::Annotations]),
    (
        Format::VsCode,
        "vscode",
        "VS Code snippets",
        Some("lunette.code-snippets"),
        &[AssetPart::Tags, AssetPart::Websites, AssetPart::Annotations, AssetPart::Favourite, AssetPart::Dates],
    ),
    (
        Format::SnippetsLab,
        "snippetslab",
        "SnippetsLab JSON",
        Some("snippetslab.json"),
        &[AssetPart::Websites, AssetPart::Annotations, AssetPart::Favourite],
    ),
    (Format::Gist, "gist", "Folders like gists", None, CONTENTS_ALONE),
    (
        Format::Obsidian,
        "obsidian",
        "Obsidian vault",
        None,
        &[AssetPart::SpacesInTags, AssetPart::WebsiteNames, AssetPart::Annotations],
    ),
    (Format::Csv, "csv", "List as CSV", Some("assets.csv"), LIST_ALONE),
    (Format::Json, "json", "List as JSON", Some("assets.json"), LIST_ALONE),
    (Format::Sqlite, "sqlite", "SQLite database", Some("assets.sqlite"), &[]),
];

/// What formats of names and contents have no place for.
const CONTENTS_ALONE: &[AssetPart] = &[
    AssetPart::Name,
    AssetPart::Tags,
    AssetPart::Websites,
    AssetPart::Description,
    AssetPart::Annotations,
    AssetPart::Favourite,
    AssetPart::Dates,
];
const LIST_ALONE: &[AssetPart] = &[AssetPart::Details, AssetPart::Favourite];

impl Format {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Self> {
        TABLE.iter().map(|(format, ..)| *format)
    }

    fn row(self) -> Row {
        let row = TABLE.iter().find(|(format, ..)| *format == self);
        row.copied().unwrap_or((self, "", "", None, &[]))
    }

    /// Returns its name on the command line, such as `vscode`.
    pub fn name(self) -> &'static str {
        self.row().1
    }

    /// Returns its display name.
    pub fn title(self) -> &'static str {
        self.row().2
    }

    /// Returns its file name, if it is a single file.
    pub(super) fn file(self) -> Option<&'static str> {
        self.row().3
    }

    /// What of an asset it has no place for.
    pub(super) fn lost(self) -> &'static [AssetPart] {
        self.row().4
    }

    /// Returns whether this path is its file, rather than the folder of its file.
    pub(super) fn is_file(self, path: &Path) -> bool {
        let extension = |path: &Path| path.extension().map(|end| end.to_string_lossy().to_lowercase());
        self.file().is_some_and(|file| {
            let wanted = extension(Path::new(file));
            extension(path) == wanted || self == Self::Sqlite && extension(path).is_some_and(|end| end == "db")
        })
    }

    /// Returns whether it contains the contents and records of the assets, and not only the list.
    pub fn has_content(self) -> bool {
        !matches!(self, Self::Csv | Self::Json)
    }
}

/// There is no format of this name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the formats are {}", Format::all().map(Format::name).collect::<Vec<_>>().join(", "))]
pub struct UnknownFormat;

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        Self::all().find(|format| format.name() == name).ok_or(UnknownFormat)
    }
}
