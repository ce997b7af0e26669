//! Conversations and their links to assets (records, section 3).
//!
//! Our choice: an update of a conversation does not change its messages, which have operations of their own; a link is
//! recorded on its asset as an update, since the fixed list of events has none for it.

use serde_json::{Map, Value};

use super::{annotations, messages};
use crate::http::queued_write::QueuedWrite;
use crate::http::spool::ResponseText;
use crate::input::extra_fields::{self, FieldPolicy};
use crate::input::{bounds, normalize};
use crate::store::records::conversation::{ConversationChange, ConversationSeed};
use crate::{RequestContext, Service, ServiceError, record};
use lunette_client::model::conversation::{Conversation, SeededConversation};
use lunette_client::model::id::ConversationId;
use lunette_client::model::record::Record as _;
use lunette_client::model::value::SeededScoreIncrement;
use lunette_client::operation::table::{
    AssetAssociateConversation, AssetDisassociateConversation, ConversationAssociateAsset,
    ConversationDisassociateAsset, ConversationGetSpecificConversation, ConversationScoresIncrement,
    ConversationSpecificConversationRename, ConversationUpdate, ConversationsCreateSpecificConversation,
    ConversationsDeleteSpecificConversation, ConversationsIdentifiersSnapshot, ConversationsSnapshot,
};

use super::assets::{chosen, needed, transfer};
use super::extensions::derived_name;

/// What a document of a conversation keeps.
const FIELD_POLICIES: &[(&str, FieldPolicy)] = &[
    ("id", FieldPolicy::Managed),
    ("name", FieldPolicy::Managed),
    ("created", FieldPolicy::Managed),
    ("updated", FieldPolicy::Managed),
    ("deleted", FieldPolicy::Managed),
    ("favorited", FieldPolicy::Managed),
    ("application", FieldPolicy::Managed),
    ("annotations", FieldPolicy::Managed),
    ("messages", FieldPolicy::Managed),
    ("assets", FieldPolicy::Managed),
    ("type", FieldPolicy::Managed),
    ("score", FieldPolicy::Managed),
    ("schema", FieldPolicy::Managed),
    ("model", FieldPolicy::Reference),
    ("websites", FieldPolicy::References),
    ("anchors", FieldPolicy::References),
    ("summaries", FieldPolicy::References),
    ("pipeline", FieldPolicy::Settings),
    ("grounding", FieldPolicy::Settings),
];

/// Lists all conversations, oldest first.
pub(crate) fn all(
    service: &Service,
    caller: &RequestContext,
    op: ConversationsSnapshot,
) -> Result<ResponseText, ServiceError> {
    let (mut list, transfer) = (record::List::indexed(service, caller), transfer(op.transferables));
    service.store.each_conversation(|one| list.add(&record::conversation(one, transfer)))?;
    list.finish()
}

/// Lists the ids of all conversations, oldest first.
pub(crate) fn identifiers(
    service: &Service,
    caller: &RequestContext,
    _: ConversationsIdentifiersSnapshot,
) -> Result<ResponseText, ServiceError> {
    let mut list = record::List::indexed(service, caller);
    service.store.each_conversation_id(|id| list.add_reference(id))?;
    list.finish()
}

/// Reads a conversation. One that is unknown or deleted is 410, the one status documented here (records, section 3).
pub(crate) fn one(
    service: &Service,
    _: &RequestContext,
    op: ConversationGetSpecificConversation,
) -> Result<Conversation, ServiceError> {
    let found = service.store.conversation(op.conversation.as_str()).map_err(ServiceError::absent_is_gone)?;
    Ok(Conversation::from_tree(record::conversation(&found, transfer(op.transferables)))?)
}

/// Creates a conversation, with its messages and annotations, about assets that are there.
pub(crate) fn create(
    service: &Service,
    _: &RequestContext,
    op: ConversationsCreateSpecificConversation,
) -> Result<Conversation, ServiceError> {
    let body: SeededConversation = needed(op.conversation, "the conversation to create, with its `type`")?;
    let created = service.store.seed_conversation(seed(&body)?)?;
    Ok(Conversation::from_tree(record::conversation(&created, transfer(op.transferables)))?)
}

/// Our choice: anchors that a seed brings whole are not made here; they have an operation of their own.
pub(crate) fn seed(body: &SeededConversation) -> Result<ConversationSeed, ServiceError> {
    let view = body.view();
    let mut document = Map::new();
    extra_fields::merge(&mut document, body.tree(), FIELD_POLICIES);
    document.shift_remove("anchors");
    if let Some(application) = view.application() {
        document.insert("application".to_owned(), normalize::application(application.tree().clone()));
    }
    let assets = view.assets().and_then(|assets| assets.iterable()).into_iter().flat_map(|list| list.iter());
    let texts = view.annotations().into_iter().flat_map(|texts| texts.iter());
    let spoken = view.messages().into_iter().flat_map(|messages| messages.iter());
    Ok(ConversationSeed {
        name: view.name().map(|name| bounds::NAME.check(name.to_owned())).transpose()?,
        favorited: view.favorited(),
        document: bounds::FIELDS.check(Value::Object(document).to_string())?,
        messages: spoken.map(messages::new).collect::<Result<_, _>>()?,
        assets: assets.map(|asset| asset.id().to_owned()).collect(),
        annotations: texts.map(|text| annotations::new(text.tree())).collect::<Result<_, _>>()?,
        counters: Vec::new(),
    })
}

/// Updates a conversation by merging the body into it: its name, whether it is a favourite, and what has no operation of
/// its own.
pub(crate) fn update(
    service: &Service,
    _: &RequestContext,
    op: ConversationUpdate,
) -> Result<Conversation, ServiceError> {
    let ConversationUpdate { transferables, conversation } = op;
    let body: Conversation = needed(conversation, "the conversation to update")?;
    let id: ConversationId = body
        .view()
        .id()
        .parse()
        .map_err(|bad| ServiceError::bad_request(format!("invalid `id` of the conversation: {bad}")))?;
    let updated = service.store.update_conversation(id.as_str(), move |before| {
        Ok(ConversationChange {
            name: body.view().name().map(|name| bounds::NAME.check(name.to_owned())).transpose()?,
            favorited: body.view().favorited(),
            document: Some(bounds::grown(
                &before.document,
                extra_fields::merged(&before.document, body.tree(), FIELD_POLICIES),
            )?),
        })
    })?;
    Ok(Conversation::from_tree(record::conversation(&updated, transfer(transferables)))?)
}

/// Names a conversation after its first message.
///
/// Our choice: the vendor's service asks a language model for a name. Here it is the first heading or line of what the
/// user said first, or of what anyone said; a conversation without a text keeps its name.
pub(crate) fn rename(
    service: &Service,
    _: &RequestContext,
    op: ConversationSpecificConversationRename,
) -> Result<Conversation, ServiceError> {
    let renamed = service.store.update_conversation(op.conversation.as_str(), |before| {
        let first_of_user = before.messages.iter().filter(|message| message.role == "USER");
        let name = first_of_user.chain(&before.messages).find_map(|message| derived_name("md", &message.text));
        Ok(ConversationChange { name, ..ConversationChange::default() })
    })?;
    Ok(Conversation::from_tree(record::conversation(&renamed, transfer(op.transferables)))?)
}

/// Deletes a conversation with its messages.
pub(crate) fn delete(
    service: &Service,
    _: &RequestContext,
    op: ConversationsDeleteSpecificConversation,
) -> Result<(), ServiceError> {
    Ok(service.store.delete_conversation(op.conversation.as_str())?)
}

/// Adds one to a score of a conversation.
pub(crate) fn increment(service: &Service, op: ConversationScoresIncrement) -> Result<QueuedWrite, ServiceError> {
    let score = op.increment.as_ref().map(SeededScoreIncrement::view).and_then(|body| body.conversation());
    match score.map(chosen).transpose()?.flatten() {
        Some(counter) => {
            Ok(QueuedWrite::new(service.store.begin_increment_conversation(op.conversation.as_str(), counter)?))
        }
        None => {
            Ok(QueuedWrite::none(move |service| Ok(service.store.conversation(op.conversation.as_str()).map(drop)?)))
        }
    }
}

/// Links a conversation to an asset.
pub(crate) fn associate(
    service: &Service,
    _: &RequestContext,
    op: ConversationAssociateAsset,
) -> Result<(), ServiceError> {
    Ok(service.store.link_conversation(op.asset.as_str(), op.conversation.as_str())?)
}

/// Unlinks a conversation from an asset.
pub(crate) fn disassociate(
    service: &Service,
    _: &RequestContext,
    op: ConversationDisassociateAsset,
) -> Result<(), ServiceError> {
    Ok(service.store.unlink_conversation(op.asset.as_str(), op.conversation.as_str())?)
}

/// Links a conversation to an asset, from the asset's side.
pub(crate) fn associate_of_asset(
    service: &Service,
    _: &RequestContext,
    op: AssetAssociateConversation,
) -> Result<(), ServiceError> {
    Ok(service.store.link_conversation(op.asset.as_str(), op.conversation.as_str())?)
}

/// Unlinks a conversation from an asset, from the asset's side.
pub(crate) fn disassociate_of_asset(
    service: &Service,
    _: &RequestContext,
    op: AssetDisassociateConversation,
) -> Result<(), ServiceError> {
    Ok(service.store.unlink_conversation(op.asset.as_str(), op.conversation.as_str())?)
}
