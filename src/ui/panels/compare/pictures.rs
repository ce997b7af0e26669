//! Two pictures: beside each other, or one over the other with a slider.

use std::sync::Arc;

use egui::{Slider, Ui};

use lunette_inspector::compare::{Body, Comparison, Position};

use crate::ui::theme::UiExt as _;
use crate::ui::widgets::background::{Background, Identity};
use crate::ui::widgets::picture::{Picture, PictureError, PictureState, picture_view, pictures_over};
use crate::ui::widgets::placeholder::skeleton_text;
use crate::ui::widgets::{Choice, choose};

/// The least height of the pictures, in points.
const MIN_HEIGHT: f32 = 160.0;

/// How they are placed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Placed {
    #[default]
    Beside,
    Over,
}

/// The view of two pictures.
#[derive(Default)]
pub(super) struct PicturesView {
    decoded: Background<Identity<Comparison>, [Result<Picture, PictureError>; 2]>,
    states: [PictureState; 2],
    placed: Placed,
    /// How much of the right one is seen, from 0 to 1.
    blend: Option<f32>,
}

impl PicturesView {
    /// Draws both pictures in the rest of the height.
    pub fn ui(&mut self, ui: &mut Ui, comparison: &Arc<Comparison>) {
        let choices = [(Placed::Beside, "Beside each other"), (Placed::Over, "Over each other")];
        let choices = choices.map(|(value, name)| Choice { value, name, icon: None });
        let blend = self.blend.get_or_insert(0.5);
        ui.horizontal_wrapped(|ui| {
            self.placed = choose(ui, "Pictures", self.placed, &choices).unwrap_or(self.placed);
            if self.placed == Placed::Over {
                let label = ui.label("Right picture");
                ui.add(Slider::new(blend, 0.0..=1.0).show_value(false)).labelled_by(label.id);
            }
        });
        let of = Arc::clone(comparison);
        let decode = move || Position::ALL.map(|at| decoded(&of, at));
        let Some(Ok(pictures)) = self.decoded.get(ui.ctx(), &Identity(Arc::clone(comparison)), decode) else {
            return skeleton_text(ui, "the pictures", 6);
        };
        let height = ui.available_height().max(MIN_HEIGHT);
        match (self.placed, pictures) {
            (Placed::Over, [Ok(left), Ok(right)]) => {
                pictures_over(ui, "Both pictures", [left, right], &mut self.states, (*blend, height));
            }
            _ => ui.columns(2, |columns| {
                for ((at, picture), (ui, state)) in
                    Position::ALL.iter().zip(pictures).zip(columns.iter_mut().zip(&mut self.states))
                {
                    match picture {
                        Ok(picture) => picture_view(ui, &comparison.side(*at).title, picture, state, height),
                        Err(error) => _ = ui.error_text(&error.to_string()),
                    }
                }
            }),
        }
    }
}

fn decoded(comparison: &Comparison, at: Position) -> Result<Picture, PictureError> {
    match &comparison.side(at).body {
        Body::Bytes(bytes) => Picture::decode(bytes),
        Body::None | Body::TooLarge(_) => Err(PictureError::Format),
    }
}
