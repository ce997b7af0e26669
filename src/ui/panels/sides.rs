//! The panel that compares two sides of many assets: choosing them, the rows by how they compare, and copying marked
//! rows.
//!
//! What must hold: nothing is written without a plan that was confirmed; a side that does not tell something is not
//! drawn as if it had nothing.

mod decide;
mod form;
mod result;

use std::path::PathBuf;
use std::sync::Arc;

use egui::{CentralPanel, Color32, Frame, Label, Margin, Ui};

use lunette_inspector::action::SidesAction;
use lunette_inspector::compare::Position;
use lunette_inspector::listing::Row as _;
use lunette_inspector::sides::window::{SidesPage, Stage};
use lunette_inspector::sides::{Progress, RowKey, RowState, SideRow};
use lunette_inspector::{Action, State};

use crate::ui::disabled_reason::enabled_unless;
use crate::ui::dropped_files::{Dropped, DroppedFiles};
use crate::ui::focus::{Region, region};
use crate::ui::list::cells;
use crate::ui::list::filter_field::FilterField;
use crate::ui::list::list_view::{ListFrame, ListRow, ListView, RowPainter};
use crate::ui::list::selection_bar::SelectionBar;
use crate::ui::list::states::ListTexts;
use crate::ui::theme::{Icon, SPACE_S, SPACE_XS, Tokens, UiExt as _};
use crate::ui::widgets::context_menu::Entry;
use crate::ui::widgets::placeholder::{empty, skeleton};
use crate::ui::widgets::{grouped, progress, shown_short};

/// The width of the bar of selected rows, beside their number, from which its buttons have their long titles, in
/// points.
const WITH_LONG_TITLES: f32 = 620.0;

/// The texts of the list.
const TEXTS: ListTexts = ListTexts {
    heading: "Two sides",
    table: "Assets of both sides",
    reload: || SidesAction::Again.into(),
    refresh: Some("Read both sides again"),
    select: Some("Select rows to copy them"),
    rows: "assets",
    noun: "assets",
    icon: Icon::COMPARE,
    empty_title: "Neither side has assets",
    empty_hint: "There is nothing to compare.",
};

/// The panel, and what is typed in it.
pub struct SidesPanel {
    list: ListView<SideRow>,
    form: form::Form,
    decide: decide::DecideView,
    dropped: DroppedFiles,
}

impl Default for SidesPanel {
    fn default() -> Self {
        let list = ListView::new("Filter the assets of both sides");
        let (form, decide, dropped) = Default::default();
        Self { list, form, decide, dropped }
    }
}

impl SidesPanel {
    /// Draws the panel.
    pub fn ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
        let frame = Frame::new().inner_margin(Margin { left: 14, right: 12, top: 12, bottom: 8 });
        CentralPanel::default().frame(frame).show(ui, |ui| {
            region(ui, Region::List, |ui| {
                let dropped = self.dropped.take(ui, ui.available_rect_before_wrap());
                actions.extend(dropped.into_iter().flat_map(set_files));
                self.form.ui(ui, state, actions);
                ui.add_space(SPACE_S);
                self.body_ui(ui, state, actions);
            });
        });
    }

    fn body_ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
        let page = &state.sides;
        match &page.stage {
            Stage::Idle => nothing_ui(ui),
            Stage::Reading(at, progress) => {
                reading_ui(ui, page, *at, *progress, actions);
                match page.comparison {
                    Some(_) => self.rows_ui(ui, state, actions),
                    None => skeleton(ui, "both sides", 8),
                }
            }
            Stage::Failed(why) => {
                // What is wrong with the text of a side is said at its field.
                let told = page.sources.problems.iter().any(Option::is_some);
                let why = if told { "correct the side that is marked" } else { why };
                ui.error_text(&format!("The two sides were not compared: {why}"));
                ui.horizontal(|ui| {
                    if ui.primary_button("Try again").clicked() {
                        actions.push(SidesAction::Again.into());
                    }
                    if ui.button("Close").clicked() {
                        actions.push(SidesAction::Close.into());
                    }
                });
                if page.comparison.is_some() {
                    self.rows_ui(ui, state, actions);
                }
            }
            Stage::Ready => self.rows_ui(ui, state, actions),
        }
    }

    fn rows_ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
        let page = &state.sides;
        if let Some(deciding) = &page.deciding {
            return self.decide.ui(ui, deciding, actions);
        }
        counts_ui(ui, page, &mut self.list.filter, actions);
        left_out_ui(ui, page);
        result::ui(ui, state, actions);
        if let Some(planned) = page.planned {
            ui.horizontal(|ui| {
                progress(ui, "Planning", None, 120.0);
                ui.muted(&format!("Planning what is copied: {} read", grouped(planned as u64)));
                if ui.button("Stop").clicked() {
                    actions.push(SidesAction::Cancel.into());
                }
            });
        }
        let columns = cells::columns::<SideRow>(ui.available_width());
        let frame = ListFrame { state, list: &page.list, texts: &TEXTS, columns: &columns };
        self.list.head_ui(ui, &frame, actions, |_, _| {});
        ui.add_space(SPACE_XS);
        let opened = self.list.in_dialog_ui(ui, &frame, &Painter { page }, actions);
        if let Some(row) = opened {
            actions.push(SidesAction::Open(row.key()).into());
        }
    }
}

/// What makes files that were dropped the sides that are compared next.
fn set_files(dropped: Dropped) -> Vec<Action> {
    let files = match dropped {
        Dropped::Refused(why) => return vec![Action::Hint(why.to_owned())],
        Dropped::Side(at, path) => vec![(at, path)],
        Dropped::Both(paths) => Position::ALL.into_iter().zip(paths).collect(),
    };
    let set = |(at, path): (Position, PathBuf)| match path.to_str() {
        Some(path) => SidesAction::Set(at, path.to_owned()).into(),
        None => Action::Hint(format!("{} cannot be typed as a side: its path is not text", path.display())),
    };
    files.into_iter().map(set).collect()
}

fn nothing_ui(ui: &mut Ui) {
    let advice = "Choose each side with the button beside its field, or type it: “own” (the connected service), the address of \
                  another service, a day (@yesterday, @2026-01-31), a checkpoint (@NAME), or the path of a backup, an archive \
                  or a folder.";
    empty(ui, Icon::COMPARE, "Compare two sides", advice, &[]);
}

fn reading_ui(ui: &mut Ui, page: &SidesPage, at: Position, now: Progress, actions: &mut Vec<Action>) {
    let Progress { done, total } = now;
    let of = total.map(|total| format!(" of {}", grouped(total as u64))).unwrap_or_default();
    let text = format!("Reading the {} side: {}{of}", at.as_str(), grouped(done as u64));
    ui.horizontal(|ui| {
        let share = total.filter(|total| *total > 0).map(|total| done as f32 / total as f32);
        progress(ui, &text, share, 160.0);
        ui.add(Label::new(text).truncate());
        if enabled_unless(ui, (!page.is_busy()).then_some("It has ended"), |ui| ui.button("Stop")).clicked() {
            actions.push(SidesAction::Cancel.into());
        }
    });
}

/// Draws how many rows there are of each state; a click shows only these.
fn counts_ui(ui: &mut Ui, page: &SidesPage, filter: &mut FilterField, actions: &mut Vec<Action>) {
    let Some(comparison) = &page.comparison else { return };
    if comparison.counts.differences() == 0 && !comparison.rows.is_empty() {
        ui.horizontal(|ui| {
            ui.decoration(Icon::DONE.text().color(ui.tokens().ok));
            ui.strong(match comparison.counts.of(RowState::NotTold) {
                0 => "Both sides are the same",
                _ => "Nothing that both sides tell differs",
            });
        });
    }
    let of = |row_state: RowState| format!("state:{}", row_state.token());
    ui.horizontal_wrapped(|ui| {
        for row_state in RowState::ALL {
            let count = comparison.counts.of(row_state);
            let shown = filter.text() == of(row_state);
            if count == 0 && !shown {
                continue;
            }
            let words = format!("{} ({})", row_state.as_str(), grouped(count as u64));
            if ui.selectable_label(shown, words).clicked() {
                filter.set_text(if shown { String::new() } else { of(row_state) }, actions);
            }
        }
    });
}

/// Draws what was not read, so that nothing can be said of it.
fn left_out_ui(ui: &mut Ui, page: &SidesPage) {
    let Some(comparison) = &page.comparison else { return };
    for side in [&comparison.sides.left, &comparison.sides.right] {
        if !side.complete {
            let first = side.left_out.first().map(|why| format!(": {}", shown_short(why, 200))).unwrap_or_default();
            ui.warning_text(&format!("{} was not read to its end{first}", shown_short(&side.name, 80)));
        }
    }
}

struct Painter<'a> {
    page: &'a SidesPage,
}

impl Painter<'_> {
    /// Whether both sides changed a row and something was decided of it.
    fn is_decided(&self, row: &SideRow) -> bool {
        row.state == RowState::Conflict && self.page.decided(&row.key()).is_some()
    }

    /// How the sides of a row compare, or that it was decided.
    fn state_of(&self, row: &SideRow) -> &'static str {
        if self.is_decided(row) { "decided" } else { row.state.as_str() }
    }
}

impl RowPainter<SideRow> for Painter<'_> {
    fn name(&self, row: &SideRow) -> String {
        format!("{}, {}", shown_short(row.name(), 120), self.state_of(row))
    }

    fn follows(&self) -> bool {
        false
    }

    fn cell_ui(&self, ui: &mut Ui, row: ListRow<'_, SideRow>, key: &str, _: &mut Vec<Action>) -> bool {
        match key {
            "name" => drop(ui.label(shown_short(row.name(), 120))),
            "state" => {
                let color = state_color(ui.tokens(), row.state, self.is_decided(&row));
                ui.colored_label(color, self.state_of(&row));
            }
            _ => return false,
        }
        true
    }

    fn menu_ui(&self, ui: &mut Ui, row: ListRow<'_, SideRow>, actions: &mut Vec<Action>) {
        if Entry::new(Icon::COMPARE, "Show side by side").show(ui) {
            actions.push(SidesAction::Open(row.key()).into());
        }
        let key = row.key();
        if row.state == RowState::Conflict && Entry::new(Icon::CONFLICT, "Decide…").show(ui) {
            actions.push(SidesAction::Decide(Some(key.clone())).into());
        }
        if key.left.is_some() && key.right.is_some() && Entry::new(Icon::UNLINK, "Undo the match").show(ui) {
            actions.push(SidesAction::Unmatch(key.clone()).into());
        }
        for to in Position::ALL {
            let entry = Entry::new(Icon::SEND, copy_title(to)).disabled_reason(self.page.copy_obstacle(to));
            if entry.show(ui) {
                actions.push(SidesAction::Copy(Arc::new(vec![key.clone()]), to).into());
            }
        }
    }

    fn selected_ui(&self, ui: &mut Ui, bar: &mut SelectionBar<'_, SideRow>, actions: &mut Vec<Action>) {
        let keys: Vec<RowKey> = bar.rows().into_iter().map(|row| row.key()).collect();
        let is_narrow = ui.available_width() < WITH_LONG_TITLES;
        for to in Position::ALL {
            let busy = self.page.is_busy().then_some("Something else is under way");
            let words = if is_narrow { short_copy_title(to) } else { copy_title(to) };
            let button = |ui: &mut Ui| ui.button(words).on_hover_text(copy_title(to));
            if enabled_unless(ui, busy.or(self.page.copy_obstacle(to)), button).clicked() {
                actions.push(SidesAction::Copy(Arc::new(keys.clone()), to).into());
            }
        }
        let conflicts = bar.rows().into_iter().any(|row| row.state == RowState::Conflict);
        let mut wins = |ui: &mut Ui| {
            for side in Position::ALL {
                let tip = format!("Takes the version of the {} side of those that both sides changed", side.as_str());
                if ui.button(wins_title(side)).on_hover_text(tip).clicked() {
                    actions.push(SidesAction::DecideRows(Arc::new(keys.clone()), side).into());
                }
            }
        };
        match conflicts {
            true if is_narrow => drop(ui.icon_menu_button(Icon::CONFLICT, "Decide", wins)),
            true => wins(ui),
            false => {}
        }
        if let Some((left, right)) = unmatched(&keys)
            && ui.button("Match the two").on_hover_text("Compares them as one asset").clicked()
        {
            actions.push(SidesAction::Match(left, right).into());
        }
        bar.copy_ui(ui, |_| {});
    }
}

/// The color of the state of a row.
fn state_color(tokens: &Tokens, state: RowState, is_decided: bool) -> Color32 {
    match state {
        RowState::Conflict if is_decided => tokens.ok,
        RowState::OnlyLeft | RowState::OnlyRight => tokens.accent,
        RowState::Conflict => tokens.error,
        RowState::Different => tokens.warning,
        RowState::NotTold | RowState::Same => tokens.muted,
    }
}

fn wins_title(side: Position) -> &'static str {
    match side {
        Position::Left => "Left wins",
        Position::Right => "Right wins",
    }
}

/// What it is called where there is little room.
fn short_copy_title(to: Position) -> &'static str {
    match to {
        Position::Left => "To the left…",
        Position::Right => "To the right…",
    }
}

fn copy_title(to: Position) -> &'static str {
    match to {
        Position::Left => "Copy to the left…",
        Position::Right => "Copy to the right…",
    }
}

/// The ids of two rows of which one is on the left alone and the other on the right alone.
fn unmatched(keys: &[RowKey]) -> Option<(Arc<str>, Arc<str>)> {
    let [one, other] = keys else { return None };
    match (one.clone(), other.clone()) {
        (RowKey { left: Some(left), right: None }, RowKey { left: None, right: Some(right) })
        | (RowKey { left: None, right: Some(right) }, RowKey { left: Some(left), right: None }) => Some((left, right)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_that_was_decided_does_not_look_as_one_that_is_not() {
        for tokens in [Tokens::DARK, Tokens::LIGHT] {
            let decided = state_color(&tokens, RowState::Conflict, true);
            assert!(RowState::ALL.into_iter().all(|state| state_color(&tokens, state, false) != decided));
        }
    }
}
