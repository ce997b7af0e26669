//! The editor of an asset's text, in the place of its preview.
//!
//! What must hold: what is typed is kept as a draft until it is saved or discarded; a save sends the whole text once and
//! says why where it fails; line ends stay as the text has them.

use std::sync::Arc;

use egui::text::CCursorRange;
use egui::text_edit::TextEditState;
use egui::{Key, Modifiers, Ui};
use serde_json::{Value, json};

use crate::app::change::Change;
use crate::app::drafts::{Draft, DraftKey};
use crate::app::session::feature::Feature;
use crate::app::state::{AssetPage, Content};
use crate::app::{Action, Remote, State};
use crate::ui::disabled_reason::disabled_reason;
use crate::ui::format;
use crate::ui::theme::{SPACE_S, UiExt as _, control};
use crate::ui::widgets::code_edit::{CodeEditState, code_edit};
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;

use super::forms::{Sent, end_ui, refused_ui};

/// The largest text that is edited here, in bytes: each key lays the whole text out again.
const LARGEST: usize = 512 * 1024;
/// The least height of the editor, in points.
const LEAST: f32 = 96.0;
/// What Cancel does.
const DISCARDS: &str = "Discards what you typed";

/// What is typed, and what it was begun with.
pub struct TextEditor {
    /// The record it was begun with.
    base: Value,
    /// The text it was begun with, as the service holds it.
    from: Arc<str>,
    /// What is typed; its lines end with `\n` alone where all of `from` end with `\r\n`.
    text: String,
    /// What was typed when Save was pressed last.
    last_sent: String,
    /// Whether the lines of `from` end with `\r\n`.
    crlf: bool,
    /// Whether a draft of it is kept.
    kept: bool,
    /// When it was typed, where it was typed before.
    at: Option<String>,
    /// Whether text was typed while a save was under way.
    ahead: bool,
    edit: CodeEditState,
    field: Option<egui::Id>,
    sent: Sent,
}

/// Why the text of an asset cannot be edited now; None where it can, or is still being read.
pub fn why_not(page: &AssetPage, state: &State) -> Option<String> {
    if let Some(held) = disabled_reason(state, Feature::Edit) {
        return Some(held);
    }
    match page.content.value() {
        Some(Content::Text(text)) if text.len() <= LARGEST => None,
        Some(Content::Text(_) | Content::Part(..)) => {
            let limit = format::size(LARGEST as i64);
            Some(format!("The text is larger than the {limit} that can be edited here; save it to edit it elsewhere"))
        }
        Some(Content::Bytes(_) | Content::Large(_)) => Some("The content is not text".to_owned()),
        Some(Content::None) => Some("This asset has no content".to_owned()),
        None if page.content == Remote::Unasked && !state.settings.transferables => {
            Some("Load the content first".to_owned())
        }
        None => page.content.error().map(|_| "The content could not be loaded".to_owned()),
    }
}

impl TextEditor {
    /// An editor of a text; resumed where a draft of it is kept. None where the content is not a text that can be edited.
    pub fn open(id: &AssetId, page: &AssetPage, state: &State) -> Option<Self> {
        if let Some(resumed) = state.drafts.get(&DraftKey::Text(id.clone())).and_then(Self::resumed) {
            return Some(resumed);
        }
        let Some(Content::Text(text)) = page.content.value() else { return None };
        let asset = page.record.value().filter(|_| text.len() <= LARGEST)?;
        Some(Self::new(asset.tree().clone(), Arc::clone(text)))
    }

    fn new(base: Value, from: Arc<str>) -> Self {
        let crlf = ends_with_crlf(&from);
        let text = if crlf { from.replace("\r\n", "\n") } else { from.to_string() };
        let (last_sent, edit) = (text.clone(), CodeEditState::plain());
        let (field, sent) = (None, Sent::default());
        Self { base, from, text, last_sent, crlf, kept: false, at: None, ahead: false, edit, field, sent }
    }

    fn resumed(draft: &Draft) -> Option<Self> {
        let text = |key: &str| draft.typed.get(key).and_then(Value::as_str);
        let (from, text) = (text("from")?, text("text")?.to_owned());
        let begun = Self::new(draft.base.clone(), Arc::from(from));
        Some(Self { text, kept: true, at: Some(draft.at.clone()), ..begun })
    }

    /// The record it was begun with.
    pub fn base(&self) -> &Value {
        &self.base
    }

    /// Draws the editor into the space there is; true when it is to be closed.
    pub fn ui(
        &mut self,
        ui: &mut Ui,
        id: &AssetId,
        page: &AssetPage,
        state: &State,
        actions: &mut Vec<Action>,
    ) -> bool {
        let saved = self.saved(ui, page);
        if saved && !self.ahead || self.kept && !state.drafts.contains_key(&DraftKey::Text(id.clone())) {
            self.keep(id, false, actions);
            return true;
        }
        if saved {
            // The draft now begins with the text that was saved, or a restart would show a conflict with it.
            self.keep(id, true, actions);
        }
        let fresh = self.field.is_none();
        let focused = self.field.is_some_and(|field| ui.memory(|memory| memory.has_focus(field)));
        let asked = focused
            && ui.input_mut(|input| {
                input.consume_key(Modifiers::COMMAND, Key::Enter) || input.consume_key(Modifiers::COMMAND, Key::S)
            });
        let height = (ui.available_height() - foot_height(ui)).max(LEAST);
        let field = code_edit(ui, "Text of the asset", &mut self.text, &mut self.edit, height, None);
        self.field = Some(field.id);
        if fresh {
            field.request_focus();
            // At the beginning, which is what is in sight.
            let mut cursor = TextEditState::default();
            cursor.cursor.set_char_range(Some(CCursorRange::default()));
            cursor.store(ui.ctx(), field.id);
        }
        if field.changed() {
            self.keep(id, self.differs(), actions);
        }
        self.foot_ui(ui, id, page, state, asked, actions)
    }

    /// What there is to say, and the buttons; true when the editor is to be closed.
    fn foot_ui(
        &mut self,
        ui: &mut Ui,
        id: &AssetId,
        page: &AssetPage,
        state: &State,
        asked: bool,
        actions: &mut Vec<Action>,
    ) -> bool {
        self.status_ui(ui, page);
        let held = disabled_reason(state, Feature::Edit);
        let reason = held.as_deref().or((!self.differs()).then_some("Nothing has changed yet"));
        let save = |ui: &mut Ui| ui.primary_button("Save").on_hover_text("Saves the text (Ctrl+Enter)");
        let (cancelled, pressed) = end_ui(ui, page, reason, DISCARDS, actions, save);
        if (pressed || asked) && reason.is_none() && !page.writing {
            self.last_sent.clone_from(&self.text);
            actions.push(Action::DismissRefusal(id.clone()));
            let (from, to) = (self.from.to_string(), self.typed());
            self.sent.send(ui, Change::Text { asset: id.clone(), from, to }, actions);
        }
        if cancelled {
            self.keep(id, false, actions);
            actions.extend(page.refused.is_some().then(|| Action::DismissRefusal(id.clone())));
        }
        cancelled
    }

    /// One line in a place that is kept, so that nothing moves when a message comes.
    fn status_ui(&self, ui: &mut Ui, page: &AssetPage) {
        let size = egui::vec2(ui.available_width(), ui.text_style_height(&egui::TextStyle::Body) + 6.0);
        ui.allocate_ui(size, |ui| {
            ui.set_min_size(size);
            if page.refused.is_some() {
                refused_ui(ui, page);
            } else if self.ahead {
                ui.warning_text("Saved. What you typed after pressing Save is not saved yet.");
            } else if let Some(at) = &self.at {
                ui.caption(&format!("Restored from your draft of {}", format::ago(at)));
            }
        });
    }

    /// Whether the last save succeeded just now: what is typed then begins with the text that was saved.
    fn saved(&mut self, ui: &Ui, page: &AssetPage) -> bool {
        if !self.sent.done(ui, page.writing, page.refused.is_some()) {
            return false;
        }
        self.from = Arc::from(restored(&self.last_sent, self.crlf));
        if let Some(asset) = page.record.value().map(|asset| asset.tree()) {
            self.base.clone_from(asset);
        }
        self.ahead = self.text != self.last_sent;
        true
    }

    fn differs(&self) -> bool {
        *self.typed() != *self.from
    }

    /// What is typed, with the line ends of the text it was begun with.
    fn typed(&self) -> String {
        restored(&self.text, self.crlf)
    }

    /// Keeps what is typed as a draft, or forgets it.
    fn keep(&mut self, id: &AssetId, wanted: bool, actions: &mut Vec<Action>) {
        if !wanted && !self.kept {
            return;
        }
        self.kept = wanted;
        let draft = wanted.then(|| Draft {
            base: self.base.clone(),
            typed: json!({ "from": &*self.from, "text": self.text }),
            at: jiff::Timestamp::now().to_string(),
        });
        actions.push(Action::KeepDraft(DraftKey::Text(id.clone()), draft));
    }
}

/// What is drawn below the editor, in points: the status line, a space, the buttons.
fn foot_height(ui: &Ui) -> f32 {
    let line = ui.text_style_height(&egui::TextStyle::Body) + 6.0;
    line + SPACE_S + control(ui) + 3.0 * ui.spacing().item_spacing.y
}

/// Whether every line ends with `\r\n`.
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

    #[test]
    fn line_ends_are_those_of_the_text_it_was_begun_with() {
        let editor = |text: &str| TextEditor::new(Value::Null, Arc::from(text));
        for text in ["a\r\nb\r\n", "a\nb", "a\r\nb\n", "a\rb", ""] {
            let begun = editor(text);
            assert_eq!(begun.typed(), text);
            assert!(!begun.differs());
        }
        let mut typed = editor("a\r\nb");
        assert_eq!(typed.text, "a\nb");
        typed.text.push_str("\nc");
        assert_eq!(typed.typed(), "a\r\nb\r\nc");
    }

    #[test]
    fn a_draft_is_resumed_with_the_text_it_was_begun_with() {
        let (typed, at) = (json!({ "from": "a\r\nb", "text": "a\nc" }), "2026-01-01T00:00:00Z".to_owned());
        let resumed = TextEditor::resumed(&Draft { base: Value::Null, typed, at }).expect("a draft of a text");
        assert_eq!((&*resumed.from, resumed.typed()), ("a\r\nb", "a\r\nc".to_owned()));
        let other = Draft { base: Value::Null, typed: Value::from("x"), at: String::new() };
        assert!(TextEditor::resumed(&other).is_none());
    }
}
