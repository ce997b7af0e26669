//! Applications: those the service tracks, and those found on the machine.
//!
//! Our choice, where the interface names status and engagement and shows no field for them (interface, 2): every
//! tracked application carries `status` and `engagement`, which older clients skip as unknown fields.

use jiff::{SignedDuration, Timestamp};
use serde_json::{Map, Value, json};

use crate::detect::{Detected, Evidence};
use crate::input::normalize;
use crate::store::records::application::{Registration, Tracked};
use crate::store::records::usage::Engagement;
use crate::{RequestContext, Service, ServiceError};
use lunette_client::model::application::{Application, Applications, DetectedExternalApplications};
use lunette_client::model::id::ApplicationId;
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::{
    ApplicationUpdate, ApplicationsDeleteSpecificApplication, ApplicationsExternalRelated,
    ApplicationsExternalSnapshot, ApplicationsRegister, ApplicationsSnapshot, ApplicationsSpecificApplicationSnapshot,
};

use super::integrations::{self, InstallState};

/// Fields of an application that only the service sets; never taken from a client.
const SERVICE_FIELDS: [&str; 2] = ["status", "engagement"];

/// Lists the known integrations with their state on this machine: `state`, and `identifier` to register it by. Our
/// choice: an anticipated one stays anticipated when it is installed, and then has a version.
pub(crate) fn related(
    service: &Service,
    _: &RequestContext,
    _: ApplicationsExternalRelated,
) -> Result<DetectedExternalApplications, ServiceError> {
    let detected = service.detection.detected();
    let joined = integrations::all(&detected)
        .into_iter()
        .map(|(known, state, found)| external(&known.name, found, state, Some(&known.identifier)));
    collection(joined.collect())
}

/// Lists everything that is installed on this machine. Those that are known integrations have an `identifier` too.
pub(crate) fn detected(
    service: &Service,
    _: &RequestContext,
    _: ApplicationsExternalSnapshot,
) -> Result<DetectedExternalApplications, ServiceError> {
    let found = service.detection.detected();
    let records = found.iter().map(|one| {
        let identifier = integrations::of(one).map(|known| known.identifier.as_str());
        external(&one.name, Some(one), InstallState::Installed, identifier)
    });
    collection(records.collect())
}

/// Lists the tracked applications in the order they were registered, Lunette first.
pub(crate) fn snapshot(
    service: &Service,
    _: &RequestContext,
    _: ApplicationsSnapshot,
) -> Result<Applications, ServiceError> {
    let tracked = service.store.applications(now())?;
    let records: Vec<Value> = tracked.into_iter().map(record).collect();
    Ok(Applications::from_tree(json!({ "iterable": records }))?)
}

/// Gives one tracked application.
pub(crate) fn specific(
    service: &Service,
    _: &RequestContext,
    operation: ApplicationsSpecificApplicationSnapshot,
) -> Result<Application, ServiceError> {
    let tracked = service.store.application(operation.application.as_str(), now())?;
    Ok(Application::from_tree(record(tracked))?)
}

/// Tracks an application. Our choice: registering the same id again updates it; absent or null fields are kept.
pub(crate) fn register(
    service: &Service,
    caller: &RequestContext,
    operation: ApplicationsRegister,
) -> Result<Application, ServiceError> {
    let Some(application) = operation.application else {
        return Err(ServiceError::bad_request("the body is missing: the application to register"));
    };
    let id = application.view().id();
    if let Err(problem) = id.parse::<ApplicationId>() {
        return Err(ServiceError::bad_request(format!("invalid `id` of the application: {problem}")));
    }
    let mut document = object(application.into_tree());
    SERVICE_FIELDS.iter().for_each(|field| {
        document.shift_remove(*field);
    });
    let registration = Registration { document, user_agent: caller.user_agent.clone(), at: now() };
    Ok(Application::from_tree(record(service.store.register(registration)?))?)
}

/// Updates a tracked application by merging the body into it: absent or null fields are kept. The attribution of usage
/// is unchanged.
pub(crate) fn update(
    service: &Service,
    _: &RequestContext,
    operation: ApplicationUpdate,
) -> Result<Application, ServiceError> {
    let application = operation
        .application
        .ok_or_else(|| ServiceError::bad_request("the body is missing: the application to update"))?;
    let mut document = object(application.into_tree());
    SERVICE_FIELDS.iter().for_each(|field| {
        document.shift_remove(*field);
    });
    Ok(Application::from_tree(record(service.store.update_application(document, now())?))?)
}

/// Stops tracking an application. Our choice: its sessions and usage counts are kept, so that registering it again
/// brings them back, unless `usage` is true; Lunette itself is always tracked.
pub(crate) fn delete(
    service: &Service,
    _: &RequestContext,
    operation: ApplicationsDeleteSpecificApplication,
) -> Result<(), ServiceError> {
    Ok(service.store.delete_application(operation.application.as_str(), operation.usage == Some(true))?)
}

/// The tracked record of an application that connects. Our choice: connecting onboards it.
pub(crate) fn connecting(seeded: Value) -> Map<String, Value> {
    let mut document = object(seeded);
    document.insert("onboarded".to_owned(), true.into());
    document
}

/// The record of Lunette itself, which the service tracks from its first start. Nothing of it leaves the machine.
pub(crate) fn own() -> Map<String, Value> {
    let platform = match std::env::consts::OS {
        "linux" => "LINUX",
        "macos" => "MACOS",
        "windows" => "WINDOWS",
        _ => "UNKNOWN",
    };
    object(json!({
        "id": "", "name": "OPEN_SOURCE", "version": env!("CARGO_PKG_VERSION"), "platform": platform, "onboarded": true,
        "privacy": "CLOSED", "capabilities": "LOCAL", "descriptor": "Lunette",
    }))
}

pub(crate) use crate::store::now;

fn object(tree: Value) -> Map<String, Value> {
    match tree {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}

/// The record of an external application. Our choice: `found_by` and `path` say what proves that it is installed.
fn external(name: &str, found: Option<&Detected>, state: InstallState, identifier: Option<&str>) -> Value {
    let mut record = json!({ "name": name });
    let path = found.and_then(|found| found.path.as_ref()).map(|path| path.to_string_lossy());
    let extra = [
        ("version", found.and_then(|found| found.version.as_deref())),
        ("state", Some(state.as_str())),
        ("identifier", identifier),
        ("found_by", found.and_then(|found| found.found_by).map(Evidence::as_str)),
        ("path", path.as_deref()),
    ];
    for (field, text) in extra {
        if let Some(text) = text {
            record[field] = text.into();
        }
    }
    record
}

fn collection(records: Vec<Value>) -> Result<DetectedExternalApplications, ServiceError> {
    Ok(DetectedExternalApplications::from_tree(json!({ "iterable": records }))?)
}

pub(crate) fn record(tracked: Tracked) -> Value {
    let Tracked { document, engagement } = tracked;
    let onboarded = document.get("onboarded") == Some(&Value::Bool(true));
    let status = match (engagement.open, onboarded) {
        (1.., _) => "Open",
        (_, true) => "Idle",
        (_, false) => "Not onboarded",
    };
    let mut record = normalize::application(Value::Object(document));
    record["status"] = status.into();
    record["engagement"] = engagement_tree(&engagement);
    record
}

fn engagement_tree(engagement: &Engagement) -> Value {
    let Engagement { sessions, open: _, open_micros, interactions, keyboard, installs, updates, .. } = engagement;
    let mut tree = json!({
        "sessions": sessions,
        "open_seconds": SignedDuration::from_micros(*open_micros).as_secs(),
        "interactions": interactions,
        "keyboard": keyboard,
        "installs": installs,
        "updates": updates,
    });
    if let Some(at) = engagement.last_active {
        tree["last_active"] = moment(at);
    }
    let days = engagement.days.iter().map(|(day, events)| json!({ "day": day, "events": events }));
    tree["days"] = days.collect();
    let versions = engagement.versions.iter().map(|change| {
        let mut tree = json!({ "at": moment(change.at) });
        if let Some(previous) = &change.previous {
            tree["previous"] = previous.as_str().into();
        }
        tree["current"] = change.current.as_str().into();
        tree
    });
    tree["versions"] = versions.collect();
    tree
}

/// A time of the store, RFC 3339 in UTC.
fn moment(micros: i64) -> Value {
    Timestamp::from_microsecond(micros).unwrap_or_default().to_string().into()
}

#[cfg(test)]
mod tests;
