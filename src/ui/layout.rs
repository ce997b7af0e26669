//! How lists are laid out, kept from one run to the next: widths of columns, columns shown, the edge of a split.

use std::collections::BTreeMap;

use egui::Ui;
use serde::{Deserialize, Serialize};

use crate::app::{Action, State};

use super::widget::table::TableState;

/// What is kept of a list.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct Layout {
    /// Widths the user gave columns, in points.
    widths: BTreeMap<String, f32>,
    /// Columns the user showed or hid.
    visible: BTreeMap<String, bool>,
    /// How wide the page beside the list is, in points.
    page: Option<f32>,
}

/// Keeps the layout of one list.
#[derive(Default)]
pub struct LayoutKeeper {
    /// What is in the settings, as far as known here; None before the first frame.
    kept: Option<Layout>,
    /// How wide the page was drawn last.
    page: Option<f32>,
    /// How wide it was before the user dragged its edge.
    before: Option<f32>,
}

impl LayoutKeeper {
    /// The width for the page beside the list, where one was kept; asked before the list is drawn.
    pub fn page_width(&mut self, name: &str, table: &mut TableState, state: &State) -> Option<f32> {
        if self.kept.is_none() {
            let kept = state.settings.layout.get(name).cloned();
            // A layout that cannot be read is one of another version: the first one does.
            let kept: Layout = kept.and_then(|kept| serde_json::from_value(kept).ok()).unwrap_or_default();
            table.widths.extend(kept.widths.iter().map(|(key, width)| (key.clone(), width.clamp(40.0, 2_000.0))));
            table.visible.extend(kept.visible.clone());
            self.kept = Some(kept);
        }
        self.kept.as_ref().and_then(|kept| kept.page)
    }

    /// Notes how wide the page was drawn.
    pub fn drawn(&mut self, page: Option<f32>) {
        self.page = page.or(self.page);
        self.before = self.before.or(self.page);
    }

    /// Keeps what changed, once the mouse lets go.
    pub fn keep(&mut self, ui: &Ui, name: &str, table: &TableState, actions: &mut Vec<Action>) {
        if ui.input(|input| input.pointer.any_down()) {
            return;
        }
        let Some(kept) = &mut self.kept else { return };
        let moved = self.page.zip(self.before).is_some_and(|(drawn, before)| (drawn - before).abs() > 1.0);
        let page = if moved { self.page.map(f32::round) } else { kept.page };
        self.before = self.page;
        let now = Layout { widths: table.widths.clone(), visible: table.visible.clone(), page };
        if now == *kept {
            return;
        }
        if let Ok(value) = serde_json::to_value(&now) {
            actions.push(Action::Layout(name.to_owned(), value));
        }
        *kept = now;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kept_layout_is_used_and_one_that_cannot_be_read_is_not() {
        let mut state = State::default();
        let kept = serde_json::json!({ "widths": { "name": 300.0 }, "visible": { "size": false }, "page": 420.0 });
        state.settings.layout.insert("assets".to_owned(), kept);
        state.settings.layout.insert("log".to_owned(), serde_json::json!({ "page": "wide" }));
        let (mut assets, mut log) = (TableState::default(), TableState::default());
        assert_eq!(LayoutKeeper::default().page_width("assets", &mut assets, &state), Some(420.0));
        assert_eq!(LayoutKeeper::default().page_width("log", &mut log, &state), None);
        assert_eq!((assets.widths.get("name"), assets.visible.get("size")), (Some(&300.0), Some(&false)));
        assert_eq!(log, TableState::default());
    }
}
