//! Normalizes records from outside to the enum values that every client knows, before they are stored: the oldest
//! clients reject a whole record for any other value (records, section 0, surprise 2).

use serde_json::{Map, Value};

use lunette_client::model::closed_enum::{
    AnnotationTypeEnum, ApplicationNameEnum, CapabilitiesEnum, MechanismEnum, ModelTypeEnum, ModelUsageEnum,
    PlatformEnum, PrivacyEnum, TagCategoryEnum,
};
use lunette_client::model::value::Model;

mod record;
mod related;

pub(crate) use record::{normalized, normalized_record};
pub(crate) use related::{ANCHOR_TYPES, HINT_TYPES, PERSON_SCOPES, person_type, related_record};

const APPLICATION_NAMES: &[&str] = ApplicationNameEnum::VARIANTS;
/// Where something runs (`PlatformEnum`).
pub(crate) const PLATFORMS: &[&str] = PlatformEnum::VARIANTS;
const PRIVACIES: &[&str] = PrivacyEnum::VARIANTS;
const CAPABILITIES: &[&str] = CapabilitiesEnum::VARIANTS;
/// What a tag is (`TagCategoryEnum`).
pub(crate) const TAG_CATEGORIES: &[&str] = TagCategoryEnum::VARIANTS;
const NODE_TYPES: &[&str] = &["TAG", "WEBSITE", "FORMAT", "ASSET"];
const MODEL_TYPES: &[&str] = ModelTypeEnum::VARIANTS;
const MODEL_USAGES: &[&str] = ModelUsageEnum::VARIANTS;

/// How something came to be (`MechanismEnum`).
pub(crate) const MECHANISMS: &[&str] = MechanismEnum::VARIANTS;
/// What an annotation is (`AnnotationTypeEnum`).
pub(crate) const ANNOTATION_TYPES: &[&str] = AnnotationTypeEnum::VARIANTS;

/// Who said a message (`QGPTConversationMessageRoleEnum`).
pub(crate) const MESSAGE_ROLES: &[&str] = &["USER", "SYSTEM", "ASSISTANT"];
/// What a reader thought of a message (`ConversationMessageSentimentEnum`).
pub(crate) const MESSAGE_SENTIMENTS: &[&str] = &["LIKE", "DISLIKE", "REPORT"];

/// The value itself if it is allowed, else the fallback.
pub(crate) fn word<'a>(word: Option<&'a str>, allowed: &[&str], fallback: &'a str) -> &'a str {
    word.filter(|word| allowed.contains(word)).unwrap_or(fallback)
}

/// The record of an application with all enum values normalized; unknown fields are kept.
pub(crate) fn application(mut application: Value) -> Value {
    if let Value::Object(fields) = &mut application {
        force(fields, "name", APPLICATION_NAMES, "UNKNOWN");
        force(fields, "platform", PLATFORMS, "UNKNOWN");
        force(fields, "privacy", PRIVACIES, "OPEN");
        drop_unknown(fields, "capabilities", CAPABILITIES);
        drop_unknown(fields, "mechanism", MECHANISMS);
        fields.remove("schema");
    }
    application
}

/// The record of a model with all enum values normalized. Its maker and family come from long lists that grow with
/// every version of the clients; they are optional and dropped.
pub(crate) fn model(mut model: Value) -> Value {
    if let Value::Object(fields) = &mut model {
        force(fields, "type", MODEL_TYPES, "BALANCED");
        force(fields, "usage", MODEL_USAGES, "CODE_CONVERSATION");
        for field in ["foundation", "provider", "schema"] {
            fields.remove(field);
        }
    }
    normalized_record::<Model>(model)
}

/// A list of applications, each normalized.
pub(crate) fn applications(mut list: Value) -> Value {
    for one in entries(&mut list) {
        *one = application(one.take());
    }
    list
}

/// The record of a relationship with all enum values normalized.
pub(crate) fn relationship(mut relationship: Value) -> Value {
    for embedding in relationship.get_mut("embeddings").into_iter().flat_map(entries) {
        if let Some(found) = embedding.get_mut("model") {
            *found = model(found.take());
        }
    }
    for node in relationship.get_mut("edges").into_iter().flat_map(entries) {
        if let Value::Object(fields) = node {
            force(fields, "type", NODE_TYPES, "ASSET");
        }
    }
    relationship
}

/// The entries of a collection.
fn entries(list: &mut Value) -> impl Iterator<Item = &mut Value> {
    list.get_mut("iterable").and_then(Value::as_array_mut).into_iter().flatten()
}

/// A tag's category.
pub(crate) fn tag_category(category: Option<&str>) -> &str {
    word(category, TAG_CATEGORIES, "UNKNOWN")
}

fn force(fields: &mut Map<String, Value>, name: &str, allowed: &[&str], fallback: &str) {
    let known = word(fields.get(name).and_then(Value::as_str), allowed, fallback).to_owned();
    fields.insert(name.to_owned(), Value::String(known));
}

fn drop_unknown(fields: &mut Map<String, Value>, name: &str, allowed: &[&str]) {
    let known = fields.get(name).and_then(Value::as_str).is_some_and(|word| allowed.contains(&word));
    if !known {
        fields.shift_remove(name);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_application_of_a_later_client_is_normalized() {
        let given = json!({ "id": "a", "name": "MCP_CLIENT", "version": "1", "platform": "BEOS", "onboarded": true,
            "privacy": "UNKNOWN", "capabilities": "UNKNOWN", "enrichment": { "kept": 1 } });
        let expected = json!({ "id": "a", "name": "UNKNOWN", "version": "1", "platform": "UNKNOWN", "onboarded": true,
            "privacy": "OPEN", "enrichment": { "kept": 1 } });
        assert_eq!(application(given), expected);
    }
}
