//! Reads and normalizes the seeds of persons, anchors and hints.

use serde_json::{Map, Value, json};

use crate::ServiceError;
use crate::input::{bounds, normalize};
use crate::record::references;
use crate::resources::annotations;
use crate::store::records::annotation::NewAnnotation;
use crate::store::records::related::{NewRelated, RelatedKind};
use lunette_client::model::View;
use lunette_client::model::field_type::Items;
use lunette_client::model::linked::SeededAnnotation;
use lunette_client::model::related::{SeededAnchor, SeededHint, SeededPerson};

/// A new person. What the seed says of its asset belongs to the link.
pub(crate) fn person(seed: View<'_, SeededPerson>) -> Result<NewRelated, ServiceError> {
    let mut document = Map::new();
    document.insert("type".into(), normalize::person_type(seed.kind().tree().clone()));
    add_references(&mut document, "anchors", seed.anchors().map(|list| list.tree()));
    let mut link = Map::new();
    if let Some(scoped) = seed.access().and_then(|access| access.get("scoped")).and_then(Value::as_str)
        && normalize::PERSON_SCOPES.contains(&scoped)
    {
        link.insert("access".into(), json!({ "scoped": scoped }));
    }
    let model = seed.model().and_then(|model| model.get("model")?.get("id")?.as_str());
    if let Some(model) = model {
        link.insert("model".into(), json!({ "model": { "id": model } }));
    }
    let created = new(RelatedKind::Person, document, seed.mechanism(), link)?;
    Ok(NewRelated { annotations: texts(seed.annotations())?, ..created })
}

/// A new anchor with one point.
pub(crate) fn anchor(seed: View<'_, SeededAnchor>) -> Result<NewRelated, ServiceError> {
    let fullpath = seed.fullpath();
    if fullpath.trim().is_empty() {
        return Err(ServiceError::bad_request("the field `fullpath` is empty"));
    }
    bounds::ADDRESS.check(fullpath)?;
    let mut document = Map::new();
    document.insert("type".into(), normalize::word(Some(seed.kind()), normalize::ANCHOR_TYPES, "FILE").into());
    if let Some(name) = seed.name() {
        document.insert("name".into(), bounds::NAME.check(name)?.into());
    }
    if let Some(watch) = seed.watch() {
        document.insert("watch".into(), watch.into());
    }
    let mut point = json!({ "id": uuid::Uuid::new_v4().to_string(), "fullpath": fullpath });
    if let Some(platform) = seed.platform().filter(|word| normalize::PLATFORMS.contains(word)) {
        point["platform"] = platform.into();
    }
    document.insert("points".into(), json!([point]));
    add_references(&mut document, "persons", seed.persons().map(|list| list.tree()));
    if let Some(conversation) = seed.conversation() {
        document.insert("conversations".into(), references([conversation].into_iter()));
    }
    let created = new(RelatedKind::Anchor, document, None, Map::new())?;
    Ok(NewRelated { annotations: texts(seed.annotations())?, ..created })
}

/// A new hint.
pub(crate) fn hint(seed: View<'_, SeededHint>) -> Result<NewRelated, ServiceError> {
    if seed.text().trim().is_empty() {
        return Err(ServiceError::bad_request("the field `text` is empty"));
    }
    let mut document = Map::new();
    document.insert("type".into(), normalize::word(Some(seed.kind()), normalize::HINT_TYPES, "SUGGESTED_QUERY").into());
    document.insert("text".into(), bounds::TEXT.check(seed.text())?.into());
    if let Some(model) = seed.model() {
        document.insert("model".into(), json!({ "id": model }));
    }
    new(RelatedKind::Hint, document, seed.mechanism(), Map::new())
}

fn new(
    kind: RelatedKind,
    document: Map<String, Value>,
    mechanism: Option<&str>,
    link: Map<String, Value>,
) -> Result<NewRelated, ServiceError> {
    Ok(NewRelated {
        kind,
        document: bounds::FIELDS.check(Value::Object(document).to_string())?,
        mechanism: normalize::word(mechanism, normalize::MECHANISMS, "MANUAL").to_owned(),
        link: bounds::FIELDS.check(Value::Object(link).to_string())?,
        annotations: Vec::new(),
    })
}

/// The annotations of a seed.
fn texts(given: Option<Items<'_, SeededAnnotation>>) -> Result<Vec<NewAnnotation>, ServiceError> {
    given.into_iter().flat_map(|texts| texts.trees()).map(annotations::new).collect()
}

/// Adds the records that the seed references, by id.
fn add_references(document: &mut Map<String, Value>, field: &str, list: Option<&Value>) {
    let entries = list.and_then(|list| list.get("iterable")?.as_array()).into_iter().flatten();
    let mut ids = entries.filter_map(|entry| entry.get("id")?.as_str()).peekable();
    if ids.peek().is_some() {
        document.insert(field.to_owned(), references(ids));
    }
}
