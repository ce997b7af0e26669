//! The page that rescues everything from a service: how much there is of each kind, how far it is, the
//! receipt, and what was received.
//!
//! What must hold: each state says what can be done next; nothing is begun without a click; what was received can be
//! looked at while the rest is read.

use egui::{CentralPanel, Frame, Margin, Ui};

use lunette_inspector::rescue::window::Stage;
use lunette_inspector::{Action, State};

use crate::ui::focus::{Region, region};

mod head;
mod kinds;
mod records;

use head::Head;
use kinds::Kinds;
use records::Records;

/// Below this width, in points, the kinds are above the records.
const SIDE_BY_SIDE: f32 = 560.0;
/// Width of the kinds beside the records, and their height above them, in points.
const KINDS_WIDTH: f32 = 280.0;
const KINDS_HEIGHT: f32 = 170.0;

/// The page, and what is typed and selected on it.
#[derive(Default)]
pub struct RescuePanel {
    head: Head,
    kinds: Kinds,
    records: Records,
}

impl RescuePanel {
    /// Draws the page.
    pub fn ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
        let margin = Margin { left: 14, right: 12, top: 12, bottom: 8 };
        let top = egui::Panel::top("rescue head").resizable(false).show_separator_line(false);
        top.frame(Frame::new().inner_margin(margin)).show(ui, |ui| {
            region(ui, Region::List, |ui| self.head.ui(ui, state, actions));
        });
        if state.rescue.stage == Stage::Idle {
            CentralPanel::default().show(ui, |_| {});
            return;
        }
        let beside = ui.available_width() >= SIDE_BY_SIDE;
        let kinds = match beside {
            true => egui::Panel::left("rescue kinds").exact_size(KINDS_WIDTH),
            false => egui::Panel::top("rescue kinds above").exact_size(KINDS_HEIGHT),
        };
        kinds.resizable(false).frame(Frame::new().inner_margin(Margin { right: 4, ..margin })).show(ui, |ui| {
            self.kinds.ui(ui, &state.rescue, actions);
        });
        self.records.ui(ui, state, actions);
    }
}
