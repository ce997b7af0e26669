//! Messages of conversations, one by one (records, section 3).
//!
//! Our choice: a message belongs to its conversation for good, and a change of one is a change of its conversation. A
//! conversation holds at most [`CONVERSATION_BYTES`] of messages, so that it can always be read as a whole.

use serde_json::{Map, Value};

use crate::http::spool::ResponseText;
use crate::input::bounds;
use crate::input::extra_fields::{self, FieldPolicy};
use crate::input::normalize::{self, MESSAGE_ROLES, MESSAGE_SENTIMENTS};
use crate::store::StoreError;
use crate::store::records::conversation::{ConversationRow, MessageChange, NewMessage};
use crate::{RequestContext, Service, ServiceError, record};
use lunette_client::model::View;
use lunette_client::model::conversation::{ConversationMessage, ConversationMessages, SeededConversationMessage};
use lunette_client::model::record::Record as _;
use lunette_client::model::value::FragmentFormat;
use lunette_client::operation::table::{
    ConversationSpecificConversationMessages, MessageSpecificMessageSnapshot, MessageSpecificMessageUpdate,
    MessageUpdateValue, MessagesCreateSpecificMessage, MessagesDeleteSpecificMessage, MessagesSnapshot,
};

use super::assets::{language_of, needed, transfer};

/// What a document of a message keeps.
const MESSAGE_FIELD_POLICIES: &[(&str, FieldPolicy)] = &[
    ("id", FieldPolicy::Managed),
    ("created", FieldPolicy::Managed),
    ("updated", FieldPolicy::Managed),
    ("deleted", FieldPolicy::Managed),
    ("conversation", FieldPolicy::Managed),
    ("fragment", FieldPolicy::Managed),
    ("model", FieldPolicy::Managed),
    ("role", FieldPolicy::Managed),
    ("score", FieldPolicy::Managed),
    ("annotations", FieldPolicy::Managed),
    ("schema", FieldPolicy::Managed),
    ("sentiment", FieldPolicy::Word(MESSAGE_SENTIMENTS)),
];

/// The most bytes of text and fields of all messages of a conversation together.
const CONVERSATION_BYTES: usize = 16 << 20;

/// Lists the messages of all conversations, oldest conversation first.
pub(crate) fn all(
    service: &Service,
    caller: &RequestContext,
    op: MessagesSnapshot,
) -> Result<ResponseText, ServiceError> {
    let (mut list, transfer) = (record::List::indexed(service, caller), transfer(op.transferables));
    service.store.each_message(|one| list.add(&record::message(&one.message, &one.conversation, transfer)))?;
    list.finish()
}

/// Lists the messages of a conversation, in their order.
pub(crate) fn of_conversation(
    service: &Service,
    _: &RequestContext,
    op: ConversationSpecificConversationMessages,
) -> Result<ConversationMessages, ServiceError> {
    let found = service.store.conversation(op.conversation.as_str())?;
    Ok(ConversationMessages::from_tree(record::messages(&found, transfer(op.transferables)))?)
}

/// Reads a message.
pub(crate) fn one(
    service: &Service,
    _: &RequestContext,
    op: MessageSpecificMessageSnapshot,
) -> Result<ConversationMessage, ServiceError> {
    let found = service.store.message(op.message.as_str())?;
    Ok(ConversationMessage::from_tree(record::message(
        &found.message,
        &found.conversation,
        transfer(op.transferables),
    ))?)
}

/// Adds a message to the conversation that it names.
pub(crate) fn create(
    service: &Service,
    _: &RequestContext,
    op: MessagesCreateSpecificMessage,
) -> Result<ConversationMessage, ServiceError> {
    let body: SeededConversationMessage = needed(op.message, "the message to create, with its `conversation`")?;
    let conversation = body.view().conversation().map(|conversation| conversation.id().to_owned());
    let conversation = conversation.ok_or_else(|| ServiceError::bad_request("a message needs a `conversation`"))?;
    let message = new(body.view())?;
    let bytes = message.text.len() + message.document.len();
    let created = service.store.create_message(&conversation, message, move |before| room_for(before, bytes))?;
    Ok(ConversationMessage::from_tree(record::message(&created.message, &conversation, transfer(op.transferables)))?)
}

/// Fails if the messages of a conversation together would be too long.
fn room_for(conversation: &ConversationRow, bytes: usize) -> Result<(), StoreError> {
    let stored: usize = conversation.messages.iter().map(|message| message.text.len() + message.document.len()).sum();
    match stored + bytes {
        total if total > CONVERSATION_BYTES => Err(StoreError::invalid(format!(
            "the limit for all messages of a conversation is {CONVERSATION_BYTES} bytes; these would be {total} bytes"
        ))),
        _ => Ok(()),
    }
}

/// Updates a message by merging the body into it: its text, and what has no operation of its own.
pub(crate) fn update(
    service: &Service,
    _: &RequestContext,
    op: MessageSpecificMessageUpdate,
) -> Result<ConversationMessage, ServiceError> {
    change(service, op.message, op.transferables)
}

/// Replaces the text of a message.
pub(crate) fn update_value(
    service: &Service,
    _: &RequestContext,
    op: MessageUpdateValue,
) -> Result<ConversationMessage, ServiceError> {
    change(service, op.message, op.transferables)
}

fn change(
    service: &Service,
    body: Option<ConversationMessage>,
    transferables: Option<bool>,
) -> Result<ConversationMessage, ServiceError> {
    let body: ConversationMessage = needed(body, "the message to update")?;
    let id = body.view().id().to_owned();
    let spoken = body.view().fragment().filter(|fragment| fragment.string().is_some() || fragment.bytes().is_some());
    let spoken = spoken.map(text).transpose()?;
    let updated = service.store.update_message(&id, move |conversation, before| {
        if let Some(text) = &spoken {
            room_for(conversation, text.len().saturating_sub(before.text.len()))?;
        }
        Ok(MessageChange { document: Some(document_of(&before.document, &body)?), text: spoken })
    })?;
    let tree = record::message(&updated.message, &updated.conversation, transfer(transferables));
    Ok(ConversationMessage::from_tree(tree)?)
}

/// The stored fields of a message with those of a body merged into them.
fn document_of(before: &str, body: &ConversationMessage) -> Result<String, StoreError> {
    let mut document = serde_json::from_str(before).unwrap_or_default();
    extra_fields::merge(&mut document, body.tree(), MESSAGE_FIELD_POLICIES);
    if let Some(model) = body.view().model() {
        document.insert("model".to_owned(), normalize::model(model.tree().clone()));
    }
    if let Some(ext) = body.view().fragment().and_then(language) {
        document.insert("ext".to_owned(), ext.into());
    }
    bounds::grown(before, Value::Object(document).to_string())
}

/// Deletes a message.
pub(crate) fn delete(
    service: &Service,
    _: &RequestContext,
    op: MessagesDeleteSpecificMessage,
) -> Result<(), ServiceError> {
    Ok(service.store.delete_message(op.message.as_str())?)
}

/// A message from a client's seed.
pub(crate) fn new(seed: View<'_, SeededConversationMessage>) -> Result<NewMessage, ServiceError> {
    let fragment = seed.fragment();
    let mut document = Map::new();
    extra_fields::merge(&mut document, seed.tree(), MESSAGE_FIELD_POLICIES);
    if let Some(model) = seed.model() {
        document.insert("model".to_owned(), normalize::model(model.tree().clone()));
    }
    if let Some(ext) = language(fragment) {
        document.insert("ext".to_owned(), ext.into());
    }
    Ok(NewMessage {
        role: normalize::word(Some(seed.role()), MESSAGE_ROLES, "USER").to_owned(),
        text: text(fragment)?,
        document: Value::Object(document).to_string(),
    })
}

/// The text of a message. Our choice: bytes must be UTF-8, since a message is text.
fn text(fragment: View<'_, FragmentFormat>) -> Result<String, ServiceError> {
    if let Some(raw) = fragment.string().and_then(|string| string.raw()) {
        return Ok(raw.to_owned());
    }
    let bytes = fragment
        .bytes()
        .and_then(|bytes| bytes.raw())
        .ok_or_else(|| ServiceError::bad_request("the `fragment` of a message needs a `string` with `raw`"))?;
    let bytes: Option<Vec<u8>> = bytes.iter().map(|byte| u8::try_from(byte).ok()).collect();
    bytes
        .and_then(|bytes| String::from_utf8(bytes).ok())
        .ok_or_else(|| ServiceError::bad_request("the bytes of the `fragment` of a message are not UTF-8 text"))
}

/// The language of a message's text, if it is one that public clients know.
fn language(fragment: View<'_, FragmentFormat>) -> Option<&str> {
    fragment.metadata().and_then(|metadata| metadata.ext()).filter(|ext| language_of(ext).is_ok())
}
