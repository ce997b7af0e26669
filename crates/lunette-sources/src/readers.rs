//! The readers, each in a file or folder of its own with the facts of its source.

mod alfred;
mod boostnote;
mod bytestash;
mod dash;
mod espanso;
mod gist;
mod jetbrains;
pub(crate) mod lunette;
mod masscode;
mod obsidian;
mod pet;
mod pieces;
mod plain;
mod raycast;
mod snippetslab;
mod vscode;

use crate::source::Source;

/// All sources, in the order in which they are listed and tried. A reader is registered here and nowhere else.
pub(crate) const ALL: &[Source] = &[
    Source::LUNETTE,
    Source::PIECES,
    Source::PIECES_CACHE,
    Source::MASS_CODE,
    Source::VS_CODE,
    Source::SNIPPETS_LAB,
    Source::GIST,
    Source::JET_BRAINS,
    Source::RAYCAST,
    Source::OBSIDIAN,
    Source::OBSIDIAN_CODE,
    Source::ESPANSO,
    Source::ALFRED,
    Source::BYTE_STASH,
    Source::PET,
    Source::BOOSTNOTE,
    Source::DASH,
    Source::ARCHIVE,
];
