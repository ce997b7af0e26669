//! The words that every client of the interface knows. A record with any other word is refused whole by the oldest of
//! them (records, section 0, surprise 2), so that what comes from outside is brought into this alphabet before it is
//! kept.

use serde_json::{Map, Value};

use lunette_client::model::closed_enum::{
    AnnotationTypeEnum, ApplicationNameEnum, CapabilitiesEnum, MechanismEnum, ModelTypeEnum, ModelUsageEnum,
    PlatformEnum, PrivacyEnum, TagCategoryEnum,
};
use lunette_client::model::value::Model;

mod record;
mod related;

pub(super) use record::{normalized, normalized_record};
pub(super) use related::{ANCHOR_TYPES, HINT_TYPES, PERSON_SCOPES, person_type, related_record};

const APPLICATION_NAMES: &[&str] = ApplicationNameEnum::VARIANTS;
/// Where something runs (`PlatformEnum`).
pub(super) const PLATFORMS: &[&str] = PlatformEnum::VARIANTS;
const PRIVACIES: &[&str] = PrivacyEnum::VARIANTS;
const CAPABILITIES: &[&str] = CapabilitiesEnum::VARIANTS;
/// What a tag is (`TagCategoryEnum`).
pub(super) const TAG_CATEGORIES: &[&str] = TagCategoryEnum::VARIANTS;
const NODE_TYPES: &[&str] = &["TAG", "WEBSITE", "FORMAT", "ASSET"];
const MODEL_TYPES: &[&str] = ModelTypeEnum::VARIANTS;
const MODEL_USAGES: &[&str] = ModelUsageEnum::VARIANTS;

/// How something came to be (`MechanismEnum`).
pub(super) const MECHANISMS: &[&str] = MechanismEnum::VARIANTS;
/// What an annotation is (`AnnotationTypeEnum`).
pub(super) const ANNOTATION_TYPES: &[&str] = AnnotationTypeEnum::VARIANTS;

/// Who said a message (`QGPTConversationMessageRoleEnum`).
pub(super) const MESSAGE_ROLES: &[&str] = &["USER", "SYSTEM", "ASSISTANT"];
/// What a reader thought of a message (`ConversationMessageSentimentEnum`).
pub(super) const MESSAGE_SENTIMENTS: &[&str] = &["LIKE", "DISLIKE", "REPORT"];

/// The word itself where it is in the alphabet, else the other.
pub(super) fn word<'a>(word: Option<&'a str>, alphabet: &[&str], otherwise: &'a str) -> &'a str {
    word.filter(|word| alphabet.contains(word)).unwrap_or(otherwise)
}

/// The record of an application with every word in the alphabet; fields unknown to us stay.
pub(super) fn application(mut application: Value) -> Value {
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

/// The record of a model with every word in the alphabet. Its maker and family come from long lists that grow with
/// every version of the clients; they are optional and left out.
pub(super) fn model(mut model: Value) -> Value {
    if let Value::Object(fields) = &mut model {
        force(fields, "type", MODEL_TYPES, "BALANCED");
        force(fields, "usage", MODEL_USAGES, "CODE_CONVERSATION");
        for field in ["foundation", "provider", "schema"] {
            fields.remove(field);
        }
    }
    normalized_record::<Model>(model)
}

/// A list of applications, each in the alphabet.
pub(super) fn applications(mut list: Value) -> Value {
    for one in entries(&mut list) {
        *one = application(one.take());
    }
    list
}

/// The record of a relationship with every word in the alphabet.
pub(super) fn relationship(mut relationship: Value) -> Value {
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
pub(super) fn tag_category(category: Option<&str>) -> &str {
    word(category, TAG_CATEGORIES, "UNKNOWN")
}

fn force(fields: &mut Map<String, Value>, name: &str, alphabet: &[&str], otherwise: &str) {
    let known = word(fields.get(name).and_then(Value::as_str), alphabet, otherwise).to_owned();
    fields.insert(name.to_owned(), Value::String(known));
}

fn drop_unknown(fields: &mut Map<String, Value>, name: &str, alphabet: &[&str]) {
    let known = fields.get(name).and_then(Value::as_str).is_some_and(|word| alphabet.contains(&word));
    if !known {
        fields.shift_remove(name);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_application_of_a_later_client_is_brought_into_the_alphabet() {
        let given = json!({ "id": "a", "name": "MCP_CLIENT", "version": "1", "platform": "BEOS", "onboarded": true,
            "privacy": "UNKNOWN", "capabilities": "UNKNOWN", "enrichment": { "kept": 1 } });
        let expected = json!({ "id": "a", "name": "UNKNOWN", "version": "1", "platform": "UNKNOWN", "onboarded": true,
            "privacy": "OPEN", "enrichment": { "kept": 1 } });
        assert_eq!(application(given), expected);
    }
}
