//! How a step of the history is spoken of: its status, which asset it was for, why it cannot be undone.

use std::borrow::Cow;

use egui::Color32;
use serde_json::Value;

use crate::app::State;
use crate::app::bulk::RunStatus;
use crate::app::change::Change;
use crate::app::history::History;
use crate::app::journal::{Entry, EntryKind, EntryRelation, Outcome};
use crate::ui::theme::{Icon, Tokens};
use crate::ui::widgets::{grouped, shown_short};
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;
use lunette_client::operation::OperationInfo;

/// How a step stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryStatus {
    /// It is under way.
    Sending,
    /// It is under way in another window.
    Elsewhere,
    /// It was done.
    Done,
    /// It was done, and undone since.
    Undone,
    /// Some of it was undone since.
    PartlyUndone,
    /// It was not done.
    Failed,
    /// Nobody knows.
    Unknown,
    /// Of a run, some rows were not done.
    NotAll,
    /// A run that was halted.
    Paused,
    /// A run that was cut off.
    Interrupted,
}

impl EntryStatus {
    /// How a step stands; that of a run as the run does, where it is known.
    pub fn of(entry: &Entry, state: &State) -> Self {
        let run = match entry.deed {
            EntryKind::Batch { run, .. } => state.runs.get(&run),
            EntryKind::Change(_) | EntryKind::Call { .. } => None,
        };
        if state.history.is_in_another_window(entry) {
            return Self::Elsewhere;
        }
        match (run.map(|run| &run.status), &entry.outcome) {
            (Some(RunStatus::Running), _) => Self::Sending,
            (Some(RunStatus::Paused(_)), _) => Self::Paused,
            (Some(RunStatus::Interrupted), _) => Self::Interrupted,
            (Some(RunStatus::Cancelled | RunStatus::Ended) | None, outcome) => match (outcome, &entry.deed) {
                (Outcome::Sending, _) => Self::Sending,
                _ if entry.undone => Self::Undone,
                _ if entry.partly.is_some_and(|partly| partly.undone > 0) => Self::PartlyUndone,
                (Outcome::Done, _) => Self::Done,
                (Outcome::Partly { .. }, _) => Self::NotAll,
                (Outcome::Failed(_), _) => Self::Failed,
                (Outcome::Unknown(_), _) => Self::Unknown,
            },
        }
    }

    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Sending => "Under way",
            Self::Elsewhere => "In another window",
            Self::Done => "Done",
            Self::Undone => "Undone",
            Self::PartlyUndone => "Partly undone",
            Self::Failed => "Failed",
            Self::Unknown => "Unknown",
            Self::NotAll => "Partly done",
            Self::Paused => "Paused",
            Self::Interrupted => "Interrupted",
        }
    }

    /// Its sign.
    pub fn icon(self) -> Icon {
        match self {
            Self::Sending | Self::Elsewhere => Icon::PENDING,
            Self::Done => Icon::DONE,
            Self::Undone | Self::PartlyUndone => Icon::UNDO,
            Self::Failed => Icon::ERROR,
            Self::Unknown => Icon::UNKNOWN,
            Self::NotAll | Self::Interrupted => Icon::WARNING,
            Self::Paused => Icon::PAUSE,
        }
    }

    /// Its colour; the word says the same.
    pub fn color(self, tokens: &Tokens) -> Color32 {
        match self {
            Self::Sending | Self::Elsewhere => tokens.accent,
            Self::Done => tokens.ok,
            Self::Undone => tokens.muted,
            Self::Failed => tokens.error,
            Self::Unknown | Self::NotAll | Self::PartlyUndone | Self::Paused | Self::Interrupted => tokens.warning,
        }
    }
}

/// How a step stands, in a few words: "Partly undone: 19 of 20".
pub fn status(entry: &Entry, state: &State) -> Cow<'static, str> {
    let standing = EntryStatus::of(entry, state);
    let of = |done: usize, of: usize| {
        format!("{}: {} of {}", standing.word(), grouped(done as u64), grouped(of as u64)).into()
    };
    match (standing, entry.partly, &entry.outcome) {
        (EntryStatus::PartlyUndone, Some(partly), _) => of(partly.undone, partly.of),
        (EntryStatus::NotAll, _, Outcome::Partly { done, of: all, .. }) => of(*done, *all),
        _ => standing.word().into(),
    }
}

/// Which asset a step was for, by its name where one is known; how many where it was for many; the application that was
/// registered. Empty where a call names no asset.
pub fn asset_name<'a>(entry: &'a Entry, state: &'a State) -> Cow<'a, str> {
    let change = match &entry.deed {
        EntryKind::Change(change) => change,
        EntryKind::Batch { count: 1, .. } => return "1 asset".into(),
        EntryKind::Batch { count, .. } => return format!("{} assets", grouped(*count as u64)).into(),
        EntryKind::Call { .. } => return called(entry, state),
    };
    let named = match change {
        Change::Create { name, .. }
        | Change::Delete { name, .. }
        | Change::Restore { name, .. }
        | Change::Purge { name, .. }
        | Change::Recreate { name, .. } => Some(name.as_str()),
        Change::Link { .. }
        | Change::Unlink { .. }
        | Change::LinkNew { .. }
        | Change::Edit { .. }
        | Change::Record { .. }
        | Change::Text { .. }
        | Change::Reclassify { .. }
        | Change::Increment { .. } => None,
    };
    let then = || entry.before.as_ref().and_then(|before| before.get("name")).and_then(Value::as_str);
    let name = named.or_else(then).filter(|name| !name.trim().is_empty()).map(Cow::Borrowed);
    name.unwrap_or_else(|| known_name(change.asset(), state))
}

/// The name of an asset as the window knows it, otherwise its id.
fn known_name<'a>(asset: &'a AssetId, state: &'a State) -> Cow<'a, str> {
    let name = state.pages.get(asset).and_then(|page| page.record.value()?.view().name());
    name.filter(|name| !name.trim().is_empty()).unwrap_or(asset.as_str()).into()
}

/// What a call of the console was about: an application by its name, an asset that its path names.
fn called<'a>(entry: &'a Entry, state: &'a State) -> Cow<'a, str> {
    let Some(sent) = entry.requests.first() else { return Cow::default() };
    let registered = entry.registered().or_else(|| match entry.answers {
        EntryRelation::Undo(target) | EntryRelation::Redo(target) => state.history.entry(target)?.registered(),
        EntryRelation::Nothing => None,
    });
    if let Some(application) = registered {
        return application.name.into();
    }
    let Some(info) = OperationInfo::named(&sent.operation) else { return Cow::default() };
    let path = sent.target.split(['?', '#']).next().unwrap_or_default();
    let named = info.path.split('/').zip(path.split('/')).find(|(part, _)| *part == "{asset}");
    let id = named.and_then(|(_, id)| id.parse::<AssetId>().ok());
    id.map_or_else(Cow::default, |id| known_name(&id, state).into_owned().into())
}

/// Why a step cannot be undone, in a sentence; None when it can.
pub fn undo_obstacle(entry: &Entry, state: &State) -> Option<String> {
    state.undo_obstacle(entry).map(|why| sentence(&why))
}

/// The step that “Redo” would redo, where that can be asked of a step: itself once it was undone, or the one that it
/// undid.
pub fn to_do_again<'a>(entry: &'a Entry, history: &'a History) -> Option<&'a Entry> {
    let undone = |entry: &Entry| entry.undone || entry.partly.is_some_and(|partly| partly.undone > 0);
    let target = match entry.answers {
        EntryRelation::Undo(target) => history.entry(target).map(|target| target.as_ref())?,
        EntryRelation::Nothing | EntryRelation::Redo(_) => entry,
    };
    // What its undo left in force was not undone, and what is under way is not yet.
    undone(target).then_some(target)
}

/// Why a step cannot be redone, in a sentence; None when it can.
pub fn redo_obstacle(entry: &Entry, state: &State) -> Option<String> {
    state.redo_obstacle(entry).map(|why| sentence(&why))
}

/// A text with a capital at its start.
pub fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// The step that a step undoes or redoes, with the words before its title.
pub fn answered<'a>(entry: &Entry, history: &'a History) -> Option<(&'static str, &'a Entry)> {
    match entry.answers {
        EntryRelation::Nothing => None,
        EntryRelation::Undo(id) => history.entry(id).map(|other| ("Undoes", other.as_ref())),
        EntryRelation::Redo(id) => history.entry(id).map(|other| ("Redoes", other.as_ref())),
    }
}

/// What a row is called where it is not seen.
pub fn row_name(entry: &Entry, state: &State) -> String {
    let (title, asset) = (shown_short(&entry.title, 120), asset_name(entry, state));
    let status = status(entry, state).to_lowercase();
    match asset.is_empty() {
        true => format!("{title}, {status}"),
        false => format!("{title}, {}, {status}", shown_short(&asset, 120)),
    }
}
