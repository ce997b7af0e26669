//! The requests of a history entry, each with its collapsible body, and as a curl command.

use std::sync::Arc;

use egui::{Label, RichText, Ui};

use crate::ui::disabled_reason::enabled_unless;
use crate::ui::format;
use crate::ui::theme::{Icon, SPACE_S, UiExt as _};
use crate::ui::widgets::background::Background;
use crate::ui::widgets::code::{CodeState, LINE, code};
use crate::ui::widgets::highlight::{Highlighted, highlight};
use crate::ui::widgets::shown;
use lunette_client::operation::OperationInfo;
use lunette_inspector::Action;
use lunette_inspector::journal::{Entry, EntryId, Sent};
use lunette_inspector::session::Connection;
use lunette_inspector::write::request::Request;
use lunette_syntax::Budget;

/// The requests of the open entry, and their formatted bodies.
#[derive(Default)]
pub struct Requests {
    /// For each request: whether its body is expanded, and its view state.
    codes: Vec<(bool, CodeState)>,
    bodies: Background<(EntryId, usize), Vec<Option<Highlighted>>>,
}

impl Requests {
    /// Forgets the scroll positions of another entry.
    pub fn reset(&mut self) {
        self.codes.clear();
    }

    /// Draws the requests of an entry.
    pub fn ui(&mut self, ui: &mut Ui, entry: &Arc<Entry>, connection: &Connection, actions: &mut Vec<Action>) {
        self.codes.resize_with(entry.requests.len(), Default::default);
        for (index, sent) in entry.requests.iter().enumerate() {
            ui.push_id(("request", index), |ui| {
                let line = RichText::new(format!("{} {}", sent.method, shown(&sent.target))).monospace();
                ui.add(Label::new(line).wrap());
                copies_ui(ui, sent, connection, actions);
                if let Some(body) = &sent.body {
                    self.body_ui(ui, entry, index, body);
                }
            });
            ui.add_space(SPACE_S);
        }
    }

    fn body_ui(&mut self, ui: &mut Ui, entry: &Arc<Entry>, index: usize, body: &str) {
        let Some((unfolded, state)) = self.codes.get_mut(index) else { return };
        ui.horizontal(|ui| {
            let (icon, name) =
                if *unfolded { (Icon::UNFOLDED, "Fold the body") } else { (Icon::FOLDED, "Unfold the body") };
            if ui.icon_button(icon, name).clicked() {
                *unfolded = !*unfolded;
            }
            let bytes = i64::try_from(body.len()).unwrap_or(i64::MAX);
            ui.caption(&format!("Request body ({})", format::size(bytes))).on_hover_text(format::exact_size(bytes));
        });
        if !*unfolded {
            return;
        }
        let work = {
            let entry = Arc::clone(entry);
            move |cancel| {
                let mut budget = Budget::new(cancel);
                let bodies = entry.requests.iter().map(|sent| sent.body.as_deref());
                bodies.map(|body| body.map(|body| read(body, &mut budget))).collect()
            }
        };
        match self.bodies.get_cancellable(ui.ctx(), &(entry.id, entry.requests.len()), work) {
            Some(Ok(bodies)) => {
                let Some(body) = bodies.get(index).and_then(Option::as_ref) else { return };
                let lines = body.line_count().clamp(2, 16) as f32;
                code(ui, "Request body", body, state, lines * LINE + 24.0);
            }
            Some(Err(problem)) => drop(ui.error_text(&format!("the body could not be shown: {problem}"))),
            None => drop(ui.muted("Preparing…")),
        }
    }
}

fn copies_ui(ui: &mut Ui, sent: &Sent, connection: &Connection, actions: &mut Vec<Action>) {
    let known = OperationInfo::named(&sent.operation).is_some();
    let address = connection.address.as_deref().filter(|_| known);
    ui.horizontal_wrapped(|ui| {
        let unknown = match sent.shortened {
            true => Some("The content is too large for the history, which has its digest"),
            false => address.is_none().then_some("The address of the service, or the operation, is not known"),
        };
        let copy = enabled_unless(ui, unknown, |ui| ui.icon_text_button(Icon::COPY, "Copy as curl"));
        if copy.clicked()
            && let Some(request) = address.and_then(|address| Request::sent(sent, address))
        {
            ui.ctx().copy_text(request.curl);
            actions.push(Action::Notify("Copied the call as curl".to_owned()));
        }
        if let Some(body) = sent.body.as_ref().filter(|_| !sent.shortened)
            && ui.icon_text_button(Icon::COPY, "Copy body").clicked()
        {
            ui.ctx().copy_text(body.clone());
            actions.push(Action::Notify("Copied the request body".to_owned()));
        }
    });
}

/// Formats a body for reading: JSON is indented.
fn read(body: &str, budget: &mut Budget) -> Highlighted {
    let tree: Option<serde_json::Value> = serde_json::from_str(body).ok();
    match tree.and_then(|tree| serde_json::to_string_pretty(&tree).ok()) {
        Some(lines) => highlight(lines, "json", budget),
        None => Highlighted::plain(body),
    }
}
