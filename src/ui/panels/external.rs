//! External applications: those installed on this machine and those that integrate with the service, in one list.

use std::collections::HashMap;
use std::sync::Arc;

use egui::Ui;

use lunette_inspector::action::{ApplicationsAction, WriteAction};
use lunette_inspector::capability::Capability;
use lunette_inspector::filter::{Field, Filter};
use lunette_inspector::listing::rows::{ApplicationRow, ExternalKey, ExternalRow, ExternalState};
use lunette_inspector::listing::{Listing, Row as _};
use lunette_inspector::navigation::in_view::{InView, Subject};
use lunette_inspector::panel::Panel;
use lunette_inspector::{Action, State};

use crate::ui::app_icon;
use crate::ui::disabled_reason::{disabled_reason, enabled_unless};
use crate::ui::list::cells;
use crate::ui::list::filter_field::FilterField;
use crate::ui::list::list_view::{ListFrame, ListRow, ListView, RowPainter};
use crate::ui::list::split::SplitPart;
use crate::ui::list::states::ListTexts;
use crate::ui::theme::{Icon, SPACE_S, Tokens, UiExt as _};
use crate::ui::widgets::table::Column;
use crate::ui::widgets::{counted, shown_short};

mod menu;
mod page;

/// The panel, and what is being typed into it.
pub struct ExternalPanel {
    list: ListView<ExternalRow>,
}

impl Default for ExternalPanel {
    fn default() -> Self {
        Self { list: ListView::new("Filter external applications") }
    }
}

/// The texts of the list.
const TEXTS: ListTexts = ListTexts {
    heading: "External",
    table: "External applications",
    reload: || Action::Refresh(Panel::External),
    refresh: Some("Refresh the external applications"),
    select: Some("Select several applications to copy them"),
    rows: "applications",
    noun: "external applications",
    icon: Icon::EMPTY,
    empty_title: "No applications were found",
    empty_hint: "The service found no installed applications and knows no integrations.",
};

/// The column of the button that tracks an application; it has no title, and is always shown where there is room.
const TRACK: Column = Column::text("track", "", 100.0).unsorted();

/// Returns the columns for a list this wide.
fn columns(width: f32) -> Vec<Column> {
    let mut columns = cells::columns::<ExternalRow>(width);
    for column in &mut columns {
        match column.key {
            "name" => column.width = column.width.min(width * 0.4),
            "version" => column.width = column.width.min(width * 0.2),
            _ => {}
        }
    }
    columns
}

/// Draws the page of an external application below its title.
pub(in crate::ui::panels) fn page_body_ui(ui: &mut Ui, row: &ExternalRow, state: &State, actions: &mut Vec<Action>) {
    page::body_ui(ui, row, TrackedApplications::of(state).application(row), state, actions);
}

impl ExternalPanel {
    /// Returns what its list showed in the last frame.
    pub(in crate::ui) fn in_view(&self) -> &InView {
        &self.list.in_view
    }

    /// Draws the panel.
    pub fn ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
        let page = open_row(state);
        let Self { list } = self;
        let left =
            list.beside_page_ui(ui, state, page.is_some(), actions, |list, ui, part, actions| match (part, page) {
                (SplitPart::Page, Some(row)) => {
                    page::ui(ui, row, TrackedApplications::of(state).application(row), state, actions)
                }
                (SplitPart::Page | SplitPart::SecondPage, _) => {}
                (SplitPart::List, _) => list_ui(list, ui, state, actions),
            });
        if left {
            actions.push(ApplicationsAction::OpenExternal(None).into());
        }
    }
}

fn list_ui(list: &mut ListView<ExternalRow>, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
    let (rows, mut columns) = (&state.applications.external, columns(ui.available_width()));
    list.head_ui(ui, &ListFrame { state, list: rows, texts: &TEXTS, columns: &columns }, actions, |_, _| {});
    ui.add_space(SPACE_S);
    states_ui(ui, rows, &mut list.filter, actions);
    ui.add_space(SPACE_S);
    if ui.available_width() >= 420.0 {
        columns.push(TRACK);
    }
    let why_disabled = disabled_reason(state, Capability::Track);
    let painter = Painter { state, tracked: TrackedApplications::of(state), why_disabled };
    let frame = ListFrame { state, list: rows, texts: &TEXTS, columns: &columns };
    if let Some(row) = list.rows_ui(ui, &frame, &painter, actions) {
        actions.push(ApplicationsAction::OpenExternal(Some(row.key())).into());
    }
}

/// Draws the buttons that filter by a state, each with its count.
fn states_ui(ui: &mut Ui, rows: &Listing<ExternalRow>, field: &mut FilterField, actions: &mut Vec<Action>) {
    let count =
        |choice: Option<ExternalState>| rows.iter().filter(|row| choice.is_none_or(|state| row.state == state)).count();
    let is_offered = |state: &ExternalState| *state != ExternalState::Unknown || count(Some(*state)) > 0;
    let choices = std::iter::once(None).chain(ExternalState::ALL.into_iter().filter(is_offered).map(Some));
    ui.horizontal_wrapped(|ui| {
        for choice in choices {
            let name = choice.map_or("All", ExternalState::as_str);
            let text = counted(name, count(choice));
            let filter = choice.map(|state| Filter::of(Field::State, state.as_str())).unwrap_or_default();
            let mut button = ui.selectable_label(*field.filter() == filter, text);
            if let Some(state) = choice {
                button = button.on_hover_text(state.meaning());
            }
            if button.clicked() {
                field.set_filter(&filter, actions);
            }
        }
    });
}

/// Returns the row of the open application; `None` if it is no longer in the list.
fn open_row(state: &State) -> Option<&ExternalRow> {
    let key = state.applications.external_open.as_ref()?;
    let rows = state.applications.external.rows.value()?;
    let exact = rows.iter().find(|row| row.name == key.name && row.version == key.version);
    // It may have been updated since.
    exact.or_else(|| rows.iter().find(|row| row.name == key.name)).map(|row| row.as_ref())
}

/// The applications that the service tracks.
struct TrackedApplications<'a> {
    by_name: HashMap<&'a str, &'a ApplicationRow>,
    /// How many external applications share an enum value; a shared one identifies none of them.
    shared: HashMap<&'a str, usize>,
}

impl<'a> TrackedApplications<'a> {
    fn of(state: &'a State) -> Self {
        let (rows, external) = (&state.applications.list, &state.applications.external);
        let mut shared = HashMap::new();
        for identifier in external.iter().filter_map(|row| row.identifier.as_deref()) {
            *shared.entry(identifier).or_default() += 1;
        }
        Self { by_name: rows.iter().map(|row| (row.name.as_str(), row.as_ref())).collect(), shared }
    }

    /// Returns the tracked application for an external one, by its name or by an enum value that only it has.
    fn application(&self, row: &ExternalRow) -> Option<&'a ApplicationRow> {
        let own = row.identifier.as_deref().filter(|identifier| self.shared.get(identifier) == Some(&1));
        let by_word = own.and_then(|identifier| self.by_name.get(identifier));
        self.by_name.get(row.name.as_str()).or(by_word).copied()
    }
}

fn track(row: &ExternalRow) -> Action {
    Action::Write(WriteAction::Track {
        name: row.name.clone(),
        version: row.version.clone(),
        identifier: row.identifier.clone(),
    })
}

struct Painter<'a> {
    state: &'a State,
    tracked: TrackedApplications<'a>,
    /// Why tracking is disabled.
    why_disabled: Option<String>,
}

impl RowPainter<ExternalRow> for Painter<'_> {
    fn name(&self, row: &ExternalRow) -> String {
        shown_short(&row.name, 120).into_owned()
    }

    // Two applications may have the same name.
    fn id(&self, _: &ExternalRow, number: u32) -> String {
        number.to_string()
    }

    fn cell_ui(&self, ui: &mut Ui, row: ListRow<'_, ExternalRow>, key: &str, actions: &mut Vec<Action>) -> bool {
        match key {
            "name" => app_icon::named_ui(ui, row.path.as_deref(), &self.name(&row), self.state),
            "state" => {
                let (icon, color) = icon_and_color(row.state, ui.tokens());
                ui.decoration(icon.text().color(color));
                ui.colored_label(color, row.state.as_str()).on_hover_text(row.state.meaning());
            }
            "integration" if row.integration() != "None" => _ = ui.muted(row.integration()),
            "found_by" => {
                let found_by = ui.muted(&shown_short(row.found_by_text().unwrap_or_default(), 60));
                if let Some(path) = &row.path {
                    found_by.on_hover_text(shown_short(path, 500));
                }
            }
            "track" if self.tracked.application(&row).is_some() => {
                ui.decoration(Icon::CHECK.text().color(ui.tokens().ok));
                ui.muted("Tracked").on_hover_text("It is listed under Applications, and its use is counted");
            }
            // An application that is not installed is not used, so only its page says why it cannot be tracked.
            "track" if row.why_not_trackable().is_none() => {
                let name = format!("Track {}", self.name(&row));
                let track_button = |ui: &mut Ui| ui.line_button("Track").accessible_name(&name);
                let button = enabled_unless(ui, self.why_disabled.as_deref(), track_button);
                if button.on_hover_text("Shows the call that registers it with the service").clicked() {
                    actions.push(track(&row));
                }
            }
            _ => return false,
        }
        true
    }

    fn menu_ui(&self, ui: &mut Ui, row: ListRow<'_, ExternalRow>, actions: &mut Vec<Action>) {
        menu::ui(ui, &row, self.tracked.application(&row).is_some(), self.state, actions);
    }

    fn open(&self) -> Option<ExternalKey> {
        open_row(self.state).map(ExternalRow::key)
    }

    fn subject(&self, row: &Arc<ExternalRow>) -> Option<Subject> {
        Some(Subject::External(Arc::clone(row)))
    }
}

/// Returns the icon and colour of a state; its label says the same.
fn icon_and_color(state: ExternalState, tokens: &Tokens) -> (Icon, egui::Color32) {
    match state {
        ExternalState::Installed => (Icon::DONE, tokens.ok),
        ExternalState::NotInstalled => (Icon::CLOSE, tokens.muted),
        ExternalState::Anticipated => (Icon::CLOCK, tokens.muted),
        ExternalState::Unknown => (Icon::WARNING, tokens.muted),
    }
}
