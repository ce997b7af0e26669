//! The editor of an asset's text, in place of its preview.
//!
//! What must hold: input is kept as a draft until it is saved or discarded; Save sends the whole text once and shows
//! the reason if it fails; line endings stay as they are; a key saves and goes on, a button saves and closes. A key
//! copies the text once, for its draft, and never the record or the original.

use std::sync::Arc;

use egui::{Key, Layout, Modifiers, Ui};
use serde_json::Value;

use crate::ui::disabled_reason::disabled_reason;
use crate::ui::focus;
use crate::ui::format;
use crate::ui::platform::with_key_names;
use crate::ui::theme::{Icon, SPACE_S, SPACE_XS, UiExt as _, control};
use crate::ui::widgets::editor::{Editor, EditorView};
use crate::ui::widgets::grouped;
use lunette_client::model::record::Record as _;
use lunette_inspector::action::{DraftsAction, SettingsAction, WriteAction};
use lunette_inspector::assets::content;
use lunette_inspector::assets::page::{AssetPage, Content};
use lunette_inspector::capability::Capability;
use lunette_inspector::change::Change;
use lunette_inspector::drafts::{Draft, DraftKey, Typed};
use lunette_inspector::highlighting::syntax;
use lunette_inspector::write::AssetWrite;
use lunette_inspector::{Action, Remote, State};

use super::forms::{Submission, buttons_with_state_ui, refusal_ui};
use super::frame::AssetFrame;

/// Maximum size of a text that can be edited, in bytes.
const MAX_BYTES: usize = 16 * 1024 * 1024;
/// Minimum height of the editor, in points.
const MIN_HEIGHT: f32 = 40.0;
/// What Cancel does.
const CANCEL_DISCARDS: &str = "Discards what you typed. Esc keeps it as a draft.";

/// Where editing begins, or ended.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TextPlace {
    /// The line, starting at 0.
    pub line: usize,
    /// The byte in the line.
    pub byte: usize,
    /// The line at the upper edge, with the part of it above the edge.
    pub top: f64,
}

/// The input, and the text it started from.
pub struct TextEditor {
    /// The record it started from.
    base: Arc<Value>,
    /// Whether the record that a save left is to be taken as the base.
    base_due: bool,
    /// The text it started from, as the service holds it.
    original: Arc<str>,
    /// The original with the line endings of the input.
    begun: Arc<str>,
    /// The input; its lines end with `\n` if all lines of `original` end with `\r\n`.
    editor: Editor,
    /// Whether it differs from `original`.
    changed: bool,
    /// The input when Save was pressed last.
    last_sent: Arc<str>,
    /// Whether the last save goes on editing.
    stays: bool,
    /// Whether the lines of `original` end with `\r\n`.
    crlf: bool,
    /// Whether a draft is saved.
    draft_saved: bool,
    /// When the draft was typed, if the input comes from one.
    typed_at: Option<String>,
    /// Whether it was saved and nothing was typed since.
    saved: bool,
    /// Whether more was typed while a save was in progress.
    typed_while_saving: bool,
    field: Option<egui::Id>,
    /// Height of the message and the buttons when they were drawn last, in points.
    footer_height: Option<f32>,
    sent: Submission,
}

/// Returns why the text of an asset cannot be edited now; `None` if it can, or is still loading.
pub fn edit_disabled_reason(page: &AssetPage, state: &State) -> Option<String> {
    if let Some(why_disabled) = disabled_reason(state, Capability::Edit) {
        return Some(why_disabled);
    }
    match page.content.value() {
        Some(Content::Text(text)) if text.len() <= MAX_BYTES => None,
        Some(Content::Part(_, size)) if usize::try_from(*size).is_ok_and(|size| size <= MAX_BYTES) => {
            Some("Only a part of the text is loaded; press “Show all” below it first".to_owned())
        }
        Some(Content::Text(_) | Content::Part(..)) => {
            let limit = format::size(MAX_BYTES as i64);
            Some(format!("The text is larger than the {limit} that can be edited here; save it to edit it elsewhere"))
        }
        Some(Content::Bytes(_) | Content::Large(_)) => Some("The content is not text".to_owned()),
        Some(Content::None) => Some("This asset has no content".to_owned()),
        None if page.content == Remote::NotRequested && !state.preferences.settings.transferables => {
            Some("Load the content first".to_owned())
        }
        None => page.content.error().map(|_| "The content could not be loaded".to_owned()),
    }
}

impl TextEditor {
    /// Opens an editor, with the draft if there is one. `None` if the content is not a text that can be edited.
    pub fn open(frame: &AssetFrame<'_>) -> Option<Self> {
        let view = frame.page.record.value().map(|asset| asset.view());
        let original = view.and_then(content::original);
        let language = original.map(|format| format.classification().specific()).unwrap_or_default();
        let draft = frame.state.drafts.typed.get(&DraftKey::Text(frame.id.clone()));
        if let Some(resumed) = draft.and_then(|draft| Self::resumed(draft, language)) {
            return Some(resumed);
        }
        let Some(Content::Text(text)) = frame.page.content.value() else { return None };
        let asset = frame.page.record.value().filter(|_| text.len() <= MAX_BYTES)?;
        Some(Self::new(Arc::new(asset.tree().clone()), Arc::clone(text), language))
    }

    fn new(base: Arc<Value>, original: Arc<str>, language: &str) -> Self {
        let crlf = ends_with_crlf(&original);
        let begun = if crlf { Arc::from(original.replace("\r\n", "\n")) } else { Arc::clone(&original) };
        let editor = Editor::new(begun.to_string(), syntax(language));
        Self {
            base,
            base_due: false,
            original,
            last_sent: Arc::clone(&begun),
            begun,
            editor,
            changed: false,
            stays: false,
            crlf,
            draft_saved: false,
            typed_at: None,
            saved: false,
            typed_while_saving: false,
            field: None,
            footer_height: None,
            sent: Submission::default(),
        }
    }

    fn resumed(draft: &Draft, language: &str) -> Option<Self> {
        let (original, text) = (draft.typed.text("from")?, draft.typed.text("text")?);
        let begun = Self::new(Arc::clone(&draft.base), Arc::from(original), language);
        let changed = *text != *begun.begun;
        let editor = Editor::new(text.to_owned(), syntax(language));
        Some(Self { editor, changed, draft_saved: true, typed_at: Some(draft.at.clone()), ..begun })
    }

    /// Puts the caret where editing was asked for.
    pub fn start_at(&mut self, place: TextPlace) {
        let line = self.editor.document().buffer().line_bytes(place.line);
        self.editor.start_at((line.start + place.byte).min(line.end), place.top);
    }

    /// Returns where the caret is.
    pub fn place(&self) -> TextPlace {
        let document = self.editor.document();
        let (line, _) = document.caret_line_and_column();
        let byte = document.selection().head - document.buffer().line_bytes(line).start;
        TextPlace { line, byte, top: self.editor.top_line() }
    }

    /// Opens the find bar.
    pub fn find(&mut self) {
        self.editor.open_find(false);
    }

    /// Returns the record it started from.
    pub fn base(&self) -> &Value {
        &self.base
    }

    /// Takes the result of a save; returns whether the editor is to be closed. Must be called once per frame, before what
    /// compares [`Self::base`] with the record.
    pub fn take_result(&mut self, ui: &Ui, frame: &mut AssetFrame<'_>) -> bool {
        let discarded = || !frame.state.drafts.typed.contains_key(&DraftKey::Text(frame.id.clone()));
        let discarded = self.draft_saved && !self.sent.waiting() && discarded();
        let saved = self.saved(ui, frame.write);
        if saved && !self.typed_while_saving && !self.stays || discarded {
            self.keep(false, frame);
            return true;
        }
        if saved {
            // The draft now begins with the text that was saved, or a restart would show a conflict with it.
            self.keep(self.typed_while_saving, frame);
        }
        self.take_base(frame);
        false
    }

    /// Takes the record as it is after a save, once it was read again: the response to a save has no record.
    fn take_base(&mut self, frame: &mut AssetFrame<'_>) {
        let record = &frame.page.record;
        if self.base_due
            && !record.loading()
            && let Some(asset) = record.value()
        {
            (self.base, self.base_due) = (Arc::new(asset.tree().clone()), false);
            self.keep(self.draft_saved, frame);
        }
    }

    /// Draws the editor in the available space; returns whether it is to be closed.
    pub fn ui(&mut self, ui: &mut Ui, frame: &mut AssetFrame<'_>) -> bool {
        let focused = self.field.is_some_and(|field| focus::receives_keys(ui.ctx(), field));
        let asked = focused
            && ui.input_mut(|input| {
                input.consume_key(Modifiers::COMMAND, Key::Enter) || input.consume_key(Modifiers::COMMAND, Key::S)
            });
        self.bar_ui(ui, frame);
        let footer = self.footer_height.unwrap_or_else(|| expected_footer_height(ui));
        let height = (ui.available_height() - footer).max(MIN_HEIGHT);
        let wraps = frame.state.preferences.settings.wrap_text;
        let drawn =
            self.editor.ui(ui, EditorView { name: "Text of the asset", height, wraps, indents: true, fault: None });
        if self.field.replace(drawn.response.id).is_none() {
            drawn.response.request_focus();
        }
        if drawn.response.changed() {
            self.changed = *self.editor.document().text() != *self.begun;
            self.saved = false;
            self.keep(self.changed, frame);
        }
        let top = ui.cursor().top();
        let closed = self.footer_ui(ui, asked, frame);
        self.keep_footer_height(ui, ui.cursor().top() - top);
        closed || drawn.left
    }

    /// Draws the line above the text: where the caret is, and how the text is shown.
    fn bar_ui(&mut self, ui: &mut Ui, frame: &mut AssetFrame<'_>) {
        let size = egui::vec2(ui.available_width(), control(ui));
        ui.allocate_ui_with_layout(size, Layout::left_to_right(egui::Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = SPACE_XS;
            let (line, column) = self.editor.document().caret_line_and_column();
            let of = |number: usize| grouped(number as u64 + 1);
            ui.caption(&format!("Line {}, column {}", of(line), of(column)));
            ui.with_layout(Layout::right_to_left(egui::Align::Center), |ui| {
                let on = frame.state.preferences.settings.wrap_text;
                if ui.toggle_icon_button(Icon::WRAP, "Wrap long lines", on).clicked() {
                    frame.push(SettingsAction::WrapText(!on));
                }
                let tip = with_key_names("Find and replace (Ctrl+F, Ctrl+H)");
                if ui.icon_button_with(Icon::SEARCH, "Find and replace", &tip).clicked() {
                    self.editor.open_find(true);
                }
            });
        });
    }

    /// Records the height of the footer, which a long message makes higher.
    fn keep_footer_height(&mut self, ui: &Ui, height: f32) {
        let known = self.footer_height.replace(height).unwrap_or_else(|| expected_footer_height(ui));
        if (known - height).abs() > 0.5 {
            ui.ctx().request_discard("what is below the editor has another height");
            ui.ctx().request_repaint();
        }
    }

    /// Draws the message and the buttons; returns whether the editor is to be closed.
    fn footer_ui(&mut self, ui: &mut Ui, asked: bool, frame: &mut AssetFrame<'_>) -> bool {
        self.status_ui(ui, frame);
        let why_disabled = frame.disabled_reason(Capability::Edit);
        let reason = why_disabled.as_deref().or((!self.changed).then_some("Nothing has changed yet"));
        let tip = with_key_names("Saves the text and closes the editor (Ctrl+Enter saves and goes on)");
        let save = |ui: &mut Ui| ui.primary_button("Save").on_hover_text(tip);
        let (cancelled, pressed) = buttons_with_state_ui(ui, frame, reason, CANCEL_DISCARDS, save);
        if (pressed || asked) && reason.is_none() && !frame.write.writing {
            self.last_sent = Arc::from(self.editor.document().text());
            self.stays = !pressed;
            frame.dismiss_refusal();
            let (original, to) = (self.original.to_string(), self.text_to_send());
            self.sent.send(ui, Change::Text { asset: frame.id.clone(), from: original, to }, frame);
        }
        if cancelled {
            self.keep(false, frame);
            frame.actions.extend(
                frame.write.refused.is_some().then(|| Action::Write(WriteAction::DismissRefusal(frame.id.clone()))),
            );
        }
        cancelled
    }

    /// Draws the message in a fixed place, so that nothing moves.
    fn status_ui(&self, ui: &mut Ui, frame: &AssetFrame<'_>) {
        let size = egui::vec2(ui.available_width(), ui.text_style_height(&egui::TextStyle::Body) + 6.0);
        ui.allocate_ui(size, |ui| {
            ui.set_min_size(size);
            if frame.write.refused.is_some() {
                refusal_ui(ui, frame);
            } else if self.typed_while_saving {
                ui.warning_text("Saved. What you typed after pressing Save is not saved yet.");
            } else if self.saved {
                ui.caption("Saved");
            } else if let Some(typed_at) = &self.typed_at {
                ui.caption(&format!("Restored your draft of {}", format::ago(typed_at)));
            }
        });
    }

    /// Whether the last save succeeded just now: what is typed then begins with the text that was saved.
    fn saved(&mut self, ui: &Ui, write: &AssetWrite) -> bool {
        if !self.sent.succeeded(ui, write) {
            return false;
        }
        self.original = Arc::from(restored(&self.last_sent, self.crlf));
        self.base_due = true;
        self.begun = Arc::clone(&self.last_sent);
        self.typed_while_saving = *self.editor.document().text() != *self.begun;
        self.changed = self.typed_while_saving;
        (self.saved, self.typed_at) = (!self.typed_while_saving, None);
        true
    }

    /// Returns the input with the line endings of the original text.
    fn text_to_send(&self) -> String {
        restored(self.editor.document().text(), self.crlf)
    }

    /// Saves the input as a draft, or deletes the draft.
    fn keep(&mut self, wanted: bool, frame: &mut AssetFrame<'_>) {
        if !wanted && !self.draft_saved {
            return;
        }
        self.draft_saved = wanted;
        let draft = wanted.then(|| Draft {
            base: Arc::clone(&self.base),
            typed: Typed::texts([("from", &self.original), ("text", &Arc::from(self.editor.document().text()))]),
            at: jiff::Timestamp::now().to_string(),
        });
        frame.push(DraftsAction::Save(DraftKey::Text(frame.id.clone()), draft));
    }
}

/// Returns the height of what is drawn below the editor, in points: status line, space, buttons.
fn expected_footer_height(ui: &Ui) -> f32 {
    let line = ui.text_style_height(&egui::TextStyle::Body) + 6.0;
    line + SPACE_S + control(ui) + 3.0 * ui.spacing().item_spacing.y
}

/// Returns whether every line ends with `\r\n`.
fn ends_with_crlf(text: &str) -> bool {
    let breaks = text.matches('\n').count();
    breaks > 0 && text.matches("\r\n").count() == breaks
}

fn restored(text: &str, crlf: bool) -> String {
    if crlf { text.replace('\n', "\r\n") } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn editor(text: &str) -> TextEditor {
        TextEditor::new(Arc::new(Value::Null), Arc::from(text), "txt")
    }

    #[test]
    fn line_endings_are_those_of_the_original_text() {
        for text in ["a\r\nb\r\n", "a\nb", "a\r\nb\n", "a\rb", "", "\0\t\u{7f}"] {
            let begun = editor(text);
            assert_eq!(begun.text_to_send(), text);
            assert_eq!(begun.editor.document().text(), &*begun.begun);
        }
        let mut edited = editor("a\r\nb");
        assert_eq!(edited.editor.document().text(), "a\nb");
        edited.editor.set_text("a\nb\nc");
        assert_eq!(edited.text_to_send(), "a\r\nb\r\nc");
    }

    #[test]
    fn a_draft_is_resumed_with_its_original_text() {
        let (typed, at) = (json!({ "from": "a\r\nb", "text": "a\nc" }).into(), "2026-01-01T00:00:00Z".to_owned());
        let base = Arc::new(Value::Null);
        let resumed =
            TextEditor::resumed(&Draft { base: Arc::clone(&base), typed, at }, "rs").expect("a draft of a text");
        assert_eq!((&*resumed.original, resumed.text_to_send()), ("a\r\nb", "a\r\nc".to_owned()));
        assert!(resumed.changed);
        let other = Draft { base, typed: Value::from("x").into(), at: String::new() };
        assert!(TextEditor::resumed(&other, "rs").is_none());
    }

    proptest! {
        #[test]
        fn what_is_sent_is_the_edited_text_with_the_line_endings_of_the_file(
            lines in prop::collection::vec("[ -~\té\u{0}]{0,8}", 1..6),
            added in "[a-z\n]{0,6}",
            crlf in any::<bool>(),
        ) {
            let mark = if crlf && lines.len() > 1 { "\r\n" } else { "\n" };
            let mut begun = editor(&lines.join(mark));
            let text = format!("{}{added}", lines.join("\n"));
            begun.editor.set_text(&text);
            prop_assert_eq!(begun.text_to_send(), text.replace('\n', mark));
        }
    }
}
