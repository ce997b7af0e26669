//! The service itself: who connects to it, and whose it is.
//!
//! Our choice: the user is a local one, made from the store's identity. There is no account, and nobody signs in.

use serde_json::{Value, json};

use crate::store::application::Connecting;
use lunette_client::model::local::{Context, ReturnedUserProfile, SeededConnectorConnection, Users};
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::{Connect, UserSnapshot, UsersSnapshot};

use super::assets::needed;
use super::{RequestContext, Service, ServiceError, applications, normalize};

/// Says which application this is, and gives back what there is to know of the service. The application is the tracked
/// one of this name and platform, or is tracked from now on; usage of this User-Agent is its from now on.
pub(super) fn connect(service: &Service, caller: &RequestContext, op: Connect) -> Result<Context, ServiceError> {
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
        "health": { "os": { "id": folder, "version": env!("CARGO_PKG_VERSION") } },
        "user": user(service),
    }))?)
}

/// Tells whose service this is.
pub(super) fn snapshot(
    service: &Service,
    _: &RequestContext,
    _: UserSnapshot,
) -> Result<ReturnedUserProfile, ServiceError> {
    Ok(ReturnedUserProfile::from_tree(json!({ "user": user(service) }))?)
}

/// Lists the users: the local one.
pub(super) fn users(service: &Service, _: &RequestContext, _: UsersSnapshot) -> Result<Users, ServiceError> {
    Ok(Users::from_tree(json!({ "iterable": [user(service)] }))?)
}

/// The clients want to know how things look; nothing here follows it.
fn user(service: &Service) -> Value {
    json!({
        "id": service.store.identity().user,
        "name": "Local user",
        "username": "local",
        "aesthetics": { "theme": { "dark": false }, "font": { "size": 14 } },
    })
}
