//! Commands that compare what is in view with something else.

use super::Command;
use super::availability::DisabledReason;
use super::target::{CommandTarget, Compared, open_name, target};
use crate::ui::panels::compare::{of_application, of_external, of_inventory, of_response, of_unlisted};
use lunette_inspector::action::CompareAction;
use lunette_inspector::compare::Source;
use lunette_inspector::navigation::in_view::Subject;
use lunette_inspector::{Action, State};

impl Command {
    /// Returns whether it compares what is in view.
    pub(super) fn compares(self) -> bool {
        matches!(self, Self::Compare | Self::SelectForCompare | Self::CompareWith | Self::CompareWithFile)
    }

    /// Returns the action of a command that compares the one thing in view.
    pub(super) fn compare_action(self, target: &CommandTarget<'_>, state: &State) -> Option<Action> {
        if let (Self::Compare, CommandTarget::Applications(_), Some([one, other])) =
            (self, target, state.navigation.in_view.pair.as_deref())
        {
            let two = [one, other].map(|subject| source_of(subject, state));
            return Some(CompareAction::Open(two).into());
        }
        let source = source(target, state)?;
        Some(Action::Compare(match self {
            Self::Compare => CompareAction::WithSelected(source),
            Self::SelectForCompare => CompareAction::Select(source),
            Self::CompareWith => CompareAction::Choose(source),
            Self::CompareWithFile => CompareAction::PickFile(source),
            _ => return None,
        }))
    }

    /// Returns why nothing would be compared.
    pub(super) fn compare_reason(self, state: &State) -> Option<DisabledReason> {
        let (count, one) = match target(state) {
            CommandTarget::Assets(several)
            | CommandTarget::Items(_, several)
            | CommandTarget::Applications(several) => (several.count, false),
            _ => (1, true),
        };
        match self {
            Self::Compare if one && state.compare.selected.is_none() => {
                Some(DisabledReason::new("Select two, or choose “Select for compare” on one first", "one only"))
            }
            Self::Compare if !one && count != 2 => {
                Some(DisabledReason::new("Compare takes two: select exactly two", "not two"))
            }
            Self::NextChange | Self::PreviousChange => {
                let text = state.compare.tab().and_then(|tab| tab.shown.value()?.text());
                text.is_none().then(|| DisabledReason::new("No two texts are being compared", "no comparison"))
            }
            _ => None,
        }
    }
}

/// Returns what is in view as a side of a comparison; `None` unless it is one thing.
fn source(target: &CommandTarget<'_>, state: &State) -> Option<Source> {
    match target {
        CommandTarget::OpenAsset(id) => Some(Source::Asset((*id).clone(), open_name(id, state))),
        CommandTarget::AssetRow(row) => Some(Source::Asset(row.id(), row.name().to_owned())),
        CommandTarget::Item(item) => Some(Source::Item((*item).clone())),
        CommandTarget::Application { id, name } => Some(of_tracked(id, name, state)),
        CommandTarget::Compared(Compared::External(row)) => Some(of_external(row)),
        CommandTarget::Compared(Compared::Joined(row)) => Some(of_inventory(row)),
        CommandTarget::Compared(Compared::Response(answer)) => Some(of_response(answer)),
        CommandTarget::Nothing
        | CommandTarget::Assets(_)
        | CommandTarget::Items(..)
        | CommandTarget::Applications(_) => None,
    }
}

/// Returns a tracked application as a side of a comparison.
fn of_tracked(id: &str, name: &str, state: &State) -> Source {
    let row = state.applications.list.iter().find(|row| row.id == id);
    row.map_or_else(|| of_unlisted(id, name), |row| of_application(row))
}

/// Returns what a row stands for as a side of a comparison.
fn source_of(subject: &Subject, state: &State) -> Source {
    match subject {
        Subject::Asset(row) => Source::Asset(row.id(), row.name().to_owned()),
        Subject::Item(item) => Source::Item(item.clone()),
        Subject::Application { id, name } => of_tracked(id, name, state),
        Subject::External(row) => of_external(row),
        Subject::Joined(row) => of_inventory(row),
    }
}
