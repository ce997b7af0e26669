//! Writes, as values: what is to change, how it is said, what takes it back.
//!
//! What must hold: a write is one deliberate act of the user and is sent once. An edit is made on a fresh read of the
//! asset, and only where the field still holds what the user saw; else nothing is sent. What cannot be undone says so.

use serde_json::Value;

use crate::model::asset::Asset;
use crate::model::id::AssetId;
use crate::model::language::language;
use crate::model::record::{Record, View};

/// What an asset can be linked to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LinkKind {
    /// A tag.
    Tag,
    /// A website.
    Website,
    /// A workstream summary.
    Summary,
}

impl LinkKind {
    /// All of them, in the order of the page.
    pub const ALL: [Self; 3] = [Self::Tag, Self::Website, Self::Summary];

    /// One of it, in a sentence.
    pub fn one(self) -> &'static str {
        match self {
            Self::Tag => "tag",
            Self::Website => "website",
            Self::Summary => "workstream summary",
        }
    }

    /// The heading of many.
    pub fn many(self) -> &'static str {
        match self {
            Self::Tag => "Tags",
            Self::Website => "Websites",
            Self::Summary => "Workstream summaries",
        }
    }
}

/// Something an asset is or can be linked to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// What it is.
    pub kind: LinkKind,
    /// Its id.
    pub id: String,
    /// What people know it by: a tag's text, a website's or summary's name.
    pub text: String,
    /// A website's address.
    pub url: Option<String>,
}

/// The items an asset is linked to, of one kind, as its record has them.
pub fn linked(asset: View<'_, Asset>, kind: LinkKind) -> Vec<Item> {
    let item = |id: &str, text: &str, url: Option<&str>| Item {
        kind,
        id: id.to_owned(),
        text: text.to_owned(),
        url: url.map(str::to_owned),
    };
    match kind {
        LinkKind::Tag => {
            asset.tags().map(|tags| tags.iterable().iter().map(|tag| item(tag.id(), tag.text(), None)).collect())
        }
        LinkKind::Website => asset
            .websites()
            .map(|sites| sites.iterable().iter().map(|site| item(site.id(), site.name(), Some(site.url()))).collect()),
        LinkKind::Summary => asset.summaries().map(|summaries| {
            summaries.iterable().iter().map(|summary| item(summary.id(), summary.name(), None)).collect()
        }),
    }
    .unwrap_or_default()
}

/// A counter of an asset's score that can be incremented (records, 2.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counter {
    /// How often it was used again.
    Reuse,
    /// How often it was updated.
    Update,
    /// How often it was referred to.
    Reference,
    /// How important it is.
    Priority,
    /// How often it was searched.
    Searched,
}

impl Counter {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Reuse, Self::Update, Self::Reference, Self::Priority, Self::Searched];

    /// The name on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Reuse => "reuse",
            Self::Update => "update",
            Self::Reference => "reference",
            Self::Priority => "priority",
            Self::Searched => "searched",
        }
    }

    /// Where it stands on an asset.
    pub fn value(self, asset: View<'_, Asset>) -> i64 {
        let Some(score) = asset.score() else { return 0 };
        let counter = match self {
            Self::Reuse => score.reuse(),
            Self::Update => score.update(),
            Self::Reference => score.reference(),
            Self::Priority => score.priority(),
            Self::Searched => score.searched(),
        };
        counter.unwrap_or_default()
    }
}

/// A field of an asset that the window edits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// `name`.
    Name,
    /// The text of the last annotation of type DESCRIPTION (records, 2.4).
    Description,
    /// `favorited`.
    Favorited,
}

impl Field {
    /// What people call it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Description => "description",
            Self::Favorited => "favourite",
        }
    }

    /// Where it stands on an asset: text or a boolean; an absent text is empty.
    pub fn value(self, asset: View<'_, Asset>) -> Value {
        match self {
            Self::Name => asset.name().unwrap_or_default().into(),
            Self::Description => description(asset).unwrap_or_default().into(),
            Self::Favorited => asset.favorited().unwrap_or_default().into(),
        }
    }
}

/// An asset's description, if it has one.
pub fn description(asset: View<'_, Asset>) -> Option<&str> {
    let annotations = asset.annotations()?.iterable();
    annotations.iter().rev().find(|annotation| annotation.kind() == "DESCRIPTION").map(|annotation| annotation.text())
}

/// One field before and after.
#[derive(Clone, Debug, PartialEq)]
pub struct Edit {
    /// Which.
    pub field: Field,
    /// What the user saw.
    pub from: Value,
    /// What it shall be.
    pub to: Value,
}

/// A write.
#[derive(Clone, Debug, PartialEq)]
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
        url: Option<String>,
    },
    /// Edits fields of the record.
    Edit {
        /// Of which asset.
        asset: AssetId,
        /// Each field before and after.
        edits: Vec<Edit>,
    },
    /// Gives the asset another language.
    Reclassify {
        /// Which asset.
        asset: AssetId,
        /// The language it had.
        from: String,
        /// The language it gets.
        to: String,
    },
    /// Increments a counter of the score; cannot be undone, since the interface has no decrement.
    Increment {
        /// Of which asset.
        asset: AssetId,
        /// Which.
        counter: Counter,
    },
    /// Deletes the asset; cannot be undone.
    Delete {
        /// Which.
        asset: AssetId,
        /// Its name, to say what was deleted.
        name: String,
    },
}

impl Change {
    /// The asset that is written to.
    pub fn asset(&self) -> &AssetId {
        match self {
            Self::Link { asset, .. }
            | Self::Unlink { asset, .. }
            | Self::LinkNew { asset, .. }
            | Self::Edit { asset, .. }
            | Self::Reclassify { asset, .. }
            | Self::Increment { asset, .. }
            | Self::Delete { asset, .. } => asset,
        }
    }

    /// What takes it back; None when nothing does.
    pub fn inverse(&self) -> Option<Self> {
        match self.clone() {
            Self::Link { asset, item } => Some(Self::Unlink { asset, item }),
            Self::Unlink { asset, item } => Some(Self::Link { asset, item }),
            Self::Edit { asset, edits } => {
                let back = |Edit { field, from, to }| Edit { field, from: to, to: from };
                Some(Self::Edit { asset, edits: edits.into_iter().map(back).collect() })
            }
            Self::Reclassify { asset, from, to } => Some(Self::Reclassify { asset, from: to, to: from }),
            Self::LinkNew { .. } | Self::Increment { .. } | Self::Delete { .. } => None,
        }
    }

    /// What was done, for the status bar.
    pub fn done(&self) -> String {
        match self {
            Self::Link { item, .. } => format!("Linked {} “{}”", item.kind.one(), item.text),
            Self::Unlink { item, .. } => format!("Removed {} “{}”", item.kind.one(), item.text),
            Self::LinkNew { kind, text, .. } => format!("Made and linked {} “{text}”", kind.one()),
            Self::Edit { edits, .. } => match edits.as_slice() {
                [Edit { field: Field::Favorited, to, .. }] if to == &Value::Bool(true) => "Made a favourite".to_owned(),
                [Edit { field: Field::Favorited, .. }] => "No longer a favourite".to_owned(),
                [Edit { field: Field::Name, to, .. }] => format!("Renamed to “{}”", to.as_str().unwrap_or_default()),
                edits => {
                    let fields: Vec<_> = edits.iter().map(|edit| edit.field.as_str()).collect();
                    format!("Changed {}", fields.join(" and "))
                }
            },
            Self::Reclassify { to, .. } => {
                let name = language(to).map_or(to.as_str(), |language| language.name);
                format!("Reclassified to {name}")
            }
            Self::Increment { counter, .. } => format!("Incremented {}", counter.as_str()),
            Self::Delete { name, .. } => format!("Deleted “{name}”"),
        }
    }
}

/// The asset with an edit made; the rest of its tree stays as it was.
pub(super) fn edited(asset: Asset, edit: &Edit) -> Result<Asset, String> {
    let field = match edit.field {
        Field::Name => ("name", edit.to.clone()),
        Field::Favorited => ("favorited", edit.to.clone()),
        Field::Description => ("annotations", described(&asset, edit.to.as_str().unwrap_or_default())),
    };
    asset.with(field.0, field.1).map_err(|wrong| wrong.to_string())
}

/// The asset's annotations with its description set to a text.
fn described(asset: &Asset, text: &str) -> Value {
    let mut annotations =
        asset.tree().get("annotations").cloned().unwrap_or_else(|| serde_json::json!({ "iterable": [] }));
    let Some(items) = annotations.get_mut("iterable").and_then(Value::as_array_mut) else { return annotations };
    let is_description = |item: &&mut Value| item.get("type").and_then(Value::as_str) == Some("DESCRIPTION");
    match items.iter_mut().rev().find(is_description).and_then(Value::as_object_mut) {
        Some(description) => {
            description.insert("text".to_owned(), text.into());
        }
        None => {
            let now = serde_json::json!({ "value": jiff::Timestamp::now().to_string() });
            items.push(serde_json::json!({
                "id": uuid::Uuid::new_v4().to_string(), "created": now, "updated": now,
                "mechanism": "MANUAL", "type": "DESCRIPTION", "text": text,
            }));
        }
    }
    annotations
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asset(more: &str) -> Asset {
        let tree = format!(
            r#"{{"id":"00000004-0000-4000-8000-000000000004","creator":"c","created":{{"value":"2024-05-01T12:00:00Z"}},
            "updated":{{"value":"2024-05-01T12:00:00Z"}},"formats":{{"iterable":[]}},"preview":{{"base":{{"id":"f"}}}},
            "original":{{"id":"f"}},"mechanism":"MANUAL"{more}}}"#
        );
        Asset::from_tree(serde_json::from_str(&tree).expect("JSON")).expect("an asset")
    }

    #[test]
    fn an_edit_changes_its_field_and_nothing_else() {
        let before = asset(r#","name":"old","x":1.10,"z":null"#);
        let edit = Edit { field: Field::Name, from: "old".into(), to: "new".into() };
        let after = edited(before.clone(), &edit).expect("an asset");
        assert_eq!(after.tree().to_string(), before.tree().to_string().replace("old", "new"));
    }

    #[test]
    fn a_description_is_found_again_where_it_was_put() {
        let edit = Edit { field: Field::Description, from: "".into(), to: "what it is for".into() };
        let after = edited(asset(""), &edit).expect("an asset");
        assert_eq!(description(after.view()), Some("what it is for"));
    }

    #[test]
    fn undoing_an_edit_asks_for_what_it_set_and_sets_what_was() {
        let edits = vec![Edit { field: Field::Name, from: "a".into(), to: "b".into() }];
        let change = Change::Edit { asset: AssetId::random(), edits };
        let Some(Change::Edit { edits, .. }) = change.inverse() else { panic!("an edit") };
        assert_eq!((&edits[0].from, &edits[0].to), (&Value::from("b"), &Value::from("a")));
    }

    #[test]
    fn an_increment_has_no_inverse() {
        let change = Change::Increment { asset: AssetId::random(), counter: Counter::Reuse };
        assert_eq!(change.inverse(), None);
    }
}
