//! The readers, in the order in which they are tried: the most reliable ones first.

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

use crate::Reader;

/// All readers.
pub(crate) const ALL: &[&dyn Reader] = &[
    &lunette::Lunette,
    &pieces::Archive,
    &pieces::Cache,
    &masscode::MassCode,
    &dash::Dash,
    &boostnote::Boostnote,
    &obsidian::Obsidian,
    &obsidian::ObsidianCode,
    &gist::Gist,
    &jetbrains::JetBrains,
    &espanso::Espanso,
    &alfred::Alfred,
    &snippetslab::SnippetsLab,
    &bytestash::ByteStash,
    &raycast::Raycast,
    &pet::Pet,
    &vscode::VsCode,
    &plain::Archive,
];
