//! Writes as values: what to change, how to describe it, and how to undo it.
//!
//! What must hold: a write is one deliberate action of the user and is sent once. It records the values the user saw,
//! and nothing is sent if they have changed; a bulk change has no seen values, and its plan fills them in. Changes that
//! cannot be undone say so. Changes are stored in the journal, so their serialized form must stay readable.

use std::slice;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::change::fingerprint::Fingerprint;
use lunette_client::model::id::AssetId;

mod effects;
mod field;
pub mod fingerprint;
mod in_versions;
mod kind;
mod naming;
mod replacements;
mod titles;

pub(crate) use crate::item::told_assets;
pub use crate::item::{Item, ItemId, LinkKind, LinkState, UnusableId, link_count, linked, linked_name, reports_links};
pub use effects::ChangedField;
pub(crate) use field::edited;
pub use field::{Counter, Edit, EditError, Field, description};
pub use kind::{CHANGES, ChangeInfo, Evidence, Reads, Review, Undo};
pub use naming::with_name;
pub(crate) use replacements::{Replacements, replaced};

/// A write.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Change {
    /// Links an item.
    Link {
        /// The asset.
        asset: AssetId,
        /// The item.
        item: Item,
    },
    /// Removes the link of an item.
    Unlink {
        /// The asset.
        asset: AssetId,
        /// The item.
        item: Item,
    },
    /// Creates an item, and links it; where others are named, in their place, as when a tag is split.
    LinkNew {
        /// The asset.
        asset: AssetId,
        /// Its kind.
        kind: LinkKind,
        /// Its text or name.
        text: String,
        /// A website's address.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        url: Option<String>,
        /// The items to unlink.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        unlink: Vec<Item>,
    },
    /// Links items and then removes the links of others, as when tags are merged.
    Relink {
        /// The asset.
        asset: AssetId,
        /// The items to link.
        link: Vec<Item>,
        /// The items to unlink.
        unlink: Vec<Item>,
    },
    /// Edits fields of the record.
    Edit {
        /// The asset.
        asset: AssetId,
        /// Each field before and after.
        edits: Vec<Edit>,
    },
    /// Replaces the whole record, as the raw editor does.
    Record {
        /// The asset.
        asset: AssetId,
        /// The record that the user began with.
        from: Value,
        /// The new record.
        to: Value,
    },
    /// Replaces the text of the asset: its content, not its record.
    Text {
        /// The asset.
        asset: AssetId,
        /// The whole text that the user began with.
        from: String,
        /// The whole new text.
        to: String,
    },
    /// Changes the language of the asset.
    Reclassify {
        /// The asset.
        asset: AssetId,
        /// The language that it must have; `None` for any.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<String>,
        /// The new language.
        to: String,
    },
    /// Increments a counter of the score; cannot be undone, since the interface has no decrement.
    Increment {
        /// The asset.
        asset: AssetId,
        /// Which.
        counter: Counter,
        /// Its previous value; filled in by the plan.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<i64>,
    },
    /// Created an asset. It is only recorded for Undo: assets are created by imports and from text.
    Create {
        /// Which.
        asset: AssetId,
        /// Its name.
        name: String,
        /// The fingerprint of the created record.
        made: Fingerprint,
        /// The deleted asset that it recreates.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        replaces: Option<AssetId>,
    },
    /// Creates an asset that another side has, from a seed that is kept on the disk. Once applied it is a
    /// [`Change::Create`].
    Copy {
        /// Its id at the other side.
        asset: AssetId,
        /// Its name.
        name: String,
        /// Whether it keeps its id.
        keeps_id: bool,
    },
    /// Deletes the asset. Whether that can be undone depends on the service: see [`Recovery`].
    Delete {
        /// Which.
        asset: AssetId,
        /// Its name, for messages.
        name: String,
        /// The fingerprint of the record that it must have; `None` for any.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        made: Option<Fingerprint>,
    },
    /// Restores a deleted asset from the Trash of the service.
    Restore {
        /// Which.
        asset: AssetId,
        /// Its name, for messages.
        name: String,
    },
    /// Deletes an asset of the Trash permanently; cannot be undone.
    Purge {
        /// Which.
        asset: AssetId,
        /// Its name, for messages.
        name: String,
    },
    /// Recreates a deleted asset from its saved copy; once applied it is a [`Change::Create`].
    Recreate {
        /// The deleted asset.
        asset: AssetId,
        /// Its name.
        name: String,
        /// The items that it was linked to; filled in by the plan.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        links: Vec<Item>,
        /// Of which kinds the copy does not say what it was linked to; filled in by the plan. Stored steps have this
        /// name.
        #[serde(rename = "untold", default, skip_serializing_if = "Vec::is_empty")]
        unreported: Vec<LinkKind>,
    },
}

/// How a connection restores a deleted asset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Recovery {
    /// The service has a Trash.
    Trash,
    /// The service creates a new asset from a copy that this program saves.
    Copy,
    /// Not at all.
    #[default]
    None,
}

impl Change {
    /// The asset that is written to.
    pub fn asset(&self) -> &AssetId {
        match self {
            Self::Link { asset, .. }
            | Self::Unlink { asset, .. }
            | Self::LinkNew { asset, .. }
            | Self::Relink { asset, .. }
            | Self::Edit { asset, .. }
            | Self::Record { asset, .. }
            | Self::Text { asset, .. }
            | Self::Reclassify { asset, .. }
            | Self::Increment { asset, .. }
            | Self::Create { asset, .. }
            | Self::Copy { asset, .. }
            | Self::Delete { asset, .. }
            | Self::Restore { asset, .. }
            | Self::Purge { asset, .. }
            | Self::Recreate { asset, .. } => asset,
        }
    }

    /// Returns the change for another asset, which recreates the original one. A whole record contains the id of its
    /// asset, and stays as it is.
    pub fn moved_to(mut self, to: &AssetId) -> Self {
        match &mut self {
            Self::Link { asset, .. }
            | Self::Unlink { asset, .. }
            | Self::LinkNew { asset, .. }
            | Self::Relink { asset, .. }
            | Self::Edit { asset, .. }
            | Self::Text { asset, .. }
            | Self::Reclassify { asset, .. }
            | Self::Increment { asset, .. } => *asset = to.clone(),
            Self::Record { .. }
            | Self::Create { .. }
            | Self::Copy { .. }
            | Self::Delete { .. }
            | Self::Restore { .. }
            | Self::Purge { .. }
            | Self::Recreate { .. } => {}
        }
        self
    }

    /// The name of its asset, if the change knows it.
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::Create { name, .. }
            | Self::Copy { name, .. }
            | Self::Delete { name, .. }
            | Self::Restore { name, .. }
            | Self::Purge { name, .. }
            | Self::Recreate { name, .. } => Some(name),
            _ => None,
        }
    }

    /// Whether it deletes an asset that is not deleted yet.
    pub fn deletes(&self) -> bool {
        matches!(self, Self::Delete { .. })
    }

    /// The items that it links, and those whose links it removes.
    pub(crate) fn links(&self) -> (&[Item], &[Item]) {
        match self {
            Self::Link { item, .. } => (slice::from_ref(item), &[]),
            Self::Unlink { item, .. } => (&[], slice::from_ref(item)),
            Self::Relink { link, unlink, .. } => (link, unlink),
            // The new item has no id yet.
            Self::LinkNew { unlink, .. } => (&[], unlink),
            _ => (&[], &[]),
        }
    }

    /// The kind of the items that it links or unlinks; `None` if it changes no links.
    pub fn item_kind(&self) -> Option<LinkKind> {
        match (self, self.links()) {
            (Self::LinkNew { kind, .. }, _) => Some(*kind),
            (_, (link, unlink)) => link.first().or(unlink.first()).map(|item| item.kind),
        }
    }

    /// The link of an item that was created; in place of others, where these are named.
    pub(crate) fn linked_new(asset: AssetId, item: Item, unlink: Vec<Item>) -> Self {
        match unlink.is_empty() {
            true => Self::Link { asset, item },
            false => Self::Relink { asset, link: vec![item], unlink },
        }
    }

    /// The change that undoes it at a connection that restores deleted assets in this way, once the plan has filled in
    /// the values that it found; `None` if it cannot be undone.
    pub fn inverse(&self, recovery: Recovery) -> Option<Self> {
        match self.clone() {
            Self::Link { asset, item } => Some(Self::Unlink { asset, item }),
            Self::Unlink { asset, item } => Some(Self::Link { asset, item }),
            Self::Relink { asset, link, unlink } => Some(Self::Relink { asset, link: unlink, unlink: link }),
            Self::Edit { asset, edits } => {
                let back = |Edit { field, from, to }| Some(Edit { field, from: Some(to), to: from? });
                Some(Self::Edit { asset, edits: edits.into_iter().map(back).collect::<Option<_>>()? })
            }
            Self::Record { asset, from, to } => Some(Self::Record { asset, from: to, to: from }),
            Self::Text { asset, from, to } => Some(Self::Text { asset, from: to, to: from }),
            Self::Reclassify { asset, from, to } => Some(Self::Reclassify { asset, from: Some(to), to: from? }),
            Self::Create { asset, name, made, .. } => Some(Self::Delete { asset, name, made: Some(made) }),
            Self::Restore { asset, name } | Self::Copy { asset, name, keeps_id: true } => {
                Some(Self::Delete { asset, name, made: None })
            }
            Self::Delete { asset, name, .. } => match recovery {
                Recovery::Trash => Some(Self::Restore { asset, name }),
                Recovery::Copy => Some(Self::Recreate { asset, name, links: Vec::new(), unreported: Vec::new() }),
                Recovery::None => None,
            },
            _ => None,
        }
    }
}

/// The change that undoes a change in force. A restored asset must still be as it was first created.
pub(crate) fn inverse(made: &Change, first: Option<&Change>, recovery: Recovery) -> Option<Change> {
    match (made.inverse(recovery)?, first) {
        (Change::Delete { asset, name, made: None }, Some(Change::Create { asset: known, made, .. }))
            if asset == *known =>
        {
            Some(Change::Delete { asset, name, made: Some(made.clone()) })
        }
        (back, _) => Some(back),
    }
}

/// The change that redoes a change in force, `made`, which `undo` undid. If the undo created or deleted the asset, its
/// current id is used, which may be another one.
pub(crate) fn redo(undo: &Change, made: Option<&Change>, recovery: Recovery) -> Option<Change> {
    let info = undo.info();
    if info.creates || info.removes || info.restores { undo.inverse(recovery) } else { made.cloned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_inverse_of_an_edit_expects_the_new_value_and_restores_the_old() {
        let edits = vec![Edit { field: Field::Name, from: Some("a".into()), to: "b".into() }];
        let change = Change::Edit { asset: AssetId::random(), edits };
        let Some(Change::Edit { edits, .. }) = change.inverse(Recovery::None) else { panic!("an edit") };
        assert_eq!((&edits[0].from, &edits[0].to), (&Some(Value::from("b")), &Value::from("a")));
    }

    #[test]
    fn the_undo_of_a_deletion_depends_on_the_capabilities_of_the_connection() {
        let (asset, name) = (AssetId::random(), "a".to_owned());
        let delete = Change::Delete { asset: asset.clone(), name: name.clone(), made: None };
        let restore = Change::Restore { asset: asset.clone(), name: name.clone() };
        assert_eq!(delete.inverse(Recovery::Trash), Some(restore.clone()));
        assert_eq!(
            delete.inverse(Recovery::Copy),
            Some(Change::Recreate { asset, name, links: Vec::new(), unreported: Vec::new() })
        );
        assert_eq!(delete.inverse(Recovery::None), None);
        assert_eq!(restore.inverse(Recovery::None), Some(delete));
    }

    #[test]
    fn an_increment_has_no_inverse() {
        let change = Change::Increment { asset: AssetId::random(), counter: Counter::Reuse, from: Some(1) };
        assert_eq!(change.inverse(Recovery::Trash), None);
    }

    #[test]
    fn a_change_round_trips_through_its_stored_form() {
        let made = Fingerprint::of(&serde_json::json!({ "name": "a" }));
        let change = Change::Create { asset: AssetId::random(), name: "a".to_owned(), made, replaces: None };
        let text = serde_json::to_string(&change).expect("JSON");
        assert_eq!(serde_json::from_str::<Change>(&text).expect("a change"), change);
    }
}
