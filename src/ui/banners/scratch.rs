//! The banner of copies to try things on: one that is being made, the one that this window has, and one that an earlier
//! window kept.
//!
//! What must hold: while the window shows a copy, the banner says so and of what it is.

use egui::{Align, Color32, Frame, Label, Layout, Margin, RichText, Ui, accesskit::Role};

use lunette_inspector::action::ScratchAction;
use lunette_inspector::scratch::ScratchCopy;
use lunette_inspector::sides::Progress;
use lunette_inspector::{Action, State};

use super::write_policy::{button_ui, sign_ui};
use crate::ui::format;
use crate::ui::theme::{Icon, SPACE_S, UiExt as _, fonts};
use crate::ui::widgets::{grouped, progress, shown_short};

/// Height of the bar, in points.
const HEIGHT: f32 = 28.0;
/// Width of the progress, in points.
const PROGRESS: f32 = 120.0;
/// Maximum number of characters of a name.
const MAX_NAME: usize = 80;

/// A button: its text, its accessible name, and what it does.
type Button = (&'static str, &'static str, ScratchAction);

/// What the banner says.
struct Message {
    word: &'static str,
    rest: String,
    progress: Option<Progress>,
    /// From the right.
    buttons: Vec<Button>,
}

/// Draws the banner if there is a copy.
pub(in crate::ui) fn ui(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
    let Some(message) = message(state) else { return };
    let ink = ui.tokens().text;
    let frame = Frame::new().fill(ui.tokens().confirm_ground).inner_margin(Margin::symmetric(12, 0));
    let panel = egui::Panel::top("copy").exact_size(HEIGHT).resizable(false).frame(frame);
    let drawn = panel.show(ui, |ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = SPACE_S;
            for (text, name, action) in &message.buttons {
                if button_ui(ui, text, ink).accessible_name(*name).clicked() {
                    actions.push(action.clone().into());
                }
            }
            text_ui(ui, &message, ink);
        });
    });
    ui.ctx().accesskit_node_builder(drawn.response.id, |node| {
        node.set_role(Role::Status);
        node.set_label(format!("{}. {}", message.word, message.rest));
    });
}

fn text_ui(ui: &mut Ui, message: &Message, ink: Color32) {
    ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
        ui.spacing_mut().item_spacing.x = SPACE_S;
        sign_ui(ui, Icon::COPY, ink);
        ui.add(Label::new(RichText::new(message.word).family(fonts::semibold()).color(ink)).selectable(false));
        if let Some(now) = message.progress {
            let share = now.total.filter(|total| *total > 0).map(|total| now.done as f32 / total as f32);
            progress(ui, message.word, share, PROGRESS);
        }
        ui.add(Label::new(RichText::new(&message.rest).color(ink)).selectable(false).truncate())
            .on_hover_text(&message.rest);
    });
}

fn message(state: &State) -> Option<Message> {
    let ScratchCopy { making, of, removing, left, .. } = &state.scratch;
    if let Some(now) = making {
        let of = now.total.map(|total| format!(" of {}", grouped(total as u64))).unwrap_or_default();
        let rest = match now.done {
            0 => "You keep working on the original until the copy is ready".to_owned(),
            done => format!("{}{of} assets", grouped(done as u64)),
        };
        let cancel = ("Cancel", "Cancel the copy", ScratchAction::Cancel);
        return Some(Message { word: "Making a copy", rest, progress: Some(*now), buttons: vec![cancel] });
    }
    if *removing {
        let (word, rest) = ("Throwing the copy away", String::new());
        return Some(Message { word, rest, progress: Some(Progress { done: 0, total: None }), buttons: Vec::new() });
    }
    let discard = ("Throw away…", "Throw the copy away", ScratchAction::AskDiscard(None));
    if let Some(copy) = state.connection.target.copy() {
        let name = shown_short(&copy.of.name, MAX_NAME);
        let rest = format!("You are working on a copy of {name}. Nothing is sent to it");
        let compare = ("Compare…", "Compare the copy with the original", ScratchAction::Compare);
        return Some(Message { word: "Copy", rest, progress: None, buttons: vec![discard, compare] });
    }
    if let Some(of) = of {
        let rest =
            format!("There is a copy of {}, which this window does not show now", shown_short(&of.name, MAX_NAME));
        let enter = ("Go on with it", "Go on with the copy", ScratchAction::Enter);
        return Some(Message { word: "Copy", rest, progress: None, buttons: vec![discard, enter] });
    }
    let kept = left.first()?;
    let (name, made) = (shown_short(&kept.of.name, MAX_NAME), format::ago(&kept.of.made));
    let rest = format!("A copy of {name}, made {made}, was kept when its window was closed");
    let discard = ("Throw away…", "Throw the copy away", ScratchAction::AskDiscard(Some(kept.folder.clone())));
    let reopen = ("Go on with it", "Go on with the copy", ScratchAction::Reopen(kept.folder.clone()));
    Some(Message { word: "Copy", rest, progress: None, buttons: vec![discard, reopen] })
}
