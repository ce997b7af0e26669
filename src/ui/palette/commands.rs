//! The entries that need no search: commands, recently used ones, and runs that can be paused or resumed.

use crate::ui::command::Command;
use crate::ui::theme::Icon;
use lunette_inspector::action::{BulkAction, HistoryAction, NavigationAction};
use lunette_inspector::panel::Panel;
use lunette_inspector::runs::RunStatus;
use lunette_inspector::{Action, State};

use super::entry::{Entry, Part};

/// Maximum number of recent commands and of recent assets.
const RECENT: usize = 4;

/// Returns every command and every current run.
pub(super) fn commands(state: &State) -> Vec<Entry> {
    let commands = Command::ALL.iter().filter(|command| **command != Command::Palette);
    let commands = commands.map(|command| Entry::command(*command, Part::Commands, state));
    runs(state).into_iter().chain(commands).collect()
}

/// Returns the entries shown before anything is typed: recently used ones, then every available command.
pub(super) fn initial_entries(state: &State) -> Vec<Entry> {
    let used = state.preferences.settings.commands.iter().filter_map(|name| Command::named(name));
    let used =
        used.map(|command| Entry::command(command, Part::Recent, state)).filter(|entry| entry.available).take(RECENT);
    let scanned = state.recent().iter().filter_map(|recent| Entry::recent(recent, state)).take(RECENT);
    let available = commands(state).into_iter().filter(|entry| entry.available);
    used.chain(scanned).chain(available).collect()
}

/// Returns the runs that can be paused or resumed.
fn runs(state: &State) -> Vec<Entry> {
    let mut entries = Vec::new();
    for run in state.bulk.runs.values() {
        let scan = vec![
            Action::Navigation(NavigationAction::Show(Panel::History)),
            Action::History(HistoryAction::Select(run.entry)),
        ];
        let (icon, word, act) = match run.status {
            RunStatus::Running => (Icon::PAUSE, "Pause", Action::Bulk(BulkAction::Pause(run.id))),
            RunStatus::Paused(_) | RunStatus::Interrupted => {
                (Icon::START, "Resume", Action::Bulk(BulkAction::Resume(run.id)))
            }
            RunStatus::Cancelled | RunStatus::Ended => continue,
        };
        entries.push(Entry::background_work(icon, format!("{word} the run: {}", run.title), vec![act]));
        entries.push(Entry::background_work(Icon::HISTORY, format!("Show the run: {}", run.title), scan));
    }
    entries
}
