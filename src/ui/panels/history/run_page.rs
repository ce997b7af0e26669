//! The page of a run: its progress, its controls, and one row per asset.
//!
//! What must hold: rows are counted when they change, not in each frame; every status of a run says what to do next.

use egui::{Slider, Ui};

use crate::ui::disabled_reason::write_disabled_reason;
use crate::ui::list::copy_as;
use crate::ui::theme::{Icon, SPACE_M, SPACE_S, UiExt as _};
use crate::ui::widgets::context_menu::{entry, separator};
use crate::ui::widgets::placeholder::{empty, skeleton};
use crate::ui::widgets::table::{Column, Table, TableState};
use crate::ui::widgets::{counted, grouped, progress, shown, shown_short};
use lunette_client::model::size::size;
use lunette_client::model::time;
use lunette_inspector::action::{AssetsAction, BulkAction, GraphAction};
use lunette_inspector::bulk::ReportKind;
use lunette_inspector::graph::{NodeKey, Start};
use lunette_inspector::journal::Entry;
use lunette_inspector::runs::sentence;
use lunette_inspector::runs::{Counts, RowStatus, Run, RunId, RunRow, RunStatus};
use lunette_inspector::session::{PaceView, pace_words};
use lunette_inspector::{Action, State};

use super::entry_page::{button_ui, buttons_ui, facts_ui, titled_ui};
use summary::{RowKind, RunSummary};

mod summary;

/// The view state of the page.
#[derive(Default)]
pub struct RunPage {
    /// The run whose ledger was requested.
    requested: Option<RunId>,
    shown: Option<RunId>,
    /// The only status to show; `None` for all.
    status_filter: Option<RowKind>,
    table: TableState,
    summary: RunSummary,
}

impl RunPage {
    /// Draws the entry of a run, and the run once its ledger is loaded.
    pub fn ui(&mut self, ui: &mut Ui, entry: &Entry, id: RunId, state: &State, actions: &mut Vec<Action>) {
        if self.shown != Some(id) {
            *self = Self { shown: Some(id), ..Self::default() };
        }
        let title = state.bulk.runs.get(&id).map(|run| sentence(run, &entry.title));
        titled_ui(ui, title.as_deref().unwrap_or(&entry.title), actions, |ui, actions| {
            self.run_ui(ui, entry, id, state, actions)
        });
    }

    fn run_ui(&mut self, ui: &mut Ui, entry: &Entry, id: RunId, state: &State, actions: &mut Vec<Action>) {
        let elsewhere = state.history.is_in_another_window(entry);
        let Some(run) = state.bulk.runs.get(&id).filter(|_| !elsewhere) else {
            facts_ui(ui, entry, state, actions);
            if elsewhere {
                ui.muted("Its rows are shown here when it has ended.");
                return;
            }
            self.missing_ui(ui, id, actions);
            return;
        };
        facts_ui(ui, entry, state, actions);
        let counts = run.counts();
        self.progress_ui(ui, run, state.connection.pace.as_ref());
        status_ui(ui, run, &counts);
        ui.add_space(SPACE_S);
        ui.horizontal_wrapped(|ui| {
            // An export writes nothing to the service.
            let why_disabled = write_disabled_reason(state).filter(|_| run.target.is_none());
            controls_ui(ui, run, &counts, why_disabled.as_deref(), actions);
            buttons_ui(ui, entry, state, "Undo batch", actions);
        });
        ui.add_space(SPACE_M);
        self.status_filter_ui(ui, run, &counts);
        ui.add_space(SPACE_S);
        self.rows_ui(ui, run, actions);
    }

    /// The ledger is requested once; if that fails, the user can retry.
    fn missing_ui(&mut self, ui: &mut Ui, id: RunId, actions: &mut Vec<Action>) {
        if self.requested != Some(id) {
            self.requested = Some(id);
            actions.push(BulkAction::Open(id).into());
        }
        ui.add_space(SPACE_M);
        ui.horizontal(|ui| {
            ui.muted("Reading the rows of this run…");
            if ui.line_button("Read them again").clicked() {
                self.requested = None;
            }
        });
        skeleton(ui, "the rows", 8);
    }

    fn progress_ui(&mut self, ui: &mut Ui, run: &Run, pace: Option<&PaceView>) {
        ui.add_space(SPACE_S);
        let (over, all) = (run.counts().ended(), run.rows.len());
        // The result of a finished run is shown as text; a full bar would suggest that it continues.
        if !matches!(run.status, RunStatus::Ended | RunStatus::Cancelled) {
            let share = if all == 0 { 1.0 } else { over as f32 / all as f32 };
            let width = ui.available_width();
            progress(ui, &run.title, Some(share), width);
        }
        let mut words = progress_text(run, over, all);
        let now = ui.input(|input| input.time);
        if run.status == RunStatus::Running
            && let Some((rate, left)) = self.summary.rate(run, now)
        {
            words.push_str(&format!(" · {rate:.0}/s · about {} left", time::length(left)));
        }
        if let Some(pace) = pace.filter(|_| run.status == RunStatus::Running) {
            words.push_str(&format!(" · {}", pace_words(pace)));
        }
        ui.caption(&words);
        if let Some(target) = &run.target {
            let target = target.display().to_string();
            ui.key_value_ui("Saved in", |ui| {
                ui.decoration(Icon::FOLDER.text().color(ui.tokens().muted));
                ui.add(egui::Label::new(shown(&target)).truncate()).on_hover_text(shown(&target));
                if ui.line_button("Copy").accessible_name("Copy the path").clicked() {
                    ui.ctx().copy_text(target.clone());
                }
            });
        }
    }

    /// Draws the buttons that show only rows of one status, each with its count.
    fn status_filter_ui(&mut self, ui: &mut Ui, run: &Run, counts: &Counts) {
        ui.horizontal_wrapped(|ui| {
            let all = counted("All", run.rows.len());
            if ui.selectable_label(self.status_filter.is_none(), all).clicked() {
                self.status_filter = None;
            }
            for kind in RowKind::ALL {
                let (count, chosen) = (kind.count(counts), self.status_filter == Some(kind));
                if count == 0 && !chosen {
                    continue;
                }
                let name = counted(kind.label(), count);
                if ui.selectable_label(chosen, name).clicked() {
                    self.status_filter = Some(kind);
                }
            }
        });
    }

    fn rows_ui(&mut self, ui: &mut Ui, run: &Run, actions: &mut Vec<Action>) {
        let columns = columns(ui.available_width(), run.target.is_some());
        let Self { summary, table, status_filter, .. } = self;
        let indices = summary.find(run, *status_filter);
        if let ([], Some(kind)) = (indices, *status_filter) {
            let title = format!("None is {}", kind.label().to_lowercase());
            if empty(ui, Icon::NO_MATCH, &title, "Rows with another status are hidden.", &["Show all"]).is_some() {
                *status_filter = None;
            }
            return;
        }
        let row = |index: usize| indices.get(index).and_then(|index| run.rows.get(*index as usize));
        // An asset may be in two rows, so the index among all rows is part of the key.
        let key = |index: usize| indices.get(index).map(u32::to_string).unwrap_or_default();
        let name = |index: usize| row(index).map(row_name).unwrap_or_default();
        let number = |index: usize| indices.get(index).copied().unwrap_or(u32::MAX);
        let mut menu = |ui: &mut Ui, index: usize| {
            if let Some(row) = row(index) {
                row_menu_ui(ui, row, actions);
            }
        };
        let drawn = Table::new("Rows of the run", &columns, indices.len(), &key)
            .row_menu(&mut menu)
            .row_name(&name)
            .number(&number)
            .single_selection()
            .show(ui, table, |ui, index, column| {
                if let Some(row) = row(index) {
                    cell_ui(ui, row, columns[column].key);
                }
            });
        if let Some(row) = drawn.opened.and_then(row) {
            actions.push(AssetsAction::Open(row.asset.clone()).into());
        }
    }
}

/// Draws the menu of a row.
fn row_menu_ui(ui: &mut Ui, row: &RunRow, actions: &mut Vec<Action>) {
    if entry(ui, Icon::SHOWN, "Open the asset") {
        actions.push(AssetsAction::Open(row.asset.clone()).into());
    }
    let start = Start { key: NodeKey::Asset(row.asset.clone()), name: row.name.to_string(), url: None };
    if entry(ui, Icon::GRAPH, "Show graph") {
        actions.push(GraphAction::Start(vec![start]).into());
    }
    separator(ui);
    copy_as::entry_ui(ui, "name", Some(&row.name.to_string()), actions);
    copy_as::entry_ui(ui, "id", Some(&row.asset.to_string()), actions);
}

/// Returns the progress of a run as text; for a finished one, how many of its rows were done.
fn progress_text(run: &Run, over: usize, all: usize) -> String {
    let all = grouped(all as u64);
    let over = match run.status {
        RunStatus::Ended | RunStatus::Cancelled => {
            let Counts { done, unchanged, .. } = run.counts();
            let done = grouped((done + unchanged) as u64);
            return format!("{done} of {all} done");
        }
        RunStatus::Running | RunStatus::Paused(_) | RunStatus::Interrupted => grouped(over as u64),
    };
    format!("{over} of {all} finished")
}

/// Draws the status of the run if it needs an explanation.
fn status_ui(ui: &mut Ui, run: &Run, counts: &Counts) {
    match &run.status {
        RunStatus::Running => {}
        RunStatus::Paused(None) => {
            ui.warning_text(
                "Paused. The requests in progress have finished; nothing more is sent until it is resumed.",
            );
        }
        RunStatus::Paused(Some(why)) => {
            ui.warning_text(&format!("Paused: {why}"));
        }
        RunStatus::Interrupted => {
            ui.warning_text(
                "Interrupted: Lunette ended while it ran. Resume does what is left; what may have been sent is read \
                 again first, so that nothing is done twice.",
            );
        }
        RunStatus::Cancelled => {
            let left = grouped((counts.pending + counts.sending) as u64);
            ui.muted(&format!("Cancelled. Finished rows are kept; {left} were not started."));
        }
        RunStatus::Ended if counts.unknown > 0 => {
            ui.warning_text(
                "It is not known whether some rows were done. Lunette never repeats a change by itself: read them again.",
            );
        }
        RunStatus::Ended => {}
    }
}

/// Draws the controls of the run: pause, resume, cancel, retry; parallel requests; the report.
fn controls_ui(ui: &mut Ui, run: &Run, counts: &Counts, why_disabled: Option<&str>, actions: &mut Vec<Action>) {
    let id = run.id;
    match &run.status {
        RunStatus::Running => {
            if button_ui(ui, Icon::PAUSE, "Pause", "Finishes the requests in progress; the rest waits", None) {
                actions.push(BulkAction::Pause(id).into());
            }
            cancel_ui(ui, id, actions);
            in_flight_ui(ui, run, actions);
        }
        RunStatus::Paused(_) | RunStatus::Interrupted => {
            if button_ui(ui, Icon::START, "Resume", "Continues with the remaining rows", why_disabled) {
                actions.push(BulkAction::Resume(id).into());
            }
            cancel_ui(ui, id, actions);
            in_flight_ui(ui, run, actions);
        }
        RunStatus::Cancelled | RunStatus::Ended => retry_ui(ui, id, counts, why_disabled, actions),
    }
    ui.icon_menu_button(Icon::REPORT, "Report", |ui| {
        let kinds = [("CSV…", ReportKind::Csv), ("JSON…", ReportKind::Json), ("Markdown…", ReportKind::Markdown)];
        for (name, kind) in kinds {
            if ui.button(format!("Save as {name}")).clicked() {
                actions.push(BulkAction::SaveReport(id, kind).into());
            }
        }
    });
}

fn cancel_ui(ui: &mut Ui, id: RunId, actions: &mut Vec<Action>) {
    if button_ui(ui, Icon::STOP, "Cancel", "Finishes the requests in progress; the rest is not started", None) {
        actions.push(BulkAction::Cancel(id).into());
    }
}

fn in_flight_ui(ui: &mut Ui, run: &Run, actions: &mut Vec<Action>) {
    let mut in_flight = run.in_flight;
    ui.spacing_mut().slider_width = 72.0;
    let slider = ui.add(Slider::new(&mut in_flight, 1..=8).text("parallel requests"));
    if slider.accessible_name("Parallel requests").on_hover_text("How many assets are processed at once").changed() {
        actions.push(BulkAction::SetInFlight(run.id, in_flight).into());
    }
}

fn retry_ui(ui: &mut Ui, id: RunId, counts: &Counts, why_disabled: Option<&str>, actions: &mut Vec<Action>) {
    let Counts { failed, unknown, .. } = *counts;
    if failed > 0 {
        let hint = if unknown > 0 {
            "Retries the failed rows, and reads the unknown ones again"
        } else {
            "Retries only the failed rows"
        };
        if button_ui(ui, Icon::RETRY, &counted("Retry failed", failed), hint, why_disabled) {
            actions.push(BulkAction::Retry(id).into());
        }
    } else if unknown > 0 {
        let name = counted("Read unknown again", unknown);
        if button_ui(ui, Icon::REFRESH, &name, "Reads their assets to find out whether they were done", why_disabled) {
            actions.push(BulkAction::Retry(id).into());
        }
    }
}

/// Returns the columns for a table this wide; only exports have files.
fn columns(width: f32, files: bool) -> Vec<Column> {
    let wide = |column: Column, least: f32| if width < least { column.hidden() } else { column };
    let file = Column::text("file", "File", 150.0).growing().unsorted();
    vec![
        Column::text("name", "Name", 150.0).growing().unsorted(),
        Column::text("status", "Status", 122.0).unsorted(),
        wide(Column::text("reason", "Reason", 160.0).growing().unsorted(), 400.0),
        if files { wide(file, 560.0) } else { file.hidden() },
    ]
}

/// Returns the accessible name of a row.
fn row_name(row: &RunRow) -> String {
    format!("{}, {}", shown_short(&row.name, 120), RowKind::of(&row.status).label().to_lowercase())
}

fn cell_ui(ui: &mut Ui, row: &RunRow, key: &str) {
    let kind = RowKind::of(&row.status);
    match key {
        "name" => {
            ui.label(shown_short(&row.name, 120));
        }
        "status" => {
            let color = kind.color(ui.tokens());
            ui.decoration(kind.icon().text().color(color));
            let label = ui.colored_label(color, kind.label());
            if let Some(reason) = reason(row) {
                label.on_hover_text(shown_short(reason, 1_000));
            }
        }
        "reason" => {
            if let Some(reason) = reason(row) {
                ui.muted(&shown_short(reason, 300)).on_hover_text(shown_short(reason, 1_000));
            }
        }
        "file" => {
            if let Some(saved) = &row.saved {
                let bytes = size(i64::try_from(saved.bytes).unwrap_or(i64::MAX));
                ui.label(shown_short(&saved.name, 120)).on_hover_text(format!("{bytes}\nSHA-256 {}", saved.sha256));
            }
        }
        _ => {}
    }
}

/// Returns the reason for the status of a row, or what the service did differently.
fn reason(row: &RunRow) -> Option<&str> {
    match &row.status {
        RowStatus::Pending | RowStatus::Sending | RowStatus::Done => row.message.as_deref(),
        RowStatus::Unchanged(why) | RowStatus::Failed(why) | RowStatus::Unknown(why) => Some(why),
    }
}
