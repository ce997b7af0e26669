//! The requests of a plan: method, address, and the body exactly as it is sent.

use egui::{Label, RichText, Ui};
use serde_json::Value;

use crate::ui::format;
use crate::ui::theme::{self, Icon, SPACE_S, UiExt as _, text};
use crate::ui::widgets::code::{CodeState, LINE, code};
use crate::ui::widgets::highlight::Highlighted;
use crate::ui::widgets::shown_short;
use lunette_client::operation::Call;
use lunette_inspector::write::request::Request;

/// Maximum number of lines of a body visible at once; the others are scrolled to.
const SEEN: usize = 7;

/// A request prepared for drawing.
pub struct PreparedCall {
    request: Request,
    /// The body as it is sent, wrapped so that all of it can be read.
    sent: Option<Highlighted>,
    /// The body with one field per line; `None` if it is short.
    lines: Option<Highlighted>,
}

impl PreparedCall {
    /// Prepares a call, its body wrapped at `columns` characters.
    pub fn of(call: &Call, address: &str, columns: usize) -> Self {
        let request = Request::of(call, address);
        let body = request.body.as_deref();
        let sent = body.map(|body| Highlighted::json(body, columns));
        let long = body.filter(|body| body.len() > columns);
        let lines = long.and_then(|body| serde_json::from_str::<Value>(body).ok());
        let lines = lines.and_then(|tree| serde_json::to_string_pretty(&tree).ok());
        let lines = lines.map(|lines| Highlighted::json(lines, columns));
        Self { request, sent, lines }
    }

    /// Returns the request as a curl command.
    pub fn curl(&self) -> &str {
        &self.request.curl
    }

    /// Returns the request as a command of this program.
    pub fn command(&self) -> &str {
        &self.request.command
    }
}

/// The view state of each request.
#[derive(Default)]
pub struct CallViews(Vec<CallView>);

#[derive(Default)]
struct CallView {
    folded: bool,
    tidy: bool,
    sent: CodeState,
    lines: CodeState,
}

impl CallViews {
    /// Draws the requests in the order in which they are sent.
    pub fn ui(&mut self, ui: &mut Ui, calls: &[PreparedCall]) {
        self.0.resize_with(calls.len(), CallView::default);
        for (index, (view, call)) in self.0.iter_mut().zip(calls).enumerate() {
            ui.push_id(("call", index), |ui| {
                ui.add_space(SPACE_S);
                call_ui(ui, view, call);
            });
        }
    }
}

fn call_ui(ui: &mut Ui, view: &mut CallView, call: &PreparedCall) {
    let Request { info, url, body, .. } = &call.request;
    let line = format!("{} {}", info.method, shown_short(url, 2_000));
    ui.add(Label::new(RichText::new(line).text_style(text::mono_small())).wrap());
    let (Some(body), Some(sent)) = (body, &call.sent) else {
        ui.caption("No body is sent.");
        return;
    };
    ui.horizontal(|ui| {
        let (icon, name) =
            if view.folded { (Icon::FOLDED, "Unfold the body") } else { (Icon::UNFOLDED, "Fold the body") };
        if ui.icon_button(icon, name).clicked() {
            view.folded = !view.folded;
        }
        let bytes = i64::try_from(body.len()).unwrap_or(i64::MAX);
        let set = if view.tidy { ", one field per line" } else { "" };
        ui.caption(&format!("Request body ({}){set}", format::size(bytes))).on_hover_text(format::exact_size(bytes));
        if call.lines.is_some() {
            theme::checkbox(ui, &mut view.tidy, "One field per line");
        }
    });
    if view.folded {
        return;
    }
    let (body, state) = match &call.lines {
        Some(lines) if view.tidy => (lines, &mut view.lines),
        _ => (sent, &mut view.sent),
    };
    code(ui, "Body", body, state, body.line_count().clamp(1, SEEN) as f32 * LINE + 16.0);
}

/// Returns how many characters of code fit in a line.
pub fn columns(ui: &Ui) -> usize {
    let font = egui::TextStyle::Monospace.resolve(ui.style());
    let advance = ui.fonts_mut(|fonts| fonts.glyph_width(&font, '0')).max(1.0);
    // Line numbers are on the left; the copy button and the scroll bar on the right.
    let room = ui.available_width() - 120.0;
    ((room / advance) as usize).clamp(20, 400)
}
