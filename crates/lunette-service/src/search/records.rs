//! Searches of tags, websites, workstream summaries, conversations and annotations.
//!
//! Our choice: each is found where all words of the query are parts of its text: a tag's text, a website's name or
//! address, a summary's name or annotations, a conversation's name or messages. Those most like the query come first,
//! then the newest updated; at most 500. They are looked through, since there are few of them; none is indexed but
//! assets.

use serde_json::{Value, json};

use crate::assets::needed;
use crate::store::StoreError;
use crate::store::asset::Transfer;
use crate::store::item::ItemKind;
use crate::store::search::Texts;
use crate::{RequestContext, Service, ServiceError, record};
use lunette_client::model::record::Record;
use lunette_client::model::search_result::{
    SearchedAnnotations, SearchedConversations, SearchedTags, SearchedWebsites, SearchedWorkstreamSummaries,
};
use lunette_client::model::search_terms::Folded;
use lunette_client::model::seed::SearchInput;
use lunette_client::operation::table::{
    SearchAnnotations, SearchConversations, SearchTags, SearchWebsites, SearchWorkstreamSummaries,
};

use super::MAX_HITS;
use super::engines::{Engine, Similarity};

/// Finds tags.
pub(crate) fn tags(service: &Service, _: &RequestContext, op: SearchTags) -> Result<SearchedTags, ServiceError> {
    let read = |id: &str| item(service, ItemKind::Tag, id);
    found(service, Texts::Tags, op.search, ("tag", op.transferables), read)
}

/// Finds websites.
pub(crate) fn websites(
    service: &Service,
    _: &RequestContext,
    op: SearchWebsites,
) -> Result<SearchedWebsites, ServiceError> {
    let read = |id: &str| item(service, ItemKind::Website, id);
    found(service, Texts::Websites, op.search, ("website", op.transferables), read)
}

/// Finds workstream summaries.
pub(crate) fn workstream_summaries(
    service: &Service,
    _: &RequestContext,
    op: SearchWorkstreamSummaries,
) -> Result<SearchedWorkstreamSummaries, ServiceError> {
    let read = |id: &str| item(service, ItemKind::Summary, id);
    found(service, Texts::Summaries, op.search, ("summary", op.transferables), read)
}

/// Finds conversations.
pub(crate) fn conversations(
    service: &Service,
    _: &RequestContext,
    op: SearchConversations,
) -> Result<SearchedConversations, ServiceError> {
    let read = |id: &str| Ok(record::conversation(&service.store.conversation(id)?, Transfer::Full));
    found(service, Texts::Conversations, op.search, ("conversation", op.transferables), read)
}

/// Finds annotations.
pub(crate) fn annotations(
    service: &Service,
    _: &RequestContext,
    op: SearchAnnotations,
) -> Result<SearchedAnnotations, ServiceError> {
    let read = |id: &str| Ok(record::annotation(&service.store.annotation(id)?));
    found(service, Texts::Annotations, op.search, ("annotation", op.transferables), read)
}

fn item(service: &Service, kind: ItemKind, id: &str) -> Result<Value, StoreError> {
    Ok(record::item(&service.store.item(kind, id)?))
}

/// Looks through texts; the records of what was found stand in the field named, unless they are withheld.
fn found<R: Record>(
    service: &Service,
    texts: Texts,
    input: Option<SearchInput>,
    (field, transferables): (&str, Option<bool>),
    read: impl Fn(&str) -> Result<Value, StoreError>,
) -> Result<R, ServiceError> {
    let input = needed(input, "what to search for, in `engines`")?;
    let engine = Engine::read(&input)?;
    let mut hits: Vec<(Similarity, String)> = Vec::new();
    service.store.texts(texts, |id, text| {
        if let Some(similarity) = engine.similarity_to(&Folded::of(text)) {
            hits.push((similarity, id.to_owned()));
        }
    })?;
    hits.sort_by(|(one, _), (other, _)| other.similarity.total_cmp(&one.similarity));
    let mut records = Vec::new();
    for (Similarity { exact, similarity }, id) in hits.into_iter().take(MAX_HITS) {
        let mut tree = json!({ "exact": exact, "similarity": similarity, "identifier": id });
        if transferables != Some(false) {
            match read(&id) {
                Ok(record) => tree[field] = record,
                // Deleted since it was found, or damaged: the store has told of that.
                Err(StoreError::NotFound { .. } | StoreError::Gone { .. } | StoreError::Damaged { .. }) => continue,
                Err(error) => return Err(error.into()),
            }
        }
        records.push(tree);
    }
    Ok(R::from_tree(json!({ "iterable": records }))?)
}
