//! Assets: the list, and beside it the page of the one looked at.

use egui::Ui;

use crate::app::drafts::DraftKey;
use crate::app::{Action, State};

mod activity;
mod cells;
mod details;
mod drafts;
mod elsewhere;
mod forms;
mod header;
mod links;
mod list;
mod page;
mod preview;
mod record;
mod selection;
mod tabs;
mod toolbar;
mod website;

use forms::NewText;
use list::AssetList;
use page::Page;

use crate::ui::layout::LayoutKeeper;
use crate::ui::split::{Part, split_ui};
use crate::ui::theme::UiExt as _;

/// Where the window is narrower than this, in points, the page stands in place of the list.
const BESIDE: f32 = 1000.0;

/// The panel, and what is being typed into it.
#[derive(Default)]
pub struct AssetsPanel {
    list: AssetList,
    page: Page,
    layout: LayoutKeeper,
    new: Option<NewText>,
}

impl AssetsPanel {
    /// Draws the panel.
    pub fn ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
        let looked_at = state.asset.is_some();
        let beside = ui.ctx().content_rect().width() >= BESIDE;
        let Self { list, page, layout, new } = self;
        let kept = layout.page_width("assets", &mut list.table, state);
        let (mut left, mut wants_new) = (false, false);
        if looked_at && !beside {
            let frame = egui::Frame::new().fill(ui.tokens().panel).inner_margin(egui::Margin::symmetric(16, 12));
            egui::CentralPanel::default().frame(frame).show(ui, |ui| {
                left = contained(ui, |ui| page.ui(ui, state, true, actions));
            });
        } else {
            let drawn = split_ui(ui, "assets", looked_at, kept, |ui, part| match part {
                Part::Page => left = contained(ui, |ui| page.ui(ui, state, false, actions)),
                Part::List => wants_new = list.ui(ui, state, actions),
            });
            layout.drawn(drawn);
        }
        layout.keep(ui, "assets", &list.table, actions);
        if left {
            actions.push(Action::CloseAsset);
        }
        if wants_new {
            *new = Some(NewText::begun(state.drafts.get(&DraftKey::NewText)));
        }
        if let Some(form) = new
            && form.ui(ui, state, actions)
        {
            *new = None;
        }
    }
}

/// Draws into the space there is and no more: what is too wide is cut, and does not push the splitter.
fn contained<R>(ui: &mut Ui, draw: impl FnOnce(&mut Ui) -> R) -> R {
    let rect = ui.available_rect_before_wrap();
    let mut inner = ui.new_child(egui::UiBuilder::new().max_rect(rect));
    inner.set_clip_rect(rect.expand(4.0).intersect(ui.clip_rect()));
    let drawn = draw(&mut inner);
    ui.advance_cursor_after_rect(rect);
    drawn
}
