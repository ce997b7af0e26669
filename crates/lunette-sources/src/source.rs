//! The programs whose libraries can be read.

use std::fmt;
use std::str::FromStr;

/// A program, or a kind of files, that candidates come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Source {
    /// Lunette, its archives.
    Lunette,
    /// Pieces, the archives of its public export tool.
    Pieces,
    /// Pieces, the cache of its clients.
    PiecesCache,
    /// massCode, versions 1 to 5.
    MassCode,
    /// VS Code and the editors that read its snippets.
    VsCode,
    /// SnippetsLab, its JSON exports and its libraries.
    SnippetsLab,
    /// GitHub gists: cloned, or as the API returns them.
    Gist,
    /// Live templates of the JetBrains editors.
    JetBrains,
    /// Raycast, its export.
    Raycast,
    /// Obsidian: whole notes.
    Obsidian,
    /// Obsidian: the code blocks of notes.
    ObsidianCode,
    /// espanso.
    Espanso,
    /// Alfred.
    Alfred,
    /// ByteStash, its export.
    ByteStash,
    /// pet.
    Pet,
    /// Boostnote, the version before 2021.
    Boostnote,
    /// Dash.
    Dash,
    /// The files of a zip or tar archive.
    Archive,
}

/// Whether a source was tested with files made by the program or its users, or only with our own samples.
const EXPERIMENTAL: bool = true;
const TRIED: bool = false;

/// Each source: its name on the command line, the name of the program, and whether it is experimental.
const TABLE: &[(Source, &str, &str, bool)] = &[
    (Source::Lunette, "lunette", "archive of Lunette", TRIED),
    (Source::Pieces, "pieces", "Pieces export", EXPERIMENTAL),
    (Source::PiecesCache, "pieces-cache", "Pieces client cache", EXPERIMENTAL),
    (Source::MassCode, "masscode", "massCode", TRIED),
    (Source::VsCode, "vscode", "VS Code snippets", TRIED),
    (Source::SnippetsLab, "snippetslab", "SnippetsLab", TRIED),
    (Source::Gist, "gist", "GitHub gists", TRIED),
    (Source::JetBrains, "jetbrains", "JetBrains live templates", TRIED),
    (Source::Raycast, "raycast", "Raycast", TRIED),
    (Source::Obsidian, "obsidian", "Obsidian", TRIED),
    (Source::ObsidianCode, "obsidian-code", "Obsidian code blocks", TRIED),
    (Source::Espanso, "espanso", "espanso", TRIED),
    (Source::Alfred, "alfred", "Alfred", TRIED),
    (Source::ByteStash, "bytestash", "ByteStash", TRIED),
    (Source::Pet, "pet", "pet", TRIED),
    (Source::Boostnote, "boostnote", "Boostnote", TRIED),
    (Source::Dash, "dash", "Dash", TRIED),
    (Source::Archive, "archive", "archive", TRIED),
];

impl Source {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Source> {
        TABLE.iter().map(|(source, ..)| *source)
    }

    fn row(self) -> (&'static str, &'static str, bool) {
        let row = TABLE.iter().find(|(source, ..)| *source == self);
        row.map_or(("", "", EXPERIMENTAL), |(_, name, title, experimental)| (name, title, *experimental))
    }

    /// Returns its name on the command line, such as `vscode`.
    pub fn name(self) -> &'static str {
        self.row().0
    }

    /// Returns the name of the program or of the kind of files, such as `massCode`.
    pub fn program(self) -> &'static str {
        self.row().1
    }

    /// Returns its display name, such as `VS Code snippets`, which says if it is experimental.
    pub fn title(self) -> String {
        let (_, title, experimental) = self.row();
        if experimental { format!("{title} (experimental)") } else { title.to_owned() }
    }

    /// Returns whether its reader was only tested with our own samples.
    pub fn experimental(self) -> bool {
        self.row().2
    }
}

impl fmt::Display for Source {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.title())
    }
}

impl FromStr for Source {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let found = Source::all().find(|source| source.name() == name);
        found.ok_or_else(|| {
            let names: Vec<_> = Source::all().map(Source::name).collect();
            format!("the sources are {}", names.join(", "))
        })
    }
}
