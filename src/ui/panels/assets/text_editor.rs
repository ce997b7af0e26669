//! The editor of an asset's text, in place of its preview.
//!
//! What must hold: input is kept as a draft until it is saved or discarded; Save sends the whole text once and shows
//! the reason if it fails; line endings stay as they are. A key copies the text once, for its draft, and never the
//! record or the original.

use std::sync::Arc;

use egui::text::CCursorRange;
use egui::text_edit::TextEditState;
use egui::{Key, Modifiers, Ui};
use serde_json::Value;

use crate::ui::disabled_reason::disabled_reason;
use crate::ui::focus;
use crate::ui::format;
use crate::ui::platform::with_key_names;
use crate::ui::theme::{SPACE_S, UiExt as _, control};
use crate::ui::widgets::code_edit::{CodeEditState, code_edit};
use lunette_client::model::record::Record as _;
use lunette_inspector::action::{DraftsAction, WriteAction};
use lunette_inspector::assets::page::{AssetPage, Content};
use lunette_inspector::capability::Capability;
use lunette_inspector::change::Change;
use lunette_inspector::drafts::{Draft, DraftKey, Typed};
use lunette_inspector::write::AssetWrite;
use lunette_inspector::{Action, Remote, State};

use super::forms::{Submission, buttons_with_state_ui, refusal_ui};
use super::frame::AssetFrame;

/// Maximum size of a text that can be edited, in bytes: each key press lays out the whole text.
const MAX_BYTES: usize = 512 * 1024;
/// Minimum height of the editor, in points.
const MIN_HEIGHT: f32 = 40.0;
/// What Cancel does.
const CANCEL_DISCARDS: &str = "Discards what you typed";

/// The input, and the text it started from.
pub struct TextEditor {
    /// The record it started from.
    base: Arc<Value>,
    /// The text it started from, as the service holds it.
    original: Arc<str>,
    /// The input; its lines end with `\n` if all lines of `original` end with `\r\n`.
    text: String,
    /// Whether it differs from `original`.
    changed: bool,
    /// The input when Save was pressed last.
    last_sent: String,
    /// Whether the lines of `original` end with `\r\n`.
    crlf: bool,
    /// Whether a draft is saved.
    draft_saved: bool,
    /// When the draft was typed, if the input comes from one.
    typed_at: Option<String>,
    /// Whether more was typed while a save was in progress.
    typed_while_saving: bool,
    edit: CodeEditState,
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
        if let Some(resumed) = frame.state.drafts.typed.get(&DraftKey::Text(frame.id.clone())).and_then(Self::resumed) {
            return Some(resumed);
        }
        let Some(Content::Text(text)) = frame.page.content.value() else { return None };
        let asset = frame.page.record.value().filter(|_| text.len() <= MAX_BYTES)?;
        Some(Self::new(Arc::new(asset.tree().clone()), Arc::clone(text)))
    }

    fn new(base: Arc<Value>, original: Arc<str>) -> Self {
        let crlf = ends_with_crlf(&original);
        let text = if crlf { original.replace("\r\n", "\n") } else { original.to_string() };
        let (last_sent, edit) = (text.clone(), CodeEditState::plain());
        let (field, sent) = (None, Submission::default());
        Self {
            base,
            original,
            text,
            changed: false,
            last_sent,
            crlf,
            draft_saved: false,
            typed_at: None,
            typed_while_saving: false,
            edit,
            field,
            footer_height: None,
            sent,
        }
    }

    fn resumed(draft: &Draft) -> Option<Self> {
        let (original, text) = (draft.typed.text("from")?, draft.typed.text("text")?.to_owned());
        let begun = Self::new(Arc::clone(&draft.base), Arc::from(original));
        let changed = differs(&text, original, begun.crlf);
        Some(Self { text, changed, draft_saved: true, typed_at: Some(draft.at.clone()), ..begun })
    }

    /// Returns the record it started from.
    pub fn base(&self) -> &Value {
        &self.base
    }

    /// Draws the editor in the available space; returns whether it is to be closed.
    pub fn ui(&mut self, ui: &mut Ui, frame: &mut AssetFrame<'_>) -> bool {
        let saved = self.saved(ui, frame.page, frame.write);
        if saved && !self.typed_while_saving
            || self.draft_saved && !frame.state.drafts.typed.contains_key(&DraftKey::Text(frame.id.clone()))
        {
            self.keep(false, frame);
            return true;
        }
        if saved {
            // The draft now begins with the text that was saved, or a restart would show a conflict with it.
            self.keep(true, frame);
        }
        let fresh = self.field.is_none();
        let focused = self.field.is_some_and(|field| focus::receives_keys(ui.ctx(), field));
        let asked = focused
            && ui.input_mut(|input| {
                input.consume_key(Modifiers::COMMAND, Key::Enter) || input.consume_key(Modifiers::COMMAND, Key::S)
            });
        let footer = self.footer_height.unwrap_or_else(|| expected_footer_height(ui));
        let height = (ui.available_height() - footer).max(MIN_HEIGHT);
        let field = code_edit(ui, "Text of the asset", &mut self.text, &mut self.edit, height, None);
        self.field = Some(field.id);
        if fresh {
            field.request_focus();
            // Starts at the beginning, which is what is visible.
            let mut cursor = TextEditState::default();
            cursor.cursor.set_char_range(Some(CCursorRange::default()));
            cursor.store(ui.ctx(), field.id);
        }
        if field.changed() {
            self.changed = differs(&self.text, &self.original, self.crlf);
            self.keep(self.changed, frame);
        }
        let top = ui.cursor().top();
        let closed = self.footer_ui(ui, asked, frame);
        self.keep_footer_height(ui, ui.cursor().top() - top);
        closed
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
        let save = |ui: &mut Ui| ui.primary_button("Save").on_hover_text(with_key_names("Saves the text (Ctrl+Enter)"));
        let (cancelled, pressed) = buttons_with_state_ui(ui, frame, reason, CANCEL_DISCARDS, save);
        if (pressed || asked) && reason.is_none() && !frame.write.writing {
            self.last_sent.clone_from(&self.text);
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
            } else if let Some(typed_at) = &self.typed_at {
                ui.caption(&format!("Restored your draft of {}", format::ago(typed_at)));
            }
        });
    }

    /// Whether the last save succeeded just now: what is typed then begins with the text that was saved.
    fn saved(&mut self, ui: &Ui, page: &AssetPage, write: &AssetWrite) -> bool {
        if !self.sent.succeeded(ui, write) {
            return false;
        }
        self.original = Arc::from(restored(&self.last_sent, self.crlf));
        if let Some(asset) = page.record.value().map(|asset| asset.tree()) {
            self.base = Arc::new(asset.clone());
        }
        self.typed_while_saving = self.text != self.last_sent;
        self.changed = self.typed_while_saving;
        true
    }

    /// Returns the input with the line endings of the original text.
    fn text_to_send(&self) -> String {
        restored(&self.text, self.crlf)
    }

    /// Saves the input as a draft, or deletes the draft.
    fn keep(&mut self, wanted: bool, frame: &mut AssetFrame<'_>) {
        if !wanted && !self.draft_saved {
            return;
        }
        self.draft_saved = wanted;
        let draft = wanted.then(|| Draft {
            base: Arc::clone(&self.base),
            typed: Typed::texts([("from", &self.original), ("text", &Arc::from(self.text.as_str()))]),
            at: jiff::Timestamp::now().to_string(),
        });
        frame.push(DraftsAction::Keep(DraftKey::Text(frame.id.clone()), draft));
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

/// Returns whether a text would be sent as another one than the original, whose lines end with `\r\n` if `crlf`.
fn differs(text: &str, original: &str, crlf: bool) -> bool {
    if crlf { !text.split('\n').eq(original.split("\r\n")) } else { text != original }
}

fn restored(text: &str, crlf: bool) -> String {
    if crlf { text.replace('\n', "\r\n") } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn line_endings_are_those_of_the_original_text() {
        let editor = |text: &str| TextEditor::new(Arc::new(Value::Null), Arc::from(text));
        for text in ["a\r\nb\r\n", "a\nb", "a\r\nb\n", "a\rb", ""] {
            let begun = editor(text);
            assert_eq!(begun.text_to_send(), text);
            assert!(!differs(&begun.text, text, begun.crlf));
        }
        let mut edited = editor("a\r\nb");
        assert_eq!(edited.text, "a\nb");
        edited.text.push_str("\nc");
        assert_eq!(edited.text_to_send(), "a\r\nb\r\nc");
        assert!(differs(&edited.text, "a\r\nb", edited.crlf) && differs("a\r", "a\r\n", true));
    }

    #[test]
    fn a_draft_is_resumed_with_its_original_text() {
        let (typed, at) = (json!({ "from": "a\r\nb", "text": "a\nc" }).into(), "2026-01-01T00:00:00Z".to_owned());
        let base = Arc::new(Value::Null);
        let resumed = TextEditor::resumed(&Draft { base: Arc::clone(&base), typed, at }).expect("a draft of a text");
        assert_eq!((&*resumed.original, resumed.text_to_send()), ("a\r\nb", "a\r\nc".to_owned()));
        assert!(resumed.changed);
        let other = Draft { base, typed: Value::from("x").into(), at: String::new() };
        assert!(TextEditor::resumed(&other).is_none());
    }
}
