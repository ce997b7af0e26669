//! The content of an asset as what it is: highlighted code, rendered Markdown and HTML, a table, a tree, a drawing, a
//! picture; otherwise what is known about it, and its bytes.
//!
//! What must hold: drawing never waits. Highlighting, decoding, wrapping and searching run on another thread. Of a
//! large text the beginning is shown, and the rest on request. While content is reloaded, the old content stays.

use std::collections::BTreeSet;

use egui::{OutputCommand, Ui};

use crate::ui::disabled_reason::enabled_unless;
use crate::ui::format;
use crate::ui::list::failure::{failure_ui, stale_ui};
use crate::ui::theme::{SPACE_S, UiExt as _, control};
use crate::ui::widgets::background::Background;
use crate::ui::widgets::code::{self, CodeState, CodeView, Wrapped, code_view};
use crate::ui::widgets::delimited_table::{DelimitedState, delimited_table};
use crate::ui::widgets::hex::{HexState, hex};
use crate::ui::widgets::highlight::Highlighted;
use crate::ui::widgets::json_tree::{JsonSource, JsonTreeState, json_tree};
use crate::ui::widgets::markdown::{MarkdownState, PictureShown, illustrated};
use crate::ui::widgets::picture::{PictureState, picture_view};
use crate::ui::widgets::placeholder::skeleton_text;
use crate::ui::widgets::revision::Revision;
use crate::ui::widgets::shown_short;
use lunette_client::model::asset::Asset;
use lunette_client::model::id::AssetId;
use lunette_client::model::record::View;
use lunette_inspector::Remote;
use lunette_inspector::action::AssetsAction;
use lunette_inspector::assets::content as contents;
use lunette_inspector::assets::page::{AssetPage, Content};
use serde_json::Value;

use super::frame::AssetFrame;
use super::text_editor::{self, TextPlace};

mod bar;
mod bytes;
mod content;
mod find_bar;
mod illustrations;

use bytes::bytes_ui;
use content::{Form, Format, Key, Prepared, TextForm, specific};
use find_bar::FindBar;
use illustrations::Illustrations;

/// Minimum height of the content, in points.
const MIN_CONTENT_HEIGHT: f32 = 96.0;

/// The work on the current content, and its view state.
pub struct Preview {
    prepared: Background<Key, Prepared>,
    wrapped: Background<(SameText, usize), Wrapped>,
    find: FindBar,
    illustrations: Illustrations,
    /// The forms that are shown as text, for this asset and the next ones.
    as_text: BTreeSet<TextForm>,
    views: Views,
    shown: Option<AssetId>,
    /// Whether editing the text was requested, and where.
    editing: Option<Option<TextPlace>>,
    /// Whether the text gets the focus as soon as it is drawn: editing it has ended.
    takes_focus: bool,
    /// Height of the content when it was drawn last; the placeholder has the same height.
    height: f32,
}

/// The state of each way to show a content; all but that of Markdown belong to one asset.
#[derive(Default)]
struct Views {
    code: CodeState,
    markdown: MarkdownState,
    picture: PictureState,
    table: DelimitedState,
    tree: JsonTreeState,
    tree_revision: Revision<Value>,
    hex: HexState,
}

impl Default for Preview {
    fn default() -> Self {
        Self {
            prepared: Background::default(),
            wrapped: Background::default(),
            find: FindBar::default(),
            illustrations: Illustrations::default(),
            as_text: BTreeSet::from([TextForm::Html]),
            views: Views::default(),
            shown: None,
            editing: None,
            takes_focus: false,
            height: 0.0,
        }
    }
}

/// A text compared by identity rather than by content.
#[derive(Clone)]
struct SameText(Highlighted);

impl PartialEq for SameText {
    fn eq(&self, other: &Self) -> bool {
        self.0.is(&other.0)
    }
}

/// Returns how often something was copied in this frame.
fn copies(ui: &Ui) -> usize {
    let copies = |command: &&OutputCommand| matches!(command, OutputCommand::CopyText(_) | OutputCommand::CopyImage(_));
    ui.output(|output| output.commands.iter().filter(copies).count())
}

impl Preview {
    /// Opens the find bar.
    pub fn find(&mut self) {
        self.as_text.extend(self.text_form());
        self.find.open();
    }

    /// Returns whether editing the text was requested, once, and where.
    pub fn take_edit(&mut self) -> Option<Option<TextPlace>> {
        self.editing.take()
    }

    /// Shows the text where editing it has ended, with the focus.
    pub fn return_to(&mut self, place: TextPlace) {
        self.takes_focus = true;
        self.views.code.show_from(place.top);
    }

    /// Draws the content and its controls, at most `height` points high.
    pub fn ui(&mut self, ui: &mut Ui, asset: View<'_, Asset>, height: f32, frame: &mut AssetFrame<'_>) {
        let before = copies(ui);
        self.parts_ui(ui, asset, height, frame);
        if copies(ui) > before {
            frame.push(AssetsAction::CountUse(frame.id.clone()));
        }
    }

    fn parts_ui(&mut self, ui: &mut Ui, asset: View<'_, Asset>, height: f32, frame: &mut AssetFrame<'_>) {
        if self.shown.as_ref() != Some(frame.id) {
            self.shown = Some(frame.id.clone());
            self.prepared.cancel();
            self.find.close();
            self.views = Views { markdown: std::mem::take(&mut self.views.markdown), ..Views::default() };
            self.takes_focus = false;
        }
        let top = ui.cursor().top();
        let text = self.prepare(ui, frame.id, asset, frame.page);
        self.bar_ui(ui, text.as_ref(), frame);
        if error_ui(ui, &frame.page.content) {
            frame.push(AssetsAction::LoadContent(frame.id.clone()));
        }
        let left = (height - (ui.cursor().top() - top)).max(MIN_CONTENT_HEIGHT);
        match (frame.page.content.value(), &frame.page.content) {
            (Some(Content::Large(size)), content) => {
                let top = ui.cursor().top();
                large_ui(ui, *size, content.loading(), frame);
                head_ui(ui, frame.page, &mut self.views.hex, left - (ui.cursor().top() - top));
            }
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
        let specific = specific(asset).to_owned();
        let format = Format::of(&specific, asset.name().unwrap_or_default());
        let key = Key { id: id.clone(), content: content.clone(), specific, format };
        let given = key.clone();
        self.prepared.get_cancellable(ui.ctx(), &key, move |cancel| Prepared::of(&given, &cancel));
        self.prepared.last(|key| key.id == *id)?.text.clone()
    }

    /// Returns what form a text has, if it has one.
    fn text_form(&self) -> Option<TextForm> {
        self.prepared.last(|_| true)?.form.as_ref()?.of_text()
    }

    /// Returns whether a text is shown as text.
    fn shows_source(&self) -> bool {
        self.text_form().is_none_or(|form| self.as_text.contains(&form))
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
        let Some(Prepared { form, note, .. }) = self.prepared.last(|key| key.id == *frame.id) else {
            return self.loading_ui(ui, height);
        };
        if let Some(note) = note {
            ui.caption(note);
        }
        let part = shown_part(frame.page);
        let foot = if part.is_some() { control(ui) + SPACE_S } else { 0.0 };
        let left = (height - foot - (ui.cursor().top() - top)).max(MIN_CONTENT_HEIGHT);
        let as_text = form.as_ref().and_then(Form::of_text).is_none_or(|form| self.as_text.contains(&form));
        match form {
            Some(Form::Bytes(bytes)) => bytes_ui(ui, asset, &name, bytes, &mut self.views.hex, left),
            Some(Form::Picture(picture)) => {
                picture_view(ui, &format!("Picture {name}"), picture, &mut self.views.picture, left);
            }
            Some(form) if !as_text => {
                self.illustrations.ask(ui, form, frame);
                let picture = |file: &str| self.illustrations.picture(file, frame.state);
                self.views.form_ui(ui, &name, form, left, &picture);
            }
            Some(_) | None => {
                let Some(text) = text else { return };
                self.text_ui(ui, &name, text, frame, left);
            }
        }
        if let Some((shown, size)) = part {
            truncation_ui(ui, (shown, size), frame.page.content.loading(), frame);
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
        let byte = code_view(ui, &format!("Content of {name}"), text, &mut self.views.code, height, view);
        self.takes_focus = false;
        if let Some(byte) = byte {
            let line = text.line_at(byte);
            let start = text.line_start(line);
            self.editing =
                Some(Some(TextPlace { line, byte: byte - start, top: self.views.code.top_line(text, wrapped) }));
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

impl Views {
    /// Draws a text as what it is.
    fn form_ui<'a>(
        &mut self,
        ui: &mut Ui,
        name: &str,
        form: &Form,
        height: f32,
        picture: &dyn Fn(&str) -> PictureShown<'a>,
    ) {
        let label = format!("Content of {name}");
        match form {
            Form::Markdown(text) | Form::Html(text) => {
                illustrated(ui, &label, text, &mut self.markdown, height, picture);
            }
            Form::Drawing(picture) => {
                picture_view(ui, &format!("Picture {name}"), picture, &mut self.picture, height);
            }
            Form::Table(table) => delimited_table(ui, &label, table, &mut self.table, height),
            Form::Tree(tree) => {
                let revision = self.tree_revision.of(tree);
                let source = JsonSource { of: tree.clone(), tree: |tree: &Value| tree, revision };
                json_tree(ui, &label, &source, &mut self.tree, height);
            }
            Form::Picture(_) | Form::Bytes(_) => {}
        }
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

/// Draws the first bytes of a file that is too large to be loaded unasked.
fn head_ui(ui: &mut Ui, page: &AssetPage, state: &mut HexState, height: f32) {
    match &page.head {
        Remote::Loading { previous: None } => drop(ui.caption("Loading the first bytes…")),
        head => {
            if let Some(error) = head.error() {
                ui.caption(&format!("The first bytes could not be loaded: {error}"));
            }
            let Some(bytes) = head.value().filter(|bytes| !bytes.is_empty()) else { return };
            ui.caption(&format!("The first {} of it:", format::size(bytes.len() as i64)));
            hex(ui, "First bytes", bytes, state, (height - control(ui)).max(MIN_CONTENT_HEIGHT));
        }
    }
}

fn large_ui(ui: &mut Ui, size: i64, loading: bool, frame: &mut AssetFrame<'_>) {
    let size = format::size(size);
    ui.muted(&format!("This asset has {size} of content. It is loaded only when you ask for it."));
    if enabled_unless(ui, loading.then_some("It is loading"), |ui| ui.button(format!("Load {size}"))).clicked() {
        frame.push(AssetsAction::LoadContent(frame.id.clone()));
    }
}
