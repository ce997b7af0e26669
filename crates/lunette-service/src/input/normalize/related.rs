//! Normalizes persons, anchors and hints.

use serde_json::{Map, Value};

use super::{MECHANISMS, PLATFORMS, drop_unknown, entries, force};
use crate::store::records::related::RelatedKind;
use lunette_client::model::closed_enum::{AnchorTypeEnum, HintTypeEnum};
use lunette_client::model::local::UserProfile;
use lunette_client::model::record::Record as _;

/// What an anchor is at (`AnchorTypeEnum`).
pub(crate) const ANCHOR_TYPES: &[&str] = AnchorTypeEnum::VARIANTS;
/// What a hint is (`HintTypeEnum`).
pub(crate) const HINT_TYPES: &[&str] = HintTypeEnum::VARIANTS;
/// What a person may do with an asset (`PersonAccessScopedEnum`).
pub(crate) const PERSON_SCOPES: &[&str] = &["OWNER", "EDITOR", "COMMENTER", "VIEWER"];
/// Where a person was found (`ExternallySourcedEnum`).
const SOURCES: &[&str] = &[
    "UNKNOWN",
    "TWITTER",
    "MEDIUM",
    "LINKED_IN",
    "INSTAGRAM",
    "FACEBOOK",
    "REDDIT",
    "DISCORD",
    "BIT_BUCKET",
    "GIT_LAB",
    "GIT_HUB",
    "SLACK",
    "MAILGUN",
];

/// A record that was sent inside an asset; unknown fields are kept.
pub(crate) fn related_record(kind: RelatedKind, mut record: Value) -> Value {
    let Value::Object(fields) = &mut record else { return record };
    fields.shift_remove("schema");
    match kind {
        RelatedKind::Hint => {
            force(fields, "type", HINT_TYPES, "SUGGESTED_QUERY");
            mechanisms(fields);
        }
        RelatedKind::Anchor => {
            force(fields, "type", ANCHOR_TYPES, "FILE");
            points(fields);
        }
        RelatedKind::Person => {
            if let Some(kind) = fields.get_mut("type") {
                *kind = person_type(kind.take());
            }
            mechanisms(fields);
            for access in fields.get_mut("access").and_then(Value::as_object_mut).into_iter().flat_map(Map::values_mut)
            {
                if let Value::Object(access) = access {
                    drop_unknown(access, "scoped", PERSON_SCOPES);
                }
            }
        }
    }
    record
}

/// What a person is. Our choice: of an account only what describes it is kept; what else it holds are keys and places
/// elsewhere.
pub(crate) fn person_type(mut kind: Value) -> Value {
    let Value::Object(fields) = &mut kind else { return kind };
    fields.shift_remove("schema");
    if let Some(Value::Object(basic)) = fields.get_mut("basic") {
        basic.shift_remove("schema");
        drop_unknown(basic, "sourced", SOURCES);
        if !basic.get("mailgun").is_some_and(|mailgun| mailgun["messageId"].is_string()) {
            basic.shift_remove("mailgun");
        }
    }
    match fields.shift_remove("platform") {
        Some(mut platform) if UserProfile::from_tree(platform.clone()).is_ok() => {
            if let Value::Object(platform) = &mut platform {
                platform.retain(|field, _| !["allocation", "providers", "auth0", "schema"].contains(&field.as_str()));
            }
            fields.insert("platform".to_owned(), platform);
        }
        _ => {}
    }
    kind
}

/// The oldest clients fail if these are missing (records, section 0, surprise 1).
fn mechanisms(fields: &mut Map<String, Value>) {
    let mut kept = match fields.shift_remove("mechanisms") {
        Some(Value::Object(mechanisms)) => mechanisms,
        _ => Map::new(),
    };
    kept.retain(|_, word| word.as_str().is_some_and(|word| MECHANISMS.contains(&word)));
    fields.insert("mechanisms".to_owned(), Value::Object(kept));
}

/// The points of an anchor; clients require the list.
fn points(fields: &mut Map<String, Value>) {
    let listed = fields.get("points").is_some_and(|points| points["iterable"].is_array());
    if !listed {
        fields.insert("points".to_owned(), serde_json::json!({ "iterable": [] }));
    }
    for point in fields.get_mut("points").into_iter().flat_map(entries) {
        if let Some(Value::Object(reference)) = point.get_mut("reference") {
            drop_unknown(reference, "platform", PLATFORMS);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn related_records_of_later_clients_are_normalized() {
        let hint =
            related_record(RelatedKind::Hint, json!({ "id": "h", "type": "UNKNOWN", "mechanisms": null, "new": 1 }));
        assert_eq!(hint, json!({ "id": "h", "type": "SUGGESTED_QUERY", "mechanisms": {}, "new": 1 }));
        let anchor = related_record(RelatedKind::Anchor, json!({ "id": "a", "type": "UNKNOWN", "points": 7 }));
        assert_eq!(anchor, json!({ "id": "a", "type": "FILE", "points": { "iterable": [] } }));
        let person = related_record(
            RelatedKind::Person,
            json!({ "id": "p", "access": { "x": { "scoped": "UNKNOWN" } }, "mechanisms": { "x": "EXTERNAL_AGENT" },
                "type": { "basic": { "name": "Ada", "sourced": "OF_TOMORROW" }, "platform": { "id": "u" } } }),
        );
        let expected = json!({ "id": "p", "access": { "x": {} }, "type": { "basic": { "name": "Ada" } },
            "mechanisms": {} });
        assert_eq!(person, expected);
    }
}
