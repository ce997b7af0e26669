//! Notifications: messages that are shown until they are dismissed, and which of them are resolved.
//!
//! What must hold: an error is withdrawn after a later success of the same operation, so that no displayed message is
//! untrue.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use crate::Action;
use crate::action::{HistoryAction, NavigationAction};
use crate::assets::page::OpenAssets;
use crate::change::with_name;
use crate::confirm::Confirmation;
use crate::context::Context;
use crate::journal::EntryId;
use crate::panel::Panel;
use lunette_client::model::id::AssetId;

/// How many messages are kept; the oldest are dropped.
const KEPT: usize = 20;

/// A message to the user.
#[derive(Clone, Debug, PartialEq)]
pub struct Notice {
    /// Its number; later ones have higher numbers.
    pub number: u64,
    /// Its severity.
    pub severity: Severity,
    /// What happened, and what to do.
    pub text: String,
    /// The offered actions; choosing one dismisses the message.
    pub offers: Vec<NotificationAction>,
    /// Its topic, if a later success withdraws it.
    pub topic: Option<Topic>,
}

/// An action that a message offers.
#[derive(Clone, Debug, PartialEq)]
pub struct NotificationAction {
    /// The label of its button.
    pub label: &'static str,
    /// The actions that it performs.
    pub actions: Vec<Action>,
}

impl NotificationAction {
    /// Shows the history, and a step in it.
    pub(crate) fn in_history(label: &'static str, step: Option<EntryId>) -> Self {
        let select = step.map(|step| HistoryAction::Select(Some(step)).into());
        let show = NavigationAction::Show(Panel::History).into();
        Self { label, actions: [show].into_iter().chain(select).collect() }
    }

    /// Performs another action after these.
    pub(crate) fn then(mut self, action: impl Into<Action>) -> Self {
        self.actions.push(action.into());
        self
    }
}

/// The severity of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// A success.
    Done,
    /// A failure.
    Failed,
}

/// The topic of an error: a success with the same topic withdraws it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Topic {
    /// Importing files.
    Import,
    /// Creating an asset from text.
    Create,
    /// Writing to this asset.
    Asset(AssetId),
    /// What a run did to several assets, its undo and its redo: by the step that they all concern.
    Step(EntryId),
    /// Checkpoints, and the list of assets as it was.
    Checkpoints,
    /// What was not possible without a connection.
    Connection,
    /// What the write policy of the connection blocked.
    WritePolicy,
    /// Emptying the Trash.
    Trash,
    /// Saving this file.
    Saved(PathBuf),
    /// Saving the settings.
    Settings,
    /// Renaming or deleting a tag, a website or a workstream summary.
    Link,
    /// Tracking an application, or no longer tracking it.
    Tracking,
    /// Backing up the embedded service.
    Backup,
    /// Rescuing everything from a service.
    Rescue,
    /// Writing what was received from it into a file, or opening its receipt.
    RescueFile,
    /// Comparing two sides of many assets.
    Sides,
    /// Copies to try things on.
    Scratch,
    /// Applying, declining or undoing what an assistant proposed.
    Proposals,
    /// What an assistant may do, and the token.
    Assistants,
    /// Restoring a backup of it, or quarantining damaged data.
    Restore,
}

/// Notifications to the user.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Notifications {
    /// The messages that are not dismissed.
    pub notices: Vec<Notice>,
    /// The resolved errors, which may still be displayed.
    pub resolved: Resolved,
    /// The result of the last write.
    pub outcome: Option<Outcome>,
    /// Why the last action did nothing, until another page is shown or something is written.
    pub hint: Option<String>,
    /// The open confirmation.
    pub confirmation: Option<Confirmation>,
    /// The number of messages so far.
    pub(crate) count: u64,
    /// How many of them have names in place of the ids of opened assets.
    named: u64,
}

/// The result of a write, and how to undo it.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The applied change, in one sentence.
    pub text: String,
    /// The step, if it can be undone.
    pub undo: Option<EntryId>,
}

impl Notifications {
    /// Replaces the ids of assets in new messages by their names: those of opened assets, and those that `listed` knows.
    pub(crate) fn name_assets(&mut self, pages: &OpenAssets, listed: impl Fn(&AssetId) -> Option<String>) {
        let named = std::mem::replace(&mut self.named, self.count);
        for notice in self.notices.iter_mut().rev().take_while(|notice| notice.number > named) {
            let text = pages.with_names(std::mem::take(&mut notice.text));
            let named = |text: String, id: AssetId| match listed(&id) {
                Some(name) => with_name(&text, &id, &name),
                None => text,
            };
            notice.text = ids_in(&text).into_iter().fold(text, named);
        }
    }

    /// Dismisses a message.
    pub(crate) fn dismiss(&mut self, number: u64) {
        self.notices.retain(|notice| notice.number != number);
    }

    /// Clears the state of a connection; messages stay until they are dismissed.
    pub(crate) fn leave(&mut self) {
        (self.outcome, self.hint, self.confirmation) = (None, None, None);
        self.resolved.clear();
    }
}

/// The length of an id, in bytes.
const ID_LENGTH: usize = 36;

/// The ids in a text.
fn ids_in(text: &str) -> BTreeSet<AssetId> {
    let mut ids = BTreeSet::new();
    let mut rest = text;
    while let Some(at) = rest.find(|letter: char| letter.is_ascii_hexdigit()) {
        rest = &rest[at..];
        match rest.get(..ID_LENGTH).filter(|id| id.contains('-')).map(str::parse) {
            Some(Ok(id)) => {
                ids.insert(id);
                rest = &rest[ID_LENGTH..];
            }
            Some(Err(_)) | None => rest = &rest[1..],
        }
    }
    ids
}

/// The resolved topics, each with the number of its last resolved message.
pub type Resolved = BTreeMap<Topic, u64>;

impl Context<'_> {
    /// Shows a short success message in the status bar.
    pub(crate) fn show_success(&mut self, text: String) {
        self.outcome(text, None);
    }

    /// Shows the result of a write, and the step that Undo targets.
    pub(crate) fn outcome(&mut self, text: String, undo: Option<EntryId>) {
        self.notifications.outcome = Some(Outcome { text, undo });
        self.notifications.hint = None;
    }

    /// Says in the status bar why an action did nothing, until another page is shown, the selection changes, or something
    /// is written.
    pub(crate) fn show_hint(&mut self, text: String) {
        self.notifications.hint = Some(text);
    }

    /// Shows a message until it is dismissed.
    pub(crate) fn notify(&mut self, severity: Severity, text: String) {
        self.notify_offering(severity, text, Vec::new());
    }

    /// Shows a message with offered actions.
    pub(crate) fn notify_offering(&mut self, severity: Severity, text: String, offers: Vec<NotificationAction>) {
        self.push_notice(Notice { number: 0, severity, text, offers, topic: None });
    }

    /// Shows an error until it is dismissed, or an operation of the same topic succeeds.
    pub(crate) fn notify_failed(&mut self, topic: Topic, text: String, offers: Vec<NotificationAction>) {
        self.push_notice(Notice { number: 0, severity: Severity::Failed, text, offers, topic: Some(topic) });
    }

    /// Shows a success, unless what is on screen says it already.
    pub(crate) fn notify_done(&mut self, topic: Topic, text: String, offers: Vec<NotificationAction>) {
        self.push_notice(Notice { number: 0, severity: Severity::Done, text, offers, topic: Some(topic) });
    }

    /// Withdraws the errors of a topic after a success.
    pub(crate) fn resolve(&mut self, topic: Topic) {
        self.notifications.notices.retain(|notice| notice.topic.as_ref() != Some(&topic));
        self.notifications.resolved.insert(topic, self.notifications.count);
    }

    fn push_notice(&mut self, notice: Notice) {
        self.notifications.count += 1;
        self.notifications.notices.push(Notice { number: self.notifications.count, ..notice });
        let surplus = self.notifications.notices.len().saturating_sub(KEPT);
        self.notifications.notices.drain(..surplus);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_messages_name_listed_assets_and_keep_the_ids_of_others() {
        let (listed, other) = (AssetId::random(), AssetId::random());
        let text = format!("Could not undo: there is no asset {listed}, nor {other}; deadbeef-");
        let notice = Notice { number: 1, severity: Severity::Failed, text, offers: Vec::new(), topic: None };
        let mut notifications = Notifications { notices: vec![notice], count: 1, ..Notifications::default() };
        notifications.name_assets(&OpenAssets::default(), |id| (*id == listed).then(|| "a.rs".to_owned()));
        let said = format!("Could not undo: there is no asset “a.rs”, nor {other}; deadbeef-");
        assert_eq!(notifications.notices[0].text, said);
    }
}
