//! Writes as values: what to change, how to describe it, and how to undo it.
//!
//! What must hold: a write is one deliberate action of the user and is sent once. It records the values the user saw,
//! and nothing is sent if they have changed; a bulk change has no seen values, and its plan fills them in. Changes that
//! cannot be undone say so. Changes are stored in the journal, so their serialized form must stay readable.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::app::change::fingerprint::Fingerprint;
use lunette_client::model::id::AssetId;
use lunette_client::model::language::language;

mod field;
pub mod fingerprint;
mod item;
mod link_operations;

pub(in crate::app) use field::edited;
pub use field::{Counter, Edit, Field, description};
pub use item::{Item, LinkKind, link_count, linked, linked_name, tells_links};

/// A write.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Change {
    /// Links an item.
    Link {
        /// To which asset.
        asset: AssetId,
        /// What.
        item: Item,
    },
    /// Removes the link of an item.
    Unlink {
        /// From which asset.
        asset: AssetId,
        /// What.
        item: Item,
    },
    /// Makes an item that is not there yet, and links it.
    LinkNew {
        /// To which asset.
        asset: AssetId,
        /// Of which kind.
        kind: LinkKind,
        /// Its text or name.
        text: String,
        /// A website's address.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        url: Option<String>,
    },
    /// Links items and then removes the links of others, as where tags are merged.
    Relink {
        /// Of which asset.
        asset: AssetId,
        /// What is linked.
        link: Vec<Item>,
        /// What is no longer linked.
        unlink: Vec<Item>,
    },
    /// Edits fields of the record.
    Edit {
        /// Of which asset.
        asset: AssetId,
        /// Each field before and after.
        edits: Vec<Edit>,
    },
    /// Replaces the whole record, as the raw editor does.
    Record {
        /// Of which asset.
        asset: AssetId,
        /// The record as the user began with it.
        from: Value,
        /// The record as it shall be.
        to: Value,
    },
    /// Puts another text in the place of the asset's: its content, not its record.
    Text {
        /// Of which asset.
        asset: AssetId,
        /// The whole text as the user began with it.
        from: String,
        /// The whole text as it shall be.
        to: String,
    },
    /// Gives the asset another language.
    Reclassify {
        /// Which asset.
        asset: AssetId,
        /// The language it had; None where any will do.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<String>,
        /// The language it gets.
        to: String,
    },
    /// Increments a counter of the score; cannot be undone, since the interface has no decrement.
    Increment {
        /// Of which asset.
        asset: AssetId,
        /// Which.
        counter: Counter,
        /// Where it stood; filled in by the plan.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<i64>,
    },
    /// Made an asset. Only ever kept, to be undone: assets are made by import and from text.
    Create {
        /// Which.
        asset: AssetId,
        /// Its name.
        name: String,
        /// The record as it was made.
        made: Fingerprint,
        /// The deleted asset that it was made again from.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        replaces: Option<AssetId>,
    },
    /// Deletes the asset. Whether that can be undone depends on the service: see [`Recovery`].
    Delete {
        /// Which.
        asset: AssetId,
        /// Its name, for messages.
        name: String,
        /// The record it must still have; None where any will do.
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
    /// Makes a deleted asset again from the copy that was kept of it; once done it is a [`Change::Create`].
    Recreate {
        /// The asset that was deleted.
        asset: AssetId,
        /// Its name.
        name: String,
        /// What it was linked to; filled in by the plan.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        links: Vec<Item>,
        /// Of which kinds the copy does not say what it was linked to; filled in by the plan.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        untold: Vec<LinkKind>,
    },
}

/// How a connection brings a deleted asset back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Recovery {
    /// The service has a Trash.
    Trash,
    /// The service makes a new asset from a copy that this program keeps.
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
            | Self::Delete { asset, .. }
            | Self::Restore { asset, .. }
            | Self::Purge { asset, .. }
            | Self::Recreate { asset, .. } => asset,
        }
    }

    /// The same change of another asset: of the one that was made again from the one it names. A whole record names its
    /// asset itself, and stays as it is.
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
            | Self::Delete { .. }
            | Self::Restore { .. }
            | Self::Purge { .. }
            | Self::Recreate { .. } => {}
        }
        self
    }

    /// Whether it is small and can be undone: then it is applied at once, and Undo offered. Anything else shows its plan
    /// first.
    pub fn at_once(&self) -> bool {
        match self {
            Self::Link { .. }
            | Self::Unlink { .. }
            | Self::LinkNew { .. }
            | Self::Relink { .. }
            | Self::Edit { .. }
            | Self::Text { .. }
            | Self::Reclassify { .. }
            | Self::Create { .. }
            | Self::Restore { .. } => true,
            Self::Record { .. }
            | Self::Increment { .. }
            | Self::Delete { .. }
            | Self::Purge { .. }
            | Self::Recreate { .. } => false,
        }
    }

    /// The name of its asset, if the change knows it.
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::Create { name, .. }
            | Self::Delete { name, .. }
            | Self::Restore { name, .. }
            | Self::Purge { name, .. }
            | Self::Recreate { name, .. } => Some(name),
            Self::Link { .. }
            | Self::Unlink { .. }
            | Self::LinkNew { .. }
            | Self::Relink { .. }
            | Self::Edit { .. }
            | Self::Record { .. }
            | Self::Text { .. }
            | Self::Reclassify { .. }
            | Self::Increment { .. } => None,
        }
    }

    /// Whether it deletes an asset.
    pub fn deletes(&self) -> bool {
        matches!(self, Self::Delete { .. })
    }

    /// What undoes it at a connection that brings deleted assets back in this way, once the plan has filled in what it
    /// found; None when nothing does.
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
            Self::Restore { asset, name } => Some(Self::Delete { asset, name, made: None }),
            Self::Delete { asset, name, .. } => match recovery {
                Recovery::Trash => Some(Self::Restore { asset, name }),
                Recovery::Copy => Some(Self::Recreate { asset, name, links: Vec::new(), untold: Vec::new() }),
                Recovery::None => None,
            },
            Self::LinkNew { .. } | Self::Increment { .. } | Self::Purge { .. } | Self::Recreate { .. } => None,
        }
    }

    /// Whether there is an inverse; costs nothing.
    pub fn reversible(&self, recovery: Recovery) -> bool {
        match self {
            Self::Link { .. }
            | Self::Unlink { .. }
            | Self::Relink { .. }
            | Self::Record { .. }
            | Self::Text { .. }
            | Self::Create { .. }
            | Self::Restore { .. } => true,
            Self::Edit { edits, .. } => edits.iter().all(|edit| edit.from.is_some()),
            Self::Reclassify { from, .. } => from.is_some(),
            Self::Delete { .. } => recovery != Recovery::None,
            Self::LinkNew { .. } | Self::Increment { .. } | Self::Purge { .. } | Self::Recreate { .. } => false,
        }
    }

    /// What was done, for the status bar.
    pub fn done(&self) -> String {
        match self {
            Self::Link { item, .. } => format!("Linked {} “{}”", item.kind.one(), item.name()),
            Self::Unlink { item, .. } => format!("Removed {} “{}”", item.kind.one(), item.name()),
            Self::LinkNew { kind, text, .. } => format!("Created and linked {} “{text}”", kind.one()),
            Self::Relink { link, unlink, .. } => format!("Replaced {} by {}", Item::list(unlink), Item::list(link)),
            Self::Edit { edits, .. } => match edits.as_slice() {
                [Edit { field: Field::Favorited, to, .. }] if to == &Value::Bool(true) => {
                    "Added to favourites".to_owned()
                }
                [Edit { field: Field::Favorited, .. }] => "Removed from favourites".to_owned(),
                [Edit { field: Field::Name, to, .. }] => format!("Renamed to “{}”", to.as_str().unwrap_or_default()),
                edits => {
                    let fields: Vec<_> = edits.iter().map(|edit| edit.field.as_str()).collect();
                    format!("Changed {}", fields.join(" and "))
                }
            },
            Self::Record { .. } => "Changed the record".to_owned(),
            Self::Text { .. } => "Changed the text".to_owned(),
            Self::Reclassify { to, .. } => {
                let name = language(to).map_or(to.as_str(), |language| language.name);
                format!("Reclassified to {name}")
            }
            Self::Increment { counter, .. } => format!("Incremented {}", counter.as_str()),
            Self::Create { name, .. } => format!("Created “{name}”"),
            Self::Delete { name, .. } => format!("Deleted “{name}”"),
            Self::Restore { name, .. } => format!("Restored “{name}”"),
            Self::Purge { name, .. } => format!("Deleted “{name}” permanently"),
            Self::Recreate { name, .. } => format!("Created “{name}” again"),
        }
    }
}

/// What undoes a change that is in force. An asset that was restored must still be as it was first made.
pub(in crate::app) fn inverse(made: &Change, first: Option<&Change>, recovery: Recovery) -> Option<Change> {
    match (made.inverse(recovery)?, first) {
        (Change::Delete { asset, name, made: None }, Some(Change::Create { asset: known, made, .. }))
            if asset == *known =>
        {
            Some(Change::Delete { asset, name, made: Some(made.clone()) })
        }
        (back, _) => Some(back),
    }
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
            Some(Change::Recreate { asset, name, links: Vec::new(), untold: Vec::new() })
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
