//! The conformance check: what it will do, its progress, and its result for each operation.

use egui::Ui;

use crate::ui::disabled_reason::enabled_unless;
use crate::ui::list::copy_as;
use crate::ui::theme::{self, Icon, SPACE_M, SPACE_S, UiExt as _};
use crate::ui::widgets::context_menu::{entry, separator};
use crate::ui::widgets::placeholder::empty;
use crate::ui::widgets::table::{Column, Table, TableState};
use crate::ui::widgets::{progress, shown, shown_short};
use lunette_client::operation::OperationInfo;
use lunette_inspector::check::window::Checked;
use lunette_inspector::check::{CheckRow, Report, Verdict};
use lunette_inspector::{Action, Remote, State, WritePolicy};

/// What a check does.
const ABOUT: &str = "Calls all 27 operations of the interface and compares each response with what the interface and its \
                     public clients expect. It changes only what it creates: an asset with its links, a tag, a \
                     website, a summary, and an application “Lunette check”. It deletes these afterwards and names \
                     what the service cannot delete. A check without writing changes nothing.";
/// A page of this height, in points, has room for its report alone.
const LOW: f32 = 560.0;
/// What the result of an operation needs below the table, in points.
const DETAILS: f32 = 190.0;

/// The view state of the page.
#[derive(Default)]
pub struct CheckPage {
    table: TableState,
    looked_at: Option<usize>,
}

impl CheckPage {
    /// Draws the page; returns the operation whose form is to be opened.
    pub fn ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) -> Option<&'static OperationInfo> {
        let page = ui.max_rect();
        ui.set_max_width(page.width());
        ui.heading("Check this service");
        // In a low window, the room is for the report; the button still says what a check does.
        if state.check.report.value().is_none() || ui.available_height() > LOW {
            ui.muted(ABOUT);
        }
        ui.add_space(SPACE_S);
        buttons_ui(ui, state, actions);
        progress_ui(ui, state, actions);
        ui.add_space(SPACE_M);
        match &state.check.report {
            Remote::Failed { error, .. } => {
                ui.error_text(error);
            }
            Remote::NotRequested | Remote::Loading { .. } | Remote::Known(_) => {}
        }
        match state.check.report.value() {
            Some(report) => return self.report_ui(ui, report, actions),
            None if state.check.task.is_some() => {}
            None => {
                empty(ui, Icon::REPORT, "Not checked yet", "The report stays here until the next check.", &[]);
            }
        }
        None
    }

    fn report_ui(&mut self, ui: &mut Ui, report: &Report, actions: &mut Vec<Action>) -> Option<&'static OperationInfo> {
        ui.label(report.title());
        match report.passed() {
            true => drop(ui.horizontal(|ui| {
                ui.decoration(Icon::DONE.text().color(ui.tokens().ok));
                ui.label(report.summary());
            })),
            false => drop(ui.warning_text(&report.summary())),
        }
        report.remarks().iter().for_each(|line| drop(ui.caption(line)));
        ui.add_space(SPACE_S);
        let columns = columns();
        let key = |row: usize| report.rows.get(row).map_or_else(String::new, |row| row.info.name.to_owned());
        let looked_at = self.looked_at.and_then(|row| report.rows.get(row));
        let most = match looked_at {
            Some(_) => ((ui.available_height() - DETAILS) / theme::row(ui)).clamp(3.0, 12.0) as usize,
            None => report.rows.len(),
        };
        let mut opened = None;
        let done = Table::new("Checked operations", &columns, report.rows.len(), &key)
            .single_selection()
            .at_most_rows(most)
            .row_menu(&mut |ui, row| opened = report.rows.get(row).and_then(|row| menu_ui(ui, row, actions)).or(opened))
            .show(ui, &mut self.table, |ui, row, column| {
                if let Some(row) = report.rows.get(row) {
                    cell_ui(ui, row, column);
                }
            });
        self.looked_at = done.focused.or(self.looked_at);
        if let Some(row) = looked_at {
            row_ui(ui, row);
        }
        opened.or_else(|| Some(report.rows.get(done.opened?)?.info))
    }
}

/// Draws the context menu of an operation; returns the operation if its form is to be opened.
fn menu_ui(ui: &mut Ui, row: &CheckRow, actions: &mut Vec<Action>) -> Option<&'static OperationInfo> {
    let opened = entry(ui, Icon::SHOWN, "Open the operation").then_some(row.info);
    separator(ui);
    copy_as::entry_ui(ui, "name", Some(&row.info.name.to_owned()), actions);
    copy_as::entry_ui(ui, "path", Some(&row.info.path.to_owned()), actions);
    let lines = row.lines();
    copy_as::entry_ui(ui, "findings", Some(&lines.join("\n")).filter(|_| !lines.is_empty()), actions);
    copy_as::json_entry_ui(ui, "result", || row.json(), actions);
    opened
}

fn buttons_ui(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
    let checked: &Checked = &state.check;
    let why_disabled = match state.connection.write_policy {
        WritePolicy::Allow => None,
        WritePolicy::Confirm => {
            Some("This connection asks before every change, and the check sends many: check without writing")
        }
        WritePolicy::ReadOnly => Some("This connection is read-only: check without writing"),
    };
    ui.horizontal_wrapped(|ui| {
        ui.add_enabled_ui(checked.task.is_none(), |ui| {
            let why_disabled = checked.task.is_some().then_some("A check is running").or(why_disabled);
            let button = enabled_unless(ui, why_disabled, |ui| ui.primary_button("Check"));
            if button.on_hover_text(ABOUT).clicked() {
                actions.push(Action::Check(false));
            }
            let why_disabled = checked.task.is_some().then_some("A check is running");
            if enabled_unless(ui, why_disabled, |ui| ui.button("Check without writing")).clicked() {
                actions.push(Action::Check(true));
            }
        });
        if let Some(report) = checked.report.value() {
            ui.icon_menu_button(Icon::COPY, "Copy report", |ui| copies_ui(ui, report, actions));
        }
    });
}

fn copies_ui(ui: &mut Ui, report: &Report, actions: &mut Vec<Action>) {
    for (name, text) in [("Copy as text", 0), ("Copy as Markdown", 1), ("Copy as JSON", 2)] {
        if entry(ui, Icon::COPY, name) {
            ui.ctx().copy_text(match text {
                0 => report.text(),
                1 => report.markdown(),
                _ => format!("{:#}\n", report.json()),
            });
            actions.push(Action::Notify("Copied the report".to_owned()));
        }
    }
}

fn progress_ui(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
    let Some(task) = state.check.task else { return };
    let Some(work) = state.work.iter().find(|work| work.task == task) else { return };
    let share = work.progress.map(|(done, all)| done as f32 / all.max(1) as f32);
    ui.horizontal(|ui| {
        progress(ui, "Checking the service", share, (ui.available_width() - 120.0).max(80.0));
        let (done, all) = work.progress.unwrap_or_default();
        ui.muted(&format!("{done} of {all}"));
        let ending = work.cancelling.then_some("The check is ending");
        if enabled_unless(ui, ending, |ui| ui.button("Cancel")).clicked() {
            actions.push(Action::Cancel(task));
        }
    });
}

fn columns() -> [Column; 5] {
    [
        Column::text("result", "Result", 96.0).unsorted(),
        Column::text("operation", "Operation", 220.0).growing().unsorted(),
        Column::figures("p50", "p50", 66.0).unsorted(),
        Column::figures("p95", "p95", 66.0).unsorted(),
        Column::text("found", "Findings", 200.0).growing().unsorted(),
    ]
}

fn cell_ui(ui: &mut Ui, row: &CheckRow, column: usize) {
    let time = |time: Option<std::time::Duration>| {
        time.map(|time| format!("{:.1} ms", time.as_secs_f64() * 1_000.0)).unwrap_or_default()
    };
    match column {
        0 => verdict_ui(ui, &row.verdict),
        1 => drop(ui.add(egui::Label::new(row.info.name).truncate())),
        2 => drop(ui.label(time(row.p50))),
        3 => drop(ui.label(time(row.p95))),
        _ => {
            let found = row.lines().join("; ");
            ui.add(egui::Label::new(shown_short(&found, 200)).truncate());
        }
    }
}

/// Draws an icon and a label; the colour is never the only information.
fn verdict_ui(ui: &mut Ui, verdict: &Verdict) {
    let tokens = ui.tokens();
    let (icon, color) = match verdict {
        Verdict::Works => (Icon::DONE, tokens.ok),
        Verdict::Differs(_) => (Icon::WARNING, tokens.warning),
        Verdict::Missing(_) | Verdict::Failed(_) => (Icon::ERROR, tokens.error),
        Verdict::NotAsked(_) => (Icon::UNKNOWN, tokens.muted),
    };
    ui.decoration(icon.text().color(color));
    ui.label(verdict.as_str());
}

/// Draws the full result of one operation.
fn row_ui(ui: &mut Ui, row: &CheckRow) {
    ui.add_space(SPACE_M);
    ui.title(row.info.name);
    ui.code_text(&format!("{} {}", row.info.method, row.info.path));
    if let Some(times) = row.times() {
        ui.caption(&times);
    }
    let lines = row.lines();
    if lines.is_empty() {
        ui.muted("It does what the interface says.");
    }
    egui::ScrollArea::vertical().id_salt("findings").show(ui, |ui| {
        for line in &lines {
            ui.add(egui::Label::new(shown(line)).wrap());
        }
    });
}
