//! Usage events of applications. The interface marks all of this deprecated (interface, 9).
//!
//! Interactions and keyboard events are answered with an echo: the interface's records have neither id nor time
//! (records, 2.3). Our choice: they belong to the application that last registered with the same User-Agent, and to
//! none if there is none; installations and updates belong to the application they name, tracked or not.

use serde_json::Value;

use crate::input::normalize::normalized_record;
use crate::store::records::usage::{Event, ReportedVersion, Source, UsageKind};
use crate::{RequestContext, Service, ServiceError};
use lunette_client::model::application::{Application, TrackedInteractionEvent, TrackedKeyboardEvent};
use lunette_client::model::record::{Record, View};
use lunette_client::operation::table::{
    ApplicationsUsageEngagementInteraction, ApplicationsUsageEngagementKeyboard, ApplicationsUsageInstallation,
    PostApplicationsUsageUpdated,
};

use super::applications::now;

/// Records an interaction event.
pub(crate) fn interaction(
    service: &Service,
    caller: &RequestContext,
    operation: ApplicationsUsageEngagementInteraction,
) -> Result<TrackedInteractionEvent, ServiceError> {
    let tree = needed(operation.event, "the interaction event")?;
    keep(service, UsageKind::Interaction, of_caller(caller), None, &tree)?;
    Ok(TrackedInteractionEvent::from_tree(normalized_record::<TrackedInteractionEvent>(echo(tree)))?)
}

/// Records a keyboard event.
pub(crate) fn keyboard(
    service: &Service,
    caller: &RequestContext,
    operation: ApplicationsUsageEngagementKeyboard,
) -> Result<TrackedKeyboardEvent, ServiceError> {
    let tree = needed(operation.event, "the keyboard event")?;
    keep(service, UsageKind::Keyboard, of_caller(caller), None, &tree)?;
    Ok(TrackedKeyboardEvent::from_tree(normalized_record::<TrackedKeyboardEvent>(echo(tree)))?)
}

/// Records the installation of an application.
pub(crate) fn installation(
    service: &Service,
    _: &RequestContext,
    operation: ApplicationsUsageInstallation,
) -> Result<(), ServiceError> {
    let install = required(operation.install, "the installation event")?;
    let source = Source::Application(install.view().application().id().to_owned());
    keep(service, UsageKind::Install, source, None, install.tree())
}

/// Records the update of an application. Where it is tracked, its version is the current one from then on.
pub(crate) fn updated(
    service: &Service,
    _: &RequestContext,
    operation: PostApplicationsUsageUpdated,
) -> Result<(), ServiceError> {
    let update = required(operation.update, "the update event")?;
    let current = update.view().current();
    let version = |application: View<'_, Application>| application.version().to_owned();
    let reported = ReportedVersion { previous: update.view().previous().map(version), current: version(current) };
    keep(service, UsageKind::Update, Source::Application(current.id().to_owned()), Some(reported), update.tree())
}

fn of_caller(caller: &RequestContext) -> Source {
    Source::UserAgent(caller.user_agent.clone())
}

fn required<R>(body: Option<R>, what: &str) -> Result<R, ServiceError> {
    body.ok_or_else(|| ServiceError::bad_request(format!("the body is missing: {what}")))
}

fn needed<R: Record>(body: Option<R>, what: &str) -> Result<Value, ServiceError> {
    required(body, what).map(Record::into_tree)
}

fn keep(
    service: &Service,
    kind: UsageKind,
    source: Source,
    version: Option<ReportedVersion>,
    tree: &Value,
) -> Result<(), ServiceError> {
    Ok(service.store.record_usage(Event { kind, source, version, document: tree.to_string(), at: now() })?)
}

/// The event as it came, without what belongs to its sending alone.
fn echo(mut tree: Value) -> Value {
    if let Value::Object(fields) = &mut tree {
        fields.shift_remove("identifier_description_pair");
    }
    tree
}
