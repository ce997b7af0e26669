//! The content of an asset: highlighted code, rendered Markdown and HTML, a picture; otherwise what is known about it,
//! and Save.
//!
//! What must hold: drawing never waits. Highlighting, decoding, wrapping and searching run on another thread. Of a
//! large text the beginning is shown, and the rest on request. While content is reloaded, the old content stays.

use egui::{Layout, Ui};

use crate::ui::command::Command;
use crate::ui::disabled_reason::enabled_unless;
use crate::ui::format;
use crate::ui::list::failure::{failure_ui, stale_ui};
use crate::ui::theme::{self, Icon, SPACE_S, SPACE_XS, UiExt as _, control};
use crate::ui::widgets::background::Background;
use crate::ui::widgets::code::{self, CodeState, CodeView, Wrapped, code_view};
use crate::ui::widgets::highlight::Highlighted;
use crate::ui::widgets::markdown::{MarkdownState, markdown};
use crate::ui::widgets::picture::{PictureError, PictureState, picture_tools, picture_view};
use crate::ui::widgets::placeholder::skeleton_text;
use crate::ui::widgets::{Choice, choose, grouped, shown_short};
use lunette_client::model::asset::Asset;
use lunette_client::model::id::AssetId;
use lunette_client::model::record::View;
use lunette_inspector::Remote;
use lunette_inspector::action::{AssetsAction, ExportAction, SettingsAction};
use lunette_inspector::assets::content as contents;
use lunette_inspector::assets::page::{AssetPage, Content};
use lunette_syntax::Budget;

use super::frame::AssetFrame;
use super::text_editor::{self, TextPlace};

mod content;
mod find_bar;

use content::{Key, Prepared, Rendered, named, specific};
use find_bar::FindBar;

/// Minimum height of the content, in points.
const MIN_CONTENT_HEIGHT: f32 = 96.0;

/// The work on the current content, and its view state.
#[derive(Default)]
pub struct Preview {
    prepared: Background<Key, Prepared>,
    wrapped: Background<(SameText, usize), Wrapped>,
    find: FindBar,
    code: CodeState,
    markdown: MarkdownState,
    picture: PictureState,
    /// Whether Markdown is shown as source, and HTML rendered.
    source: bool,
    html_rendered: bool,
    shown: Option<AssetId>,
    /// Whether editing the text was requested, and where.
    editing: Option<Option<TextPlace>>,
    /// Whether the text gets the focus as soon as it is drawn: editing it has ended.
    takes_focus: bool,
    /// Height of the content when it was drawn last; the placeholder has the same height.
    height: f32,
}

/// A text compared by identity rather than by content.
#[derive(Clone)]
struct SameText(Highlighted);

impl PartialEq for SameText {
    fn eq(&self, other: &Self) -> bool {
        self.0.is(&other.0)
    }
}

impl Preview {
    /// Opens the find bar.
    pub fn find(&mut self) {
        (self.source, self.html_rendered) = (true, false);
        self.find.open();
    }

    /// Returns whether editing the text was requested, once, and where.
    pub fn take_edit(&mut self) -> Option<Option<TextPlace>> {
        self.editing.take()
    }

    /// Shows the text where editing it has ended, with the focus.
    pub fn return_to(&mut self, place: TextPlace) {
        self.takes_focus = true;
        self.code.show_from(place.top);
    }

    /// Draws the content and its controls, at most `height` points high.
    pub fn ui(&mut self, ui: &mut Ui, asset: View<'_, Asset>, height: f32, frame: &mut AssetFrame<'_>) {
        if self.shown.as_ref() != Some(frame.id) {
            self.shown = Some(frame.id.clone());
            self.prepared.cancel();
            self.find.close();
            (self.code, self.picture, self.takes_focus) = Default::default();
        }
        let top = ui.cursor().top();
        let text = self.prepare(ui, frame.id, asset, frame.page);
        self.bar_ui(ui, text.as_ref(), frame);
        if error_ui(ui, &frame.page.content) {
            frame.push(AssetsAction::LoadContent(frame.id.clone()));
        }
        let left = (height - (ui.cursor().top() - top)).max(MIN_CONTENT_HEIGHT);
        match (frame.page.content.value(), &frame.page.content) {
            (Some(Content::Large(size)), content) => large_ui(ui, *size, content.loading(), frame),
            (Some(Content::None), _) => drop(ui.muted(match contents::original(asset) {
                Some(_) => "This asset has no content.",
                None => "The service does not tell the content of this asset.",
            })),
            (Some(Content::Text(_) | Content::Part(..) | Content::Bytes(_)), _) => {
                self.content_ui(ui, asset, text.as_ref(), left, frame);
            }
            (None, Remote::Failed { .. }) => {}
            (None, Remote::NotRequested) if !frame.state.preferences.settings.transferables => {
                ui.muted("Content is not loaded with assets.");
                if ui.button("Load content").clicked() {
                    frame.push(AssetsAction::LoadContent(frame.id.clone()));
                }
            }
            (None, _) => self.loading_ui(ui, left),
        }
    }

    /// Starts preparing the current content; returns its text as far as it is ready. While new content of the asset is
    /// being prepared, the old text is returned.
    fn prepare(&mut self, ui: &Ui, id: &AssetId, asset: View<'_, Asset>, page: &AssetPage) -> Option<Highlighted> {
        let content = page.content.value()?;
        if !matches!(content, Content::Text(_) | Content::Part(..) | Content::Bytes(_)) {
            return None;
        }
        let key = Key { id: id.clone(), content: content.clone(), specific: specific(asset).to_owned() };
        let given = key.clone();
        let work = move |cancel| Prepared::of(&given, &mut Budget::new(cancel));
        self.prepared.get_cancellable(ui.ctx(), &key, work);
        self.prepared.last(|key| key.id == *id)?.text().cloned()
    }

    /// Draws the line above the content: how it is shown, and the actions on its text.
    fn bar_ui(&mut self, ui: &mut Ui, text: Option<&Highlighted>, frame: &mut AssetFrame<'_>) {
        let rendered = text.and_then(|_| self.rendered());
        let size = egui::vec2(ui.available_width(), control(ui));
        let row = Layout::left_to_right(egui::Align::Center);
        ui.allocate_ui_with_layout(size, row, |ui| {
            ui.spacing_mut().item_spacing.x = SPACE_XS;
            if let Some(text) = text.filter(|_| self.find.is_open()) {
                self.find.ui(ui, text, &mut self.code);
                return;
            }
            if let Some(Prepared::Bytes(Ok(decoded))) = self.prepared.last(|key| key.id == *frame.id) {
                picture_tools(ui, decoded, &mut self.picture);
            }
            if let Some(rendered) = rendered {
                self.view_ui(ui, rendered);
                ui.add_space(SPACE_S);
            }
            if let Some(text) = text.filter(|_| self.shows_source()) {
                let lines = text.line_count();
                let part = if matches!(frame.page.content.value(), Some(Content::Part(..))) { " shown" } else { "" };
                let lines = format!("{} {}{part}", grouped(lines as u64), if lines == 1 { "line" } else { "lines" });
                let note = text.note();
                let label = ui.caption(&lines);
                if let Some(note) = note {
                    label.on_hover_text(note);
                }
            }
            ui.with_layout(Layout::right_to_left(egui::Align::Center), |ui| {
                self.tools_ui(ui, text, frame);
            });
        });
    }

    /// Lets the user choose how a text is shown.
    fn view_ui(&mut self, ui: &mut Ui, rendered: Rendered) {
        let choice = |value, name| Choice { value, name, icon: None };
        let views = [choice(false, "Rendered"), choice(true, "Source")];
        let Some(source) = choose(ui, "View", self.shows_source(), &views) else { return };
        match rendered {
            Rendered::Markdown => self.source = source,
            Rendered::Html => self.html_rendered = !source,
        }
    }

    /// Returns what the text is, if it can be rendered.
    fn rendered(&self) -> Option<Rendered> {
        match self.prepared.last(|_| true)? {
            Prepared::Rendered(_, _, rendered) => Some(*rendered),
            Prepared::Text(_) | Prepared::Bytes(_) => None,
        }
    }

    /// Returns whether a text is shown as source.
    fn shows_source(&self) -> bool {
        match self.rendered() {
            Some(Rendered::Markdown) => self.source,
            Some(Rendered::Html) => !self.html_rendered,
            None => true,
        }
    }

    /// Draws the buttons at the end of the line, from the right.
    fn tools_ui(&mut self, ui: &mut Ui, text: Option<&Highlighted>, frame: &mut AssetFrame<'_>) {
        // As unobtrusive as the other icons on this line.
        ui.visuals_mut().widgets.inactive.weak_bg_fill = egui::Color32::TRANSPARENT;
        ui.visuals_mut().widgets.inactive.bg_stroke = egui::Stroke::NONE;
        ui.icon_menu(Icon::MORE, "Preview options", |ui| {
            let mut on = frame.state.preferences.settings.transferables;
            let meaning = "Loads the content of an asset when it is opened (“transferables” in the interface)";
            if theme::checkbox(ui, &mut on, "Load content").on_hover_text(meaning).changed() {
                frame.push(SettingsAction::Transferables(on));
            }
        });
        let Some(text) = text else { return };
        let edit_disabled_reason = text_editor::edit_disabled_reason(frame.page, frame.state);
        let edit = |ui: &mut Ui| ui.icon_button_with(Icon::EDIT, "Edit the text…", "Edit the text (F4)");
        let edit = enabled_unless(ui, edit_disabled_reason.as_deref(), edit);
        if edit.clicked() {
            self.editing = Some(None);
        }
        if !self.shows_source() && std::mem::take(&mut self.takes_focus) {
            edit.request_focus();
        }
        if ui.icon_button(Icon::COPY, "Copy the text shown").clicked() {
            ui.ctx().copy_text(text.text().to_owned());
            frame.notify("Copied the text");
        }
        if self.shows_source() {
            let on = frame.state.preferences.settings.wrap_text;
            if ui.toggle_icon_button(Icon::WRAP, "Wrap long lines", on).clicked() {
                frame.push(SettingsAction::WrapText(!on));
            }
        }
        let tip = Command::Find.with_keys("Find in the text", frame.state);
        if ui.icon_button_with(Icon::SEARCH, "Find in the text", &tip).clicked() {
            self.find();
        }
    }

    fn content_ui(
        &mut self,
        ui: &mut Ui,
        asset: View<'_, Asset>,
        text: Option<&Highlighted>,
        height: f32,
        frame: &mut AssetFrame<'_>,
    ) {
        let name = shown_short(asset.name().unwrap_or_default(), 120).into_owned();
        let top = ui.cursor().top();
        let source = self.shows_source();
        let Self { prepared, markdown: rendered, picture: seen, .. } = self;
        match prepared.last(|key| key.id == *frame.id) {
            None => return self.loading_ui(ui, height),
            Some(Prepared::Rendered(_, text, _)) if !source => {
                markdown(ui, &format!("Content of {name}"), text, rendered, height);
            }
            Some(Prepared::Text(_) | Prepared::Rendered(..)) => {
                let Some(text) = text else { return };
                let part = shown_part(frame.page);
                let foot = if part.is_some() { control(ui) + SPACE_S } else { 0.0 };
                self.text_ui(ui, &name, text, frame, height - foot);
                if let Some((shown, size)) = part {
                    truncation_ui(ui, (shown, size), frame.page.content.loading(), frame);
                }
            }
            Some(Prepared::Bytes(Ok(decoded))) => {
                picture_view(ui, &format!("Picture {name}"), decoded, seen, height);
            }
            Some(Prepared::Bytes(Err(problem))) => {
                bytes_ui(ui, asset, problem, frame);
            }
        }
        self.height = ui.cursor().top() - top;
    }

    /// Draws a text, wrapped if that is on, with the matches in it; a click into it, or Enter, begins editing there.
    fn text_ui(&mut self, ui: &mut Ui, name: &str, text: &Highlighted, frame: &AssetFrame<'_>, height: f32) {
        let found = self.find.found(text);
        // A match too far to the right to be drawn is visible in the wrapped rows.
        let beyond =
            found.and_then(|(found, at)| found.get(at)).is_some_and(|range| text.is_past_shown_columns(range.start));
        let wraps = frame.state.preferences.settings.wrap_text || beyond;
        let wrapped = if wraps {
            let columns = code::columns(ui, text, ui.available_width());
            let key = (SameText(text.clone()), columns);
            let given = text.clone();
            let work = move || Wrapped::new(&given, columns);
            self.wrapped.get(ui.ctx(), &key, work).and_then(Result::ok)
        } else {
            None
        };
        let rows = wrapped.map_or_else(|| text.line_count(), Wrapped::rows);
        let height = height.min(code::full_height(rows)).max(MIN_CONTENT_HEIGHT);
        let edits = text_editor::edit_disabled_reason(frame.page, frame.state).is_none();
        let pending = wraps && wrapped.is_none();
        let view = CodeView { wrapped, found, pending, edits, takes_focus: self.takes_focus, copy: false };
        let byte = code_view(ui, &format!("Content of {name}"), text, &mut self.code, height, view);
        self.takes_focus = false;
        if let Some(byte) = byte {
            let line = text.line_at(byte);
            let start = text.line_start(line);
            self.editing = Some(Some(TextPlace { line, byte: byte - start, top: self.code.top_line(text, wrapped) }));
        }
    }

    /// Draws a placeholder as high as the previous content while it loads.
    fn loading_ui(&self, ui: &mut Ui, height: f32) {
        let size =
            egui::vec2(ui.available_width(), self.height.clamp(MIN_CONTENT_HEIGHT, height.max(MIN_CONTENT_HEIGHT)));
        ui.allocate_ui(size, |ui| {
            ui.set_min_size(size);
            skeleton_text(ui, "the content", 4);
        });
    }
}

/// Returns how much of a truncated text is shown, and its full size.
fn shown_part(page: &AssetPage) -> Option<(usize, i64)> {
    match page.content.value() {
        Some(Content::Part(text, size)) => Some((text.len(), *size)),
        _ => None,
    }
}

/// Says how much of a text is shown, and offers the rest.
fn truncation_ui(ui: &mut Ui, (shown, size): (usize, i64), loading: bool, frame: &mut AssetFrame<'_>) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = SPACE_S;
        let part = format::size(i64::try_from(shown).unwrap_or(i64::MAX));
        ui.caption(&format!("Showing the first {part} of {}", format::size(size)));
        if loading {
            ui.caption("Loading…");
            return;
        }
        if ui.line_button("Show more").clicked() {
            frame.push(AssetsAction::LoadMore(frame.id.clone()));
        }
        if ui.line_button("Show all").clicked() {
            frame.push(AssetsAction::LoadContent(frame.id.clone()));
        }
    });
}

/// Draws why the content could not be loaded; returns whether to retry.
fn error_ui(ui: &mut Ui, content: &Remote<Content>) -> bool {
    match (content.error(), content.value()) {
        (None, _) => false,
        (Some(error), Some(_)) => stale_ui(ui, "The content", error),
        (Some(error), None) => failure_ui(ui, "The content could not be loaded", error),
    }
}

fn large_ui(ui: &mut Ui, size: i64, loading: bool, frame: &mut AssetFrame<'_>) {
    let size = format::size(size);
    ui.muted(&format!("This asset has {size} of content. It is loaded only when you ask for it."));
    if enabled_unless(ui, loading.then_some("It is loading"), |ui| ui.button(format!("Load {size}"))).clicked() {
        frame.push(AssetsAction::LoadContent(frame.id.clone()));
    }
}

/// Draws what is known of content that is neither text nor a picture, and why a picture cannot be shown.
fn bytes_ui(ui: &mut Ui, asset: View<'_, Asset>, problem: &PictureError, frame: &mut AssetFrame<'_>) {
    let generic = contents::original(asset).map(|format| format.classification().generic());
    if generic == Some("IMAGE") || *problem != PictureError::Format {
        ui.warning_text(&problem.to_string());
    }
    if let Some(format) = contents::original(asset) {
        ui.key_value("Kind", named(format.classification().specific()));
        let bytes = format.bytes().value();
        ui.key_value("Size", &format::size(bytes)).on_hover_text(format::exact_size(bytes));
    }
    ui.muted("This is a binary file. Save it to open it in another program.");
    if ui.icon_text_button(Icon::SAVE, "Save…").clicked() {
        frame.push(ExportAction::SaveContent(frame.id.clone()));
    }
}
