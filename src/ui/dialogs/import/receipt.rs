//! The receipt of an import: what the service has now, and what is missing, with the reason.

use std::borrow::Cow;
use std::sync::Arc;

use egui::Ui;

use crate::ui::dialogs::parts::FirstFocus;
use crate::ui::disabled_reason::enabled_unless;
use crate::ui::list::copy_as;
use crate::ui::theme::{self, Icon, SPACE_S, UiExt as _};
use crate::ui::widgets::context_menu::{Entry, separator};
use crate::ui::widgets::placeholder::skeleton;
use crate::ui::widgets::table::{Column, Table, TableState};
use crate::ui::widgets::{buttons, grouped, shown, shown_short};
use lunette_inspector::action::{HistoryAction, PreviewAction};
use lunette_inspector::import::preview::Sent;
use lunette_inspector::import::receipt::{Outcome, Receipt, ReceiptKind, ReceiptRow};
use lunette_inspector::{Action, State};

/// The height that the dialog needs besides the table, in points.
const RESERVED_HEIGHT: f32 = 340.0;

/// The columns.
const COLUMNS: [Column; 5] = [
    Column::text("outcome", "Now", 120.0),
    Column::text("name", "Name", 220.0).growing_by(2.0),
    Column::text("tags", "Tags", 160.0).growing(),
    Column::text("origin", "From", 220.0).growing_by(4.0),
    Column::text("reason", "Why", 160.0).growing_by(2.0),
];

/// The view state of the receipt.
#[derive(Default)]
pub(super) struct ReceiptView {
    table: TableState,
}

impl ReceiptView {
    /// Draws the receipt; returns whether to close the dialog.
    pub fn ui(
        &mut self,
        ui: &mut Ui,
        sent: &Sent,
        state: &State,
        focus: &mut FirstFocus,
        actions: &mut Vec<Action>,
    ) -> bool {
        super::scrolled_ui(ui, "import receipt", |ui| {
            let is_complete = sent.summary.is_complete();
            ui.horizontal_wrapped(|ui| {
                let t = ui.tokens();
                let (icon, ink) = if is_complete { (Icon::DONE, t.ok) } else { (Icon::WARNING, t.warning) };
                ui.decoration(icon.text().color(ink));
                ui.label(shown(&sent.summary.to_string()));
            });
            match (sent.receipt.value(), sent.receipt.error()) {
                (_, Some(error)) => _ = ui.error_text(&format!("It could not be read back: {error}")),
                (None, None) => {
                    super::work_ui(ui, "Reading back what was imported", sent.reading, state, actions);
                    skeleton(ui, "the receipt", 4);
                }
                (Some(receipt), None) => self.receipt_ui(ui, receipt, actions),
            }
        });
        footer_ui(ui, sent, state, focus, actions)
    }

    fn receipt_ui(&mut self, ui: &mut Ui, receipt: &Arc<Receipt>, actions: &mut Vec<Action>) {
        let (returned_count, expected_count, all) =
            (receipt.returned_count(), receipt.expected_count(), receipt.rows.len());
        ui.muted(&format!(
            "{} of {} are in the service.",
            grouped(returned_count as u64),
            grouped(expected_count as u64)
        ));
        if all == 0 {
            return;
        }
        let row = |index: usize| receipt.rows.get(index);
        let key = |index: usize| index.to_string();
        let name = |index: usize| row(index).map(row_name).unwrap_or_default();
        let height = ui.ctx().content_rect().height() - RESERVED_HEIGHT;
        let most = (height / theme::row(ui)).clamp(3.0, 24.0) as usize;
        let mut opened = None;
        let drawn = Table::new("Receipt", &COLUMNS, all, &key)
            .row_name(&name)
            .single_selection()
            .at_most_rows(most)
            .row_menu(&mut |ui, index| {
                if row(index).is_some_and(|row| menu_ui(ui, row, actions)) {
                    opened = Some(index);
                }
            })
            .show(ui, &mut self.table, |ui, index, column| {
                if let Some(row) = row(index) {
                    cell_ui(ui, row, COLUMNS[column].key);
                }
            });
        let opened = opened.or(drawn.opened).and_then(row).filter(|row| row.is_returned());
        if let Some(asset) = opened.and_then(|row| row.asset.as_ref()) {
            super::open_asset(asset, actions);
        }
    }
}

/// Draws the context menu of a row; returns whether to open its asset.
fn menu_ui(ui: &mut Ui, row: &ReceiptRow, actions: &mut Vec<Action>) -> bool {
    let reason = match (&row.asset, row.is_returned()) {
        (_, true) => None,
        (Some(_), false) => Some("The service did not return the asset"),
        (None, false) => Some("It is not an asset"),
    };
    let open = Entry::new(Icon::SHOWN, "Open the asset").tip("Closes the receipt").disabled_reason(reason).show(ui);
    separator(ui);
    let text = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
    copy_as::entry_ui(ui, "name", text(&row.name).as_ref(), actions);
    copy_as::entry_ui(ui, "path", text(&row.origin).as_ref(), actions);
    copy_as::entry_ui(ui, "UUID", row.asset.as_ref().map(ToString::to_string).as_ref(), actions);
    copy_as::entry_ui(ui, "reason", text(&row.reason).as_ref(), actions);
    copy_as::json_entry_ui(ui, "row", || row.json(), actions);
    open
}

fn row_name(row: &ReceiptRow) -> String {
    shown_short(if row.name.is_empty() { &row.origin } else { &row.name }, 120).into_owned()
}

fn cell_ui(ui: &mut Ui, row: &ReceiptRow, key: &str) {
    let t = ui.tokens();
    match key {
        "outcome" => {
            let ink = match row.outcome {
                Outcome::Imported | Outcome::Updated => t.ok,
                Outcome::Failed | Outcome::Unknown | Outcome::NotReturned => t.error,
                Outcome::NotUpdated => t.warning,
                Outcome::AlreadyPresent | Outcome::Unchanged => t.muted,
                Outcome::LeftOut | Outcome::NotSent | Outcome::Skipped | Outcome::NotRead => t.muted,
            };
            ui.colored_label(ink, row.outcome.word());
        }
        "name" => _ = ui.label(shown_short(&row.name, 120)),
        "tags" => _ = ui.muted(&shown_short(&row.tags.join(", "), 200)),
        "origin" => origin_ui(ui, &shown_short(&row.origin, 200)),
        "reason" => _ = ui.muted(&shown_short(&row.reason, 200)),
        _ => {}
    }
}

/// Draws where a row comes from. Where it does not fit, its end is drawn: the beginning is that of all rows.
fn origin_ui(ui: &mut Ui, origin: &str) {
    let color = ui.tokens().muted;
    let text = egui::WidgetText::from(origin);
    let whole = text.into_galley(ui, Some(egui::TextWrapMode::Extend), f32::INFINITY, egui::TextStyle::Body).size().x;
    let drawn = end_of(origin, ui.available_width() / whole.max(1.0));
    let label = ui.add(egui::Label::new(egui::RichText::new(drawn.as_ref()).color(color)).truncate());
    label.widget_info(|| egui::WidgetInfo::labeled(egui::accesskit::Role::Label, true, origin));
    if drawn != origin {
        label.on_hover_text(origin);
    }
}

/// Returns the end of a text that is this share of it.
fn end_of(text: &str, share: f32) -> Cow<'_, str> {
    if share >= 1.0 {
        return Cow::Borrowed(text);
    }
    let count = text.chars().count();
    // Letters differ in width.
    let kept = ((count as f32 * share) as usize).saturating_sub(3);
    let end: String = text.chars().skip(count - kept).collect();
    Cow::Owned(format!("…{end}"))
}

/// Draws the footer; returns whether to close the dialog.
fn footer_ui(ui: &mut Ui, sent: &Sent, state: &State, focus: &mut FirstFocus, actions: &mut Vec<Action>) -> bool {
    buttons(ui, |ui| {
        ui.spacing_mut().item_spacing.x = SPACE_S;
        let close = ui.primary_button("Close");
        focus.keep_on(&close);
        let close = close.clicked();
        let none = sent.receipt.value().is_none().then_some("The receipt is not ready yet");
        for kind in ReceiptKind::ALL.into_iter().rev() {
            let name = match kind {
                ReceiptKind::Csv => "CSV",
                ReceiptKind::Json => "JSON",
                ReceiptKind::Markdown => "Markdown",
            };
            let save = |ui: &mut Ui| ui.button(name).accessible_name(format!("Save the receipt as {name}"));
            if enabled_unless(ui, none, save).clicked() {
                actions.push(PreviewAction::SaveReceipt(kind).into());
            }
        }
        ui.muted("Save the receipt as");
        let undo = state.history.last().is_some_and(|last| Some(last.id) == sent.undo);
        if undo && ui.icon_text_button(Icon::UNDO, "Undo").clicked() {
            actions.extend([PreviewAction::Close.into(), HistoryAction::Undo.into()]);
            return false;
        }
        close
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_path_that_does_not_fit_the_end_is_drawn() {
        assert_eq!(end_of("/home/a/notes/db.json#s12", 1.0), "/home/a/notes/db.json#s12");
        assert_eq!(end_of("/home/a/notes/db.json#s12", 0.6), "…/db.json#s12");
        assert_eq!(end_of("/home/é", 0.1), "…");
    }
}
