//! Annotations: texts about assets, conversations, summaries, persons and anchors, or about nothing.
//!
//! A description of an asset is its annotation of type `DESCRIPTION`, and is the same whether it comes here or with an
//! update of the asset.

use serde_json::{Map, Value, json};

use crate::http::spool::ResponseText;
use crate::input::bounds;
use crate::input::extra_fields::{self, FieldPolicy};
use crate::input::normalize::{self, ANNOTATION_TYPES, MECHANISMS};
use crate::store::records::annotation::{About, AnnotationChange, NewAnnotation};
use crate::{RequestContext, Service, ServiceError, record};
use lunette_client::model::id::AnnotationId;
use lunette_client::model::linked::{Annotation, SeededAnnotation};
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::{
    AnnotationSpecificAnnotationSnapshot, AnnotationUpdate, AnnotationsCreateNewAnnotation,
    AnnotationsDeleteSpecificAnnotation, AnnotationsSnapshot,
};

use super::assets::needed;

/// What the document of an annotation keeps.
const FIELD_POLICIES: &[(&str, FieldPolicy)] = &[
    ("id", FieldPolicy::Managed),
    ("created", FieldPolicy::Managed),
    ("updated", FieldPolicy::Managed),
    ("deleted", FieldPolicy::Managed),
    ("asset", FieldPolicy::Managed),
    ("summary", FieldPolicy::Managed),
    ("workstream_summary", FieldPolicy::Managed),
    ("conversation", FieldPolicy::Managed),
    ("person", FieldPolicy::Managed),
    ("anchor", FieldPolicy::Managed),
    ("type", FieldPolicy::Managed),
    ("text", FieldPolicy::Managed),
    ("score", FieldPolicy::Managed),
    ("schema", FieldPolicy::Managed),
    ("mechanism", FieldPolicy::Word(MECHANISMS)),
    ("model", FieldPolicy::Reference),
    ("messages", FieldPolicy::References),
];

/// Lists annotations, oldest first: all, or those of a type.
pub(crate) fn all(
    service: &Service,
    caller: &RequestContext,
    op: AnnotationsSnapshot,
) -> Result<ResponseText, ServiceError> {
    let mut list = record::List::indexed(service, caller);
    let kind = op.annotation_type_filter.as_deref();
    service.store.each_annotation(kind, |annotation| list.add(&record::annotation(annotation)))?;
    list.finish()
}

/// Reads an annotation.
pub(crate) fn one(
    service: &Service,
    _: &RequestContext,
    op: AnnotationSpecificAnnotationSnapshot,
) -> Result<Annotation, ServiceError> {
    Ok(Annotation::from_tree(record::annotation(&service.store.annotation(op.annotation.as_str())?))?)
}

/// Creates an annotation. An unknown type becomes a comment.
pub(crate) fn create(
    service: &Service,
    _: &RequestContext,
    op: AnnotationsCreateNewAnnotation,
) -> Result<Annotation, ServiceError> {
    let body: SeededAnnotation = needed(op.annotation, "the annotation to create, with its `type` and `text`")?;
    let (about, new) = (about(&body), new(body.tree())?);
    about.asset.iter().try_for_each(|asset| bounds::check_room(service, asset, new.text.len()))?;
    if new.kind == "DESCRIPTION" && new.text.trim().is_empty() {
        return Err(ServiceError::bad_request("the field `text` is empty: a description needs a text"));
    }
    Ok(Annotation::from_tree(record::annotation(&service.store.make_annotation(about, new)?))?)
}

/// The subject of a seed. Only later clients name a summary.
fn about(body: &SeededAnnotation) -> About {
    let seed = body.view();
    About {
        asset: seed.asset().map(str::to_owned),
        summary: body.tree().get("workstream_summary").and_then(Value::as_str).map(str::to_owned),
        conversation: seed.conversation().map(str::to_owned),
        person: seed.person().map(str::to_owned),
        anchor: seed.anchor().map(str::to_owned),
    }
}

/// An annotation as a seed asks for it; in a seed the model is named by its id alone.
pub(crate) fn new(seed: &Value) -> Result<NewAnnotation, ServiceError> {
    let text = |field| seed.get(field).and_then(Value::as_str);
    let mut document = Map::new();
    extra_fields::merge(&mut document, seed, FIELD_POLICIES);
    if let Some(model) = text("model") {
        document.insert("model".to_owned(), json!({ "id": model }));
    }
    Ok(NewAnnotation {
        kind: normalize::word(text("type"), ANNOTATION_TYPES, "COMMENT").to_owned(),
        text: bounds::TEXT.check(text("text").unwrap_or_default())?.to_owned(),
        document: bounds::FIELDS.check(Value::Object(document).to_string())?,
    })
}

/// Updates an annotation by merging the body into it. Our choice: the subject never changes, nor does the type if the
/// body has an unknown one.
pub(crate) fn update(service: &Service, _: &RequestContext, op: AnnotationUpdate) -> Result<Annotation, ServiceError> {
    let body: Annotation = needed(op.annotation, "the annotation to update")?;
    let id: AnnotationId = body
        .view()
        .id()
        .parse()
        .map_err(|bad| ServiceError::bad_request(format!("invalid `id` of the annotation: {bad}")))?;
    let updated = service.store.update_annotation(id.as_str(), move |before| {
        let view = body.view();
        Ok(AnnotationChange {
            kind: Some(view.kind()).filter(|kind| ANNOTATION_TYPES.contains(kind)).map(str::to_owned),
            // An empty text counts as a text; a body without one keeps the current text.
            text: body
                .tree()
                .get("text")
                .and_then(Value::as_str)
                .map(|text| bounds::TEXT.check(text.to_owned()))
                .transpose()?,
            document: Some(bounds::grown(
                &before.document,
                extra_fields::merged(&before.document, body.tree(), FIELD_POLICIES),
            )?),
        })
    })?;
    Ok(Annotation::from_tree(record::annotation(&updated))?)
}

/// Deletes an annotation.
pub(crate) fn delete(
    service: &Service,
    _: &RequestContext,
    op: AnnotationsDeleteSpecificAnnotation,
) -> Result<(), ServiceError> {
    Ok(service.store.delete_annotation(op.annotation.as_str())?)
}
