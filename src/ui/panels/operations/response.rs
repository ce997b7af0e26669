//! The response in the console: status, time, size, and the body as a tree or as text.

use std::sync::Arc;

use egui::Ui;

use crate::ui::format;
use crate::ui::list::failure::failure_ui;
use crate::ui::panels::compare;
use crate::ui::theme::{Icon, SPACE_S, UiExt as _};
use crate::ui::widgets::background::Background;
use crate::ui::widgets::code::{CodeState, code};
use crate::ui::widgets::highlight::{Highlighted, highlight};
use crate::ui::widgets::json_tree::{JsonSource, JsonTreeState, json_tree};
use crate::ui::widgets::revision::Revision;
use lunette_client::model::time;
use lunette_client::operation::OperationInfo;
use lunette_inspector::write::ConsoleAnswer;
use lunette_inspector::{Action, State};
use lunette_syntax::Budget;

/// Height of a tree or text, in points.
const HEIGHT: f32 = 380.0;

/// The view state of the last response.
#[derive(Default)]
pub struct ResponseView {
    /// The response it belongs to.
    shown: Option<Arc<ConsoleAnswer>>,
    as_text: bool,
    tree: JsonTreeState,
    revision: Revision<serde_json::Value>,
    code: CodeState,
    text: Background<Arc<str>, Highlighted>,
}

impl ResponseView {
    /// Draws the last response; one of another operation is marked as such.
    pub fn ui(&mut self, ui: &mut Ui, info: &OperationInfo, state: &State, actions: &mut Vec<Action>) {
        if let Some(refused) = &state.write.console.refused {
            ui.error_text(&format!("Not sent: {refused}"));
        }
        let Some(answer) = &state.write.console.answer else { return };
        let fresh = !self.shown.as_ref().is_some_and(|shown| Arc::ptr_eq(shown, answer));
        if fresh {
            *self = Self { shown: Some(Arc::clone(answer)), as_text: self.as_text, ..Self::default() };
        }
        if answer.line.info != info {
            ui.caption(&format!("No response yet. The last one was to {}.", answer.line.info.name));
            return;
        }
        self.head_ui(ui, answer, state, actions);
        if let Some(error) = &answer.line.error {
            ui.add_space(SPACE_S);
            // Only the form sends again: a write is never repeated by accident.
            failure_ui(ui, "The call failed", error);
        }
        ui.add_space(SPACE_S);
        self.body_ui(ui, answer);
    }

    fn head_ui(&mut self, ui: &mut Ui, answer: &ConsoleAnswer, state: &State, actions: &mut Vec<Action>) {
        let line = &answer.line;
        let t = ui.tokens();
        ui.horizontal_wrapped(|ui| {
            ui.section_title("Response");
            let (color, message) = match line.status {
                Some(status) if line.error.is_none() => (t.ok, status.to_string()),
                Some(status) => (t.error, status.to_string()),
                None => (t.error, "no response".to_owned()),
            };
            ui.colored_label(color, message);
            ui.caption(&time::length(line.elapsed));
            let bytes = i64::try_from(line.size).unwrap_or(i64::MAX);
            ui.caption(&format::size(bytes)).on_hover_text(format::exact_size(bytes));
            if let Some(content_type) = &line.content_type {
                ui.caption(content_type);
            }
            if answer.tree.is_some() {
                for (text, name) in [(false, "Tree"), (true, "Text")] {
                    if ui.selectable_label(self.as_text == text, name).clicked() {
                        self.as_text = text;
                    }
                }
            }
            if !answer.text.is_empty() && ui.icon_button(Icon::COPY, "Copy the response").clicked() {
                ui.ctx().copy_text(answer.text.to_string());
            }
            if !answer.text.is_empty() {
                ui.icon_menu(Icon::COMPARE, "Compare the response", |ui| {
                    compare::entries_ui(ui, &|| compare::of_response(answer), state, actions);
                });
            }
        });
    }

    fn body_ui(&mut self, ui: &mut Ui, answer: &ConsoleAnswer) {
        if answer.text.is_empty() {
            ui.muted("The body is empty.");
            return;
        }
        if let Some(tree) = answer.tree.as_ref().filter(|tree| !self.as_text && (tree.is_object() || tree.is_array())) {
            let source = JsonSource { of: Arc::clone(tree), tree: |tree| tree, revision: self.revision.of(tree) };
            json_tree(ui, "Response", &source, &mut self.tree, HEIGHT);
            return;
        }
        let (text, tree) = (Arc::clone(&answer.text), answer.tree.clone());
        let work = move |cancel| match tree.and_then(|tree| serde_json::to_string_pretty(&*tree).ok()) {
            Some(pretty) => highlight(pretty, "json", &mut Budget::new(cancel)),
            None => Highlighted::plain(&*text),
        };
        match self.text.get_cancellable(ui.ctx(), &answer.text, work) {
            Some(Ok(text)) => {
                let height = (text.line_count() as f32 * 20.0 + 26.0).clamp(80.0, HEIGHT);
                code(ui, "Response", text, &mut self.code, height);
            }
            Some(Err(problem)) => {
                ui.error_text(&format!("the response could not be shown: {problem}"));
            }
            None => {
                ui.muted("Preparing…");
            }
        }
    }
}
