//! Creates an asset from typed or pasted text; the input is kept as a draft until the asset is created or it is
//! discarded.
//!
//! What must hold: text typed while an asset is being created is not part of it; the form stays open with it.

use std::sync::Arc;

use egui::Ui;
use serde_json::Value;

use crate::ui::disabled_reason::disabled_reason;
use crate::ui::format;
use crate::ui::notifications::reported;
use crate::ui::theme::UiExt as _;
use crate::ui::widgets::text_field::TextField;
use crate::ui::widgets::{dialog_with_changes, shown_short};
use lunette_inspector::action::{DraftsAction, ImportAction};
use lunette_inspector::capability::Capability;
use lunette_inspector::drafts::{Draft, DraftKey, Typed};
use lunette_inspector::notifications::Topic;
use lunette_inspector::{Action, Remote, State};

use super::{CANCEL_DISCARDS, Submission, buttons_or_saving_ui, buttons_ui};

/// The height that the rest of the form needs, in points.
const RESERVED_HEIGHT: f32 = 260.0;

/// The input.
#[derive(Default)]
pub struct NewText {
    name: String,
    text: String,
    /// The name and text when Create was last pressed.
    sent_text: (String, String),
    /// The name of the asset that was created while more was typed.
    created_meanwhile: Option<String>,
    /// The name and text saved as a draft; `None` if there is nothing to save.
    saved_draft: Option<(Arc<str>, Arc<str>)>,
    /// When the draft was typed, if the input comes from one.
    typed_at: Option<String>,
    /// Whether Create was pressed, so that missing input is reported.
    create_pressed: bool,
    /// Whether an attempt failed since the form was opened.
    failed: bool,
    opened: bool,
    sent: Submission,
}

impl NewText {
    /// Creates the form, with the input of a draft if there is one.
    pub fn with_draft(draft: Option<&Draft>) -> Self {
        let Some(Draft { typed, at, .. }) = draft else { return Self::default() };
        let text = |key: &str| typed.text(key).unwrap_or_default().to_owned();
        let (name, text) = (text("name"), text("text"));
        Self {
            saved_draft: Some((name.as_str().into(), text.as_str().into())),
            name,
            text,
            typed_at: Some(at.clone()),
            ..Self::default()
        }
    }

    /// Draws the form; returns whether to close it.
    pub fn ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) -> bool {
        let ctx = ui.ctx().clone();
        let (ended, outside) = dialog_with_changes(&ctx, "new from text", "New asset from text", 560.0, |ui| {
            // Before the buttons are drawn: a click in the same frame as the response must not send another request.
            let done = self.done(ui, state);
            self.earlier_ui(ui);
            let creating = state.import.creation.loading();
            let no_name = self.name.trim().is_empty().then_some("Enter a name, such as notes.md");
            let no_text = self.text.is_empty().then_some("Enter some text");
            let focus = !std::mem::replace(&mut self.opened, true);
            let name = TextField::new("Name")
                .hint("notes.md")
                .error(no_name.filter(|_| self.create_pressed))
                .focus(focus)
                .show(ui, &mut self.name);
            let height = (ui.ctx().content_rect().height() - RESERVED_HEIGHT).clamp(50.0, 320.0);
            let text = egui::ScrollArea::vertical().max_height(height).show(ui, |ui| {
                let field = TextField::new("Text").rows(14).mono().indents(true);
                field.error(no_text.filter(|_| self.create_pressed)).show(ui, &mut self.text)
            });
            ui.caption("Tab indents; Ctrl+Tab goes to the buttons. The language is detected and can be changed later.");
            self.error_ui(ui, state);
            let why_disabled = disabled_reason(state, Capability::CreateAsset);
            let reason = why_disabled.as_deref().or(creating.then_some("The asset is being created"));
            let create = |ui: &mut Ui| ui.primary_button("Create");
            let buttons = |ui: &mut Ui, create| buttons_ui(ui, reason, CANCEL_DISCARDS, create);
            let (cancelled, pressed) = buttons_or_saving_ui(ui, state.import.creating, actions, create, buttons);
            let named = name.submitted && no_text.is_none();
            if name.submitted && !named {
                text.inner.response.request_focus();
            }
            if (pressed || named || text.inner.submitted) && reason.is_none() && !done {
                self.create_pressed = true;
                if no_name.or(no_text).is_none() {
                    self.send(ui, actions);
                }
            }
            (cancelled || done, !(self.name.is_empty() && self.text.is_empty()))
        });
        self.keep(ended, actions);
        ended || outside
    }

    fn send(&mut self, ui: &Ui, actions: &mut Vec<Action>) {
        self.sent.begin(ui);
        self.sent_text = (self.name.clone(), self.text.clone());
        let (name, text) = (self.name.trim().to_owned(), self.text.clone());
        actions.push(ImportAction::Create { name, text }.into());
    }

    /// Saves the input as a draft if it changed; `discard` says that nothing is to be saved.
    fn keep(&mut self, discard: bool, actions: &mut Vec<Action>) {
        let Self { name, text, saved_draft, .. } = self;
        let empty = name.is_empty() && text.is_empty();
        let same =
            saved_draft.as_ref().is_some_and(|(kept_name, kept_text)| **kept_name == **name && **kept_text == **text);
        if discard || empty {
            if saved_draft.take().is_some() {
                actions.push(DraftsAction::Save(DraftKey::NewText, None).into());
            }
        } else if !same {
            let (name, text) = saved_draft.insert((name.as_str().into(), text.as_str().into()));
            let typed = Typed::texts([("name", name), ("text", text)]);
            let draft = Draft { base: Arc::new(Value::Null), typed, at: jiff::Timestamp::now().to_string() };
            actions.push(DraftsAction::Save(DraftKey::NewText, Some(draft)).into());
        }
    }

    /// Draws what happened to the text earlier.
    fn earlier_ui(&self, ui: &mut Ui) {
        if let Some(typed_at) = &self.typed_at {
            ui.caption(&format!("Restored your draft of {}", format::ago(typed_at)));
        }
        if let Some(name) = &self.created_meanwhile {
            let name = shown_short(name, 80);
            ui.warning_text(&format!(
                "“{name}” was created with the text at the time you pressed Create. Text typed since then is below; \
                 Create makes another asset from it."
            ));
        }
    }

    fn error_ui(&self, ui: &mut Ui, state: &State) {
        if let Remote::Failed { error, .. } = &state.import.creation
            && self.failed
        {
            reported(&ui.error_text(error), Topic::Create);
        }
    }

    /// Returns whether the asset was created and contains all of the input.
    fn done(&mut self, ui: &Ui, state: &State) -> bool {
        let waited = self.sent.waiting();
        let refused = state.import.creation.error().is_some();
        let done = self.sent.done(ui, state.import.creation.loading(), refused);
        self.failed |= waited && !self.sent.waiting() && refused;
        let same = self.sent_text.0 == self.name && self.sent_text.1 == self.text;
        if done && !same {
            self.created_meanwhile = Some(self.sent_text.0.trim().to_owned());
        }
        done && same
    }
}
