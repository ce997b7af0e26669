//! The kinds of records that an import uses, and how records refer to each other.

use std::collections::HashSet;

use serde_json::Value;

/// A kind of record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Material {
    Asset,
    Format,
    Tag,
    Website,
    Annotation,
    Summary,
    Person,
    Hint,
    Anchor,
    AnchorPoint,
    Conversation,
    Message,
    Activity,
    Application,
}

/// Each kind: its name in an archive, its folder, and the name of its end in a record that joins two others.
const TABLE: &[(Material, &str, &str, &str)] = &[
    (Material::Asset, "ASSETS", "assets", "asset"),
    (Material::Format, "FORMATS", "formats", "format"),
    (Material::Tag, "TAGS", "tags", "tag"),
    (Material::Website, "WEBSITES", "websites", "website"),
    (Material::Annotation, "ANNOTATIONS", "annotations", "annotation"),
    (Material::Summary, "WORKSTREAM_SUMMARIES", "summaries", "workstreamSummary"),
    (Material::Person, "PERSONS", "persons", "person"),
    (Material::Hint, "HINTS", "hints", "hint"),
    (Material::Anchor, "ANCHORS", "anchors", "anchor"),
    (Material::AnchorPoint, "ANCHOR_POINTS", "anchor_points", "anchorPoint"),
    (Material::Conversation, "CONVERSATIONS", "conversations", "conversation"),
    (Material::Message, "CONVERSATION_MESSAGES", "messages", "conversationMessage"),
    (Material::Activity, "ACTIVITIES", "activities", "activity"),
    (Material::Application, "APPLICATIONS", "applications", "application"),
];

impl Material {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Self> {
        TABLE.iter().map(|(material, ..)| *material)
    }

    /// The kinds that are linked to assets. What there may be most of comes last, since there may be no room for it.
    pub const LINKED: [Self; 9] = [
        Self::Tag,
        Self::Website,
        Self::Annotation,
        Self::Summary,
        Self::Person,
        Self::Hint,
        Self::Anchor,
        Self::Conversation,
        Self::Activity,
    ];

    fn row(self) -> (&'static str, &'static str, &'static str) {
        let row = TABLE.iter().find(|(material, ..)| *material == self);
        row.map_or(("", "", ""), |(_, name, folder, end)| (name, folder, end))
    }

    /// Returns the kind with this name, such as `ASSETS`.
    pub fn named(name: &str) -> Option<Self> {
        TABLE.iter().find(|(_, known, ..)| *known == name).map(|(material, ..)| *material)
    }

    /// Its name in an archive, such as `WORKSTREAM_SUMMARIES`.
    pub fn name(self) -> &'static str {
        self.row().0
    }

    /// Its folder in an archive. Assets name their links of the kind by it too.
    pub fn folder(self) -> &'static str {
        self.row().1
    }

    /// Its table in the cache of a client, such as `workstream_summaries`.
    pub fn table(self) -> String {
        self.name().to_lowercase()
    }

    /// The name of its end in a record that joins two others.
    pub fn end(self) -> &'static str {
        self.row().2
    }

    /// Returns the name of the records that join one of this kind to an asset, such as `tag_to_asset_associations`.
    pub fn associations(self) -> String {
        let end = if self == Self::Summary { "workstream_summary" } else { self.end() };
        format!("{end}_to_asset_associations")
    }

    /// The fields of a record of this kind whose records belong to it.
    pub fn parts(self) -> &'static [(&'static str, Self)] {
        match self {
            Self::Summary | Self::Person => &[("annotations", Self::Annotation)],
            Self::Anchor => &[("points", Self::AnchorPoint), ("annotations", Self::Annotation)],
            Self::Conversation => &[("messages", Self::Message), ("annotations", Self::Annotation)],
            _ => &[],
        }
    }
}

/// A reference to a record, which may hold the record itself.
pub(super) struct Reference<'a> {
    pub id: &'a str,
    pub embedded: Option<&'a Value>,
}

/// Returns what a field refers to: one record, or those of a collection, without those that it marks as removed.
pub(super) fn references(field: Option<&Value>) -> Vec<Reference<'_>> {
    let Some(field) = field else { return Vec::new() };
    let indices = field.get("indices").and_then(Value::as_object);
    let removed =
        |id: &str| indices.is_some_and(|indices| indices.get(id).and_then(Value::as_f64).is_some_and(|at| at < 0.0));
    let listed = field.get("iterable").and_then(Value::as_array).into_iter().flatten().filter_map(reference);
    let indexed = indices.into_iter().flatten().map(|(id, _)| Reference { id, embedded: None });
    let mut seen = HashSet::new();
    let all = reference(field).into_iter().chain(listed).chain(indexed);
    all.filter(|found| !found.id.is_empty() && !removed(found.id) && seen.insert(found.id)).collect()
}

/// Returns the reference in a value: an id, a record, or an id with the record as its `reference`.
fn reference(value: &Value) -> Option<Reference<'_>> {
    let whole = value.get("reference").filter(|whole| whole.is_object());
    let is_whole = || value.as_object().is_some_and(|fields| fields.len() > 1);
    match value {
        Value::String(id) => Some(Reference { id, embedded: None }),
        _ => {
            let id = value.get("id")?.as_str()?;
            Some(Reference { id, embedded: whole.or_else(|| is_whole().then_some(value)) })
        }
    }
}

/// Returns whether a record says that it was deleted.
pub(super) fn is_deleted(record: &Value) -> bool {
    record.get("deleted").is_some_and(|deleted| !deleted.is_null())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn references_are_read_in_each_form_and_removed_ones_are_not() {
        let ids = |value: &Value| references(Some(value)).iter().map(|found| found.id.to_owned()).collect::<Vec<_>>();
        assert_eq!(ids(&json!("a")), ["a"]);
        assert_eq!(ids(&json!({ "id": "a" })), ["a"]);
        assert_eq!(ids(&json!({ "iterable": ["a", { "id": "b" }, { "id": "a" }, 1, {}] })), ["a", "b"]);
        assert_eq!(ids(&json!({ "iterable": [{ "id": "a" }], "indices": { "a": -1, "b": 0, "c": -1.0 } })), ["b"]);
        assert_eq!(ids(&json!([1])), [""; 0]);
        let embedded = json!({ "id": "a", "reference": { "id": "a", "text": "b" } });
        assert_eq!(references(Some(&embedded))[0].embedded, Some(&json!({ "id": "a", "text": "b" })));
    }
}
