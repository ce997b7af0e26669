//! Labels of a history entry: its status, its asset, and why it cannot be undone.

use std::borrow::Cow;

use egui::Color32;
use serde_json::Value;

use crate::ui::theme::{Icon, Tokens};
use crate::ui::widgets::{grouped, shown_short};
use lunette_client::model::display::capitalized;
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;
use lunette_client::operation::OperationInfo;
use lunette_inspector::State;
use lunette_inspector::bulk::RunStatus;
use lunette_inspector::history::History;
use lunette_inspector::journal::{Entry, EntryKind, EntryRelation, Outcome};

/// The status of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryStatus {
    /// In progress.
    Sending,
    /// In progress in another window.
    Elsewhere,
    /// It was done.
    Done,
    /// Done, and undone since.
    Undone,
    /// Partly undone since.
    PartlyUndone,
    /// Not done.
    Failed,
    /// The outcome is unknown.
    Unknown,
    /// Some rows of the run were not done.
    NotAll,
    /// A paused run.
    Paused,
    /// An interrupted run.
    Interrupted,
}

impl EntryStatus {
    /// Returns the status of an entry; that of a run if it is known.
    pub fn of(entry: &Entry, state: &State) -> Self {
        let run = match entry.kind {
            EntryKind::Batch { run, .. } => state.bulk.runs.get(&run),
            EntryKind::Change(_) | EntryKind::Call { .. } => None,
        };
        if state.history.is_in_another_window(entry) {
            return Self::Elsewhere;
        }
        match (run.map(|run| &run.status), &entry.outcome) {
            (Some(RunStatus::Running), _) => Self::Sending,
            (Some(RunStatus::Paused(_)), _) => Self::Paused,
            (Some(RunStatus::Interrupted), _) => Self::Interrupted,
            (Some(RunStatus::Cancelled | RunStatus::Ended) | None, outcome) => match (outcome, &entry.kind) {
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

    /// Returns its label.
    pub fn label(self) -> &'static str {
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

    /// Returns its icon.
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

    /// Returns its colour; the label says the same.
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

/// Returns the status in a few words: "Partly undone: 19 of 20".
pub fn status(entry: &Entry, state: &State) -> Cow<'static, str> {
    let standing = EntryStatus::of(entry, state);
    let of = |done: usize, of: usize| {
        format!("{}: {} of {}", standing.label(), grouped(done as u64), grouped(of as u64)).into()
    };
    match (standing, entry.partly, &entry.outcome) {
        (EntryStatus::PartlyUndone, Some(partly), _) => of(partly.undone, partly.of),
        (EntryStatus::NotAll, _, Outcome::Partly { done, of: all, .. }) => of(*done, *all),
        _ => standing.label().into(),
    }
}

/// Returns the name of the asset that an entry changed; the number if there were many; the application that was
/// registered. Empty if a call names no asset.
pub fn asset_name<'a>(entry: &'a Entry, state: &'a State) -> Cow<'a, str> {
    let change = match &entry.kind {
        EntryKind::Change(change) => change,
        EntryKind::Batch { count: 1, .. } => return "1 asset".into(),
        EntryKind::Batch { count, .. } => return format!("{} assets", grouped(*count as u64)).into(),
        EntryKind::Call { .. } => return call_target(entry, state),
    };
    let then = || entry.before.as_ref().and_then(|before| before.get("name")).and_then(Value::as_str);
    let name = change.name().or_else(then).filter(|name| !name.trim().is_empty()).map(Cow::Borrowed);
    name.unwrap_or_else(|| asset_name_or_id(change.asset(), state))
}

/// Returns the name of an asset as the window knows it, otherwise its id.
fn asset_name_or_id<'a>(asset: &'a AssetId, state: &'a State) -> Cow<'a, str> {
    let name = state.assets.pages.of.get(asset).and_then(|page| page.record.value()?.view().name());
    name.filter(|name| !name.trim().is_empty()).unwrap_or(asset.as_str()).into()
}

/// Returns the target of a call from the console: an application by its name, or the asset in its path.
fn call_target<'a>(entry: &'a Entry, state: &'a State) -> Cow<'a, str> {
    let Some(sent) = entry.requests.first() else { return Cow::default() };
    let registered = entry.registered().or_else(|| match entry.answers {
        EntryRelation::Undoes(target) | EntryRelation::Redoes(target) => state.history.entry(target)?.registered(),
        EntryRelation::None => None,
    });
    if let Some(application) = registered {
        return application.name.into();
    }
    let Some(info) = OperationInfo::named(&sent.operation) else { return Cow::default() };
    let path = sent.target.split(['?', '#']).next().unwrap_or_default();
    let named = info.path.split('/').zip(path.split('/')).find(|(part, _)| *part == "{asset}");
    let id = named.and_then(|(_, id)| id.parse::<AssetId>().ok());
    id.map_or_else(Cow::default, |id| asset_name_or_id(&id, state).into_owned().into())
}

/// Returns why an entry cannot be undone, as a sentence; `None` if it can.
pub fn undo_disabled_reason(entry: &Entry, state: &State) -> Option<String> {
    state.history.undo_obstacle(entry, &state.connection, &state.bulk.runs).map(|why| capitalized(&why))
}

/// Returns the entry that Redo would redo: this one if it was undone, or the one it undid.
pub fn redo_target<'a>(entry: &'a Entry, history: &'a History) -> Option<&'a Entry> {
    let undone = |entry: &Entry| entry.undone || entry.partly.is_some_and(|partly| partly.undone > 0);
    let target = match entry.answers {
        EntryRelation::Undoes(target) => history.entry(target).map(|target| target.as_ref())?,
        EntryRelation::None | EntryRelation::Redoes(_) => entry,
    };
    // An entry left in force by its undo was not undone, and one in progress is not undone yet.
    undone(target).then_some(target)
}

/// Returns why an entry cannot be redone, as a sentence; `None` if it can.
pub fn redo_disabled_reason(entry: &Entry, state: &State) -> Option<String> {
    state.history.redo_obstacle(entry).map(|why| capitalized(&why))
}

/// Returns the entry that this one undoes or redoes, with the words before its title.
pub fn target_of<'a>(entry: &Entry, history: &'a History) -> Option<(&'static str, &'a Entry)> {
    match entry.answers {
        EntryRelation::None => None,
        EntryRelation::Undoes(id) => history.entry(id).map(|other| ("Undoes", other.as_ref())),
        EntryRelation::Redoes(id) => history.entry(id).map(|other| ("Redoes", other.as_ref())),
    }
}

/// Returns the accessible name of a row.
pub fn row_name(entry: &Entry, state: &State) -> String {
    let (title, asset) = (shown_short(&entry.title, 120), asset_name(entry, state));
    let status = status(entry, state).to_lowercase();
    match asset.is_empty() {
        true => format!("{title}, {status}"),
        false => format!("{title}, {}, {status}", shown_short(&asset, 120)),
    }
}
