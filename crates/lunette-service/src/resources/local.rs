//! The service itself: connecting applications, and its user.
//!
//! Our choice: the user is a local one, made from the store's identity. There is no account and no sign-in.

use serde_json::{Value, json};

use super::applications;
use crate::input::normalize;
use crate::store::records::application::Connecting;
use crate::{RequestContext, Service, ServiceError};
use lunette_client::model::local::{Context, ReturnedUserProfile, SeededConnectorConnection, Users};
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::{Connect, UserSnapshot, UsersSnapshot};

use super::assets::needed;

/// Identifies the calling application and returns the context of the service. The application of this name and platform
/// is tracked from now on, and usage with this User-Agent is attributed to it.
pub(crate) fn connect(service: &Service, caller: &RequestContext, op: Connect) -> Result<Context, ServiceError> {
    let body: SeededConnectorConnection = needed(op.connection, "the `application` that connects")?;
    let seeded = body.view().application().tree();
    let connecting = Connecting {
        document: applications::connecting(normalize::application(seeded.clone())),
        privacy_told: seeded.get("privacy").is_some_and(Value::is_string),
        user_agent: caller.user_agent.clone(),
        at: applications::now(),
    };
    let application = applications::record(service.store.connect(connecting)?);
    let folder = &service.store.identity().folder;
    Ok(Context::from_tree(json!({
        "os": folder,
        "application": application,
        "health": { "os": { "id": folder, "version": service.version } },
        "user": user(service),
    }))?)
}

/// Returns the user of the service.
pub(crate) fn snapshot(
    service: &Service,
    _: &RequestContext,
    _: UserSnapshot,
) -> Result<ReturnedUserProfile, ServiceError> {
    Ok(ReturnedUserProfile::from_tree(json!({ "user": user(service) }))?)
}

/// Lists the users: the local one.
pub(crate) fn users(service: &Service, _: &RequestContext, _: UsersSnapshot) -> Result<Users, ServiceError> {
    Ok(Users::from_tree(json!({ "iterable": [user(service)] }))?)
}

/// The record of the user. The clients require a theme; nothing here uses it.
pub(crate) fn user(service: &Service) -> Value {
    json!({
        "id": service.store.identity().user,
        "name": "Local user",
        "username": "local",
        "aesthetics": { "theme": { "dark": false }, "font": { "size": 14 } },
    })
}
