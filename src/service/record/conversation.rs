//! The records of conversations and their messages.

use serde_json::{Value, json};

use super::{indexed, references, stamp};
use crate::store::asset::Transfer;
use crate::store::conversation::{ConversationRow, MessageRow};

/// Conversations about an asset.
pub(crate) fn conversations(rows: &[ConversationRow], transfer: Transfer) -> Value {
    indexed(rows.iter().map(|row| conversation(row, transfer)).collect())
}

fn conversation(row: &ConversationRow, transfer: Transfer) -> Value {
    let ConversationRow { id, name, created, updated, messages, assets } = row;
    let messages = messages.iter().map(|text| json!({ "id": text.id, "reference": message(text, id, transfer) }));
    let mut tree = json!({
        "id": id, "created": stamp(*created), "updated": stamp(*updated), "type": "COPILOT",
        "messages": indexed(messages.collect()), "assets": references(assets.iter().map(String::as_str)),
    });
    if let Some(name) = name {
        tree["name"] = name.as_str().into();
    }
    tree
}

fn message(row: &MessageRow, conversation: &str, transfer: Transfer) -> Value {
    let MessageRow { id, created, role, text } = row;
    let fragment = match transfer {
        Transfer::Full => json!({ "string": { "raw": text } }),
        Transfer::Withheld => json!({}),
    };
    json!({
        "id": id, "created": stamp(*created), "updated": stamp(*created), "conversation": { "id": conversation },
        "role": role, "fragment": fragment,
    })
}
