//! Sessions of applications. The interface marks all of this deprecated (interface, 9).
//!
//! Our choice: a session belongs to the application that last registered with the same User-Agent, since a session has
//! no field that would name one; without any it counts for none.

use serde_json::json;

use crate::record::stamp;
use crate::store::StoreError;
use crate::store::records::session::SessionRow;
use crate::{RequestContext, Service, ServiceError};
use lunette_client::model::application::Session;
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::{
    ApplicationsSessionClose, ApplicationsSessionOpen, ApplicationsSessionSnapshot,
};

use super::applications::now;

/// Opens a session.
pub(crate) fn open(
    service: &Service,
    caller: &RequestContext,
    _: ApplicationsSessionOpen,
) -> Result<Session, ServiceError> {
    record(service.store.open_session(caller.user_agent.clone(), now())?)
}

/// Closes a session; without a body, the open one that was opened last, and 404 if there is none. A closed one is returned
/// unchanged.
pub(crate) fn close(
    service: &Service,
    _: &RequestContext,
    operation: ApplicationsSessionClose,
) -> Result<Session, ServiceError> {
    let id = operation.session.map(|session| session.as_str().to_owned());
    let closed = service.store.close_session(id, now()).map_err(|error| match error {
        StoreError::Invalid(_) => ServiceError::from(error).with_status(404),
        other => other.into(),
    })?;
    record(closed)
}

/// Gives one session.
pub(crate) fn snapshot(
    service: &Service,
    _: &RequestContext,
    operation: ApplicationsSessionSnapshot,
) -> Result<Session, ServiceError> {
    record(service.store.session(operation.session.as_str())?)
}

fn record(session: SessionRow) -> Result<Session, ServiceError> {
    let SessionRow { id, opened, closed } = session;
    let mut tree = json!({ "id": id, "opened": stamp(opened) });
    if let Some(closed) = closed {
        tree["closed"] = stamp(closed);
    }
    Ok(Session::from_tree(tree)?)
}
