//! Makes an asset from text that is typed or pasted; what is typed is kept until it is one, or given up.
//!
//! What must hold: what is typed while an asset is made is in no asset; the form stays open with it.

use egui::Ui;
use serde_json::{Value, json};

use crate::app::drafts::{Draft, DraftKey};
use crate::app::session::feature::Feature;
use crate::app::{Action, Remote, State};
use crate::ui::disabled_reason::disabled_reason;
use crate::ui::format;
use crate::ui::theme::UiExt as _;
use crate::ui::widgets::text_field::TextField;
use crate::ui::widgets::{dialog_with_changes, shown_short};

use super::{FORGOTTEN, Sent, buttons_ui, saving_ui};

/// What the form leaves of the window's height, in points, beside the text.
const AROUND: f32 = 260.0;

/// What is typed.
#[derive(Default)]
pub struct NewText {
    name: String,
    text: String,
    /// Name and text when Create was pressed last.
    meant: (String, String),
    /// The name of the asset that was made while something was typed.
    ahead: Option<String>,
    /// What of it is kept as a draft: name and text; None where that is nothing.
    kept: Option<(String, String)>,
    /// When it was typed, where it was typed before.
    at: Option<String>,
    /// Whether Create was pressed, so that what is missing is said.
    tried: bool,
    /// Whether an attempt failed since the form was opened.
    failed: bool,
    opened: bool,
    sent: Sent,
}

impl NewText {
    /// A form with what was typed before, if anything was.
    pub fn begun(draft: Option<&Draft>) -> Self {
        let Some(Draft { typed, at, .. }) = draft else { return Self::default() };
        let text = |key: &str| typed.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        let (name, text) = (text("name"), text("text"));
        Self { kept: Some((name.clone(), text.clone())), name, text, at: Some(at.clone()), ..Self::default() }
    }

    /// Draws the form; true when it is to be closed.
    pub fn ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) -> bool {
        let ctx = ui.ctx().clone();
        let (ended, outside) = dialog_with_changes(&ctx, "new from text", "New asset from text", 560.0, |ui| {
            self.before_ui(ui);
            let making = state.making.loading();
            let no_name = self.name.trim().is_empty().then_some("Enter a name, such as notes.md");
            let no_text = self.text.is_empty().then_some("Enter some text");
            let focus = !std::mem::replace(&mut self.opened, true);
            TextField::new("Name")
                .hint("notes.md")
                .error(no_name.filter(|_| self.tried))
                .focus(focus)
                .show(ui, &mut self.name);
            let height = (ui.ctx().content_rect().height() - AROUND).clamp(50.0, 320.0);
            let text = egui::ScrollArea::vertical().max_height(height).show(ui, |ui| {
                let field = TextField::new("Text").rows(14).mono().indents(true);
                field.error(no_text.filter(|_| self.tried)).show(ui, &mut self.text)
            });
            ui.caption("Tab indents; Ctrl+Tab goes to the buttons. The language is detected and can be changed later.");
            self.error_ui(ui, state);
            let held = disabled_reason(state, Feature::Make);
            let reason = held.as_deref().or(making.then_some("The asset is being created"));
            let create = |ui: &mut Ui| ui.primary_button("Create");
            let (cancelled, pressed) = match state.creating {
                Some(saving) => {
                    saving_ui(ui, saving, actions, create);
                    (false, false)
                }
                None => buttons_ui(ui, reason, FORGOTTEN, create),
            };
            if (pressed || text.inner.submitted) && reason.is_none() {
                self.tried = true;
                if no_name.or(no_text).is_none() {
                    self.sent.begin(ui);
                    self.meant = (self.name.clone(), self.text.clone());
                    actions.push(Action::Create { name: self.name.trim().to_owned(), text: self.text.clone() });
                }
            }
            (cancelled || self.done(ui, state), !(self.name.is_empty() && self.text.is_empty()))
        });
        self.keep(ended, actions);
        ended || outside
    }

    /// Keeps what is typed, where it is not what is kept already; `gone` says that nothing of it is to be kept.
    fn keep(&mut self, gone: bool, actions: &mut Vec<Action>) {
        let Self { name, text, kept, .. } = self;
        let empty = name.is_empty() && text.is_empty();
        let same = kept.as_ref().is_some_and(|(kept_name, kept_text)| kept_name == name && kept_text == text);
        if gone || empty {
            if kept.take().is_some() {
                actions.push(Action::KeepDraft(DraftKey::NewText, None));
            }
        } else if !same {
            *kept = Some((name.clone(), text.clone()));
            let typed = json!({ "name": name, "text": text });
            let draft = Draft { base: Value::Null, typed, at: jiff::Timestamp::now().to_string() };
            actions.push(Action::KeepDraft(DraftKey::NewText, Some(draft)));
        }
    }

    /// What became of the text before now.
    fn before_ui(&self, ui: &mut Ui) {
        if let Some(at) = &self.at {
            ui.caption(&format!("Restored from your draft of {}", format::ago(at)));
        }
        if let Some(name) = &self.ahead {
            let name = shown_short(name, 80);
            ui.warning_text(&format!(
                "“{name}” was created as it was when you pressed Create. What you typed since is below; Create makes \
                 another asset of it."
            ));
        }
    }

    fn error_ui(&self, ui: &mut Ui, state: &State) {
        if let Remote::Failed { error, .. } = &state.making
            && self.failed
        {
            ui.error_text(error);
        }
    }

    /// Whether the asset was made, and nothing was typed that is not in it.
    fn done(&mut self, ui: &Ui, state: &State) -> bool {
        let waited = self.sent.waiting();
        let refused = state.making.error().is_some();
        let done = self.sent.done(ui, state.making.loading(), refused);
        self.failed |= waited && !self.sent.waiting() && refused;
        let same = self.meant.0 == self.name && self.meant.1 == self.text;
        if done && !same {
            self.ahead = Some(self.meant.0.trim().to_owned());
        }
        done && same
    }
}
