//! What a change leaves in the versions of its asset.

use super::{Change, Field, LinkKind};

impl Change {
    /// How many versions it makes at most: one with each call that changes the asset.
    pub(crate) fn most_versions(&self) -> usize {
        let (link, unlink) = self.links();
        let new = usize::from(matches!(self, Self::LinkNew { .. }));
        (link.len() + unlink.len() + new).max(1)
    }

    /// What it makes different, in the words of the interface for what differs between two versions; `None` if that may
    /// be anything.
    pub(crate) fn version_words(&self) -> Option<Vec<&'static str>> {
        Some(match self {
            Self::Link { .. } | Self::Unlink { .. } | Self::LinkNew { .. } | Self::Relink { .. } => {
                self.item_kind().map(section).into_iter().collect()
            }
            Self::Edit { edits, .. } => edits
                .iter()
                .flat_map(|edit| match edit.field {
                    Field::Name => ["name"].as_slice(),
                    // Services of earlier versions of this program have no word of its own for it.
                    Field::Description => &["description", "annotations"],
                    Field::Favorited => &["favorited"],
                })
                .copied()
                .collect(),
            Self::Record { .. } => return None,
            Self::Text { .. } => vec!["content"],
            Self::Reclassify { .. } => vec!["classification"],
            // A score is in no version.
            Self::Increment { .. } => Vec::new(),
            Self::Create { .. } | Self::Copy { .. } => vec!["created"],
            Self::Recreate { .. } => vec!["created", "tags", "websites", "summaries"],
            Self::Delete { .. } | Self::Restore { .. } | Self::Purge { .. } => vec!["deleted"],
        })
    }
}

fn section(kind: LinkKind) -> &'static str {
    match kind {
        LinkKind::Tag => "tags",
        LinkKind::Website => "websites",
        LinkKind::Summary => "summaries",
    }
}
