//! The text editor of a record: checked while typing, kept as a draft, shown as a plan before it is sent.
//!
//! What must hold: a key copies the text once, for its check and its draft, and never the record.

use std::sync::Arc;

use egui::{Align, Layout, Ui};
use serde_json::Value;

use crate::ui::disabled_reason::enabled_unless;
use crate::ui::theme::{Icon, SPACE_S, UiExt as _};
use crate::ui::widgets::background::Background;
use crate::ui::widgets::editor::{Editor, EditorView};
use crate::ui::widgets::grouped;
use lunette_client::model::id::AssetId;
use lunette_inspector::action::{DraftsAction, WriteAction};
use lunette_inspector::capability::Capability;
use lunette_inspector::change::Change;
use lunette_inspector::drafts::{Draft, Typed};
use lunette_inspector::highlighting::syntax;
use lunette_inspector::{Action, State};

use super::check::{Checked, check};
use super::key;
use crate::ui::panels::assets::frame::AssetFrame;

/// Maximum number of differences named on the line; hover shows all that are known.
const MAX_NAMED: usize = 3;

/// The text, and the record it started from.
pub struct RecordEditor {
    base: Arc<Value>,
    /// The original text, if it was the record itself: typing it again is not a change.
    original: Option<Arc<str>>,
    editor: Editor,
    /// The text after the last change, shared by its check and its draft.
    shared: Arc<str>,
    /// Counts changes of the text, so that each is checked once.
    revision: u64,
    checked: Background<u64, Checked>,
    /// Whether it has a draft.
    draft_saved: bool,
}

impl RecordEditor {
    /// An editor for a record and its text.
    pub fn new(base: Arc<Value>, text: String) -> Self {
        let editor = Self::resumed(base, text);
        Self { original: Some(Arc::clone(&editor.shared)), draft_saved: false, ..editor }
    }

    /// An editor with the text of a draft.
    pub fn resumed(base: Arc<Value>, text: String) -> Self {
        let (shared, checked) = (Arc::from(text.as_str()), Background::default());
        let editor = Editor::new(text, syntax("json"));
        Self { base, original: None, editor, shared, revision: 0, checked, draft_saved: true }
    }

    /// Returns the record it started from.
    pub fn base(&self) -> &Value {
        &self.base
    }

    /// Returns whether its saved draft is gone: the service accepted it, or it was discarded.
    fn draft_is_gone(&self, state: &State, id: &AssetId) -> bool {
        self.draft_saved && !state.drafts.typed.contains_key(&key(id))
    }

    /// Draws the editor in the available space; returns whether it is to be closed.
    pub fn ui(&mut self, ui: &mut Ui, frame: &mut AssetFrame<'_>) -> bool {
        if self.draft_is_gone(frame.state, frame.id) {
            return true;
        }
        if self.checked.known(&self.revision).is_none() {
            let (text, base) = (Arc::clone(&self.shared), Arc::clone(&self.base));
            self.checked.get(ui.ctx(), &self.revision, move || check(&text, &base));
        }
        let why_disabled = frame.change_disabled_reason(Capability::Edit);
        let (closed, typed) = self.bar_ui(ui, why_disabled.as_deref(), frame);
        if let Some(text) = typed {
            self.editor.set_text(&text);
            self.text_changed(frame);
        }
        self.check_ui(ui);
        ui.add_space(SPACE_S);
        let fault = match self.checked.known(&self.revision) {
            Some(Checked::NotJson { line, .. }) => Some(*line),
            _ => None,
        };
        let height = ui.available_height().max(120.0);
        let view = EditorView { name: "Record as JSON", height, wraps: false, indents: false, fault };
        let drawn = self.editor.ui(ui, view);
        if drawn.response.changed() {
            self.text_changed(frame);
        }
        if drawn.left {
            drawn.response.surrender_focus();
        }
        closed
    }

    /// Draws the buttons; returns whether the editor is to be closed, and a replacement text.
    fn bar_ui(
        &mut self,
        ui: &mut Ui,
        why_disabled: Option<&str>,
        frame: &mut AssetFrame<'_>,
    ) -> (bool, Option<String>) {
        let checked = self.checked.known(&self.revision);
        let (mut closed, mut typed) = (false, None);
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = SPACE_S;
            let (to, why) = match (checked, why_disabled) {
                (_, Some(why_disabled)) => (None, Some(why_disabled)),
                (Some(Checked::Differs { to, .. }), None) => (Some(to), None),
                (Some(Checked::Same), None) => (None, Some("Nothing is changed yet")),
                (Some(Checked::NotJson { .. } | Checked::SchemaError(_)), None) => {
                    (None, Some("It is not a record yet"))
                }
                (None, None) => (None, Some("It is being checked")),
            };
            if enabled_unless(ui, why, |ui| ui.primary_button("Review…")).clicked()
                && let Some(to) = to
            {
                let change = Change::Record { asset: frame.id.clone(), from: (*self.base).clone(), to: (**to).clone() };
                frame.actions.extend([
                    Action::Write(WriteAction::DismissRefusal(frame.id.clone())),
                    Action::Write(WriteAction::Change(change)),
                ]);
            }
            let json = !matches!(checked, None | Some(Checked::NotJson { .. }));
            let format = enabled_unless(ui, (!json).then_some("It is not JSON"), |ui| ui.button("Format"));
            if format.on_hover_text("One field per line").clicked() {
                let tree: Option<Value> = serde_json::from_str(self.editor.document().text()).ok();
                typed = tree.and_then(|tree| serde_json::to_string_pretty(&tree).ok());
            }
            let nothing = (!self.draft_saved).then_some("Nothing was typed yet");
            if enabled_unless(ui, nothing, |ui| ui.button("Discard draft")).clicked() {
                frame.push(DraftsAction::Save(key(frame.id), None));
                closed = true;
            }
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                closed |= ui.icon_button(Icon::CLOSE, "Back to the tree").clicked();
            });
        });
        (closed, typed.filter(|text| text != self.editor.document().text()))
    }

    /// Draws what is wrong with the text, or how it differs.
    fn check_ui(&self, ui: &mut Ui) {
        match self.checked.known(&self.revision) {
            None => ui.muted("Checking…"),
            Some(Checked::NotJson { line, column, problem }) => {
                ui.error_text(&format!("line {line}, column {column}: {problem}"))
            }
            Some(Checked::SchemaError(message)) => ui.error_text(message),
            Some(Checked::Same) => ui.muted("Nothing was changed."),
            Some(Checked::Differs { count, paths, .. }) => {
                let differ = if *count == 1 { "field differs" } else { "fields differ" };
                let mut named = paths[..paths.len().min(MAX_NAMED)].join(", ");
                if *count > MAX_NAMED {
                    named.push_str(&format!(" and {} more", grouped((*count - MAX_NAMED) as u64)));
                }
                let message = format!("{} {differ} from what you began with: {named}", grouped(*count as u64));
                ui.muted(&message).on_hover_text(paths.join("\n"))
            }
        };
    }

    /// Records a change of the text and saves the draft.
    fn text_changed(&mut self, frame: &mut AssetFrame<'_>) {
        self.revision += 1;
        self.shared = Arc::from(self.editor.document().text());
        let as_it_was = self.original.as_ref() == Some(&self.shared);
        if as_it_was && !self.draft_saved {
            return;
        }
        let draft = || Draft {
            base: Arc::clone(&self.base),
            typed: Typed::Text(Arc::clone(&self.shared)),
            at: jiff::Timestamp::now().to_string(),
        };
        // If both a button and the keyboard changed it in one frame, the last change counts.
        frame
            .actions
            .retain(|action| !matches!(action, Action::Drafts(DraftsAction::Save(of, _)) if *of == key(frame.id)));
        frame.push(DraftsAction::Save(key(frame.id), (!as_it_was).then(draft)));
        self.draft_saved = !as_it_was;
    }
}
