//! Persons, anchors and hints: list, create, read and delete (records, section 3). Their links to assets are in
//! `links.rs`.

use crate::http::spool::ResponseText;
use crate::input::bounds;
use crate::store::records::related::{NewRelated, RelatedKind};
use crate::{RequestContext, Service, ServiceError, record};
use lunette_client::model::record::Record;
use lunette_client::model::related::{Anchor, Hint, Person};
use lunette_client::operation::table::{
    AnchorSpecificAnchorSnapshot, AnchorsCreateNewAnchor, AnchorsDeleteSpecificAnchor, AnchorsSnapshot,
    HintSpecificHintSnapshot, HintsCreateNewHint, HintsDeleteSpecificHint, HintsSnapshot, PersonSnapshot,
    PersonsCreateNewPerson, PersonsDeletePerson, PersonsSnapshot,
};

use super::assets::needed;

pub(crate) mod seed;

/// Lists all persons.
pub(crate) fn persons(
    service: &Service,
    caller: &RequestContext,
    _: PersonsSnapshot,
) -> Result<ResponseText, ServiceError> {
    all(service, caller, RelatedKind::Person)
}

/// Lists all anchors.
pub(crate) fn anchors(
    service: &Service,
    caller: &RequestContext,
    _: AnchorsSnapshot,
) -> Result<ResponseText, ServiceError> {
    all(service, caller, RelatedKind::Anchor)
}

/// Lists all hints.
pub(crate) fn hints(
    service: &Service,
    caller: &RequestContext,
    _: HintsSnapshot,
) -> Result<ResponseText, ServiceError> {
    all(service, caller, RelatedKind::Hint)
}

fn all(service: &Service, caller: &RequestContext, kind: RelatedKind) -> Result<ResponseText, ServiceError> {
    let mut list = record::List::indexed(service, caller);
    service.store.each_related(kind, |whole| list.add(&record::related_record(&whole)))?;
    list.finish()
}

/// Creates a person.
pub(crate) fn create_person(
    service: &Service,
    _: &RequestContext,
    op: PersonsCreateNewPerson,
) -> Result<Person, ServiceError> {
    let body = needed(op.person, "the person to create, with its `type`")?;
    make(service, seed::person(body.view())?, body.view().asset())
}

/// Creates an anchor.
pub(crate) fn create_anchor(
    service: &Service,
    _: &RequestContext,
    op: AnchorsCreateNewAnchor,
) -> Result<Anchor, ServiceError> {
    let body = needed(op.anchor, "the anchor to create, with its `type` and `fullpath`")?;
    make(service, seed::anchor(body.view())?, body.view().asset())
}

/// Creates a hint.
pub(crate) fn create_hint(service: &Service, _: &RequestContext, op: HintsCreateNewHint) -> Result<Hint, ServiceError> {
    let body = needed(op.hint, "the hint to create, with its `type` and `text`")?;
    make(service, seed::hint(body.view())?, body.view().asset())
}

/// Our choice: always creates a new one, since nothing defines when two are the same.
fn make<R: Record>(service: &Service, new: NewRelated, asset: Option<&str>) -> Result<R, ServiceError> {
    asset.into_iter().try_for_each(|asset| bounds::check_room(service, asset, new.document.len()))?;
    Ok(R::from_tree(record::related_record(&service.store.make_related(new, asset)?))?)
}

/// Reads a person.
pub(crate) fn person(service: &Service, _: &RequestContext, op: PersonSnapshot) -> Result<Person, ServiceError> {
    one(service, RelatedKind::Person, op.person.as_str())
}

/// Reads an anchor.
pub(crate) fn anchor(
    service: &Service,
    _: &RequestContext,
    op: AnchorSpecificAnchorSnapshot,
) -> Result<Anchor, ServiceError> {
    one(service, RelatedKind::Anchor, op.anchor.as_str())
}

/// Reads a hint.
pub(crate) fn hint(service: &Service, _: &RequestContext, op: HintSpecificHintSnapshot) -> Result<Hint, ServiceError> {
    one(service, RelatedKind::Hint, op.hint.as_str())
}

/// 410 if it is unknown or deleted, as for other records.
fn one<R: Record>(service: &Service, kind: RelatedKind, id: &str) -> Result<R, ServiceError> {
    let whole = service.store.related_record(kind, id).map_err(ServiceError::absent_is_gone)?;
    Ok(R::from_tree(record::related_record(&whole))?)
}

/// Deletes a person.
pub(crate) fn delete_person(
    service: &Service,
    _: &RequestContext,
    op: PersonsDeletePerson,
) -> Result<(), ServiceError> {
    Ok(service.store.delete_related(RelatedKind::Person, op.person.as_str())?)
}

/// Deletes an anchor.
pub(crate) fn delete_anchor(
    service: &Service,
    _: &RequestContext,
    op: AnchorsDeleteSpecificAnchor,
) -> Result<(), ServiceError> {
    Ok(service.store.delete_related(RelatedKind::Anchor, op.anchor.as_str())?)
}

/// Deletes a hint.
pub(crate) fn delete_hint(
    service: &Service,
    _: &RequestContext,
    op: HintsDeleteSpecificHint,
) -> Result<(), ServiceError> {
    Ok(service.store.delete_related(RelatedKind::Hint, op.hint.as_str())?)
}
