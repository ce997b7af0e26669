//! The page of one application: its details, its usage, and its record.

use std::sync::Arc;

use egui::{ScrollArea, Sense, Ui, vec2};
use jiff::civil::Date;
use serde_json::Value;

use crate::ui::app_icon;
use crate::ui::disabled_reason::enabled_unless;
use crate::ui::format;
use crate::ui::list::failure::{failure_ui, stale_ui};
use crate::ui::list::split::page_title_ui;
use crate::ui::raster::Pictures;
use crate::ui::theme::{Icon, SPACE_M, SPACE_S, UiExt as _};
use crate::ui::widgets::json_tree::{JsonSource, JsonTreeState, json_tree};
use crate::ui::widgets::placeholder::skeleton;
use crate::ui::widgets::plot_days::{Day, Unit, plot_days};
use crate::ui::widgets::{Stat, grouped, shown_short, stats};
use lunette_client::model::View;
use lunette_client::model::application::Application;
use lunette_client::model::record::Record as _;
use lunette_inspector::action::{ApplicationsAction, GraphAction};
use lunette_inspector::applications::ApplicationPage;
use lunette_inspector::filter::{Field, Filter};
use lunette_inspector::graph::Start;
use lunette_inspector::listing::rows::{ApplicationRow, InventoryRow, onboarding, readable_word};
use lunette_inspector::{Action, Remote, State};

use super::{changes, labels, usage};

/// Number of days in the plot.
const DAYS: i32 = 30;

/// The side of the icon, in points.
const ICON: f32 = 28.0;

/// The view state of the page.
#[derive(Default)]
pub(super) struct ApplicationPageView {
    tree: JsonTreeState,
    /// The filter of the assets to show.
    pub wanted: Option<Filter>,
    /// The picture of the plots that is being rendered.
    pictures: Pictures,
    /// The record in the tree, for detecting a new one.
    shown: Option<Arc<Application>>,
    /// Counts the records shown in the tree.
    revision: u64,
}

impl ApplicationPageView {
    pub(super) fn ui(&mut self, ui: &mut Ui, page: &ApplicationPage, state: &State, actions: &mut Vec<Action>) {
        let again = || Action::Applications(ApplicationsAction::Open(page.id.clone()));
        match &page.record {
            Remote::Failed { error, previous: None } => {
                if failure_ui(ui, "The application could not be read", error) {
                    actions.push(again());
                }
            }
            record => match record.value() {
                None => skeleton(ui, "the application", 6),
                Some(application) => {
                    if let Some(error) = record.error()
                        && stale_ui(ui, "This page", error)
                    {
                        actions.push(again());
                    }
                    self.follow(application);
                    let row = changes::row_of(state, &page.id);
                    self.record_ui(ui, application, row, state, actions);
                }
            },
        }
    }

    fn follow(&mut self, application: &Arc<Application>) {
        if self.shown.as_ref().is_none_or(|shown| !Arc::ptr_eq(shown, application)) {
            self.shown = Some(Arc::clone(application));
            self.revision += 1;
        }
    }

    fn record_ui(
        &mut self,
        ui: &mut Ui,
        application: &Arc<Application>,
        row: Option<&InventoryRow>,
        state: &State,
        actions: &mut Vec<Action>,
    ) {
        ScrollArea::vertical().id_salt("application").auto_shrink(false).show(ui, |ui| {
            let shows_assets = head_ui(ui, application.view(), state, actions);
            self.wanted = shows_assets.or(self.wanted.take());
            let tree = application.tree();
            match tree.get("engagement") {
                Some(engagement) => engagement_ui(ui, engagement, is_open(tree)),
                None => {
                    ui.caption("This service does not report usage of applications.");
                }
            }
            if let Some(row) = row {
                usage::ui(ui, row, &mut self.pictures, state, actions);
                changes::ui(ui, row, state, actions);
            }
            ui.add_space(SPACE_M);
            ui.section_title("Record");
            ui.add_space(SPACE_S);
            let height = (ui.available_height() - SPACE_M).max(260.0);
            let source = JsonSource { of: Arc::clone(application), tree: Application::tree, revision: self.revision };
            json_tree(ui, "Record of the application", &source, &mut self.tree, height);
        });
    }
}

/// Draws name, status and commands; returns the filter of its assets if the user asks for them.
fn head_ui(
    ui: &mut Ui,
    application: View<'_, Application>,
    state: &State,
    actions: &mut Vec<Action>,
) -> Option<Filter> {
    let tree = application.tree();
    let text = |field: &str| tree.get(field).and_then(Value::as_str);
    let name = labels::application(text("descriptor").unwrap_or(application.name()));
    if page_title_ui(ui, &name, "Close the application") {
        actions.push(ApplicationsAction::Close.into());
    }
    let status = format::told(text("status").unwrap_or_else(|| onboarding(application)));
    let mut facts = vec![shown_short(application.version(), 40).into_owned(), labels::plain(application.platform())];
    let privacy = Some(application.privacy()).filter(|privacy| !privacy.is_empty());
    facts.extend(privacy.map(|privacy| format!("Privacy: {}", labels::plain(privacy).to_lowercase())));
    // What is not told is left out; the record below shows what came.
    facts.retain(|fact| !fact.is_empty());
    facts
        .extend(application.capabilities().map(|word| format!("Capabilities: {}", labels::plain(word).to_lowercase())));
    ui.horizontal_wrapped(|ui| {
        let (rect, _) = ui.allocate_exact_size(vec2(ICON, ICON), Sense::hover());
        app_icon::paint(ui, rect, app_icon::path_of_tracked(state, application.id()), &name, state);
        let color = labels::status_color(ui.tokens(), status);
        ui.colored_label(color, shown_short(status, 40));
        ui.muted(&facts.join(" · "));
    });
    ui.horizontal(|ui| {
        let id = application.id();
        ui.code_text(&shown_short(id, 40));
        if ui.icon_button(Icon::COPY, "Copy the UUID").clicked() {
            ui.ctx().copy_text(id.to_owned());
            actions.push(Action::Notify("Copied the UUID".to_owned()));
        }
        if ui.icon_text_button(Icon::GRAPH, "Show graph").clicked() {
            actions.push(GraphAction::Start(vec![Start::application(id, &name)]).into());
        }
    });
    let wanted = assets_ui(ui, application, state);
    ui.add_space(SPACE_S);
    wanted
}

/// The number of rows examined to find out whether the service reports the application of assets.
const SAMPLED_ROWS: usize = 50;

/// Draws the button that shows the assets of an application; returns their filter if it was clicked.
fn assets_ui(ui: &mut Ui, application: View<'_, Application>, state: &State) -> Option<Filter> {
    let mut rows = state.assets.list.iter().take(SAMPLED_ROWS);
    let reason = match state.assets.list.count() {
        0 => Some("There are no assets"),
        _ if rows.all(|row| row.application().is_none()) => {
            Some("The service does not say which application its assets come from")
        }
        _ => None,
    };
    let button = enabled_unless(ui, reason, |ui| ui.icon_text_button(Icon::ASSETS, "Show its assets"));
    let clicked = button.on_hover_text("Shows the assets that come from it").clicked();
    clicked.then(|| {
        let id = application.id();
        let row = ApplicationRow::of(application);
        // Several may share a name, for example on two platforms. Assets do not have the name of a descriptor.
        let same = state.applications.list.iter().filter(|other| other.name == row.name).count();
        let described = row.name != application.name();
        let by_id = same > 1 || described && state.assets.list.iter().any(|row| row.application_id() == Some(id));
        let name = readable_word(&row.name);
        Filter::of(Field::Application, if by_id { id } else { &name })
    })
}

/// Returns whether the application has an open session.
fn is_open(tree: &Value) -> bool {
    tree.get("status").and_then(Value::as_str) == Some(labels::OPEN)
}

fn engagement_ui(ui: &mut Ui, engagement: &Value, open: bool) {
    ui.scope(|ui| figures_ui(ui, engagement, open));
    days_ui(ui, engagement);
    ui.scope(|ui| versions_ui(ui, engagement));
}

fn figures_ui(ui: &mut Ui, engagement: &Value, open: bool) {
    let count = |name: &str| engagement.get(name).and_then(Value::as_i64).unwrap_or_default();
    let message = |name: &str| grouped(count(name).unsigned_abs());
    let (sessions, interactions, keyboard) = (message("sessions"), message("interactions"), message("keyboard"));
    let time = span(count("open_seconds"));
    let metrics = [(&sessions, "sessions"), (&time, "open time"), (&interactions, "interactions"), (&keyboard, "keys")];
    // Two rows if the page is narrow, so that the captions are readable.
    let in_row = if ui.available_width() < 380.0 { 2 } else { 4 };
    for row in metrics.map(|(value, caption)| Stat { value, caption }).chunks(in_row) {
        stats(ui, row);
    }
    ui.add_space(SPACE_M);
    ui.spacing_mut().interact_size.y = 18.0;
    let active = engagement.get("last_active").and_then(Value::as_str);
    let last = if open { "now".to_owned() } else { active.map_or_else(|| "never".to_owned(), format::ago) };
    ui.key_value("Last active", &last).on_hover_text(active.map(format::exact).unwrap_or(last));
    ui.key_value("Installs", &message("installs"));
    ui.key_value("Updates", &message("updates"));
}

fn days_ui(ui: &mut Ui, engagement: &Value) {
    let Some(given) = engagement.get("days").and_then(Value::as_array) else { return };
    let days = every_day(given, jiff::ZonedDateTime::now().date());
    ui.add_space(SPACE_M);
    ui.section_title("Activity, last 30 days");
    ui.add_space(SPACE_S);
    if days.iter().all(|(_, events)| *events == 0) {
        ui.caption("No activity in the last 30 days.");
        return;
    }
    let days: Vec<Day<'_>> = days.iter().map(|(name, events)| Day { name, count: *events }).collect();
    plot_days(ui, "Activity, last 30 days", Unit::EVENTS, &days, 90.0);
}

/// Returns each of the last days up to the later of today and the last given day, including days without events.
fn every_day(given: &[Value], today: Date) -> Vec<(String, u64)> {
    let read = |day: &Value| {
        let date: Date = day.get("day")?.as_str()?.parse().ok()?;
        Some((date, day.get("events").and_then(Value::as_u64).unwrap_or_default()))
    };
    let given: Vec<(Date, u64)> = given.iter().filter_map(read).collect();
    let last = given.iter().map(|(date, _)| *date).fold(today, Date::max);
    let day = |back: i32| {
        let date = last.saturating_sub(jiff::Span::new().days(back));
        let events = given.iter().filter(|(other, _)| *other == date).map(|(_, events)| events).sum();
        (date.to_string(), events)
    };
    (0..DAYS).rev().map(day).collect()
}

fn versions_ui(ui: &mut Ui, engagement: &Value) {
    let versions = engagement.get("versions").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    if versions.is_empty() {
        return;
    }
    ui.add_space(SPACE_M);
    ui.section_title("Versions");
    ui.spacing_mut().interact_size.y = 18.0;
    for version in versions.iter().rev().take(20) {
        let text = |name: &str| version.get(name).and_then(Value::as_str).unwrap_or("?");
        let at = version.get("at").and_then(Value::as_str).unwrap_or_default();
        let (previous, current) = (shown_short(text("previous"), 30), shown_short(text("current"), 30));
        ui.key_value(&format::ago(at), &format!("{previous} → {current}")).on_hover_text(format::exact(at));
    }
}

/// Returns a duration in its largest unit: "40 s", "12 min", "63 h".
fn span(seconds: i64) -> String {
    match seconds.max(0) {
        seconds @ ..120 => format!("{seconds} s"),
        seconds @ 120..7_200 => format!("{} min", seconds / 60),
        seconds => format!("{} h", grouped((seconds / 3_600).unsigned_abs())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_without_events_are_included() {
        let given = [serde_json::json!({ "day": "2026-11-18", "events": 3 })];
        let days = every_day(&given, "2026-11-20".parse().expect("a day"));
        assert_eq!(days.len(), 30);
        assert_eq!(days[27..], [("2026-11-18".into(), 3), ("2026-11-19".into(), 0), ("2026-11-20".into(), 0)]);
    }

    #[test]
    fn a_duration_is_shown_in_its_largest_unit() {
        assert_eq!([-1, 40, 720, 226_800].map(span), ["0 s", "40 s", "12 min", "63 h"]);
    }
}
