//! The fields of an asset that the window edits, and the counters of its score.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use lunette_client::model::Told;
use lunette_client::model::asset::Asset;
use lunette_client::model::record::{Record as _, SchemaError, View};

/// A counter of an asset's score that can be incremented (records, 2.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Counter {
    /// How often it was reused.
    Reuse,
    /// How often it was updated.
    Update,
    /// How often it was referenced.
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

    /// Its value on an asset; None if the record does not tell it.
    pub fn value(self, asset: View<'_, Asset>) -> Option<i64> {
        let Some(score) = asset.score() else { return (asset.told("score") == Told::Nothing).then_some(0) };
        let counter = match self {
            Self::Reuse => score.reuse(),
            Self::Update => score.update(),
            Self::Reference => score.reference(),
            Self::Priority => score.priority(),
            Self::Searched => score.searched(),
        };
        counter.or_else(|| (score.told(self.as_str()) == Told::Nothing).then_some(0))
    }
}

/// A field of an asset that the window edits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Field {
    /// `name`.
    Name,
    /// The text of the last annotation of type DESCRIPTION (records, 2.4).
    Description,
    /// `favorited`.
    Favorited,
}

impl Field {
    /// Its display name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Description => "description",
            Self::Favorited => "favourite",
        }
    }

    /// Its value on an asset, as [`Self::value`]; None if the record does not tell it.
    pub fn told(self, asset: View<'_, Asset>) -> Option<Value> {
        (asset.told(self.in_record()) != Told::Unknown).then(|| self.value(asset))
    }

    /// Its value on an asset, as [`Self::value`]; None if the record leaves it out, even where that could mean that
    /// there is none.
    pub fn said(self, asset: View<'_, Asset>) -> Option<Value> {
        asset.tells(self.in_record()).then(|| self.value(asset))
    }

    /// The field of a record that has it.
    fn in_record(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Description => "annotations",
            Self::Favorited => "favorited",
        }
    }

    /// Its value on an asset: a text or a boolean; a text that is absent or not told is empty.
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Edit {
    /// The field.
    pub field: Field,
    /// The value that the user saw; `None` for any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Value>,
    /// The new value.
    pub to: Value,
}

/// Why an edit cannot be applied to a record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// The record has something else in place of the descriptions, which would be lost.
    #[error("the service does not say which descriptions this asset has, so none is changed")]
    UnreportedDescriptions,
    /// The edited record does not match its schema.
    #[error(transparent)]
    Schema(#[from] SchemaError),
}

/// The asset with an edit applied; the rest of its tree is unchanged.
pub(crate) fn edited(asset: Asset, edit: &Edit) -> Result<Asset, EditError> {
    let field = match edit.field {
        Field::Name => ("name", edit.to.clone()),
        Field::Favorited => ("favorited", edit.to.clone()),
        Field::Description => ("annotations", described(&asset, edit.to.as_str().unwrap_or_default())?),
    };
    Ok(asset.with(field.0, field.1)?)
}

/// The asset's annotations with its description set to a text. Fails if the record has something else in their place,
/// which would be lost.
fn described(asset: &Asset, text: &str) -> Result<Value, EditError> {
    let known = asset.tree().get("annotations").filter(|annotations| !annotations.is_null());
    let mut annotations = known.cloned().unwrap_or_else(|| serde_json::json!({ "iterable": [] }));
    let Some(items) = annotations.get_mut("iterable").and_then(Value::as_array_mut) else {
        return Err(EditError::UnreportedDescriptions);
    };
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
    Ok(annotations)
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
    fn an_edit_changes_only_its_field() {
        let before = asset(r#","name":"old","x":1.10,"z":null"#);
        let edit = Edit { field: Field::Name, from: Some("old".into()), to: "new".into() };
        let after = edited(before.clone(), &edit).expect("an asset");
        assert_eq!(after.tree().to_string(), before.tree().to_string().replace("old", "new"));
    }

    #[test]
    fn an_edit_of_a_partial_record_sends_what_is_known_and_invents_nothing() {
        let partial = |annotations: &str| {
            let text = format!(r#"{{"id":"1","name":5,"mine":1.10{annotations}}}"#);
            Asset::from_any(serde_json::from_str(&text).expect("JSON")).expect("an object")
        };
        let edit = Edit { field: Field::Name, from: None, to: "new".into() };
        let after = edited(partial(""), &edit).expect("an asset");
        assert_eq!(after.tree().to_string(), r#"{"id":"1","name":"new","mine":1.10}"#);
        let edit = Edit { field: Field::Description, from: None, to: "about".into() };
        assert!(edited(partial(r#","annotations":[{"text":"kept"}]"#), &edit).is_err(), "it would replace the list");
        assert_eq!(Field::Name.told(partial("").view()), None);
        assert_eq!(Counter::Reuse.value(partial(r#","score":{"reuse":1.5}"#).view()), None);
    }

    #[test]
    fn a_description_is_found_where_it_was_stored() {
        let edit = Edit { field: Field::Description, from: None, to: "what it is for".into() };
        let after = edited(asset(""), &edit).expect("an asset");
        assert_eq!(description(after.view()), Some("what it is for"));
    }
}
