//! Two versions of a text that was changed on both sides, compared line by line.

use egui::Ui;

use crate::ui::theme::UiExt as _;
use crate::ui::widgets::background::Background;
use crate::ui::widgets::text_diff::{TextDiffState, TextDiffView, text_diff};
use lunette_inspector::change::Change;
use lunette_inspector::compare::{Layout, TextDiff, texts};
use lunette_inspector::write::conflict::Conflict;

/// Height of the texts, in points.
const HEIGHT: f32 = 200.0;

/// The comparison, and its view state.
#[derive(Default)]
pub(super) struct TextView {
    diff: Background<(), TextDiff>,
    state: TextDiffState,
}

impl TextView {
    /// Draws what the service has beside what was typed, if the conflict is one of a text.
    pub fn ui(&mut self, ui: &mut Ui, conflict: &Conflict) {
        let Change::Text { to, .. } = &conflict.change else { return };
        let theirs = conflict.fields.first().and_then(|contested| contested.field.theirs.as_ref()?.as_str());
        let Some(theirs) = theirs else { return };
        if self.diff.known(&()).is_none() && !self.diff.is_running(&()) {
            let (theirs, yours) = (theirs.to_owned(), to.clone());
            self.diff.get(ui.ctx(), &(), move || texts(&theirs, &yours));
        }
        let Some(diff) = self.diff.known(&()) else { return };
        ui.caption("Theirs on the left, yours on the right:");
        let view = TextDiffView { name: "Theirs and yours", diff, layout: Layout::SideBySide, found: None };
        text_diff(ui, view, &mut self.state, HEIGHT, |_, _| {});
    }
}
