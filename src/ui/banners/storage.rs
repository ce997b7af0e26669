//! The banner shown while the service cannot write to its store: what is wrong, since when, and what to do.
//!
//! What must hold: it disappears with the next successful write; reading is unaffected.

use egui::{Align, Frame, Label, Layout, Margin, RichText, Ui, accesskit::Role};

use lunette_inspector::State;
use lunette_inspector::settings::Target;

use crate::ui::format;
use crate::ui::theme::{Icon, SPACE_S, UiExt as _, fonts};
use crate::ui::widgets::shown_short;

/// Height of the bar, in points.
const HEIGHT: f32 = 28.0;

/// Below this window width, in points, the advice takes the whole banner and the time is shown on hover.
const NARROW: f32 = 1_000.0;

/// Draws the banner if something is wrong.
pub(in crate::ui) fn ui(ui: &mut Ui, state: &State) {
    let Some(trouble) = &state.embedded.trouble else { return };
    if trouble.kind.is_own() && state.connection.target != Target::Embedded {
        return; // Of the embedded service, while another one is looked at.
    }
    let (word, sentence) = (trouble.word(), trouble.sentence());
    let since = format!("since {}", format::exact(&trouble.since.to_string()));
    let ink = ui.tokens().text;
    let frame = Frame::new().fill(ui.tokens().exposed_ground).inner_margin(Margin::symmetric(12, 0));
    let panel = egui::Panel::top("store trouble").exact_size(HEIGHT).resizable(false).frame(frame);
    let drawn = panel.show(ui, |ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if ui.available_width() >= NARROW {
                ui.add(Label::new(RichText::new(&since).color(ink)).selectable(false));
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                ui.spacing_mut().item_spacing.x = SPACE_S;
                ui.decoration(Icon::WARNING.text().color(ink));
                ui.add(Label::new(RichText::new(word).family(fonts::semibold()).color(ink)).selectable(false));
                ui.add_space(SPACE_S);
                let line = RichText::new(shown_short(&sentence, 300)).color(ink);
                ui.add(Label::new(line).truncate()).on_hover_text(format!("{sentence} ({since})"));
            });
        });
    });
    ui.ctx().accesskit_node_builder(drawn.response.id, |node| {
        node.set_role(Role::Status);
        node.set_label(format!("{word}, {since}. {sentence}."));
    });
}
