//! The page of a run in the log: its calls, failed ones first.

use egui::{ScrollArea, Ui};

use lunette_inspector::listing::{Listing, Row as _};
use lunette_inspector::session::log::{LogEntry, RunCalls};

use crate::ui::list::cells::length_text;
use crate::ui::list::split::titled_page_ui;
use crate::ui::theme::{SPACE_S, UiExt as _, control};
use crate::ui::widgets::{grouped, shown_short};

/// Draws the calls; returns what is open now: the run, one of its calls, or nothing.
pub(super) fn ui(ui: &mut Ui, log: &Listing<LogEntry>, entry: &LogEntry, calls: &RunCalls) -> Option<u64> {
    let run = entry.run.as_ref()?;
    let mut open = Some(entry.key());
    let closed = titled_page_ui(ui, &shown_short(&run.title, 200), "Close the run", |ui| {
        ui.horizontal_wrapped(|ui| {
            ui.colored_label(super::color(entry, ui.tokens()), calls.to_string());
            ui.muted(&format!("{} on average", length_text(calls.mean())));
        });
        let (mut kept, others): (Vec<_>, Vec<_>) =
            log.iter().rev().filter(|line| line.is_call_of(run.id)).partition(|line| line.error.is_some());
        kept.extend(others);
        if (kept.len() as u64) < calls.count {
            ui.caption(&format!(
                "The log has {} of them: the newest, and the failed ones.",
                grouped(kept.len() as u64)
            ));
        }
        ui.add_space(SPACE_S);
        let area = ScrollArea::vertical().id_salt(("calls", run.id)).auto_shrink(false);
        area.show_rows(ui, control(ui), kept.len(), |ui, visible| {
            for call in &kept[visible] {
                if call_ui(ui, call).clicked() {
                    open = Some(call.key());
                }
            }
        });
    });
    if closed { None } else { open }
}

/// Draws one call as a line that opens it.
fn call_ui(ui: &mut Ui, call: &LogEntry) -> egui::Response {
    ui.horizontal(|ui| {
        ui.set_height(control(ui));
        let name = format!("{} {}", call.info.method.as_str(), call.info.name);
        let button = ui.line_button(&name).accessible_name(format!("{name}, call {}", call.number));
        ui.colored_label(super::color(call, ui.tokens()), call.outcome());
        ui.muted(&length_text(call.elapsed));
        button
    })
    .inner
}
