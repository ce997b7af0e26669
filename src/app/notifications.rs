//! What the user should know: messages until they are dismissed, and which of them no longer hold.
//!
//! What must hold: an error that a later success answers is withdrawn, so that no message on screen is untrue.

use std::collections::BTreeMap;

use crate::app::Action;
use crate::app::confirm::Confirmation;
use crate::app::context::Context;
use crate::app::journal::EntryId;
use lunette_client::model::id::AssetId;

/// How many messages are kept; older ones make room.
const KEPT: usize = 20;

/// Something the user should know.
#[derive(Clone, Debug, PartialEq)]
pub struct Notice {
    /// Names it; later ones have higher numbers.
    pub number: u64,
    /// How grave it is.
    pub grade: Grade,
    /// What happened, and what to do.
    pub text: String,
    /// What can be done about it at once; the notice goes with it.
    pub offers: Vec<Offer>,
    /// What it is about, where a later success withdraws it.
    pub topic: Option<Topic>,
}

/// A way to go on from a notice.
#[derive(Clone, Debug, PartialEq)]
pub struct Offer {
    /// The word of its button.
    pub label: &'static str,
    /// What it does.
    pub actions: Vec<Action>,
}

/// How grave a notice is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grade {
    /// It went well.
    Done,
    /// It did not.
    Failed,
}

/// What an error is about: a success in the same thing withdraws it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Topic {
    /// Importing files.
    Import,
    /// Making an asset of text.
    Create,
    /// Writing to this asset.
    Asset(AssetId),
    /// Renaming or deleting a tag, a website or a workstream summary.
    Link,
    /// Tracking an application, or no longer tracking it.
    Tracking,
    /// Backing up the embedded service.
    Backup,
    /// Restoring a backup of it, or quarantining damaged data.
    Restore,
}

/// Notifications to the user.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Notifications {
    /// What the user should know, until dismissed.
    pub notices: Vec<Notice>,
    /// Which errors no longer hold, although they may still be on screen.
    pub resolved: Resolved,
    /// How the last write ended.
    pub outcome: Option<Outcome>,
    /// The open confirmation.
    pub confirmation: Option<Confirmation>,
    /// How many notices there were.
    pub(in crate::app) count: u64,
}

/// How a write ended, and how to undo it.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// What was done, in one sentence.
    pub text: String,
    /// The step, if it can be undone.
    pub undo: Option<EntryId>,
}

impl Notifications {
    /// Puts a notice away.
    pub(in crate::app) fn dismiss(&mut self, number: u64) {
        self.notices.retain(|notice| notice.number != number);
    }

    /// Forgets what belongs to a connection; messages stay until they are dismissed.
    pub(in crate::app) fn leave(&mut self) {
        (self.outcome, self.confirmation) = (None, None);
        self.resolved.clear();
    }
}

/// The topics that were answered, each with the number of the last notice that no longer holds.
pub type Resolved = BTreeMap<Topic, u64>;

impl Context<'_> {
    /// Shows a short word of success in the status bar.
    pub(in crate::app) fn show_success(&mut self, text: String) {
        self.outcome(text, None);
    }

    /// Shows how a write ended, and which step undoes it.
    pub(in crate::app) fn outcome(&mut self, text: String, undo: Option<EntryId>) {
        self.notifications.outcome = Some(Outcome { text, undo });
    }

    /// Shows a notice until it is dismissed.
    pub(in crate::app) fn notify(&mut self, grade: Grade, text: String) {
        self.notify_offering(grade, text, Vec::new());
    }

    /// Shows a notice with ways to go on.
    pub(in crate::app) fn notify_offering(&mut self, grade: Grade, text: String, offers: Vec<Offer>) {
        self.push_notice(Notice { number: 0, grade, text, offers, topic: None });
    }

    /// Shows an error until it is dismissed, or something of the same topic succeeds.
    pub(in crate::app) fn notify_failed(&mut self, topic: Topic, text: String, offers: Vec<Offer>) {
        self.push_notice(Notice { number: 0, grade: Grade::Failed, text, offers, topic: Some(topic) });
    }

    /// Withdraws the errors of a topic: it went well now.
    pub(in crate::app) fn resolve(&mut self, topic: Topic) {
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
