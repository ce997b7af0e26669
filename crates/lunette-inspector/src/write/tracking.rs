//! External applications: tracked by a call that is shown first, and untracked by undoing that step.
//!
//! What must hold: nothing is registered or deleted before its call was shown; an undo deletes only an application that
//! the step itself registered, so it is offered for calls that this window created, with a new id, and not for the
//! console.

use crate::Vendor;
use crate::action::ApplicationsAction;
use crate::action::WriteAction;
use crate::capability::Capability;
use crate::confirm::Confirmation;
use crate::context::WideContext;
use crate::history::{Registered, tracking_title};
use crate::journal::{Entry, EntryId, EntryRelation, lower};
use crate::notifications::Topic;
use crate::write::journaled::{self, Failed, WriteContext};
use crate::write::{Output, Writes};
use lunette_client::model::application::Application;
use lunette_client::model::id::ApplicationId;
use lunette_client::model::record::Record as _;
use lunette_client::operation::Call;
use lunette_client::operation::table::{ApplicationsDeleteSpecificApplication, ApplicationsRegister};

/// The application that a step registers, untracks or tracks again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tracking {
    pub name: String,
    pub relation: EntryRelation,
}

impl Writes {
    /// Asks for confirmation to track an external application, and shows the call that registers it. A name that the
    /// interface does not have is sent as `descriptor`, a field of later clients, beside the neutral name (records,
    /// 2.1).
    pub(crate) fn track(
        &mut self,
        name: String,
        version: String,
        identifier: Option<String>,
        cx: &mut WideContext<'_>,
    ) {
        if cx.blocks_write(Capability::Track, "Could not track the application") {
            return;
        }
        let tree = serde_json::json!({
            "id": uuid::Uuid::new_v4().to_string(),
            "name": identifier.as_deref().unwrap_or("OPEN_SOURCE"),
            "version": if version.is_empty() { "0.0.0" } else { version.as_str() },
            "platform": platform(), "onboarded": false, "privacy": "OPEN", "descriptor": name,
        });
        self.ask_to_track(tree, Tracking { name, relation: EntryRelation::None }, cx);
    }

    fn ask_to_track(&mut self, tree: serde_json::Value, tracking: Tracking, cx: &mut WideContext<'_>) {
        let name = tracking.name.clone();
        match Application::from_tree(tree) {
            Err(wrong) => self.tracking_ended(tracking, Err(wrong.to_string().into()), cx),
            Ok(application) => {
                let call = ApplicationsRegister { application: Some(application) }.into();
                let text = format!(
                    "The service will list {name} under Applications and count its use. {} This request will be sent:",
                    self.how_to_untrack(cx)
                );
                cx.ask_first(Confirmation {
                    text,
                    ..Confirmation::call(format!("Track {name}?"), "Track", call, |call, confirmed| {
                        WriteAction::TrackConfirmed(tracking, call, confirmed)
                    })
                });
            }
        }
    }

    /// Whether tracking can be undone with this service, in a sentence.
    fn how_to_untrack(&self, cx: &WideContext<'_>) -> &'static str {
        match (cx.write_obstacle(Capability::Untrack), cx.connection.vendor) {
            (Some(_), _) => "This cannot be undone because the service cannot stop tracking an application.",
            (None, Vendor::Lunette) => "Undo stops tracking it.",
            (None, Vendor::Other) => "Undo stops tracking it, if the service supports that.",
        }
    }

    /// Asks for confirmation to untrack an application that a step tracked, or reports why that is not possible.
    pub(crate) fn untrack_step(&mut self, entry: &Entry, cx: &mut WideContext<'_>) {
        let Some(Registered { id, name }) = entry.tracked() else {
            return cx.history.cannot_undo(entry, "it was sent from the console", cx);
        };
        if let Some(reason) = cx.write_obstacle(Capability::Untrack) {
            return cx.history.cannot_undo(entry, &reason.to_string(), cx);
        }
        let application: ApplicationId = match id.parse() {
            Ok(application) => application,
            Err(problem) => {
                return cx.history.cannot_undo(entry, &format!("the application has no usable id: {problem}"), cx);
            }
        };
        let call = ApplicationsDeleteSpecificApplication { application, usage: None }.into();
        let tracking = Tracking { name: name.clone(), relation: EntryRelation::Undoes(entry.id) };
        cx.ask_first(Confirmation::call(format!("Stop tracking {name}?"), "Untrack", call, |call, confirmed| {
            WriteAction::TrackConfirmed(tracking, call, confirmed)
        }));
    }

    /// Asks for confirmation to track an untracked application again, with the same id.
    pub(crate) fn track_again(&mut self, entry: &Entry, cx: &mut WideContext<'_>) {
        let body =
            entry.tracked().and_then(|application| Some((application.name, entry.requests.first()?.body.as_ref()?)));
        let Some((name, Ok(tree))) = body.map(|(name, body)| (name, serde_json::from_str(body))) else {
            return cx.cannot_redo(entry, "it was sent from the console");
        };
        if let Some(reason) = cx.write_obstacle(Capability::Track) {
            return cx.cannot_redo(entry, &reason.to_string());
        }
        self.ask_to_track(tree, Tracking { name, relation: EntryRelation::Redoes(entry.id) }, cx);
    }

    /// Sends the call that was shown.
    pub(crate) fn track_now(&mut self, tracking: Tracking, call: Call, cx: &mut WideContext<'_>) {
        let title = match tracking.relation {
            EntryRelation::None => tracking_title(&tracking.name),
            EntryRelation::Undoes(_) => format!("Undo: tracked {}", tracking.name),
            EntryRelation::Redoes(_) => format!("Redo: tracked {}", tracking.name),
        };
        let relation = tracking.relation;
        let saving = format!("Saving {}", tracking.name);
        let track = async move |context: WriteContext| {
            let (id, exchange) = journaled::answering(&context, &call, title, relation).await?;
            exchange.outcome?;
            Ok(id)
        };
        let task = cx.run_write(track, |end| Output::Tracked(tracking, end));
        cx.show_saving(task, saving);
    }

    pub(crate) fn tracking_ended(
        &mut self,
        tracking: Tracking,
        end: Result<EntryId, Failed>,
        cx: &mut WideContext<'_>,
    ) {
        let Tracking { name, relation } = tracking;
        match (end, relation) {
            (Ok(step), EntryRelation::None) => cx.outcome(tracking_title(&name), Some(step)),
            (Ok(_), EntryRelation::Undoes(_)) => cx.show_success(format!("Undone: {}", lower(&tracking_title(&name)))),
            (Ok(_), EntryRelation::Redoes(step)) => {
                cx.outcome(format!("Redone: {}", lower(&tracking_title(&name))), Some(step));
            }
            (Err(failed), EntryRelation::None | EntryRelation::Redoes(_)) => {
                let unknown = "It is unknown whether the application is tracked";
                let message = failed.message("Could not track the application", unknown);
                return cx.notify_failed(Topic::Tracking, message, Vec::new());
            }
            (Err(failed), EntryRelation::Undoes(_)) => {
                let unknown = "It is unknown whether the application is still tracked";
                let message = failed.message("Could not stop tracking the application", unknown);
                return cx.notify_failed(Topic::Tracking, message, Vec::new());
            }
        }
        cx.resolve(Topic::Tracking);
        cx.request(ApplicationsAction::LoadList);
    }
}

/// The name of this platform in the interface.
fn platform() -> &'static str {
    match std::env::consts::OS {
        "linux" => "LINUX",
        "macos" => "MACOS",
        "windows" => "WINDOWS",
        _ => "UNKNOWN",
    }
}
