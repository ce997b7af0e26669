//! Proposals: changes that an assistant asked for, kept until a person decides about them.
//!
//! What must hold: nothing is sent for a proposal before a person applies it; what is sent is what that person saw,
//! after the same checks as any other change; a proposal is applied or declined once, whatever happens in between.

use std::collections::BTreeSet;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::change::{Change, Recovery};
use crate::import::engine::{NewAsset, TakenIds};
use crate::journal::AskedBy;
use crate::write::plan::{Plan, UndoKind};
use lunette_client::model::diff::FieldChange;
use lunette_client::model::display::{Breaks, beginning, display_text};
use lunette_client::model::id::AssetId;
use lunette_client::model::size::grouped;

mod apply;
mod patch;
mod settle;
mod standing;
mod store;
mod target;
#[cfg(test)]
mod tests;
mod undo;
pub mod window;

pub use apply::apply;
pub use patch::{BadPatch, patched};
pub use settle::{cut_off, settle};
pub use store::{NotDecided, ProposalStore, StoreError};
pub use target::{NotSent, Target};
pub use undo::{NotTakenBack, TakenBack, take_back};

/// The most changes of one proposal. Our choice: a person looks at them, and each takes a read to be planned.
pub const MOST_CHANGES: usize = 1_000;

/// The most proposals of a connection that wait at a time, so that an assistant cannot bury one under others.
pub const MOST_WAITING: usize = 100;

/// The most letters of what an assistant says about its proposal.
pub const LONGEST_REASON: usize = 2_000;

/// The most letters of the name of a client.
const LONGEST_NAME: usize = 60;

/// Changes that an assistant asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Proposal {
    /// Its number, from 1 on for each connection.
    pub number: u64,
    /// The name by which the assistant is known.
    pub client: String,
    /// What the assistant says about it: the words of another program.
    pub reason: String,
    /// When it was made (RFC 3339).
    pub at: String,
    /// What it would do, in a sentence.
    pub title: String,
    /// The changes, in the order in which they are sent.
    pub changes: Vec<ProposedChange>,
    /// The proposal that it takes back, which has then no changes of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undoes: Option<u64>,
    /// How it stands.
    pub status: Status,
}

/// One change of a proposal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProposedChange {
    /// The change in a sentence.
    pub title: String,
    /// The name of its asset.
    pub name: String,
    /// What is sent.
    pub action: Action,
    /// The fields that it changes, as far as that is known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<FieldChange>,
    /// The requests: method and path of each. The last one of a new item is not known before it is created.
    pub calls: Vec<String>,
    /// How it can be undone, or why not.
    pub undo: Undo,
}

/// What a proposed change sends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// A change of an asset, with the values that it was planned on.
    Change(Box<Change>),
    /// A new asset.
    Create(NewText),
}

/// A new asset with a text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewText {
    /// Its name.
    pub name: String,
    /// Its text.
    pub text: String,
    /// Its language, as the interface's word; `None` if the service detects it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// The texts of its tags.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
}

/// Whether a proposed change can be undone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Undo {
    /// It can; how, in a sentence.
    By(String),
    /// It cannot; why, in a sentence.
    Never(String),
}

/// How a proposal stands.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Nobody has decided about it.
    #[default]
    Waiting,
    /// A person applied it, and its end is not recorded: it is being sent, or the program ended before it was over.
    /// Then [`settle`] reads again what was sent.
    Sending,
    /// It was applied.
    Applied(Applied),
    /// A person declined it, with a reply to the assistant, which may be empty.
    Declined(String),
    /// The assistant took it back before anybody decided.
    Withdrawn,
    /// It was applied, and all of it was undone since.
    Undone,
}

/// What became of the changes of a proposal.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Applied {
    /// How many were made.
    pub done: usize,
    /// How many were so already.
    pub unchanged: usize,
    /// How many failed, among them those whose asset changed meanwhile.
    pub failed: usize,
    /// How many have an unknown outcome.
    pub unknown: usize,
    /// How many the person left out.
    pub left_out: usize,
    /// Whether those of unknown outcome were read again: that is done once.
    #[serde(default, skip_serializing_if = "is_false")]
    pub read_again: bool,
    /// How many were undone since, as the journal tells; all of them make it undone.
    #[serde(default, skip_serializing_if = "is_none")]
    pub undone: usize,
    /// Why changes failed or have an unknown outcome, each with the name of its asset.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<String>,
}

impl Applied {
    /// How many changes ended in which way, such as `2 done, 1 failed`.
    pub fn summary(&self) -> String {
        let Self { done, unchanged, failed, unknown, left_out, undone, problems: _, read_again: _ } = self;
        let counts = [
            (*done, "done"),
            (*unchanged, "unchanged"),
            (*failed, "failed"),
            (*unknown, "unknown"),
            (*left_out, "left out"),
            (*undone, "undone since"),
        ];
        let counts = counts.into_iter().filter(|(count, _)| *count > 0);
        let counts: Vec<String> = counts.map(|(count, how)| format!("{} {how}", grouped(count as u64))).collect();
        if counts.is_empty() { "there was nothing to do".to_owned() } else { counts.join(", ") }
    }
}

fn is_none(count: &usize) -> bool {
    *count == 0
}

fn is_false(flag: &bool) -> bool {
    !*flag
}

/// Which changes of a proposal are applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Selection {
    /// All of them.
    All,
    /// Those with these indices.
    Some(BTreeSet<usize>),
}

/// A proposal before it has a number.
#[derive(Clone, Debug, PartialEq)]
pub struct Draft {
    /// The name by which the assistant is known.
    pub client: String,
    /// What the assistant says about it.
    pub reason: String,
    /// What it would do, in a sentence.
    pub title: String,
    /// The changes.
    pub changes: Vec<ProposedChange>,
    /// The proposal that it takes back.
    pub undoes: Option<u64>,
}

impl Draft {
    fn numbered(self, number: u64) -> Proposal {
        let Self { client, reason, title, changes, undoes } = self;
        let (reason, at) = (beginning(&reason, LONGEST_REASON).into_owned(), Timestamp::now().to_string());
        Proposal { number, client, reason, at, title, changes, undoes, status: Status::Waiting }
    }
}

impl Proposal {
    /// Whether it waits for a decision.
    pub fn is_waiting(&self) -> bool {
        self.status == Status::Waiting
    }

    /// Who asked for it, as its steps in the history name it.
    pub fn asked_by(&self) -> AskedBy {
        AskedBy { client: self.client.clone(), proposal: self.number }
    }

    /// Whether it proposes what another one does: everything that a person sees before a decision.
    pub fn is_as_shown(&self, shown: &Self) -> bool {
        let seen = |one: &Self| (one.number, one.client.clone(), one.undoes);
        seen(self) == seen(shown) && self.changes == shown.changes
    }
}

impl Status {
    /// Whether its outcome is to be read again, unless the program that sends it still runs.
    pub fn is_unsettled(&self) -> bool {
        matches!(self, Self::Sending | Self::Applied(Applied { unknown: 1.., read_again: false, .. }))
    }

    /// Whether there is something to undo, or may be once it is applied.
    pub fn can_be_undone(&self) -> bool {
        match self {
            Self::Waiting | Self::Sending => true,
            Self::Applied(applied) => applied.done > 0 || applied.unknown > 0,
            Self::Declined(_) | Self::Withdrawn | Self::Undone => false,
        }
    }

    /// Why a proposal with this status was read again, as what is said of it in a sentence.
    pub fn why_read_again(&self) -> &'static str {
        match self {
            Self::Applied(Applied { read_again: true, .. }) => "had a change of unknown outcome",
            _ => "was cut off while it was sent",
        }
    }

    /// The status in a word.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Sending => "sending",
            Self::Applied(Applied { unknown: 1.., .. }) => "unknown",
            Self::Applied(Applied { undone: 1.., .. }) => "partly undone",
            Self::Applied(Applied { failed: 0, .. }) => "applied",
            Self::Applied(Applied { done: 0, unchanged: 0, .. }) => "failed",
            Self::Applied(_) => "partly applied",
            Self::Declined(_) => "declined",
            Self::Withdrawn => "withdrawn",
            Self::Undone => "undone",
        }
    }
}

impl ProposedChange {
    /// A change as it was planned; `name` is that of its asset.
    pub fn planned(plan: &Plan, name: &str) -> Self {
        let shown = if name.is_empty() { plan.change.asset().as_str() } else { name };
        let call = |call: &lunette_client::operation::Call| {
            let info = call.info();
            format!("{} {}", info.method, call.parts().target(info))
        };
        Self {
            title: plan.change.title(&format!("“{shown}”")),
            name: name.to_owned(),
            action: Action::Change(Box::new(plan.change.clone())),
            fields: if plan.change.deletes() { Vec::new() } else { plan.fields.clone() },
            calls: plan.calls.iter().map(call).collect(),
            undo: match &plan.undo {
                UndoKind::By(how) => Undo::By(how.clone()),
                UndoKind::Never(why) => Undo::Never(why.clone()),
            },
        }
    }

    /// A new asset.
    pub fn new(new: NewText) -> Self {
        Self {
            title: format!("Create “{}”", new.name),
            name: new.name.clone(),
            action: Action::Create(new),
            fields: Vec::new(),
            calls: vec!["POST a new asset".to_owned()],
            undo: Undo::By("Undo deletes the new asset".to_owned()),
        }
    }
}

impl From<NewText> for NewAsset {
    fn from(new: NewText) -> Self {
        let NewText { name, text, language, tags } = new;
        let kind = crate::import::engine::ContentKind::Text;
        // Our own service gives the asset this id, by which it is found if the response is lost.
        let archived = Some(json!({ "record": { "id": AssetId::random().as_str() } }).to_string());
        let (content, ids) = (text.into_bytes(), Some(TakenIds::Skip));
        Self { name: Some(name), language, tags, content, kind, archived, ids, duplicate: true, ..Self::default() }
    }
}

/// Whether changes are so small that a click of the user would make them without a question: one change of one asset,
/// or one new asset, that can be undone at a service that restores deleted assets in this way.
pub fn are_small(changes: &[ProposedChange], recovery: Recovery) -> bool {
    let [change] = changes else { return false };
    let needs_review = match &change.action {
        Action::Change(change) => change.needs_review(recovery),
        Action::Create(_) => false,
    };
    !needs_review && matches!(change.undo, Undo::By(_))
}

/// The name by which a client is known: what it calls itself, on one line, without hidden characters, and cut if it is
/// long.
pub fn client_name(own: &str) -> String {
    let shown = display_text(own.trim(), Breaks::Escaped);
    let name = beginning(&shown, LONGEST_NAME).into_owned();
    if name.is_empty() { "an assistant without a name".to_owned() } else { name }
}

/// The title of a proposal with these changes.
pub fn title(changes: &[ProposedChange]) -> String {
    title_of(changes.first().map(|first| first.title.clone()), changes.len())
}

/// The title of so many changes, of which the first has this one.
fn title_of(first: Option<String>, count: usize) -> String {
    match (first, count) {
        (Some(first), 0 | 1) => first,
        (Some(first), 2) => format!("{first} and 1 more change"),
        (Some(first), count) => format!("{first} and {} more changes", grouped(count as u64 - 1)),
        (None, _) => "No changes".to_owned(),
    }
}
