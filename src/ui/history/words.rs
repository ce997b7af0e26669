//! How a step of the history is spoken of: how it stands, which asset it was for, why it cannot be taken back.

use std::borrow::Cow;

use egui::Color32;

use crate::app::State;
use crate::app::bulk::RunStatus;
use crate::app::change::Change;
use crate::app::history::History;
use crate::app::journal::{Answers, Deed, Entry, Outcome};
use crate::model::record::Record as _;
use crate::ui::theme::{Icon, Tokens};
use crate::ui::widget::{grouped, shown_short};

/// How a step stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It is under way.
    Sending,
    /// It is under way in another window.
    Elsewhere,
    /// It was done.
    Done,
    /// It was done, and taken back since.
    Undone,
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

impl Standing {
    /// How a step stands; that of a run as the run does, where it is known.
    pub fn of(entry: &Entry, state: &State) -> Self {
        let run = match entry.deed {
            Deed::Batch { run, .. } => state.runs.get(&run),
            Deed::Change(_) | Deed::Call { .. } => None,
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
                (Outcome::Done, _) => Self::Done,
                (Outcome::Failed(_), Deed::Batch { .. }) => Self::NotAll,
                (Outcome::Failed(_), Deed::Change(_) | Deed::Call { .. }) => Self::Failed,
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
            Self::Failed => "Failed",
            Self::Unknown => "Unknown",
            Self::NotAll => "Not all done",
            Self::Paused => "Paused",
            Self::Interrupted => "Interrupted",
        }
    }

    /// Its sign.
    pub fn icon(self) -> Icon {
        match self {
            Self::Sending | Self::Elsewhere => Icon::PENDING,
            Self::Done => Icon::DONE,
            Self::Undone => Icon::UNDO,
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
            Self::Unknown | Self::NotAll | Self::Paused | Self::Interrupted => tokens.warning,
        }
    }
}

/// Which asset a step was for, by its name where one is known; how many where it was for many.
pub fn asset_name<'a>(entry: &'a Entry, state: &'a State) -> Cow<'a, str> {
    let change = match &entry.deed {
        Deed::Change(change) => change,
        Deed::Batch { count: 1, .. } => return "1 asset".into(),
        Deed::Batch { count, .. } => return format!("{} assets", grouped(*count as u64)).into(),
        Deed::Call { operation } => return operation.as_str().into(),
    };
    let named = match change {
        Change::Create { name, .. }
        | Change::Delete { name, .. }
        | Change::Restore { name, .. }
        | Change::Purge { name, .. } => Some(name.as_str()),
        Change::Link { .. }
        | Change::Unlink { .. }
        | Change::LinkNew { .. }
        | Change::Edit { .. }
        | Change::Record { .. }
        | Change::Reclassify { .. }
        | Change::Increment { .. } => None,
    };
    let then = || entry.before.as_ref().and_then(|before| before.get("name")).and_then(serde_json::Value::as_str);
    let now = || state.pages.get(change.asset()).and_then(|page| page.record.value()?.view().name());
    let name = named.or_else(then).or_else(now).filter(|name| !name.trim().is_empty());
    name.map_or_else(|| change.asset().as_str().into(), Cow::Borrowed)
}

/// Why a step cannot be taken back, in a sentence; None when it can.
pub fn undo_obstacle(entry: &Entry, state: &State) -> Option<&'static str> {
    let history = &state.history;
    match Standing::of(entry, state) {
        Standing::Sending => return Some("It is still under way"),
        Standing::Elsewhere => return Some("It is in progress in another window"),
        Standing::Failed => return Some("It was not done: there is nothing to take back"),
        Standing::Paused | Standing::Interrupted => return Some("It has not ended: resume it, or cancel it first"),
        Standing::Unknown if !matches!(entry.deed, Deed::Batch { .. }) => {
            return Some("Its outcome is unknown: read it again first");
        }
        Standing::Undone => return Some("It is undone already"),
        Standing::Done | Standing::NotAll | Standing::Unknown => {}
    }
    match (entry.answers, &entry.deed) {
        (Answers::Undo(_), _) => Some("It took another step back: do that one again instead"),
        (Answers::Redo(target), _) => history.entry(target).and_then(|target| undo_obstacle(target, state)),
        (Answers::Nothing, Deed::Call { .. }) => Some("It was sent from the console: what takes it back is not known"),
        (Answers::Nothing, Deed::Change(change)) => {
            let made = history.made(entry.id).unwrap_or(change);
            made.inverse().is_none().then(|| no_inverse(made))
        }
        (Answers::Nothing, Deed::Batch { .. }) => {
            history.lasting.contains(&entry.id).then_some("Nothing of it was done that the interface can take back")
        }
    }
}

/// Why nothing takes a change back.
fn no_inverse(change: &Change) -> &'static str {
    match change {
        Change::Increment { .. } => "It cannot be undone: the interface has no decrement",
        Change::Delete { .. } => "It cannot be undone: what was deleted cannot be brought back",
        Change::Purge { .. } => "It cannot be undone: it was deleted permanently",
        Change::Link { .. }
        | Change::Unlink { .. }
        | Change::LinkNew { .. }
        | Change::Edit { .. }
        | Change::Record { .. }
        | Change::Reclassify { .. }
        | Change::Restore { .. }
        | Change::Create { .. } => "It cannot be undone: what was there before it is not known",
    }
}

/// The step that “do it again” would do again, where that can be asked of a step: itself once it was taken back, or the
/// one that it took back.
pub fn to_do_again<'a>(entry: &'a Entry, history: &'a History) -> Option<&'a Entry> {
    match entry.answers {
        Answers::Undo(target) => history.entry(target).map(|target| target.as_ref()),
        Answers::Nothing | Answers::Redo(_) => entry.undone.then_some(entry),
    }
}

/// Why a step cannot be done again, in a sentence; None when it can.
pub fn redo_obstacle(entry: &Entry, state: &State) -> Option<&'static str> {
    if state.history.redoable().is_some_and(|redoable| redoable.id == entry.id) {
        return None;
    }
    if let Deed::Change(Change::Create { .. }) = entry.deed {
        return Some("The asset would come back as another one: make it anew");
    }
    Some(match Standing::of(entry, state) {
        Standing::Undone => {
            "Another step was taken back after it, or a new one was made: only the last can be done again"
        }
        Standing::Done => "It was done again already",
        Standing::Sending
        | Standing::Elsewhere
        | Standing::Failed
        | Standing::Unknown
        | Standing::NotAll
        | Standing::Paused
        | Standing::Interrupted => "Only a step that was taken back can be done again",
    })
}

/// The step that a step takes back or does again, with the words before its title.
pub fn answered<'a>(entry: &Entry, history: &'a History) -> Option<(&'static str, &'a Entry)> {
    match entry.answers {
        Answers::Nothing => None,
        Answers::Undo(id) => history.entry(id).map(|other| ("Takes back", other.as_ref())),
        Answers::Redo(id) => history.entry(id).map(|other| ("Does again", other.as_ref())),
    }
}

/// What a row is called where it is not seen.
pub fn row_name(entry: &Entry, state: &State) -> String {
    let (title, asset) = (shown_short(&entry.title, 120), asset_name(entry, state));
    format!("{title}, {}, {}", shown_short(&asset, 120), Standing::of(entry, state).word().to_lowercase())
}
