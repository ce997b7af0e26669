//! A row that both sides changed, side by side: whose version of each changed part is taken.
//!
//! What must hold: what is not decided says so; nothing is written from here.

use egui::{Label, ScrollArea, Ui};

use lunette_inspector::Action;
use lunette_inspector::action::SidesAction;
use lunette_inspector::compare::{Layout, Position, TextDiff};
use lunette_inspector::sides::Decision;
use lunette_inspector::sides::window::{Chosen, Deciding};

use crate::ui::focus;
use crate::ui::theme::{SPACE_S, SPACE_XS, UiExt as _};
use crate::ui::widgets::placeholder::skeleton;
use crate::ui::widgets::text_diff::{TextDiffState, TextDiffView, text_diff};
use crate::ui::widgets::{Choice, choose, shown_short};

/// Below this width, in points, the texts are below each other.
const MIN_SIDE_BY_SIDE: f32 = 620.0;
/// The most that the fields and links take of the height.
const PARTS: f32 = 0.4;
/// The least height of the texts, in points.
const MIN_HEIGHT: f32 = 100.0;

/// The view of the two versions.
#[derive(Default)]
pub(super) struct DecideView {
    text: TextDiffState,
    /// The row that the view is of.
    of: Option<lunette_inspector::sides::RowKey>,
    hunk: usize,
}

impl DecideView {
    /// Draws the row in the rest of the panel.
    pub(super) fn ui(&mut self, ui: &mut Ui, deciding: &Deciding, actions: &mut Vec<Action>) {
        if self.of.as_ref() != Some(&deciding.key) {
            *self = Self { of: Some(deciding.key.clone()), ..Self::default() };
        }
        let Some(decision) = deciding.decision.value() else {
            back_ui(ui, actions);
            match deciding.decision.error() {
                Some(error) => drop(ui.error_text(&format!("The two could not be read: {error}"))),
                None => skeleton(ui, "both versions", 8),
            }
            return;
        };
        head_ui(ui, decision, actions);
        ui.add_space(SPACE_XS);
        let height = ui.available_height() * if decision.text.is_some() { PARTS } else { 1.0 };
        ScrollArea::vertical().id_salt("parts").max_height(height).auto_shrink([false, true]).show(ui, |ui| {
            parts_ui(ui, decision, actions);
        });
        if let Some(diff) = &decision.text {
            self.text_ui(ui, decision, diff, actions);
        }
    }

    fn text_ui(&mut self, ui: &mut Ui, decision: &Decision, diff: &TextDiff, actions: &mut Vec<Action>) {
        if self.text.current().is_none() {
            self.text.step(diff, true);
        }
        let last = diff.hunks.len().saturating_sub(1);
        self.hunk = self.text.current().unwrap_or(self.hunk).min(last);
        ui.horizontal_wrapped(|ui| {
            if ui.button("Previous").clicked() {
                self.text.step(diff, false);
            }
            if ui.button("Next").clicked() {
                self.text.step(diff, true);
            }
            ui.strong(format!("Change {} of {}", self.hunk + 1, diff.hunks.len()));
            let chosen = decision.hunks.get(self.hunk).copied().flatten();
            if let Some(side) = side_ui(ui, &format!("Version of change {}", self.hunk + 1), chosen) {
                actions.push(SidesAction::Choose(Chosen::Hunk(self.hunk, side)).into());
                self.text.step(diff, true);
            }
        });
        let narrow = ui.available_width() < MIN_SIDE_BY_SIDE;
        let layout = if narrow { Layout::Inline } else { Layout::SideBySide };
        let view = TextDiffView { name: "Both versions", diff, layout, found: None };
        let height = ui.available_height().max(MIN_HEIGHT);
        let texts = text_diff(ui, view, &mut self.text, height, |ui, hunk| {
            for side in Position::ALL {
                if ui.button(format!("Take the {} version", side.as_str())).clicked() {
                    actions.push(SidesAction::Choose(Chosen::Hunk(hunk, side)).into());
                    ui.close();
                }
            }
        });
        focus::register_list(ui.ctx(), texts.id);
    }
}

/// Draws the button that leads back; it has the keyboard while there are no texts below.
fn back_ui(ui: &mut Ui, actions: &mut Vec<Action>) {
    let button = ui.button("Back to the list");
    focus::register_list(ui.ctx(), button.id);
    if button.clicked() {
        actions.push(SidesAction::Decide(None).into());
    }
}

fn head_ui(ui: &mut Ui, decision: &Decision, actions: &mut Vec<Action>) {
    ui.horizontal_wrapped(|ui| {
        back_ui(ui, actions);
        ui.strong(shown_short(&decision.name, 80));
        match decision.open() {
            0 => ui.label("Everything is decided. Copy it to either side from the list."),
            open => ui.label(format!("{open} of {} changes are to be decided", decision.count())),
        };
        for side in Position::ALL {
            if ui.button(format!("All {}", side.as_str())).clicked() {
                actions.push(SidesAction::Choose(Chosen::All(side)).into());
            }
        }
    });
}

fn parts_ui(ui: &mut Ui, decision: &Decision, actions: &mut Vec<Action>) {
    for (index, ((part, chosen), [left, right])) in decision.parts.iter().zip(&decision.values).enumerate() {
        ui.horizontal_wrapped(|ui| {
            ui.strong(part.as_str());
            if let Some(side) = side_ui(ui, &format!("Version of {}", part.as_str()), *chosen) {
                actions.push(SidesAction::Choose(Chosen::Part(index, side)).into());
            }
            let shown =
                |text: &str| if text.is_empty() { "nothing".to_owned() } else { shown_short(text, 200).into_owned() };
            ui.add(Label::new(format!("left: {}", shown(left))).wrap());
            ui.add(Label::new(format!("right: {}", shown(right))).wrap());
        });
        ui.add_space(SPACE_S / 2.0);
    }
}

/// Draws which side is chosen; returns the one that was chosen now.
fn side_ui(ui: &mut Ui, name: &str, chosen: Option<Position>) -> Option<Position> {
    let choices = [(Position::Left, "Left"), (Position::Right, "Right")];
    let choices = choices.map(|(side, name)| Choice { value: Some(side), name, icon: None });
    choose(ui, name, chosen, &choices).flatten()
}
