//! The watched folders, which are kept in sync with the service.

use egui::Ui;

use crate::ui::disabled_reason::{enabled_unless, write_disabled_reason};
use crate::ui::theme::{SPACE_S, UiExt as _};
use crate::ui::widgets::{Choice, choose, grouped, plural, shown};
use lunette_inspector::action::WatchAction;
use lunette_inspector::session::Status;
use lunette_inspector::settings::{OnChange, WatchedFolder};
use lunette_inspector::watch::{FolderState, FolderStatus};
use lunette_inspector::{Action, State};

/// Draws the folders of this connection.
pub(super) fn ui(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
    ui.section_title("Watched folders");
    ui.muted(
        "While the window is open, new and changed files in these folders are listed or imported automatically. A \
         changed file updates its asset; if the asset was edited here, the file is only listed. Deleting a file or folder \
         deletes no assets.",
    );
    let connection = state.connection.key();
    for folder in state.preferences.settings.watched.iter().filter(|folder| folder.connection == connection) {
        ui.add_space(SPACE_S);
        folder_ui(ui, folder, state, actions);
    }
    ui.add_space(SPACE_S);
    let away = (state.connection.status != Status::Up).then_some("No service is connected");
    if enabled_unless(ui, away, |ui| ui.button("Watch a folder…")).clicked() {
        actions.push(WatchAction::Pick.into());
    }
}

fn folder_ui(ui: &mut Ui, folder: &WatchedFolder, state: &State, actions: &mut Vec<Action>) {
    let (path, name) = (&folder.path, folder.path.display().to_string());
    let name = shown(&name).into_owned();
    let now = state.watch.folders.get(path);
    ui.push_id(path, |ui| {
        ui.add(egui::Label::new(&name).truncate()).on_hover_text(&name);
        ui.caption(&status_text(folder, now));
        ui.horizontal_wrapped(|ui| {
            let choices = [
                Choice { value: OnChange::List, name: "List only", icon: None },
                Choice { value: OnChange::Import, name: "Import automatically", icon: None },
            ];
            if let Some(how) = choose(ui, &format!("What happens to new files of {name}"), folder.how, &choices) {
                actions.push(WatchAction::How(path.clone(), how).into());
            }
            let found = now.map_or(0, |now| now.found.len());
            if found > 0 {
                let label = format!("Import {}", plural(found, "file"));
                let why = write_disabled_reason(state);
                let button = enabled_unless(ui, why.as_deref(), |ui| ui.button(&label));
                if button.accessible_name(format!("{label} from {name}")).clicked() {
                    actions.push(WatchAction::Import(path.clone()).into());
                }
            }
            let ended = matches!(now.map(|now| &now.status), Some(FolderStatus::Ended(_)));
            let word = match (folder.paused, ended) {
                (true, _) => "Resume",
                (false, true) => "Try again",
                (false, false) => "Pause",
            };
            if ui.button(word).accessible_name(format!("{word}: {name}")).clicked() {
                actions.push(WatchAction::Pause(path.clone(), !folder.paused && !ended).into());
            }
            if ui.button("Remove").accessible_name(format!("Stop watching: {name}")).clicked() {
                actions.push(WatchAction::Remove(path.clone()).into());
            }
        });
        if let Some(now) = now {
            found_ui(ui, now);
        }
    });
}

/// The maximum number of files listed.
const MAX_LISTED: usize = 5;

fn found_ui(ui: &mut Ui, now: &FolderState) {
    for found in now.found.iter().take(MAX_LISTED) {
        let why = found.doubt.as_ref().map(|why| format!(" ({why})")).unwrap_or_default();
        let line = format!("{}: {}{why}", found.word(), shown(&found.item));
        ui.add(egui::Label::new(&line).truncate()).on_hover_text(line);
    }
    let more = now.found.len().saturating_sub(MAX_LISTED);
    if more > 0 {
        ui.caption(&format!("and {} more", grouped(more as u64)));
    }
}

fn status_text(folder: &WatchedFolder, now: Option<&FolderState>) -> String {
    let Some(now) = now.filter(|_| !folder.paused) else { return "Paused".to_owned() };
    match &now.status {
        FolderStatus::Starting => "Starting…".to_owned(),
        FolderStatus::Looking => "Looking for changes…".to_owned(),
        FolderStatus::Importing => "Importing…".to_owned(),
        FolderStatus::InStep if now.found.is_empty() => "Up to date".to_owned(),
        FolderStatus::InStep => format!("{} new or changed", plural(now.found.len(), "file")),
        FolderStatus::Ended(problem) => format!("Not watched: {}", shown(problem)),
    }
}
