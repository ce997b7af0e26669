//! Searches of tags, websites, workstream summaries, conversations and annotations.
//!
//! Our choice: each is found where all words of the query are parts of its text: a tag's text, a website's name or
//! address, a summary's name or annotations, a conversation's name or messages. Those most like the query come first,
//! then the newest updated; at most 500. They are scanned, since there are few of them; only assets are indexed.

use std::ops::ControlFlow;

use serde_json::{Map, Value};

use crate::http::spool::ResponseText;
use crate::record::{self, List};
use crate::resources::assets::needed;
use crate::store::StoreError;
use crate::store::records::asset::Transfer;
use crate::store::records::item::ItemKind;
use crate::store::search::Texts;
use crate::{RequestContext, Service, ServiceError};
use lunette_client::model::search_result::MAX_HITS;
use lunette_client::model::search_terms::Folded;
use lunette_client::model::seed::SearchInput;
use lunette_client::operation::table::{
    SearchAnnotations, SearchConversations, SearchTags, SearchWebsites, SearchWorkstreamSummaries,
};

use super::engines::{Engine, Similarity};

/// Finds tags.
pub(crate) fn tags(service: &Service, caller: &RequestContext, op: SearchTags) -> Result<ResponseText, ServiceError> {
    let add = item(service, ItemKind::Tag, "tag");
    found(service, caller, Texts::Tags, (op.search, op.transferables), add)
}

/// Finds websites.
pub(crate) fn websites(
    service: &Service,
    caller: &RequestContext,
    op: SearchWebsites,
) -> Result<ResponseText, ServiceError> {
    let add = item(service, ItemKind::Website, "website");
    found(service, caller, Texts::Websites, (op.search, op.transferables), add)
}

/// Finds workstream summaries.
pub(crate) fn workstream_summaries(
    service: &Service,
    caller: &RequestContext,
    op: SearchWorkstreamSummaries,
) -> Result<ResponseText, ServiceError> {
    let add = item(service, ItemKind::Summary, "summary");
    found(service, caller, Texts::Summaries, (op.search, op.transferables), add)
}

/// Finds conversations.
pub(crate) fn conversations(
    service: &Service,
    caller: &RequestContext,
    op: SearchConversations,
) -> Result<ResponseText, ServiceError> {
    let add = tree("conversation", |id| Ok(record::conversation(&service.store.conversation(id)?, Transfer::Full)));
    found(service, caller, Texts::Conversations, (op.search, op.transferables), add)
}

/// Finds annotations.
pub(crate) fn annotations(
    service: &Service,
    caller: &RequestContext,
    op: SearchAnnotations,
) -> Result<ResponseText, ServiceError> {
    let add = tree("annotation", |id| Ok(record::annotation(&service.store.annotation(id)?)));
    found(service, caller, Texts::Annotations, (op.search, op.transferables), add)
}

/// What became of adding a hit: whether more are wanted.
type Added = Result<ControlFlow<()>, StoreError>;

/// Adds hits with their items in this field.
fn item(service: &Service, kind: ItemKind, field: &str) -> impl Fn(&mut List, Map<String, Value>, &str) -> Added {
    move |list, hit, id| service.store.with_item(kind, id, |item| list.add_found_item(&hit, field, item))
}

/// Adds hits with their records in this field.
fn tree(
    field: &str,
    read: impl Fn(&str) -> Result<Value, StoreError>,
) -> impl Fn(&mut List, Map<String, Value>, &str) -> Added {
    move |list, mut hit, id| {
        hit.insert(field.to_owned(), read(id)?);
        Ok(list.add(&hit.into()))
    }
}

/// Scans texts; `add` adds a hit with its record, unless records are withheld.
fn found(
    service: &Service,
    caller: &RequestContext,
    texts: Texts,
    (input, transferables): (Option<SearchInput>, Option<bool>),
    add: impl Fn(&mut List, Map<String, Value>, &str) -> Added,
) -> Result<ResponseText, ServiceError> {
    let input = needed(input, "what to search for, in `engines`")?;
    let engine = Engine::read(&input)?;
    let mut hits: Vec<(Similarity, String)> = Vec::new();
    service.store.texts(texts, |id, text| {
        if let Some(similarity) = engine.similarity_to(&Folded::of(text)) {
            hits.push((similarity, id.to_owned()));
        }
    })?;
    hits.sort_by(|(one, _), (other, _)| other.similarity.total_cmp(&one.similarity));
    let mut list = List::plain(service, caller);
    for (Similarity { exact, similarity }, id) in hits.into_iter().take(MAX_HITS) {
        let mut hit = Map::new();
        hit.insert("exact".to_owned(), exact.into());
        hit.insert("similarity".to_owned(), similarity.into());
        hit.insert("identifier".to_owned(), id.as_str().into());
        let added = match transferables {
            Some(false) => Ok(list.add(&hit.into())),
            Some(true) | None => add(&mut list, hit, &id),
        };
        match added {
            Ok(ControlFlow::Continue(())) => {}
            Ok(ControlFlow::Break(())) => break,
            // Deleted since the search, or damaged, which the store has logged.
            Err(StoreError::NotFound { .. } | StoreError::Gone { .. } | StoreError::Damaged { .. }) => {}
            Err(error) => return Err(error.into()),
        }
    }
    list.finish()
}
