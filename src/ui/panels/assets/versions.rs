//! The tab of earlier versions of the open asset: one time line of who changed what, when and in which lines, and of
//! the times that nobody watched.
//!
//! What must hold: what was not recorded, is no longer kept or is damaged is said where it would be; nothing is drawn
//! for it.

use std::borrow::Cow;
use std::collections::HashMap;

use egui::{Align, Layout, Response, Ui, vec2};

use super::frame::AssetFrame;
use crate::ui::disabled_reason::enabled_unless;
use crate::ui::format;
use crate::ui::list::failure::failure_ui;
use crate::ui::theme::{Icon, SPACE_S, SPACE_XS, UiExt as _, control};
use crate::ui::widgets::placeholder::{Failure, empty, failed, skeleton};
use crate::ui::widgets::row_list::{RowList, RowListState};
use crate::ui::widgets::text_field::TextField;
use crate::ui::widgets::{grouped, shown_short};
use lunette_client::model::record::{Record as _, View};
use lunette_client::model::version::{AssetVersion, AssetVersions};
use lunette_inspector::Remote;
use lunette_inspector::action::VersionsAction;
use lunette_inspector::capability::Capability;
use lunette_inspector::journal::Entry;
use lunette_inspector::versions::{Forgotten, PastSearch, SourceError, TextChange, VersionRow, writers};

mod menu;
mod parts;
mod time_line;

use parts::PartsView;
use time_line::TimeLine;

/// Maximum number of characters of a line, of who changed something, and of the title of a step.
const MAX_LINE: usize = 160;
const MAX_WHO: usize = 60;

/// Width of the field for a text to search for, in points.
const SEARCH_WIDTH: f32 = 290.0;

/// Height of the second line of a row, in points.
const SECOND_LINE: f32 = 20.0;

/// What the tab shows besides its rows.
#[derive(Default)]
pub(super) struct VersionsTab {
    rows: RowListState,
    /// The text that is searched for in the past.
    text: String,
    /// The number of the last text that was copied.
    copied: u64,
    parts: PartsView,
}

impl VersionsTab {
    /// Draws the versions, or that they are being loaded or why they could not be; returns whether to load them again.
    pub(super) fn remote_ui(&mut self, ui: &mut Ui, frame: &mut AssetFrame<'_>) -> bool {
        if let Some(choice) = frame.state.compare.choice.as_ref().filter(|choice| choice.asset == *frame.id) {
            self.parts.ui(ui, choice, frame);
            return false;
        }
        self.parts = PartsView::default();
        let none = Remote::NotRequested;
        let list = frame.state.versions.of_asset(frame.id).unwrap_or(&none);
        match (list.value().cloned(), list.error()) {
            (Some(known), error) => {
                let error = error.map(ToString::to_string);
                let again = error.is_some_and(|error| stale_ui(ui, &error));
                self.ui(ui, &known, frame);
                again
            }
            (None, Some(error)) => failed_ui(ui, "The versions could not be loaded", error),
            (None, None) => {
                skeleton(ui, "the versions", 5);
                false
            }
        }
    }

    /// Draws the versions in the available space.
    fn ui(&mut self, ui: &mut Ui, versions: &AssetVersions, frame: &mut AssetFrame<'_>) {
        self.copy_asked(ui, frame);
        let is_local = frame.state.versions.is_local;
        if versions.view().iterable().is_empty() {
            let advice = "This service keeps no versions, so Lunette keeps what it sees. Each change that it sees from now on \
                          is listed here.";
            empty(ui, Icon::HISTORY, "No versions yet", advice, &[]);
            return;
        }
        let told = told(versions, is_local);
        if !told.is_empty() {
            ui.caption(&told.join(" "));
            ui.add_space(SPACE_S);
        }
        ui.horizontal_wrapped(|ui| self.tools_ui(ui, versions, frame));
        ui.add_space(SPACE_S);
        self.rows_ui(ui, versions, frame);
    }

    /// Draws a row for each version and each gap.
    fn rows_ui(&mut self, ui: &mut Ui, versions: &AssetVersions, frame: &mut AssetFrame<'_>) {
        let is_local = frame.state.versions.is_local;
        let rows = VersionRow::all(versions);
        let line = TimeLine::of(versions, &rows);
        let search = search_of(frame);
        let state = frame.state;
        let entries = || state.history.entries.iter().map(|entry| &**entry);
        let unread = state.versions.runs.unread(frame.id, &rows, is_local, entries());
        if !unread.is_empty() {
            frame.push(VersionsAction::LoadRuns(frame.id.clone(), unread));
        }
        let steps = writers(&rows, frame.id, is_local, entries(), &state.versions.runs);
        let name = |item: usize| line.name(item, &|row| row_name(row, &who(row, &steps, is_local), search));
        let rect = ui.available_rect_before_wrap();
        let list = RowList { name: "Versions", rect, rows: line.len(), row_name: &name, drags: false };
        let mut more = None;
        let mut drawn = list.show(ui, &mut self.rows, |ui, item| match line.version(item) {
            Some(index) => {
                if let (Some(row), Some(version)) = (rows.get(index), versions.view().iterable().iter().nth(index)) {
                    let who = who(row, &steps, is_local);
                    more = row_ui(ui, row, version, &who, frame).map(|button| (item, button)).or(more.take());
                }
            }
            None => gap_ui(ui, line.gap(item)),
        });
        if let Some((item, button)) = more {
            drawn.open_menu(item, &button, &mut self.rows);
        }
        let Some(row) = line.version(drawn.row).and_then(|index| rows.get(index)) else { return };
        let earlier = line.version(drawn.row).and_then(|index| rows.get(index + 1));
        drawn.menu(&format!("Menu of version {}", row.number), |ui| menu::ui(ui, row, earlier, frame));
        if drawn.opened || drawn.response.double_clicked() {
            menu::open(row, frame);
        }
    }

    /// Copies the text that was asked for.
    fn copy_asked(&mut self, ui: &Ui, frame: &AssetFrame<'_>) {
        if let Some(copied) = frame.state.versions.copied.as_ref().filter(|copied| copied.number != self.copied) {
            self.copied = copied.number;
            ui.ctx().copy_text(copied.text.to_string());
        }
    }

    /// Draws the search, and the button that forgets the past.
    fn tools_ui(&mut self, ui: &mut Ui, versions: &AssetVersions, frame: &mut AssetFrame<'_>) {
        let field = TextField::search("When was a text added or removed?").width(SEARCH_WIDTH).show(ui, &mut self.text);
        if field.submitted || field.cleared {
            frame.push(VersionsAction::Search(frame.id.clone(), self.text.clone()));
        }
        let is_local = frame.state.versions.is_local;
        let why_not = if is_local { None } else { frame.disabled_reason(Capability::ForgetVersions) };
        let has_past = is_local || versions.view().iterable().len() > 1;
        if has_past && enabled_unless(ui, why_not.as_deref(), |ui| ui.button("Forget the past…")).clicked() {
            frame.push(VersionsAction::Forget(Forgotten { asset: frame.id.clone(), version: None }));
        }
        if let Some(search) = search_of(frame) {
            ui.muted_line(&search_text(search));
        }
    }
}

/// Draws why the versions could not be loaded; returns whether to retry.
fn failed_ui(ui: &mut Ui, title: &str, error: &SourceError) -> bool {
    match error {
        SourceError::Call(error) => failure_ui(ui, title, error),
        SourceError::Local(_) | SourceError::NoContent | SourceError::Gone => {
            let (reason, advice) =
                (error.to_string(), "Versions of this service are in Lunette's own database. Try again.");
            failed(ui, &Failure { title, method: "", address: "", phase: "", reason: &reason, advice })
        }
    }
}

/// Draws on one line above older versions why they could not be read again; returns whether to retry.
fn stale_ui(ui: &mut Ui, error: &str) -> bool {
    ui.horizontal_wrapped(|ui| {
        ui.warning_text(&format!("The versions could not be refreshed: {error}"));
        ui.line_button("Try again").clicked()
    })
    .inner
}

/// The search for a text in the versions of this asset.
fn search_of<'s>(frame: &AssetFrame<'s>) -> Option<&'s PastSearch> {
    frame.state.versions.search.as_ref().filter(|search| search.asset == *frame.id)
}

/// What a search for a text found.
fn search_text(search: &PastSearch) -> String {
    let text = shown_short(&search.text, 40).into_owned();
    let Some(found) = search.found.value() else {
        return match search.found.error() {
            Some(error) => format!("“{text}” could not be searched for: {error}"),
            None => format!("Searching for “{text}”…"),
        };
    };
    let with = found.iter().filter(|(_, has)| *has == Some(true)).count();
    let unread = found.iter().filter(|(_, has)| has.is_none()).count();
    let unread = if unread > 0 { format!(", {unread} cannot be searched") } else { String::new() };
    match with {
        0 => format!("“{text}” is in no version{unread}"),
        1 => format!("“{text}” is in 1 version{unread}"),
        with => format!("“{text}” is in {with} versions{unread}"),
    }
}

/// What is said above the rows: what they do not have, and how much is kept.
fn told(versions: &AssetVersions, is_local: bool) -> Vec<String> {
    let view = versions.view();
    let first = match (view.ended(), is_local) {
        (Some(ended), _) => Some(format!("Versions up to {ended} are no longer kept.")),
        (None, true) if !view.from_creation() => {
            Some("What the asset was before Lunette first saw it is not known.".to_owned())
        }
        (None, _) if !view.from_creation() => {
            Some("What the asset was before the first of these versions is not recorded.".to_owned())
        }
        (None, _) => None,
    };
    let kept = |of: &str| view.kept()[of].as_u64();
    let bounds = kept("days").zip(kept("versions"));
    let who = if is_local { "Lunette keeps what it sees of this service for" } else { "Versions are kept for" };
    let bounds = bounds
        .map(|(days, versions)| format!("{who} {} days, at most {} of each asset.", grouped(days), grouped(versions)));
    first.into_iter().chain(bounds).collect()
}

/// What a row is called: its number, when and by whom it was written, and what changed.
fn row_name(row: &VersionRow, who: &str, search: Option<&PastSearch>) -> String {
    let at = if row.at.is_empty() { "time not recorded".to_owned() } else { format::ago(&row.at) };
    let found = text_change(row, search).unwrap_or_default().to_owned();
    let said =
        [at, who.to_owned(), found, row.changed.clone(), row.lines.clone(), row.first_line.clone(), row.note.clone()];
    let said: Vec<_> = said.iter().filter(|said| !said.is_empty()).map(|said| shown_short(said, MAX_LINE)).collect();
    format!("Version {}, {}", row.number, said.join(", "))
}

/// Who made a version, with the step of the history that wrote it.
fn who(row: &VersionRow, steps: &HashMap<i64, &Entry>, is_local: bool) -> String {
    let step = steps.get(&row.number).map(|step| shown_short(&step.title, MAX_LINE));
    match (row.who.as_str(), step, is_local) {
        ("", None, true) => "author not known".to_owned(),
        ("", None, false) => String::new(),
        ("", Some(step), _) => format!("by Lunette: {step}"),
        (who, Some(step), _) if who.starts_with("lunette/") => format!("by Lunette: {step}"),
        (who, Some(step), _) => format!("by {}: {step}", shown_short(who, MAX_WHO)),
        (who, None, _) => format!("by {}", shown_short(who, MAX_WHO)),
    }
}

/// What a version is to the text that was searched for.
fn text_change(row: &VersionRow, search: Option<&PastSearch>) -> Option<&'static str> {
    Some(match search?.change_at(u32::try_from(row.number).ok()?)? {
        TextChange::Came => "Text added",
        TextChange::Gone => "Text removed",
    })
}

fn gap_ui(ui: &mut Ui, gap: &str) {
    let (what, when) = gap.split_once('\n').unwrap_or((gap, ""));
    begin_row(ui);
    line_ui(ui, |ui| {
        ui.decoration(Icon::UNKNOWN.text());
        ui.muted(what);
    });
    second_line_ui(ui, |ui| drop(ui.caption(when)));
    end_row(ui);
}

/// Draws a version on two lines, as high as any other row; returns the button of its menu if that was clicked. What
/// does not fit is cut off at the end of a line, so that what must not be missed comes first.
fn row_ui(
    ui: &mut Ui,
    row: &VersionRow,
    version: View<'_, AssetVersion>,
    who: &str,
    frame: &AssetFrame<'_>,
) -> Option<Response> {
    begin_row(ui);
    let more = first_line_ui(ui, &format!("More for version {}", row.number), |ui| {
        ui.strong(format!("Version {}", row.number));
        if version.current() {
            ui.badge(if frame.state.versions.is_local { "Last seen" } else { "Now" });
        }
        badges_ui(ui, version, frame.state.versions.is_local);
        if let Some(change) = text_change(row, search_of(frame)) {
            ui.badge(change);
        }
        if !row.lines.is_empty() {
            ui.code_text(&row.lines);
        }
        match row.at.as_str() {
            "" => drop(ui.muted("time not recorded")),
            at => drop(ui.muted(&format::ago(at)).on_hover_text(format::exact(at))),
        }
        if !who.is_empty() {
            ui.muted(who);
        }
    });
    second_line_ui(ui, |ui| {
        let what = match version.missing() {
            Some(why) => Cow::Owned(format!("Missing: {}", shown_short(why, MAX_LINE))),
            None => shown_short(&row.changed, MAX_LINE),
        };
        if !what.is_empty() {
            ui.caption(&what);
        }
        if !row.unknown.is_empty() {
            ui.caption(&format::sentence(row.unknown));
        }
        if !row.first_line.is_empty() {
            ui.code_text(&shown_short(&row.first_line, MAX_LINE));
        }
    });
    end_row(ui);
    more
}

/// Draws the first line of a row, and at its end the button of the menu; returns that if it was clicked.
fn first_line_ui(ui: &mut Ui, menu: &str, draw: impl FnOnce(&mut Ui)) -> Option<Response> {
    let mut more = None;
    line_ui(ui, |ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let button = ui.icon_button(Icon::MORE, menu);
            more = button.clicked().then_some(button);
            ui.with_layout(Layout::left_to_right(Align::Center), draw);
        });
    });
    more
}

fn begin_row(ui: &mut Ui) {
    ui.style_mut().interaction.selectable_labels = false;
    ui.style_mut().wrap_mode = Some(egui::TextWrapMode::Truncate);
    ui.spacing_mut().item_spacing.y = 0.0;
    ui.add_space(SPACE_XS);
}

/// Draws the first line of a row, which has the height of a button.
fn line_ui(ui: &mut Ui, draw: impl FnOnce(&mut Ui)) {
    line_of_height_ui(ui, control(ui), draw);
}

fn second_line_ui(ui: &mut Ui, draw: impl FnOnce(&mut Ui)) {
    line_of_height_ui(ui, SECOND_LINE, draw);
}

/// Draws a line of a row, which has this height even if nothing is drawn in it.
fn line_of_height_ui(ui: &mut Ui, height: f32, draw: impl FnOnce(&mut Ui)) {
    let size = vec2(ui.available_width(), height);
    ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
        ui.set_min_height(size.y);
        draw(ui);
    });
}

fn end_row(ui: &mut Ui) {
    ui.add_space(SPACE_S);
    ui.line();
}

/// Draws that a version may hold a secret, and that the asset was deleted.
fn badges_ui(ui: &mut Ui, version: View<'_, AssetVersion>, is_local: bool) {
    if let Some(secret) = version.secret() {
        ui.badge("May hold a secret").on_hover_text(shown_short(secret, MAX_LINE));
    }
    if let Some(deleted) = version.deleted() {
        ui.badge(match (deleted, is_local) {
            ("purged", true) => "Deleted",
            ("purged", false) => "Deleted for good",
            _ => "In the Trash",
        });
    }
}

/// A text of a row, owned by it.
fn owned(text: String) -> Cow<'static, str> {
    text.into()
}
