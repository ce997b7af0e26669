//! The text of a record, typed over: checked as one types, kept as a draft, looked at as a plan before it is sent.

use std::sync::Arc;

use egui::{Align, Layout, Ui};
use serde_json::Value;

use crate::app::change::Change;
use crate::app::drafts::Draft;
use crate::app::session::feature::Feature;
use crate::app::state::AssetPage;
use crate::app::{Action, State};
use crate::ui::disabled_reason::{change_disabled_reason, enabled_unless};
use crate::ui::theme::{Icon, SPACE_S, UiExt as _};
use crate::ui::widgets::background::Background;
use crate::ui::widgets::code_edit::{CodeEditState, code_edit};
use crate::ui::widgets::grouped;
use lunette_client::model::id::AssetId;

use super::check::{Checked, check};
use super::key;

/// From so many bytes on it is said that typing may be slow.
const SLOW: usize = 256 * 1024;
/// So many places are named in the line; all that are known on hover.
const NAMED: usize = 3;

/// What is typed, and what it was begun with.
pub struct RecordEditor {
    base: Arc<Value>,
    /// The text it was opened with, where that was the record itself: typing it again is no change.
    first: Option<String>,
    text: String,
    /// Counts changes of the text, so that each is checked once.
    revision: u64,
    checked: Background<u64, Checked>,
    edit: CodeEditState,
    /// Whether there is a draft of it.
    kept: bool,
}

impl RecordEditor {
    /// An editor of a record, with its text.
    pub fn new(base: Arc<Value>, text: String) -> Self {
        Self { first: Some(text.clone()), kept: false, ..Self::resumed(base, text) }
    }

    /// An editor with what was typed before.
    pub fn resumed(base: Arc<Value>, text: String) -> Self {
        let (checked, edit) = Default::default();
        Self { base, first: None, text, revision: 0, checked, edit, kept: true }
    }

    /// The record it was begun with.
    pub fn base(&self) -> &Value {
        &self.base
    }

    /// Whether its draft went although it was kept: the service has taken it, or it was discarded.
    fn outlived(&self, state: &State, id: &AssetId) -> bool {
        self.kept && !state.drafts.contains_key(&key(id))
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
        if self.outlived(state, id) {
            return true;
        }
        if self.checked.known(&self.revision).is_none() {
            let (text, base) = (self.text.clone(), Arc::clone(&self.base));
            self.checked.get(ui.ctx(), &self.revision, move || check(&text, &base));
        }
        let held = change_disabled_reason(state, page, Feature::Edit);
        let (closed, typed) = self.bar_ui(ui, id, held.as_deref(), actions);
        if let Some(text) = typed {
            self.text = text;
            self.changed(id, actions);
        }
        self.said_ui(ui);
        if self.text.len() > SLOW {
            ui.warning_text("This record is large: typing may be slow.");
        }
        ui.add_space(SPACE_S);
        let fault = match self.checked.known(&self.revision) {
            Some(Checked::NotJson { line, .. }) => Some(*line),
            _ => None,
        };
        let height = ui.available_height().max(120.0);
        if code_edit(ui, "Record as JSON", &mut self.text, &mut self.edit, height, fault).changed() {
            self.changed(id, actions);
        }
        closed
    }

    /// The buttons; gives whether the editor is to be closed, and another text.
    fn bar_ui(
        &mut self,
        ui: &mut Ui,
        id: &AssetId,
        held: Option<&str>,
        actions: &mut Vec<Action>,
    ) -> (bool, Option<String>) {
        let checked = self.checked.known(&self.revision);
        let (mut closed, mut typed) = (false, None);
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = SPACE_S;
            let (to, why) = match (checked, held) {
                (_, Some(held)) => (None, Some(held)),
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
                let change = Change::Record { asset: id.clone(), from: (*self.base).clone(), to: (**to).clone() };
                actions.extend([Action::DismissRefusal(id.clone()), Action::Change(change)]);
            }
            let json = !matches!(checked, None | Some(Checked::NotJson { .. }));
            let format = enabled_unless(ui, (!json).then_some("It is not JSON"), |ui| ui.button("Format"));
            if format.on_hover_text("One field a line").clicked() {
                let tree: Option<Value> = serde_json::from_str(&self.text).ok();
                typed = tree.and_then(|tree| serde_json::to_string_pretty(&tree).ok());
            }
            let nothing = (!self.kept).then_some("Nothing was typed yet");
            if enabled_unless(ui, nothing, |ui| ui.button("Discard draft")).clicked() {
                actions.push(Action::KeepDraft(key(id), None));
                closed = true;
            }
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                closed |= ui.icon_button(Icon::CLOSE, "Back to the tree").clicked();
            });
        });
        (closed, typed.filter(|text| *text != self.text))
    }

    /// What is wrong with the text, or how it differs.
    fn said_ui(&self, ui: &mut Ui) {
        match self.checked.known(&self.revision) {
            None => ui.muted("Checking…"),
            Some(Checked::NotJson { line, column, problem }) => {
                ui.error_text(&format!("line {line}, column {column}: {problem}"))
            }
            Some(Checked::SchemaError(said)) => ui.error_text(said),
            Some(Checked::Same) => ui.muted("Nothing differs from what you began with."),
            Some(Checked::Differs { count, places, .. }) => {
                let differ = if *count == 1 { "place differs" } else { "places differ" };
                let mut named = places[..places.len().min(NAMED)].join(", ");
                if *count > NAMED {
                    named.push_str(&format!(" and {} more", grouped((*count - NAMED) as u64)));
                }
                let said = format!("{} {differ} from what you began with: {named}", grouped(*count as u64));
                ui.muted(&said).on_hover_text(places.join("\n"))
            }
        };
    }

    /// Notes that another text stands there, and keeps it.
    fn changed(&mut self, id: &AssetId, actions: &mut Vec<Action>) {
        self.revision += 1;
        let as_it_was = self.first.as_ref() == Some(&self.text);
        if as_it_was && !self.kept {
            return;
        }
        let draft = || Draft {
            base: (*self.base).clone(),
            typed: Value::String(self.text.clone()),
            at: jiff::Timestamp::now().to_string(),
        };
        // Both of a button and of the keyboard in one frame: the last one says all.
        actions.retain(|action| !matches!(action, Action::KeepDraft(of, _) if *of == key(id)));
        actions.push(Action::KeepDraft(key(id), (!as_it_was).then(draft)));
        self.kept = !as_it_was;
    }
}
