//! A console for every operation: a form generated from its inputs, the request it sends, and the response.
//!
//! What must hold: the request shown is the request sent; a write is blocked or confirmed according to the write
//! policy; an operation that the service does not support can still be sent, to try it again.

use std::collections::BTreeMap;

use egui::Ui;

use crate::ui::focus::{Region, leaves_page, region};
use crate::ui::list::split::{Side, SideWidth, replaces_list};
use crate::ui::theme::{Icon, SPACE_L, SPACE_M, UiExt as _};
use lunette_client::operation::{OPERATIONS, OperationInfo};
use lunette_inspector::{Action, State};

mod check;
mod draft;
mod form;
mod list;
mod named_ids;
mod request;
mod response;

use check::CheckPage;
use draft::Draft;
use form::Form;
use list::OperationList;
use response::ResponseView;

/// The panel, and what is being typed into it.
#[derive(Default)]
pub struct OperationsPanel {
    list: OperationList,
    width: SideWidth,
    chosen: Option<&'static OperationInfo>,
    /// The input of each operation's form; it is kept while another is open.
    drafts: BTreeMap<&'static str, Draft>,
    form: Form,
    answer: ResponseView,
    check: CheckPage,
    /// Whether the conformance check is shown instead of a form.
    shows_check: bool,
    /// Whether a check was running in the previous frame.
    check_was_running: bool,
    /// Whether the page is shown, if the window has no room for it beside the list.
    shows_page: bool,
}

/// Maximum width of the list, in points.
const MAX_LIST_WIDTH: f32 = 420.0;

fn list_frame() -> egui::Frame {
    egui::Frame::new().inner_margin(egui::Margin { left: 14, right: 12, top: 12, bottom: 8 })
}

impl OperationsPanel {
    /// Draws the panel.
    pub fn ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
        let info = *self.chosen.get_or_insert(OPERATIONS[0]);
        // A check started elsewhere is shown.
        let runs = state.check.task.is_some();
        let check_was_running = std::mem::replace(&mut self.check_was_running, runs);
        self.shows_check |= runs && !check_was_running;
        let wide = !replaces_list(ui.ctx());
        // A check started elsewhere is shown in place of the list.
        self.shows_page |= runs && !check_was_running;
        if wide {
            let usual = (ui.available_width() * 0.3).clamp(220.0, MAX_LIST_WIDTH);
            let side = Side { name: "operations", usual, range: (200.0, MAX_LIST_WIDTH), frame: list_frame(), state };
            let mut width = self.width;
            side.show(ui, egui::Panel::left, &mut width, actions, |ui, actions| {
                region(ui, Region::List, |ui| self.list_ui(ui, info, state, actions));
            });
            self.width = width;
        } else if !self.shows_page {
            let frame = list_frame();
            egui::CentralPanel::default()
                .frame(frame)
                .show(ui, |ui| region(ui, Region::List, |ui| self.list_ui(ui, info, state, actions)));
            return;
        }
        let frame = egui::Frame::new()
            .fill(ui.tokens().panel)
            .inner_margin(egui::Margin::symmetric(SPACE_L as i8, SPACE_M as i8));
        egui::CentralPanel::default().frame(frame).show(ui, |ui| {
            region(ui, Region::Page, |ui| {
                if !wide && ui.icon_text_button(Icon::BACK, "Back to the list").clicked() {
                    self.shows_page = false;
                }
                self.page_ui(ui, info, state, actions);
            });
        });
        self.shows_page &= wide || !leaves_page(ui.ctx());
    }

    /// Shows the page of the conformance check.
    pub fn show_check(&mut self) {
        (self.shows_check, self.shows_page) = (true, true);
    }

    /// Returns from the page to the list, if one replaces the other; returns whether the page was open.
    pub fn close_page(&mut self) -> bool {
        std::mem::take(&mut self.shows_page)
    }

    /// Draws the list, with the button for the check below its title.
    fn list_ui(&mut self, ui: &mut Ui, info: &'static OperationInfo, state: &State, actions: &mut Vec<Action>) {
        let Self { list, shows_check, shows_page, .. } = self;
        let response = list.ui(ui, info, state, actions, |ui| {
            if ui.selectable_label(*shows_check, "Check this service…").clicked() {
                (*shows_check, *shows_page) = (true, true);
            }
        });
        if let Some(chosen) = response.picked {
            self.chosen = Some(chosen);
            self.shows_check = false;
        }
        self.shows_page |= response.opened;
    }

    fn page_ui(&mut self, ui: &mut Ui, info: &'static OperationInfo, state: &State, actions: &mut Vec<Action>) {
        if self.shows_check {
            if let Some(opened) = self.check.ui(ui, state, actions) {
                self.chosen = Some(opened);
                self.shows_check = false;
            }
            return;
        }
        let draft = self.drafts.entry(info.name).or_default();
        let scroll = egui::ScrollArea::vertical().id_salt(("operation", info.name)).auto_shrink([false, false]);
        scroll.show(ui, |ui| {
            self.form.ui(ui, info, draft, state, actions);
            ui.add_space(SPACE_M);
            self.answer.ui(ui, info, state, actions);
        });
    }
}
