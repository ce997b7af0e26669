//! The records of conversations and their messages.

use serde_json::{Value, json};

use super::linked::{annotation_references, score};
use super::{indexed, object, references, stamp};
use crate::store::records::asset::Transfer;
use crate::store::records::conversation::{ConversationRow, MessageRow};

/// Conversations about an asset.
pub(crate) fn conversations(rows: &[ConversationRow], transfer: Transfer) -> Value {
    indexed(rows.iter().map(|row| conversation(row, transfer)).collect())
}

/// A conversation with its messages.
pub(crate) fn conversation(row: &ConversationRow, transfer: Transfer) -> Value {
    let ConversationRow { id, name, created, updated, favorited, document, messages, assets, annotations, .. } = row;
    let messages = messages.iter().map(|text| json!({ "id": text.id, "reference": message(text, id, transfer) }));
    let mut tree = json!({
        "id": id, "created": stamp(*created), "updated": stamp(*updated), "type": "COPILOT",
        "messages": indexed(messages.collect()), "assets": references(assets.iter().map(String::as_str)),
        "annotations": annotation_references(annotations),
    });
    if let Some(name) = name {
        tree["name"] = name.as_str().into();
    }
    if let Some(favorited) = favorited {
        tree["favorited"] = (*favorited).into();
    }
    if let Some(score) = score(&row.score) {
        tree["score"] = score;
    }
    for (field, value) in object(document) {
        tree[field.as_str()] = value;
    }
    tree
}

/// The messages of a conversation by themselves.
pub(crate) fn messages(row: &ConversationRow, transfer: Transfer) -> Value {
    indexed(row.messages.iter().map(|text| message(text, &row.id, transfer)).collect())
}

pub(crate) fn message(row: &MessageRow, conversation: &str, transfer: Transfer) -> Value {
    let MessageRow { id, created, updated, role, text, document } = row;
    let mut fragment = match transfer {
        Transfer::Full => json!({ "string": { "raw": text } }),
        Transfer::Withheld => json!({}),
    };
    let mut document = object(document);
    if let Some(ext) = document.shift_remove("ext") {
        fragment["metadata"] = json!({ "ext": ext });
    }
    let mut tree = json!({
        "id": id, "created": stamp(*created), "updated": stamp(*updated), "conversation": { "id": conversation },
        "role": role, "fragment": fragment,
    });
    for (field, value) in document {
        tree[field.as_str()] = value;
    }
    tree
}
