//! The page of one call.

use std::sync::Arc;

use egui::{ScrollArea, Ui};
use serde_json::Value;

use crate::ui::format;
use crate::ui::list::cells::length_text;
use crate::ui::list::split::titled_page_ui;
use crate::ui::theme::{Icon, SPACE_M, SPACE_S, UiExt as _};
use crate::ui::widgets::background::Background;
use crate::ui::widgets::code::{CodeState, LINE, code};
use crate::ui::widgets::highlight::{Highlighted, highlight};
use crate::ui::widgets::shown;
use lunette_inspector::Action;
use lunette_inspector::session::log::LogEntry;
use lunette_syntax::Budget;

/// The view state of the page.
#[derive(Default)]
pub(super) struct CallDetail {
    number: u64,
    request: CodeState,
    response: CodeState,
    /// The formatted bodies, highlighted.
    bodies: Background<(u64, bool), (Option<Highlighted>, Highlighted)>,
}

impl CallDetail {
    /// Draws the call; returns false if it was closed.
    pub(super) fn ui(&mut self, ui: &mut Ui, line: &Arc<LogEntry>, actions: &mut Vec<Action>) -> bool {
        if self.number != line.number {
            self.number = line.number;
            (self.request, self.response) = Default::default();
        }
        !titled_page_ui(ui, line.info.name, "Close the call", |ui| {
            let bottom = ui.max_rect().bottom();
            ScrollArea::vertical().id_salt(("call", line.number)).auto_shrink(false).show(ui, |ui| {
                facts_ui(ui, line);
                copies_ui(ui, line, actions);
                self.bodies_ui(ui, line, bottom);
            });
        })
    }

    /// Draws both bodies; the last one takes the height down to `bottom`.
    fn bodies_ui(&mut self, ui: &mut Ui, line: &Arc<LogEntry>, bottom: f32) {
        let work = {
            let line = Arc::clone(line);
            move |cancel| {
                let mut budget = Budget::new(cancel);
                let request = line.request_body.as_deref().map(|body| read(body, &mut budget));
                (request, read(&line.response_body, &mut budget))
            }
        };
        let bodies = match self.bodies.get_cancellable(ui.ctx(), &(line.number, line.dropped), work) {
            Some(Ok((request, response))) => (request.clone(), response.clone()),
            _ => (line.request_body.clone().map(Highlighted::plain), Highlighted::plain(line.response_body.clone())),
        };
        if let Some(request) = bodies.0 {
            let last = line.response_body.is_empty();
            let most = if last { available_lines(ui, bottom) } else { MAX_REQUEST_LINES };
            body_ui(ui, "Request body", &request, &mut self.request, most);
        }
        if line.response_body.is_empty() {
            ui.add_space(SPACE_M);
            ui.caption(match (line.dropped, line.status) {
                (true, _) => "The bodies were dropped: the log keeps the newest 32 MB.",
                (false, Some(_)) => "The response has no body.",
                (false, None) => "There was no response.",
            });
        } else {
            let most = available_lines(ui, bottom);
            body_ui(ui, "Response body", &bodies.1, &mut self.response, most);
        }
    }
}

/// Formats a body for reading: JSON is indented.
fn read(body: &str, budget: &mut Budget) -> Highlighted {
    let tree: Option<Value> = serde_json::from_str(body).ok();
    match tree.and_then(|tree| serde_json::to_string_pretty(&tree).ok()) {
        Some(lines) => highlight(lines, "json", budget),
        None => Highlighted::plain(body),
    }
}

/// Returns how many lines of a body fit down to `bottom`, below its title.
fn available_lines(ui: &Ui, bottom: f32) -> usize {
    let title = SPACE_M + SPACE_S * 2.0 + ui.text_style_height(&egui::TextStyle::Body) + 24.0;
    let lines = (bottom - ui.cursor().top() - title) / LINE;
    (lines.max(0.0) as usize).max(MIN_LINES)
}

/// Maximum number of lines of the request above its response.
const MAX_REQUEST_LINES: usize = 10;
/// Minimum height of a body, in lines.
const MIN_LINES: usize = 8;

fn body_ui(ui: &mut Ui, name: &str, body: &Highlighted, state: &mut CodeState, most: usize) {
    ui.add_space(SPACE_M);
    ui.section_title(name);
    ui.add_space(SPACE_S);
    let lines = body.line_count().clamp(2, most) as f32;
    code(ui, name, body, state, lines * LINE + 24.0);
}

fn facts_ui(ui: &mut Ui, line: &LogEntry) {
    ui.horizontal_wrapped(|ui| {
        ui.colored_label(super::color(line, ui.tokens()), line.outcome());
        let bytes = i64::try_from(line.size).unwrap_or(i64::MAX);
        let (size, at) = (format::size(bytes), format::exact(&line.at.to_string()));
        ui.muted(&format!("{} · {size} · {at}", length_text(line.elapsed))).on_hover_text(format::exact_size(bytes));
    });
    let address = format!("{} {}", line.info.method.as_str(), shown(&line.url));
    ui.add(egui::Label::new(egui::RichText::new(address).monospace()).wrap());
    if let Some(kind) = &line.content_type {
        ui.caption(&format!("Content type: {kind}"));
    }
    if let Some(error) = &line.error {
        ui.add_space(SPACE_S);
        ui.error_text(&error.reason());
        ui.label(shown(&error.advice()));
    }
    ui.add_space(SPACE_S);
}

fn copies_ui(ui: &mut Ui, line: &LogEntry, actions: &mut Vec<Action>) {
    let mut copied = |ui: &Ui, what: &str, text: &str| {
        ui.ctx().copy_text(text.to_owned());
        actions.push(Action::Notify(format!("Copied {what}")));
    };
    ui.horizontal_wrapped(|ui| {
        if ui.icon_text_button(Icon::COPY, "Copy as curl").clicked() {
            copied(ui, "the call as curl", &line.curl);
        }
        if !line.response_body.is_empty() && ui.icon_text_button(Icon::COPY, "Copy body").clicked() {
            copied(ui, "the body", &line.response_body);
        }
        if let Some(body) = &line.request_body
            && ui.icon_text_button(Icon::COPY, "Copy request body").clicked()
        {
            copied(ui, "the request body", body);
        }
        if let Some(error) = &line.error
            && ui.icon_text_button(Icon::COPY, "Copy error").clicked()
        {
            copied(ui, "the error", &error.to_string());
        }
    });
}
