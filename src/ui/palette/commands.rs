//! The entries that are always there: the panels and the commands of the window.

use crate::app::bulk::RunStatus;
use crate::app::capability::Reason;
use crate::app::feature::Feature;
use crate::app::settings::Theme;
use crate::app::state::{Panel, Target};
use crate::app::{Action, Rail, State};
use crate::ui::rail;
use crate::ui::theme::Icon;

use super::{Deed, Entry};

/// Every panel and command there is now.
pub(super) fn commands(state: &State) -> Vec<Entry> {
    let panels = Panel::ALL.into_iter().zip(1..).map(|(panel, key)| Entry {
        icon: rail::icon(panel),
        title: format!("Go to {}", panel.name()),
        hint: format!("Ctrl {key}"),
        deed: Deed::Act(vec![Action::Show(panel)]),
    });
    panels.chain(steps(state)).chain(others(state)).chain(rails(state)).collect()
}

/// Which writes leave: what is chosen is not offered again.
fn rails(state: &State) -> impl Iterator<Item = Entry> {
    let entry = |rail| {
        let (icon, title) = match rail {
            Rail::Free => (Icon::CONNECTION, "Writes: let them leave freely"),
            Rail::Confirm => (Icon::GUARDED, "Writes: ask before every one"),
            Rail::ReadOnly => (Icon::LOCKED, "Writes: none, read-only"),
        };
        Entry { icon, title: title.to_owned(), hint: String::new(), deed: Deed::Act(vec![Action::SetRail(rail)]) }
    };
    let now = state.connection.rail;
    Rail::ALL.into_iter().filter(move |rail| *rail != now).map(entry)
}

/// What a command that writes says of itself where it would be held back.
fn hint(state: &State, feature: Option<Feature>, hint: &str) -> String {
    let held = match feature {
        Some(feature) => state.can_do(feature),
        None => state.lets_writes(),
    };
    match held {
        Ok(()) => hint.to_owned(),
        Err(Reason::ReadOnly) => "read-only".to_owned(),
        Err(Reason::Lacking { .. }) => "not offered".to_owned(),
        Err(Reason::NotConnected) => "not connected".to_owned(),
    }
}

/// What can be taken back, done again, halted or gone on with.
fn steps(state: &State) -> Vec<Entry> {
    let command = |icon, title: String, hint: &str, deed: Vec<Action>| Entry {
        icon,
        title,
        hint: hint.to_owned(),
        deed: Deed::Act(deed),
    };
    let mut entries = Vec::new();
    if let Some(step) = state.history.undoable() {
        entries.push(command(
            Icon::UNDO,
            format!("Undo: {}", step.title),
            &hint(state, None, "Ctrl Z"),
            vec![Action::Undo],
        ));
    }
    if let Some(step) = state.history.redoable() {
        entries.push(command(
            Icon::REDO,
            format!("Redo: {}", step.title),
            &hint(state, None, "Ctrl Shift Z"),
            vec![Action::Redo],
        ));
    }
    for run in state.runs.values() {
        let look = vec![Action::Show(Panel::History), Action::SelectStep(run.entry)];
        match run.status {
            RunStatus::Running => {
                let pause = vec![Action::PauseRun(run.id)];
                entries.push(command(Icon::PAUSE, format!("Pause the run: {}", run.title), "", pause));
                entries.push(command(Icon::HISTORY, format!("Show the run: {}", run.title), "", look));
            }
            RunStatus::Paused(_) | RunStatus::Interrupted => {
                let resume = vec![Action::ResumeRun(run.id)];
                entries.push(command(Icon::START, format!("Resume the run: {}", run.title), "", resume));
                entries.push(command(Icon::HISTORY, format!("Show the run: {}", run.title), "", look));
            }
            RunStatus::Cancelled | RunStatus::Ended => {}
        }
    }
    entries
}

/// Everything but the panels.
fn others(state: &State) -> Vec<Entry> {
    let panel = state.panel;
    let command = |icon, title: &str, hint: &str, deed: Vec<Action>| Entry {
        icon,
        title: title.to_owned(),
        hint: hint.to_owned(),
        deed: Deed::Act(deed),
    };
    let make = hint(state, Some(Feature::Make), "");
    vec![
        command(Icon::IMPORT, "Import files…", &make, vec![Action::PickFiles]),
        command(Icon::FOLDER, "Import a folder…", &make, vec![Action::PickFolder]),
        command(Icon::SAMPLES, "Import the samples", &make, vec![Action::Show(Panel::Assets), Action::ImportSamples]),
        command(Icon::REFRESH, &format!("Refresh {}", panel.name()), "Ctrl R", vec![Action::Refresh(panel)]),
        Entry {
            icon: Icon::CONNECTION,
            title: "Choose another service…".to_owned(),
            hint: String::new(),
            deed: Deed::Connection,
        },
        command(Icon::REPORT, "Check this service", "", vec![Action::Show(Panel::Operations), Action::Check(false)]),
        command(Icon::CONNECTION, "Reconnect", "", vec![Action::Reconnect]),
        command(Icon::CONNECTION, "Use the service inside Lunette", "", vec![Action::Connect(Target::Embedded)]),
        command(Icon::SYSTEM, "Theme: as the system", "", vec![Action::Theme(Theme::System)]),
        command(Icon::LIGHT, "Theme: light", "", vec![Action::Theme(Theme::Light)]),
        command(Icon::DARK, "Theme: dark", "", vec![Action::Theme(Theme::Dark)]),
        command(Icon::ZOOM_IN, "Zoom in", "Ctrl +", vec![Action::Zoom(state.settings.zoom + 0.1)]),
        command(Icon::ZOOM_OUT, "Zoom out", "Ctrl −", vec![Action::Zoom(state.settings.zoom - 0.1)]),
        command(Icon::FIT, "Zoom to 100%", "Ctrl 0", vec![Action::Zoom(1.0)]),
        command(Icon::DELETE, "Clear the log", "", vec![Action::ClearLog]),
    ]
}
