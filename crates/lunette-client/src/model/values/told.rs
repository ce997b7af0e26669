//! What a record of a service tells: fields that it has, fields that it leaves out since they have no value, and fields of
//! which nothing is known.
//!
//! The interface names no field as required, so that a service may leave out any of them. What must hold: a field that is
//! not told never counts as empty where something is decided by it.

use serde_json::Value;

use crate::model::record::{Field, Record, View};

/// What a record tells of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    /// It has a value of the field's type.
    Value,
    /// It has none: the record leaves out an optional field, and no field that the public clients require.
    Nothing,
    /// It is not known: the field has a value of another type, or the record leaves out fields that the public clients
    /// require, so that the absence of another one means nothing.
    Unknown,
}

impl<R: Record> View<'_, R> {
    /// Whether the record has a value of a field, of the field's type.
    pub fn tells(self, name: &str) -> bool {
        self.told(name) == Told::Value
    }

    /// What the record tells of a field. A field that is not known by name is told if it is there.
    pub fn told(self, name: &str) -> Told {
        let known = R::FIELDS.iter().find(|field| field.name == name);
        match self.tree().get(name).filter(|value| !value.is_null()) {
            Some(value) if known.is_none_or(|field| (field.fits)(value)) => Told::Value,
            Some(_) => Told::Unknown,
            None if self.is_complete() => Told::Nothing,
            None => Told::Unknown,
        }
    }

    /// Whether the record has every field that the public clients require.
    fn is_complete(self) -> bool {
        let has = |field: &Field| self.tree().get(field.name).is_some_and(|value: &Value| (field.fits)(value));
        R::FIELDS.iter().filter(|field| field.required).all(has)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::model::linked::Tag;

    #[test]
    fn an_absent_field_is_empty_only_if_no_required_one_is_absent() {
        let told = |tree: &Value, name: &str| View::<Tag>::of(tree).told(name);
        let moment = json!({ "value": "2026-01-01T00:00:00Z" });
        let whole = json!({ "id": "1", "text": "a", "created": moment, "updated": moment, "category": "UNKNOWN",
            "score": null, "interactions": "many" });
        assert_eq!(told(&whole, "text"), Told::Value);
        assert_eq!((told(&whole, "score"), told(&whole, "assets")), (Told::Nothing, Told::Nothing));
        assert_eq!(told(&whole, "interactions"), Told::Unknown, "it has another type");
        let part = json!({ "id": "1", "text": 5, "created": moment });
        assert_eq!((told(&part, "id"), told(&part, "created")), (Told::Value, Told::Value));
        for name in ["text", "updated", "score", "assets"] {
            assert_eq!(told(&part, name), Told::Unknown, "{name}");
        }
        assert_eq!(told(&json!([1]), "id"), Told::Unknown);
    }
}
