//! The records of activities and conversations.

use serde_json::{Value, json};

use super::{indexed, object, references, stamp};
use crate::store::activity::ActivityRow;
use crate::store::asset::Transfer;
use crate::store::conversation::{ConversationRow, MessageRow};

/// What happened to an asset. `flattened` is the asset as activities hold it. The collection has no `indices`.
pub(crate) fn activities(rows: &[ActivityRow], asset: &str, flattened: &Value) -> Value {
    let records: Vec<Value> = rows.iter().map(|row| activity(row, asset, flattened)).collect();
    json!({ "iterable": records })
}

fn activity(row: &ActivityRow, asset: &str, flattened: &Value) -> Value {
    let ActivityRow { id, created, event, mechanism, rank, application, metadata } = row;
    let mut told = json!({
        "asset": { "id": asset },
        "identifier_description_pair": { event.key(): event.sentence() }
    });
    if let Some(metadata) = metadata {
        told["metadata"] = Value::Object(object(metadata));
    }
    json!({
        "id": id, "created": stamp(*created), "updated": stamp(*created), "event": { "asset": told },
        "application": Value::Object(object(application)), "mechanism": mechanism, "asset": flattened, "rank": rank,
    })
}

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
