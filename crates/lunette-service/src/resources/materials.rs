//! Everything that is stored, kind by kind: counts, ids, and records in batches, with which the export tool of this family
//! reads a service (`pieces-app/export-tool`, `internal/exporter`).
//!
//! What must hold: each record that is stored is among the ids of its kind, those too that lists leave out; a kind of which
//! there are no records here is empty; a record that cannot be read is named and does not keep the others back.

use std::ops::ControlFlow;

use serde_json::{Value, json};

use super::local;
use crate::http::memory::MemoryPermit;
use crate::http::spool::ResponseText;
use crate::store::StoreError;
use crate::store::records::asset::Transfer;
use crate::store::records::item::ItemKind;
use crate::store::records::material::{Material, Selection, TimeRange};
use crate::store::records::related::RelatedKind;
use crate::{RequestContext, Service, ServiceError, record};
use lunette_client::model::closed_enum::MaterialTypeEnum;
use lunette_client::model::material::{
    FlattenedMaterials, MaterialsIdentifiers, MaterialsIdentifiersInput, MaterialsMetrics, MaterialsMetricsInput,
};
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::{
    ConnectorsSnapshot, MaterialsBatchFetch, MaterialsIdentifiersOfKind, MaterialsMetricsOfKind,
    WorkstreamPatternEngineObserversSnapshot, WorkstreamSummariesBatchSnapshot, WorkstreamSummariesChildIdentifiers,
    WorkstreamSummariesParentIdentifiers,
};

use super::assets::{needed, transfer};

/// The most records of one batch.
const MAX_BATCH: usize = 1_000;

/// What the body of a batch is.
const WANTED: &str = "the ids of the records to read, in the field of their kind";

/// Where the records of a kind are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    Stored(Material),
    /// The local user, who is not stored as a record.
    User,
    /// There are none here.
    Nothing,
}

/// A kind of records as clients name it.
struct Kind {
    /// Its word in `material_type`.
    word: &'static str,
    /// Its collection, as a path.
    collection: &'static str,
    /// Its field in a batch.
    field: &'static str,
    source: Source,
}

const fn kind(word: &'static str, collection: &'static str, field: &'static str, source: Source) -> Kind {
    Kind { word, collection, field, source }
}

const fn stored(word: &'static str, collection: &'static str, field: &'static str, material: Material) -> Kind {
    kind(word, collection, field, Source::Stored(material))
}

/// The kinds that have records here.
const KINDS: [Kind; 14] = [
    stored("WORKSTREAM_SUMMARIES", "workstream_summaries", "workstreamSummaries", Material::Summaries),
    stored("TAGS", "tags", "tags", Material::Tags),
    stored("ANNOTATIONS", "annotations", "annotations", Material::Annotations),
    stored("PERSONS", "persons", "persons", Material::Persons),
    stored("CONVERSATIONS", "conversations", "conversations", Material::Conversations),
    stored("CONVERSATION_MESSAGES", "messages", "conversationMessages", Material::Messages),
    stored("ASSETS", "assets", "assets", Material::Assets),
    stored("FORMATS", "formats", "formats", Material::Formats),
    stored("ANCHORS", "anchors", "anchors", Material::Anchors),
    stored("WEBSITES", "websites", "websites", Material::Websites),
    stored("HINTS", "hints", "hints", Material::Hints),
    stored("ACTIVITIES", "activities", "activities", Material::Activities),
    stored("APPLICATIONS", "applications", "applications", Material::Applications),
    kind("USERS", "users", "users", Source::User),
];

/// The kind of this word. One that clients know and that has no records here is empty.
fn source(word: &str) -> Result<Source, ServiceError> {
    match KINDS.iter().find(|kind| kind.word == word) {
        Some(kind) => Ok(kind.source),
        None if MaterialTypeEnum::VARIANTS.contains(&word) => Ok(Source::Nothing),
        None => Err(ServiceError::bad_request(format!("there is no `material_type` {word:?}"))),
    }
}

/// Counts the records of a kind.
pub(crate) fn metrics(
    service: &Service,
    _: &RequestContext,
    op: MaterialsMetricsOfKind,
) -> Result<MaterialsMetrics, ServiceError> {
    let body: MaterialsMetricsInput = needed(op.input, "the `material_type` to count")?;
    let filters = body.view().filters().unwrap_or(&Value::Null);
    if !filters.is_null() && !filters.is_object() {
        return Err(ServiceError::bad_request("`filters` must be an object with `created`, `updated`, or both"));
    }
    let selection = selection(filters)?;
    let count = match source(body.view().material_type())? {
        Source::Stored(material) => service.store.count_materials(material, selection)?,
        Source::User => 1,
        Source::Nothing => 0,
    };
    Ok(MaterialsMetrics::from_tree(json!({ "total_count": count }))?)
}

/// Lists the ids of the records of a kind, newest first.
pub(crate) fn identifiers(
    service: &Service,
    _: &RequestContext,
    op: MaterialsIdentifiersOfKind,
) -> Result<MaterialsIdentifiers, ServiceError> {
    let body: MaterialsIdentifiersInput = needed(op.input, "the `material_type` whose ids to list")?;
    let selection = selection(body.tree())?;
    let limit = body.view().limit().map(|limit| limit.max(0));
    let ids = match source(body.view().material_type())? {
        Source::Stored(material) => service.store.material_ids(material, selection, limit)?,
        Source::User if limit != Some(0) => vec![service.store.identity().user.clone()],
        Source::User | Source::Nothing => Vec::new(),
    };
    Ok(MaterialsIdentifiers::from_tree(json!({ "identifiers": ids }))?)
}

/// The times that a request names.
fn selection(fields: &Value) -> Result<Selection, ServiceError> {
    Ok(Selection { created: range(fields, "created")?, updated: range(fields, "updated")? })
}

fn range(fields: &Value, field: &str) -> Result<TimeRange, ServiceError> {
    if fields.get(field).is_some_and(|range| !range.is_null() && !range.is_object()) {
        return Err(ServiceError::bad_request(format!("`{field}` must be an object with `from`, `to`, or both")));
    }
    let end = |end: &str| {
        let given = fields.get(field).and_then(|range| range.get(end)).filter(|given| !given.is_null());
        let Some(given) = given else { return Ok(None) };
        // Some clients write the text itself.
        let text = given.get("value").unwrap_or(given).as_str();
        let moment = text.and_then(lunette_client::model::time::moment);
        let bad =
            || ServiceError::bad_request(format!("`{field}.{end}` must be a moment such as 2026-01-01T00:00:00Z"));
        moment.map(|moment| Some(moment.as_microsecond())).ok_or_else(bad)
    };
    Ok(TimeRange { from: end("from")?, to: end("to")? })
}

/// Reads records of a kind by their ids.
pub(crate) fn batch(
    service: &Service,
    caller: &RequestContext,
    op: MaterialsBatchFetch,
) -> Result<ResponseText, ServiceError> {
    let MaterialsBatchFetch { collection, transferables, batch } = op;
    let batch = needed(batch, WANTED)?;
    match KINDS.iter().find(|kind| kind.collection == collection.as_str()) {
        Some(kind) => fetch(service, caller, (kind.field, kind.source), transferables, batch.tree()),
        None => match empty_field(collection.as_str()) {
            Some(field) => fetch(service, caller, (&field, Source::Nothing), transferables, batch.tree()),
            None => Err(ServiceError::bad_request(format!("there is no collection {collection:?}")).with_status(404)),
        },
    }
}

/// The field of a collection that clients know and that has no records here: its name in camel case.
fn empty_field(collection: &str) -> Option<String> {
    let known = MaterialTypeEnum::VARIANTS.iter().any(|word| word.eq_ignore_ascii_case(collection));
    let mut words = collection.split('_');
    let first = words.next().filter(|_| known && collection.bytes().all(|byte| !byte.is_ascii_uppercase()))?;
    let capital = |word: &str| {
        let mut letters = word.chars();
        letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect::<String>()
    };
    Some(words.fold(first.to_owned(), |field, word| field + &capital(word)))
}

/// Reads workstream summaries by their ids.
pub(crate) fn summaries(
    service: &Service,
    caller: &RequestContext,
    op: WorkstreamSummariesBatchSnapshot,
) -> Result<ResponseText, ServiceError> {
    let of = ("workstreamSummaries", Source::Stored(Material::Summaries));
    fetch(service, caller, of, op.transferables, needed(op.batch, WANTED)?.tree())
}

fn fetch(
    service: &Service,
    caller: &RequestContext,
    (field, source): (&str, Source),
    transferables: Option<bool>,
    batch: &Value,
) -> Result<ResponseText, ServiceError> {
    let wanted = batch.get(field).and_then(|list| list.get("iterable")).and_then(Value::as_array);
    let ids: Vec<&str> = wanted.into_iter().flatten().filter_map(|one| one.get("id")?.as_str()).collect();
    if ids.len() > MAX_BATCH {
        let count = ids.len();
        let sentence = format!("the batch has {count} ids; the limit is {MAX_BATCH}: read them in parts");
        return Err(ServiceError::bad_request(sentence).with_status(413));
    }
    let transfer = transfer(transferables);
    let _memory = match (source, transfer) {
        (Source::Stored(Material::Assets | Material::Formats), Transfer::Full) => {
            service.reserve_memory(service.store.largest_content()?)?
        }
        _ => MemoryPermit::default(),
    };
    let mut list = record::List::within(field, service, caller).with_indices(service);
    let mut not_found = Vec::new();
    for id in ids {
        match add(service, &mut list, source, id, transfer) {
            Ok(Some(ControlFlow::Continue(()))) => {}
            Ok(Some(ControlFlow::Break(()))) => break,
            Ok(None) | Err(StoreError::NotFound { .. } | StoreError::Gone { .. } | StoreError::Damaged { .. }) => {
                not_found.push(id);
            }
            Err(error) => return Err(error.into()),
        }
    }
    list.finish_within(&format!("\"notFound\":{}", json!(not_found)))
}

/// Adds the record of this id; `None` if there is none.
fn add(
    service: &Service,
    list: &mut record::List,
    source: Source,
    id: &str,
    transfer: Transfer,
) -> Result<Option<ControlFlow<()>>, StoreError> {
    let (store, identity) = (&service.store, service.store.identity());
    let Source::Stored(material) = source else {
        let is_user = source == Source::User && id == identity.user;
        return Ok(is_user.then(|| list.add(&local::user(service))));
    };
    let related = |kind| Ok::<_, StoreError>(record::related_record(&store.related_record(kind, id)?));
    Ok(Some(match material {
        Material::Assets => list.add_asset(identity, &store.asset(id, transfer)?, transfer),
        Material::Formats => list.add_format(identity, &store.format(id, transfer)?, transfer),
        Material::Tags => store.with_item(ItemKind::Tag, id, |item| list.add_item(item))?,
        Material::Websites => store.with_item(ItemKind::Website, id, |item| list.add_item(item))?,
        Material::Summaries => store.with_item(ItemKind::Summary, id, |item| list.add_item(item))?,
        Material::Conversations => list.add(&record::conversation(&store.conversation(id)?, transfer)),
        Material::Messages => {
            let found = store.message(id)?;
            list.add(&record::message(&found.message, &found.conversation, transfer))
        }
        Material::Annotations => list.add(&record::annotation(&store.annotation(id)?)),
        Material::Activities => list.add_activity(identity, &store.activity(id)?),
        Material::Persons => list.add(&related(RelatedKind::Person)?),
        Material::Anchors => list.add(&related(RelatedKind::Anchor)?),
        Material::Hints => list.add(&related(RelatedKind::Hint)?),
        Material::Applications => list.add(&super::applications::record(store.application(id, crate::store::now())?)),
    }))
}

/// Summaries have no parts here.
pub(crate) fn no_children(
    _: &Service,
    _: &RequestContext,
    _: WorkstreamSummariesChildIdentifiers,
) -> Result<FlattenedMaterials, ServiceError> {
    none()
}

/// Summaries have no parts here.
pub(crate) fn no_parents(
    _: &Service,
    _: &RequestContext,
    _: WorkstreamSummariesParentIdentifiers,
) -> Result<FlattenedMaterials, ServiceError> {
    none()
}

/// There are no connectors here.
pub(crate) fn no_connectors(
    _: &Service,
    _: &RequestContext,
    _: ConnectorsSnapshot,
) -> Result<FlattenedMaterials, ServiceError> {
    none()
}

/// Nothing observes the machine.
pub(crate) fn no_observers(
    _: &Service,
    _: &RequestContext,
    _: WorkstreamPatternEngineObserversSnapshot,
) -> Result<FlattenedMaterials, ServiceError> {
    none()
}

fn none() -> Result<FlattenedMaterials, ServiceError> {
    Ok(FlattenedMaterials::from_tree(json!({ "iterable": [] }))?)
}
