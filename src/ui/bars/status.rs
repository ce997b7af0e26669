//! The status bar: running work, the result of the last write, and how many rows are shown.

use std::sync::Arc;
use std::time::Duration;

use egui::accesskit::Live;
use egui::{Align, Frame, Layout, Margin, Ui};

use lunette_inspector::action::{BulkAction, HistoryAction, NavigationAction};
use lunette_inspector::background::Work;
use lunette_inspector::history::EntryStatus;
use lunette_inspector::journal::{self, Entry, EntryKind, EntryRelation};
use lunette_inspector::notifications::Outcome;
use lunette_inspector::panel::Panel;
use lunette_inspector::runs::{Run, RunStatus, sentence};
use lunette_inspector::session::pace_words;
use lunette_inspector::{Action, State};

use crate::ui::command::Command;
use crate::ui::disabled_reason::{enabled_unless, write_disabled_reason};
use crate::ui::panels::info::info;
use crate::ui::theme::{self, Icon, SPACE_M, UiExt as _};
use crate::ui::widgets::{grouped, progress, shown_short};

mod changes;
mod result;

/// Draws the bar; returns what it asks of the window.
///
/// `said` says which texts a toast shows, so that the bar does not repeat them.
pub(in crate::ui) fn ui(
    ui: &mut Ui,
    state: &State,
    said: &dyn Fn(&str) -> bool,
    actions: &mut Vec<Action>,
) -> Option<Command> {
    let frame = Frame::new().fill(ui.tokens().panel).inner_margin(Margin::symmetric(12, 0));
    let panel =
        egui::Panel::bottom("status bar").exact_size(theme::Sizes::of(ui).status_bar).resizable(false).frame(frame);
    panel
        .show(ui, |ui| {
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                ui.spacing_mut().item_spacing.x = SPACE_M;
                let messages = egui::Button::new(Icon::MESSAGES.text()).frame_when_inactive(false).small();
                let messages = ui.add(messages.min_size(egui::vec2(24.0, 24.0))).accessible_name("Messages");
                ui.caption(&(info(state.navigation.panel).shown)(state));
                changes::ui(ui, state, actions);
                outcome_ui(ui, state, said, actions);
                if let Some(news) = &state.assets.pages.news {
                    truncated_ui(ui, news, state, ui.tokens().muted);
                }
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                    let drawn = run_ui(ui, state, actions);
                    work_ui(ui, state, drawn, actions);
                });
                messages.on_hover_text("Messages").clicked().then_some(Command::Messages)
            })
            .inner
        })
        .inner
}

/// How many of the newest entries are searched for one with an unknown outcome; older ones are in the history.
const LOOKED_AT: usize = 20;

/// Draws the result of the last write with Undo or Redo, preceded by writes whose outcome is unknown.
fn outcome_ui(ui: &mut Ui, state: &State, said: &dyn Fn(&str) -> bool, actions: &mut Vec<Action>) {
    let unknown: Vec<_> =
        state.history.entries.iter().rev().take(LOOKED_AT).filter(|entry| is_unknown(entry, state)).collect();
    let newest = |entry: &Arc<Entry>| state.history.entries.last().is_some_and(|last| last.id == entry.id);
    if let Some(outcome) =
        state.notifications.outcome.as_ref().filter(|_| !unknown.first().is_some_and(|entry| newest(entry)))
    {
        undo_ui(ui, outcome, state, actions);
        if state.notifications.hint.is_none() && !said(&outcome.text) {
            result::ui(ui, outcome, state);
        }
    }
    if let Some(hint) = &state.notifications.hint {
        truncated_ui(ui, hint, state, ui.tokens().muted);
    }
    if let Some(entry) = unknown.first() {
        unknown_ui(ui, entry, unknown.len(), actions);
    }
}

/// Draws a text in the room beside the running work; if truncated, the full text is shown on hover.
fn truncated_ui(ui: &mut Ui, text: &str, state: &State, color: egui::Color32) {
    let kept = if state.work.is_empty() && state.bulk.runs.values().all(|run| !is_running(run)) { 90.0 } else { 340.0 };
    let font = egui::TextStyle::Small.resolve(ui.style());
    let width = ui.painter().layout_no_wrap(text.to_owned(), font, egui::Color32::PLACEHOLDER).size().x + 2.0;
    let room = (ui.available_width() - kept).max(120.0).min(ui.available_width());
    let size = egui::vec2(width.min(room), ui.spacing().interact_size.y);
    ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
        let label = ui.add(egui::Label::new(egui::RichText::new(text).small().color(color)).truncate());
        ui.ctx().accesskit_node_builder(label.id, |node| node.set_live(Live::Polite));
    });
}

/// Returns whether the outcome of an entry is unknown and reading again can determine it. A run that was paused or
/// interrupted reports that itself.
fn is_unknown(entry: &Entry, state: &State) -> bool {
    let call = matches!(entry.kind, EntryKind::Call { .. });
    !call && EntryStatus::of(entry, &state.history, &state.bulk.runs) == EntryStatus::Unknown
}

/// Offers Undo after a write, and Redo after an undo.
fn undo_ui(ui: &mut Ui, outcome: &Outcome, state: &State, actions: &mut Vec<Action>) {
    let (history, why_disabled) = (&state.history, write_disabled_reason(state));
    let ended = |last: &&Arc<Entry>| matches!(last.outcome, journal::Outcome::Done | journal::Outcome::Partly { .. });
    let last = history.entries.last().filter(ended);
    let redo =
        history.redoable().filter(|entry| last.is_some_and(|last| last.answers == EntryRelation::Undoes(entry.id)));
    if redo.is_some() {
        let redo = enabled_unless(ui, why_disabled.as_deref(), |ui| small_button(ui, "Redo", "Redo"));
        if redo.on_hover_text(Command::Redo.with_keys("Redo what was undone", state)).clicked() {
            actions.push(HistoryAction::Redo.into());
        }
    } else if let Some(step) = outcome.undo {
        let undo = enabled_unless(ui, why_disabled.as_deref(), |ui| small_button(ui, "Undo", "Undo"));
        if undo.on_hover_text(Command::Undo.with_keys("Undo the last change", state)).clicked() {
            actions.push(HistoryAction::UndoStep(step).into());
        }
    }
}

/// Draws that the outcome of a write is unknown, with the button that finds out.
fn unknown_ui(ui: &mut Ui, entry: &Entry, count: usize, actions: &mut Vec<Action>) {
    // Rows of a run with an unknown outcome are read again from the page of the run.
    if !matches!(entry.kind, EntryKind::Batch { .. }) {
        let read = small_button(ui, "Read again", "Read the unknown outcome again");
        if read.on_hover_text("Reads the asset to find out; nothing is sent again").clicked() {
            actions.push(HistoryAction::Reconcile(entry.id).into());
        }
    }
    let color = ui.tokens().warning;
    let title = shown_short(&entry.title, 40);
    let words = match count {
        1 => format!("Outcome unknown: {title}"),
        _ => format!("Outcome unknown: {title}, and {} more", count - 1),
    };
    let text = egui::RichText::new(words).small().color(color);
    if ui.add(egui::Label::new(text).sense(egui::Sense::CLICK)).on_hover_text("Show it in the history").clicked() {
        actions.extend([
            Action::Navigation(NavigationAction::Show(Panel::History)),
            Action::History(HistoryAction::Select(Some(entry.id))),
        ]);
    }
    ui.decoration(Icon::UNKNOWN.text().color(color));
}

/// Draws a small text button; `name` distinguishes it from others in the window.
fn small_button(ui: &mut Ui, word: &str, name: &str) -> egui::Response {
    let accent = ui.tokens().accent;
    let button = egui::Button::new(egui::RichText::new(word).small().color(accent)).frame_when_inactive(false);
    ui.add(button.small().min_size(egui::vec2(24.0, 24.0))).accessible_name(name)
}

fn is_running(run: &Run) -> bool {
    run.status == RunStatus::Running
}

/// Draws the run that is active or paused, with its controls; returns whether there is one.
fn run_ui(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) -> bool {
    let halted = |run: &&Run| matches!(run.status, RunStatus::Paused(_));
    let running = state.bulk.runs.values().find(|run| is_running(run));
    let Some(run) = running.or_else(|| state.bulk.runs.values().find(halted)) else {
        return false;
    };
    let (over, all) = (run.counts().ended(), run.rows.len());
    let title = run.entry.and_then(|entry| state.history.entry(entry)).map_or(&run.title, |entry| &entry.title);
    progress(ui, title, Some(if all == 0 { 1.0 } else { over as f32 / all as f32 }), 120.0);
    // The counts at the end stay in sight.
    let limit = ((ui.available_width() / 20.0) as usize).clamp(16, 60);
    let words = egui::RichText::new(sentence(run, &shown_short(title, limit))).small();
    let words = ui.add(egui::Label::new(words.color(ui.tokens().muted)).sense(egui::Sense::CLICK));
    if words.on_hover_text("Show it in the history").clicked() {
        actions.extend([
            Action::Navigation(NavigationAction::Show(Panel::History)),
            Action::History(HistoryAction::Select(run.entry)),
        ]);
    }
    if is_running(run) {
        if small_button(ui, "Pause", "Pause the run").clicked() {
            actions.push(BulkAction::Pause(run.id).into());
        }
    } else {
        // An export writes nothing to the service.
        let why_disabled = write_disabled_reason(state).filter(|_| run.target.is_none());
        if enabled_unless(ui, why_disabled.as_deref(), |ui| small_button(ui, "Resume", "Resume the run")).clicked() {
            actions.push(BulkAction::Resume(run.id).into());
        }
    }
    if small_button(ui, "Cancel", "Cancel the run").clicked() {
        actions.push(BulkAction::Cancel(run.id).into());
    }
    true
}

/// How many seconds a write may take before the bar reports it.
const SAVED_SOON: i64 = 1;

/// Draws the other running work; `run` says whether a run is drawn beside it.
fn work_ui(ui: &mut Ui, state: &State, run: bool, actions: &mut Vec<Action>) {
    let of_run = |work: &&Work| work.run.and_then(|run| state.bulk.runs.get(&run)).is_some_and(is_running);
    let now = jiff::Timestamp::now();
    let age = |work: &Work| now.duration_since(work.since).as_secs();
    if state.work.iter().any(|work| work.saves) {
        ui.ctx().request_repaint_after(Duration::from_secs(1));
    }
    let others = || state.work.iter().filter(|work| !of_run(work) && (!work.saves || age(work) >= SAVED_SOON));
    let Some(work) = others().next() else {
        if let Some(what) = (info(state.navigation.panel).loading)(state).filter(|_| !run) {
            progress(ui, what, None, 60.0);
            ui.caption(what);
        }
        return;
    };
    progress(ui, &work.title, fraction(work), 120.0);
    let mut title = work.title.clone();
    if let Some((done, all)) = work.progress {
        title = format!("{title}: {} of {}", grouped(done as u64), grouped(all as u64));
    }
    if let (Some(pace), Some(_)) = (&state.connection.pace, work.progress) {
        title = format!("{title}, {}", pace_words(pace));
    }
    if work.saves {
        title = format!("{}… {} s", shown_short(&title, 60), age(work));
    }
    ui.caption(&title);
    if work.cancelling {
        ui.caption("cancelling…");
    } else {
        let button = egui::Button::new(egui::RichText::new("Cancel").small()).frame_when_inactive(false);
        let button = ui.add(button.small().min_size(egui::vec2(24.0, 24.0)));
        if button.accessible_name(format!("Cancel: {}", work.title)).clicked() {
            actions.push(Action::Cancel(work.task));
        }
    }
    let more = others().count() - 1;
    if more > 0 {
        ui.caption(&format!("and {more} more"));
    }
}

fn fraction(work: &Work) -> Option<f32> {
    let (done, all) = work.progress?;
    (all > 0).then(|| done as f32 / all as f32)
}

#[cfg(test)]
mod tests {
    use egui::accesskit::Role;
    use egui_kittest::Harness;
    use egui_kittest::kittest::Queryable as _;

    use super::*;
    use lunette_client::model::id::AssetId;
    use lunette_inspector::change::Change;
    use lunette_inspector::journal::EntryId;
    use lunette_inspector::runs::RunRow;

    fn entry(outcome: journal::Outcome) -> Entry {
        Entry {
            id: EntryId::random(),
            at: jiff::Timestamp::now(),
            title: "Linked tag “rust”".to_owned(),
            kind: EntryKind::Change(Change::Reclassify { asset: AssetId::random(), from: None, to: "rs".to_owned() }),
            requests: Vec::new(),
            fields: Vec::new(),
            before: None,
            outcome,
            answers: EntryRelation::None,
            undone: false,
            partly: None,
            ended: None,
            was_unknown: None,
            group: None,
            asked_by: None,
        }
    }

    fn bar(state: State) -> Harness<'static, (State, Vec<Action>)> {
        let draw = |root: &mut Ui, (state, actions): &mut (State, Vec<Action>)| {
            ui(root, state, &|_| false, actions);
        };
        let builder = Harness::builder().with_size([1280.0, 60.0]).with_context_setup(theme::install);
        let mut harness = builder.build_ui_state(draw, (state, Vec::new()));
        harness.run_ok();
        harness
    }

    fn shows_actions(harness: &mut Harness<'_, (State, Vec<Action>)>, role: Role, label: &str) -> Vec<Action> {
        harness.get_by_role_and_label(role, label).click();
        harness.run_ok();
        std::mem::take(&mut harness.state_mut().1)
    }

    #[test]
    fn a_write_offers_its_own_undo() {
        let (done, mut state) = (entry(journal::Outcome::Done), State::default());
        let id = done.id;
        state.notifications.outcome = Some(Outcome { text: done.title.clone(), undo: Some(id) });
        state.history.entries.push(Arc::new(done));
        assert_eq!(
            shows_actions(&mut bar(state), Role::Button, "Undo"),
            [Action::History(HistoryAction::UndoStep(id))]
        );
    }

    #[test]
    fn an_unknown_outcome_stays_until_it_is_read_again() {
        let (unknown, mut state) = (entry(journal::Outcome::Unknown("timed out".to_owned())), State::default());
        let id = unknown.id;
        state.notifications.outcome = Some(Outcome { text: "something older".to_owned(), undo: None });
        state.history.entries.push(Arc::new(unknown));
        let mut harness = bar(state);
        assert!(harness.query_by_label("something older").is_none());
        assert_eq!(
            shows_actions(&mut harness, Role::Button, "Read the unknown outcome again"),
            [Action::History(HistoryAction::Reconcile(id))]
        );
        let look = shows_actions(&mut harness, Role::Label, "Outcome unknown: Linked tag “rust”");
        assert_eq!(
            look,
            [
                Action::Navigation(NavigationAction::Show(Panel::History)),
                Action::History(HistoryAction::Select(Some(id)))
            ]
        );
    }

    #[test]
    fn a_run_is_paused_cancelled_and_opened() {
        let rows = (0..10).map(|index| RunRow::new(AssetId::random(), &index.to_string())).collect();
        let (mut run, mut state) = (Run::new("Link a tag".to_owned(), rows, 4), State::default());
        run.entry = Some(EntryId::random());
        state.bulk.runs.insert(run.id, run.clone());
        let mut harness = bar(state);
        assert_eq!(
            shows_actions(&mut harness, Role::Button, "Pause the run"),
            [Action::Bulk(BulkAction::Pause(run.id))]
        );
        assert_eq!(
            shows_actions(&mut harness, Role::Button, "Cancel the run"),
            [Action::Bulk(BulkAction::Cancel(run.id))]
        );
        let look = shows_actions(&mut harness, Role::Label, "Link a tag … 0 of 10");
        assert_eq!(
            look,
            [
                Action::Navigation(NavigationAction::Show(Panel::History)),
                Action::History(HistoryAction::Select(run.entry))
            ]
        );
    }
}
