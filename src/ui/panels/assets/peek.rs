//! The content of the asset in the focused row, above the list, without opening it.
//!
//! What must hold: looking at an asset is no use of it, changes no selection and leaves the focus in the list. The keys
//! of the list move on to the next asset.

use egui::{Align2, Area, Context, Frame, Key, Modifiers, Order, Ui, UiBuilder, vec2};

use crate::ui::format;
use crate::ui::list::failure::failure_ui;
use crate::ui::theme::{Icon, SPACE_M, SPACE_S, UiExt as _};
use crate::ui::widgets::placeholder::skeleton;
use crate::ui::widgets::shown_short;
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;
use lunette_inspector::action::AssetsAction;
use lunette_inspector::assets::content;
use lunette_inspector::navigation::in_view::Subject;
use lunette_inspector::panel::Panel;
use lunette_inspector::{Action, State};

use super::frame::AssetFrame;
use super::preview::Preview;

/// Maximum size, in points.
const MAX_SIZE: egui::Vec2 = vec2(960.0, 760.0);
/// Share of the window that it takes at most.
const SHARE: egui::Vec2 = vec2(0.72, 0.8);
/// Maximum number of characters shown of a name.
const MAX_NAME: usize = 80;

/// The view of the asset, and the work on its content.
#[derive(Default)]
pub struct Peek {
    preview: Preview,
}

impl Peek {
    /// Draws the asset that is looked at, if there is one; the panel that has it is left by closing it.
    pub fn ui(&mut self, ctx: &Context, state: &State, actions: &mut Vec<Action>) {
        let Some(id) = &state.assets.pages.peeked else {
            *self = Self::default();
            return;
        };
        if state.navigation.panel != Panel::Assets || state.navigation.welcome {
            actions.push(AssetsAction::Peek(None).into());
            return;
        }
        if let Some(next) = focused(state).filter(|next| next != id) {
            actions.push(AssetsAction::Peek(Some(next)).into());
        }
        let size = (ctx.content_rect().size() * SHARE).min(MAX_SIZE);
        let area =
            Area::new(egui::Id::unique("peek")).order(Order::Middle).anchor(Align2::CENTER_CENTER, vec2(0.0, 0.0));
        area.show(ctx, |ui| {
            let node = UiBuilder::new().accessibility_role(egui::accesskit::Role::Dialog).accessibility_label("Peek");
            ui.scope_builder(node, |ui| {
                Frame::popup(ui.style()).inner_margin(SPACE_M).show(ui, |ui| {
                    ui.set_min_size(size);
                    ui.set_max_size(size);
                    self.asset_ui(ui, id, state, actions);
                });
            });
        });
    }

    fn asset_ui(&mut self, ui: &mut Ui, id: &AssetId, state: &State, actions: &mut Vec<Action>) {
        let Some(page) = state.assets.pages.of.get(id) else { return };
        let mut frame = AssetFrame { id, page, write: state.write.of(id), state, actions };
        let record = page.record.value();
        let name = record.and_then(|asset| asset.view().name()).unwrap_or_default();
        head_ui(ui, if name.trim().is_empty() { "Unnamed" } else { name }, &mut frame);
        let Some(asset) = record.map(|asset| asset.view()) else {
            match page.record.error() {
                Some(error) => {
                    if failure_ui(ui, "This asset could not be read", error) {
                        frame.push(AssetsAction::Reload(id.clone()));
                    }
                }
                None => skeleton(ui, "the asset", 8),
            }
            return;
        };
        if let Some(size) = content::told_size(asset) {
            let folder = state.assets.folder_of(id).map(|folder| format!(" · {}", shown_short(folder, MAX_NAME)));
            ui.muted(&format!("{}{}", format::size(size), folder.unwrap_or_default()));
        }
        ui.add_space(SPACE_S);
        self.preview.ui(ui, asset, ui.available_height(), &mut frame);
        if self.preview.take_edit().is_some() {
            frame.push(AssetsAction::Open(id.clone()));
        }
    }
}

/// Draws the name, and what opens or closes the asset.
fn head_ui(ui: &mut Ui, name: &str, frame: &mut AssetFrame<'_>) {
    ui.horizontal(|ui| {
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            if ui.icon_button(Icon::CLOSE, "Close (Esc)").clicked() {
                frame.push(AssetsAction::Peek(None));
            }
            if ui.button("Open").clicked() {
                frame.push(AssetsAction::Open(frame.id.clone()));
            }
            ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                let title = egui::RichText::new(shown_short(name, MAX_NAME)).heading();
                ui.add(egui::Label::new(title).truncate().selectable(false));
            });
        });
    });
}

/// Closes the asset that is looked at on Esc, before the list takes the key.
pub fn close_on_escape(ctx: &Context, state: &State, actions: &mut Vec<Action>) {
    let covered = ctx.memory(|memory| memory.top_modal_layer().is_some());
    let looked_at = state.assets.pages.peeked.is_some() && !covered;
    if looked_at && ctx.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape)) {
        actions.push(AssetsAction::Peek(None).into());
    }
}

/// Returns the asset of the row with the focus.
fn focused(state: &State) -> Option<AssetId> {
    match state.navigation.in_view.focused.as_ref()? {
        Subject::Asset(row) => Some(row.id()),
        Subject::Item(_) | Subject::Application { .. } | Subject::External(_) | Subject::Joined(_) => None,
    }
}
