//! The menu of an asset that was dropped on the row of another one: what is done with the two.

use egui::{Id, Rect, Sense, Ui, Vec2};

use crate::ui::theme::Icon;
use crate::ui::widgets::context_menu::{entry, menu_at};
use crate::ui::widgets::shown_short;
use lunette_client::model::id::AssetId;
use lunette_inspector::Action;
use lunette_inspector::action::{AssetsAction, CompareAction};
use lunette_inspector::compare::Source;

/// Two assets, each with its name: the one that was dropped, and the one below it.
type Two = [(AssetId, String); 2];

/// The menu, while it is open.
#[derive(Default)]
pub(super) struct DroppedMenu {
    open: Option<(Two, Rect)>,
}

impl DroppedMenu {
    /// Opens the menu for what was dropped in this frame, and draws it while it is open.
    pub fn ui(&mut self, ui: &mut Ui, dropped: Option<Two>, actions: &mut Vec<Action>) {
        let at = dropped.as_ref().and_then(|_| ui.ctx().pointer_interact_pos());
        if let (Some(two), Some(at)) = (dropped, at) {
            self.open = Some((two, Rect::from_min_size(at, Vec2::ZERO)));
        }
        let Some((two, rect)) = &self.open else { return };
        let [dropped, below] = two;
        let anchor = ui.interact(*rect, Id::unique("dropped on an asset"), Sense::hover());
        let name = format!("{} on {}", shown_short(&dropped.1, 40), shown_short(&below.1, 40));
        let drawn = menu_at(&anchor, &name, at, |ui| {
            if entry(ui, Icon::COMPARE, "Compare the two") {
                let source = |(id, name): &(AssetId, String)| Source::Asset(id.clone(), name.clone());
                actions.push(CompareAction::Open([source(below), source(dropped)]).into());
            }
            if entry(ui, Icon::COLUMNS, "Open beside each other") {
                actions.push(AssetsAction::Open(below.0.clone()).into());
                actions.push(AssetsAction::OpenBeside(dropped.0.clone()).into());
            }
        });
        if drawn.is_none() {
            self.open = None;
        }
    }
}
