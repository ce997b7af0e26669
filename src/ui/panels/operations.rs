//! A console for every operation of the table: a form made from its inputs, the request as it will go out, the answer.
//!
//! What must hold: what is shown as the request is what is sent; a write is held back or asked about first where the
//! connection's write policy says so; one that the service lacks can be sent all the same, since so it is tried again.

use std::collections::BTreeMap;

use egui::Ui;

use crate::app::{Action, State};
use crate::ui::focus::{Region, leaves_page, region};
use crate::ui::list::split::replaces_list;
use crate::ui::theme::{Icon, SPACE_L, SPACE_M, UiExt as _};
use lunette_client::operation::{OPERATIONS, OperationInfo};

mod answer;
mod check;
mod draft;
mod form;
mod known;
mod list;
mod request;

use answer::AnswerView;
use check::CheckPage;
use draft::Draft;
use form::Form;
use list::OperationList;

/// The panel, and what is being typed into it.
#[derive(Default)]
pub struct OperationsPanel {
    list: OperationList,
    chosen: Option<&'static OperationInfo>,
    /// What was typed into each operation's form; it stays while another is looked at.
    drafts: BTreeMap<&'static str, Draft>,
    form: Form,
    answer: AnswerView,
    check: CheckPage,
    /// Whether the check is in front instead of a form.
    checking: bool,
    /// Whether a check ran in the frame before.
    ran: bool,
    /// Whether the page is in front, where the window has no room for it beside the list.
    page: bool,
}

/// The list is at most so wide, in points.
const WIDEST: f32 = 420.0;

fn list_frame() -> egui::Frame {
    egui::Frame::new().inner_margin(egui::Margin { left: 14, right: 12, top: 12, bottom: 8 })
}

impl OperationsPanel {
    /// Draws the panel.
    pub fn ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
        let info = *self.chosen.get_or_insert(OPERATIONS[0]);
        // One that was started elsewhere comes to the front.
        let runs = state.check.task.is_some();
        let ran = std::mem::replace(&mut self.ran, runs);
        self.checking |= runs && !ran;
        let wide = !replaces_list(ui.ctx());
        // A check that was started elsewhere is what is to be seen.
        self.page |= runs && !ran;
        if wide {
            egui::Panel::left("operations")
                .default_size((ui.available_width() * 0.3).clamp(220.0, WIDEST))
                .size_range(200.0..=WIDEST)
                .frame(list_frame())
                .show(ui, |ui| region(ui, Region::List, |ui| self.list_ui(ui, info, state, actions)));
        } else if !self.page {
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
                    self.page = false;
                }
                self.page_ui(ui, info, state, actions);
            });
        });
        self.page &= wide || !leaves_page(ui.ctx());
    }

    /// Goes back from the page to the list, where one takes the place of the other; whether the page was open.
    pub fn close_page(&mut self) -> bool {
        std::mem::take(&mut self.page)
    }

    /// Draws the list, and the button for the check below its title.
    fn list_ui(&mut self, ui: &mut Ui, info: &'static OperationInfo, state: &State, actions: &mut Vec<Action>) {
        let Self { list, checking, page, .. } = self;
        let done = list.ui(ui, info, state, actions, |ui| {
            if ui.selectable_label(*checking, "Check this service…").clicked() {
                (*checking, *page) = (true, true);
            }
        });
        if let Some(chosen) = done.picked {
            self.chosen = Some(chosen);
            self.checking = false;
        }
        self.page |= done.opened;
    }

    fn page_ui(&mut self, ui: &mut Ui, info: &'static OperationInfo, state: &State, actions: &mut Vec<Action>) {
        if self.checking {
            return self.check.ui(ui, state, actions);
        }
        let draft = self.drafts.entry(info.name).or_default();
        let scroll = egui::ScrollArea::vertical().id_salt(("operation", info.name)).auto_shrink([false, false]);
        scroll.show(ui, |ui| {
            self.form.ui(ui, info, draft, state, actions);
            ui.add_space(SPACE_M);
            self.answer.ui(ui, info, state);
        });
    }
}
