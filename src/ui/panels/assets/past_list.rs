//! The list of assets as it was at a time, in place of the list: read-only, with a bar that says so and the way back.

use std::sync::Arc;

use egui::{Align, Frame, Label, Layout, Margin, Response, RichText, Ui, accesskit::Role, vec2};

use super::cells::language_ui;
use crate::ui::disabled_reason::enabled_unless;
use crate::ui::focus;
use crate::ui::format;
use crate::ui::list::failure::failure_ui;
use crate::ui::list::states::no_match_ui;
use crate::ui::theme::{self, Icon, SPACE_S, UiExt as _, control, fonts};
use crate::ui::widgets::context_menu::Entry;
use crate::ui::widgets::placeholder::{Failure, empty, failed, skeleton};
use crate::ui::widgets::row_list::{RowList, RowListState};
use crate::ui::widgets::text_field::TextField;
use crate::ui::widgets::{grouped, plural, shown_short};
use lunette_client::model::id::AssetId;
use lunette_client::model::language::language_name;
use lunette_inspector::action::{AssetsAction, CompareAction, VersionsAction};
use lunette_inspector::compare::Source;
use lunette_inspector::versions::{PastRow, Since, SourceError, Then};
use lunette_inspector::{Action, State};

/// Maximum number of characters of a name.
const MAX_NAME: usize = 120;

/// What the list shows besides its rows.
#[derive(Default)]
pub(super) struct PastList {
    rows: RowListState,
    filter: String,
    /// Whether only what was changed since is shown.
    only_changed: bool,
    shown: Shown,
}

/// The rows that are shown.
#[derive(Default)]
struct Shown {
    /// Their numbers in the list.
    rows: Vec<u32>,
    /// The list.
    of: Option<Arc<Vec<PastRow>>>,
    /// The filter, and whether only what was changed since is shown.
    by: (String, bool),
}

impl PastList {
    /// Draws the list in the available space.
    pub(super) fn ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
        let then = &state.versions.then;
        bar_ui(ui, then, actions);
        ui.add_space(SPACE_S);
        let Some(rows) = then.rows.value() else {
            match then.rows.error() {
                Some(error) => {
                    if failed_ui(ui, error) {
                        actions.push(VersionsAction::LoadThen.into());
                    }
                }
                None => skeleton(ui, "the list as it was", 8),
            }
            return;
        };
        if rows.is_empty() {
            empty(ui, Icon::HISTORY, "No assets then", "No asset of that time is known.", &[]);
            return;
        }
        self.tools_ui(ui, then, rows, actions);
        ui.add_space(SPACE_S);
        self.rows_ui(ui, rows, actions);
    }

    /// Draws the rows that are shown.
    fn rows_ui(&mut self, ui: &mut Ui, rows: &[PastRow], actions: &mut Vec<Action>) {
        let Self { rows: list, shown: Shown { rows: shown, .. }, .. } = self;
        if shown.is_empty() {
            if no_match_ui(ui, "The filter matches names.") {
                (self.filter, self.only_changed) = (String::new(), false);
            }
            return;
        }
        let row = |index: usize| shown.get(index).and_then(|row| rows.get(*row as usize));
        let named = |index: usize| row(index).map(row_name).unwrap_or_default().into();
        let rect = ui.available_rect_before_wrap();
        let rows_list =
            RowList { name: "Assets as they were", rect, rows: shown.len(), row_name: &named, drags: false };
        let mut more = None;
        let mut drawn = rows_list.show(ui, list, |ui, index| {
            if let Some(row) = row(index) {
                more = row_ui(ui, row).map(|button| (index, button)).or(more.take());
            }
        });
        focus::register_list(ui.ctx(), drawn.response.id);
        if let Some((index, button)) = more {
            drawn.open_menu(index, &button, list);
        }
        let Some(row) = row(drawn.row) else { return };
        drawn.menu(&format!("Menu of {}", shown_short(name(row), MAX_NAME)), |ui| menu_ui(ui, row, actions));
        if drawn.opened || drawn.response.double_clicked() {
            actions.extend(with_now(row));
        }
    }

    /// Draws the filter, the choice of what is shown, and the button that restores.
    fn tools_ui(&mut self, ui: &mut Ui, then: &Then, rows: &Arc<Vec<PastRow>>, actions: &mut Vec<Action>) {
        let changed = rows.iter().filter(|row| row.since != Since::Same).count();
        ui.horizontal_wrapped(|ui| {
            TextField::search("Filter by name").width(200.0).show(ui, &mut self.filter);
            theme::checkbox(ui, &mut self.only_changed, "Only changed since");
            let title = if then.planning { "Planning…" } else { "Restore what changed…" };
            let why_not = match changed {
                _ if then.planning => Some("What is restored is being planned"),
                0 => Some("Nothing was changed or deleted since"),
                _ => None,
            };
            if enabled_unless(ui, why_not, |ui| ui.button(title)).clicked() {
                actions.push(VersionsAction::RestoreThen.into());
            }
            self.filter(rows);
            ui.muted_line(&counts(rows, self.shown.rows.len(), changed));
        });
    }

    fn filter(&mut self, rows: &Arc<Vec<PastRow>>) {
        let key = (self.filter.to_lowercase(), self.only_changed);
        let Shown { of, by, .. } = &self.shown;
        if of.as_ref().is_some_and(|of| Arc::ptr_eq(of, rows)) && *by == key {
            return;
        }
        let matches = |row: &PastRow| {
            (!self.only_changed || row.since != Since::Same) && row.then.name.to_lowercase().contains(&key.0)
        };
        let shown = rows.iter().enumerate().filter(|(_, row)| matches(row)).map(|(index, _)| index as u32).collect();
        self.shown = Shown { rows: shown, of: Some(Arc::clone(rows)), by: key };
    }
}

/// Returns how many assets there were, how many of them are shown, and how many were changed or deleted since.
fn counts(rows: &[PastRow], shown: usize, changed: usize) -> String {
    let all = match shown == rows.len() {
        true => plural(rows.len(), "asset"),
        false => format!("{} of {}", grouped(shown as u64), plural(rows.len(), "asset")),
    };
    let unrecorded = match rows.iter().filter(|row| !row.then.recorded).count() {
        0 => String::new(),
        count => format!(", {} not recorded for that time", grouped(count as u64)),
    };
    format!("{all}, {} changed or deleted since{unrecorded}", grouped(changed as u64))
}

/// Draws the bar: which time is shown, and the way back.
fn bar_ui(ui: &mut Ui, then: &Then, actions: &mut Vec<Action>) {
    let ink = ui.tokens().text;
    let text = format!("The list as it was {} (read-only)", then.title);
    let frame = Frame::new().fill(ui.tokens().confirm_ground).inner_margin(Margin::symmetric(12, 4));
    let drawn = frame.show(ui, |ui| {
        let size = vec2(ui.available_width(), control(ui));
        ui.allocate_ui_with_layout(size, Layout::right_to_left(Align::Center), |ui| {
            if ui.button("Back to now").clicked() {
                actions.push(VersionsAction::ShowNow.into());
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                ui.decoration(Icon::HISTORY.text().color(ink));
                let label = RichText::new(shown_short(&text, 200)).family(fonts::semibold()).color(ink);
                ui.add(Label::new(label).truncate());
            });
        });
    });
    ui.ctx().accesskit_node_builder(drawn.response.id, |node| {
        node.set_role(Role::Status);
        node.set_label(text);
    });
}

fn failed_ui(ui: &mut Ui, error: &SourceError) -> bool {
    let title = "The list as it was could not be loaded";
    match error {
        SourceError::Call(error) => failure_ui(ui, title, error),
        SourceError::Local(_) | SourceError::NoContent | SourceError::Gone => {
            let (reason, advice) = (error.to_string(), "It is in Lunette's own database. Try again.");
            failed(ui, &Failure { title, method: "", address: "", phase: "", reason: &reason, advice })
        }
    }
}

fn name(row: &PastRow) -> &str {
    if row.then.name.trim().is_empty() { &row.then.id } else { &row.then.name }
}

/// What became of an asset, in words.
fn since(row: &PastRow) -> &'static str {
    match row.since {
        Since::Same => "",
        Since::Changed => "changed since",
        Since::Gone => "deleted since",
    }
}

fn row_name(row: &PastRow) -> String {
    let said = [
        shown_short(name(row), MAX_NAME).into_owned(),
        language_name(&row.then.language).to_owned(),
        since(row).to_owned(),
    ];
    said.iter().filter(|said| !said.is_empty()).cloned().collect::<Vec<_>>().join(", ")
}

/// Draws an asset; returns the button of its menu if that was clicked.
fn row_ui(ui: &mut Ui, row: &PastRow) -> Option<Response> {
    ui.style_mut().interaction.selectable_labels = false;
    ui.spacing_mut().item_spacing.y = 0.0;
    // The ring of the row is around its text, not on it.
    let more = Frame::new().inner_margin(Margin::symmetric(6, 4)).show(ui, |ui| {
        let more = title_ui(ui, row);
        let version = format!("Version {}", row.then.version);
        match row.then.updated.as_str() {
            "" => drop(ui.caption(&version)),
            at => drop(ui.caption(&format!("{version}, {}", format::ago(at))).on_hover_text(format::exact(at))),
        }
        more
    });
    ui.line();
    more.inner.clicked().then_some(more.inner)
}

/// Draws the first line of an asset, with the button that opens its menu.
fn title_ui(ui: &mut Ui, row: &PastRow) -> Response {
    let size = vec2(ui.available_width(), control(ui));
    let drawn = ui.allocate_ui_with_layout(size, Layout::right_to_left(Align::Center), |ui| {
        let button = ui.icon_button(Icon::MORE, &format!("More for {}", shown_short(name(row), MAX_NAME)));
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            ui.style_mut().wrap_mode = Some(egui::TextWrapMode::Truncate);
            ui.strong(shown_short(name(row), MAX_NAME));
            language_ui(ui, &row.then.language, language_name(&row.then.language));
            if !since(row).is_empty() {
                ui.badge(since(row));
            }
            if !row.then.recorded {
                ui.badge("not recorded for that time");
            }
        });
        button
    });
    drawn.inner
}

/// Compares an asset as it was with what it is now, unless it was deleted since.
fn with_now(row: &PastRow) -> Option<Action> {
    let (id, version) = (row.then.id.parse::<AssetId>().ok()?, row.then.number()?);
    let then = Source::Version(id.clone(), version, row.then.name.clone());
    let now = Source::Asset(id, row.then.name.clone());
    (row.since != Since::Gone).then(|| CompareAction::Open([then, now]).into())
}

/// Draws the menu of an asset as it was.
fn menu_ui(ui: &mut Ui, row: &PastRow, actions: &mut Vec<Action>) {
    let (Ok(id), Some(version)) = (row.then.id.parse::<AssetId>(), row.then.number()) else { return };
    let gone = (row.since == Since::Gone).then_some("The asset was deleted since");
    let same = (row.since == Since::Same).then_some("The asset is as it was");
    if Entry::new(Icon::SHOWN, "Open as it is now").disabled_reason(gone).show(ui) {
        actions.push(VersionsAction::ShowNow.into());
        actions.push(AssetsAction::Open(id.clone()).into());
    }
    if Entry::new(Icon::COMPARE, "Compare with now").disabled_reason(gone).show(ui) {
        actions.extend(with_now(row));
    }
    if Entry::new(Icon::COMPARE, "Select for compare").show(ui) {
        let then = Source::Version(id.clone(), version.clone(), row.then.name.clone());
        actions.push(CompareAction::Select(then).into());
    }
    if Entry::new(Icon::UNDO, "Restore…").disabled_reason(same).show(ui) {
        actions.push(VersionsAction::Restore(id, version).into());
    }
}
