//! A change of a link on its way to the writer, and its outcome. The queue carries it, and the records apply it.

use super::item_kind::ItemKind;

/// What a change of a link has done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LinkOutcome {
    /// Linked or unlinked, or it was so before.
    Done,
    /// Nothing: the record of the asset may be too large for another link, and must be measured first.
    MeasureFirst,
}

/// Whether a link is made or removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LinkAction {
    Added,
    Deleted,
}

/// A link to make or to remove.
#[derive(Clone, Debug)]
pub(super) struct LinkChange {
    pub asset: String,
    pub kind: ItemKind,
    pub item: String,
    pub action: LinkAction,
    /// How large the record of the asset may be, in bytes; `None` if that was checked.
    pub record_bytes: Option<usize>,
}

impl LinkChange {
    pub(super) fn add(asset: &str, kind: ItemKind, item: &str, record_bytes: Option<usize>) -> Self {
        Self { record_bytes, action: LinkAction::Added, ..Self::remove(asset, kind, item) }
    }

    pub(super) fn remove(asset: &str, kind: ItemKind, item: &str) -> Self {
        let (asset, item) = (asset.to_owned(), item.to_owned());
        Self { asset, kind, item, action: LinkAction::Deleted, record_bytes: None }
    }

    /// Whether it makes a link.
    pub(super) fn adds(&self) -> bool {
        self.action == LinkAction::Added
    }
}
