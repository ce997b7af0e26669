//! Activities: what happened, as recorded by the store or reported by clients.
//!
//! The rank of an activity counts in the score of its asset until the activity is deleted.

use serde_json::Map;
use serde_json::Value;

use crate::http::spool::ResponseText;
use crate::input::bounds;
use crate::input::extra_fields::{self, FieldPolicy};
use crate::input::normalize::{self, MECHANISMS};
use crate::store::records::activity::{ActivityChange, NewActivity, Scope};
use crate::{RequestContext, Service, ServiceError, record};
use lunette_client::model::activity::{Activity, SeededActivity};
use lunette_client::model::event::{EVENTS, EventKind};
use lunette_client::model::id::ActivityId;
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::{
    ActivitiesCreateNewActivity, ActivitiesDeleteSpecificActivity, ActivitiesSnapshot,
    ActivitiesSpecificActivitySnapshot, ActivityIdentifiersSnapshot, ActivityUpdate,
};

use super::assets::needed;

mod event;

pub(crate) use event::{SeededEvent, seeded_event};

/// What a document of an activity keeps.
pub(crate) const FIELD_POLICIES: &[(&str, FieldPolicy)] = &[
    ("id", FieldPolicy::Managed),
    ("created", FieldPolicy::Managed),
    ("updated", FieldPolicy::Managed),
    ("deleted", FieldPolicy::Managed),
    ("event", FieldPolicy::Managed),
    ("application", FieldPolicy::Managed),
    ("asset", FieldPolicy::Managed),
    ("format", FieldPolicy::Managed),
    ("mechanism", FieldPolicy::Managed),
    ("rank", FieldPolicy::Managed),
    ("schema", FieldPolicy::Managed),
    ("user", FieldPolicy::Reference),
    ("conversation", FieldPolicy::Reference),
];

/// Lists what happened, oldest first; those of assets that no user saved only on request.
pub(crate) fn all(
    service: &Service,
    caller: &RequestContext,
    op: ActivitiesSnapshot,
) -> Result<ResponseText, ServiceError> {
    let (mut list, identity) = (record::List::plain(service, caller), service.store.identity());
    let scope = Scope::All { pseudo: op.pseudo == Some(true) };
    service.store.each_activity(scope, |activity| list.add_activity(identity, &activity))?;
    list.finish()
}

/// Lists the ids of activities, newest first: of all, or of those that did something of a kind.
pub(crate) fn identifiers(
    service: &Service,
    caller: &RequestContext,
    op: ActivityIdentifiersSnapshot,
) -> Result<ResponseText, ServiceError> {
    let events = op.activity_filter_enum.map(events_of);
    let mut list = record::List::plain(service, caller);
    service.store.each_activity_id(events.as_deref(), op.pseudo == Some(true), |id| list.add_reference(id))?;
    list.finish()
}

fn events_of(kind: EventKind) -> Vec<&'static str> {
    EVENTS.iter().filter(|event| event.kind() == Some(kind)).map(|event| event.key).collect()
}

/// Reads an activity. One that is unknown or deleted is 410, a status documented here (records, section 3).
pub(crate) fn one(
    service: &Service,
    _: &RequestContext,
    op: ActivitiesSpecificActivitySnapshot,
) -> Result<ResponseText, ServiceError> {
    let found = service.store.activity(op.activity.as_str()).map_err(ServiceError::absent_is_gone)?;
    Ok(record::activity_text(service.store.identity(), &found).into())
}

/// Records that something happened. Our choice: an activity that names no asset belongs to the one that its event
/// names, if that still exists.
pub(crate) fn create(
    service: &Service,
    _: &RequestContext,
    op: ActivitiesCreateNewActivity,
) -> Result<ResponseText, ServiceError> {
    let body: SeededActivity = needed(op.activity, "the activity, with its `event` and `application`")?;
    let view = body.view();
    let seeded_event = seeded_event(view.event().tree())?;
    let mut document = Map::new();
    extra_fields::merge(&mut document, body.tree(), FIELD_POLICIES);
    let created = service.store.make_activity(NewActivity {
        event: seeded_event.key,
        event_json: bounds::EVENT.check(seeded_event.tree.to_string())?,
        rank: seeded_event.rank,
        // The default of the clients (records, 2.5).
        mechanism: normalize::word(view.mechanism(), MECHANISMS, "AUTOMATIC").to_owned(),
        application: bounds::APPLICATION
            .check(normalize::application(view.application().tree().clone()).to_string())?,
        asset: view.asset().map(|asset| asset.id().to_owned()),
        named: seeded_event.asset,
        format: view.format().map(|format| format.id().to_owned()).or(seeded_event.format),
        document: bounds::FIELDS.check(Value::Object(document).to_string())?,
    })?;
    Ok(record::activity_text(service.store.identity(), &created).into())
}

/// Updates an activity by merging the body into it. Our choice: an event of the same name is kept as first reported,
/// since clients of version 5 send none; a different one replaces the event and its rank.
pub(crate) fn update(service: &Service, _: &RequestContext, op: ActivityUpdate) -> Result<ResponseText, ServiceError> {
    let body: Activity = needed(op.activity, "the activity to update")?;
    let id: ActivityId = body
        .view()
        .id()
        .parse()
        .map_err(|bad| ServiceError::bad_request(format!("invalid `id` of the activity: {bad}")))?;
    let seeded_event = match body.tree().get("event") {
        None | Some(Value::Null) => SeededEvent::default(),
        Some(event) => seeded_event(event)?,
    };
    let updated = service.store.update_activity(id.as_str(), move |before| {
        let changed = !seeded_event.key.is_empty() && seeded_event.key != before.activity.event;
        let event = match changed {
            true => {
                let event_json = bounds::EVENT.check(seeded_event.tree.to_string())?;
                Some((seeded_event.key, event_json, seeded_event.rank))
            }
            false => None,
        };
        Ok(ActivityChange {
            event,
            mechanism: Some(body.view().mechanism()).filter(|word| MECHANISMS.contains(word)).map(str::to_owned),
            document: Some(bounds::grown(
                &before.activity.document,
                extra_fields::merged(&before.activity.document, body.tree(), FIELD_POLICIES),
            )?),
        })
    })?;
    Ok(record::activity_text(service.store.identity(), &updated).into())
}

/// Deletes an activity; its rank leaves the score of its asset.
pub(crate) fn delete(
    service: &Service,
    _: &RequestContext,
    op: ActivitiesDeleteSpecificActivity,
) -> Result<(), ServiceError> {
    Ok(service.store.delete_activity(op.activity.as_str())?)
}
