//! The page of the open asset: its name, then its actions, content and links.
//!
//! What must hold: everything shown belongs to the open asset; a refresh does not blank anything; the error of a write
//! is shown where the write was started.

use std::collections::BTreeMap;
use std::sync::Arc;

use egui::accesskit::Role;
use egui::{Color32, ScrollArea, Stroke, Ui, UiBuilder};

use crate::ui::command::{AssetRequest, Command};
use crate::ui::list::failure::failure_ui;
use crate::ui::theme::{Icon, SPACE_M, SPACE_XS, UiExt as _, control};
use crate::ui::widgets::placeholder::skeleton;
use crate::ui::widgets::tabs;
use lunette_client::model::asset::Asset;
use lunette_client::model::id::AssetId;
use lunette_client::model::record::{Record as _, View};
use lunette_inspector::action::{AssetsAction, SettingsAction};
use lunette_inspector::change::Item;
use lunette_inspector::drafts::DraftKey;
use lunette_inspector::listing::rows::AssetRow;
use lunette_inspector::{Action, State};

use super::details;
use super::forms::{EditForm, Form, ScoreForm};
use super::frame::{AssetFrame, PageLayout};
use super::header::Header;
use super::links::Links;
use super::preview::Preview;
use super::remote_edits::RemoteEdits;
use super::tab_strip;
use super::tabs::{PREVIEW, RECORD, RELATED, Tabs, VERSIONS};
use super::text_editor::{TextEditor, TextPlace, edit_disabled_reason};

mod banners;

/// What is open and typed on the page; all of it belongs to one asset and is dropped when another is opened.
#[derive(Default)]
pub struct Page {
    /// The asset it belongs to.
    asset_id: Option<AssetId>,
    header: Header,
    links: Links,
    preview: Preview,
    tabs: Tabs,
    /// The view that the current tab was taken from.
    view: Option<u64>,
    form: Option<Form>,
    text: TextEditing,
    remote_edits: RemoteEdits,
    /// Whether the details are in a column beside the content.
    column: bool,
    /// Height of the details below the content when they were drawn last, in points.
    details_height: f32,
    /// Height of the banners when they were drawn last, in points.
    banners_height: f32,
    /// The tool that is still to be opened.
    pending: Option<AssetRequest>,
    /// Unsaved names of assets that are not open.
    unsaved_names: BTreeMap<AssetId, Header>,
}

/// Whether the text is edited in place of the preview.
#[derive(Default)]
enum TextEditing {
    #[default]
    No,
    /// It will be, as soon as the text is loaded: where the caret is then, if not at the beginning.
    Wanted(Option<TextPlace>),
    Open(Box<TextEditor>),
}

/// Width of that column, in points.
const COLUMN_WIDTH: f32 = 240.0;
/// Height of the window, in points, below which a text that is edited gets the room of the actions and the links.
const LOW_WINDOW: f32 = 560.0;
/// Minimum height of the preview, in points, unless the window is too low.
const MIN_PREVIEW: f32 = 210.0;

/// Draws the details, which scroll; returns their height in points.
fn details_ui(ui: &mut Ui, asset: View<'_, Asset>, frame: &mut AssetFrame<'_>) -> f32 {
    let area = ScrollArea::vertical().id_salt(("details", frame.id)).auto_shrink([false, false]);
    let drawn = area.show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = SPACE_XS;
        details::ui(ui, asset, frame.state, frame.actions);
    });
    drawn.content_size.y
}

/// Draws the heading of a part that can be folded; returns whether it was clicked.
fn fold_ui(ui: &mut Ui, name: &str, unfolded: bool) -> bool {
    let icon = if unfolded { Icon::UNFOLDED } else { Icon::FOLDED };
    // An id of its own: a click that has begun is not lost when what is above changes.
    let own = UiBuilder::new().scope_id(ui.scope_id().with(("fold", name)));
    let button = ui.scope_builder(own, |ui| {
        ui.visuals_mut().widgets.inactive.weak_bg_fill = Color32::TRANSPARENT;
        ui.visuals_mut().widgets.inactive.bg_stroke = Stroke::NONE;
        ui.icon_text_button(icon, name)
    });
    let button = button.inner;
    ui.ctx().accesskit_node_builder(button.id, |node| node.set_expanded(unfolded));
    button.clicked()
}

impl Page {
    /// The item whose assets are to be listed.
    pub fn take_listed(&mut self) -> Option<Item> {
        self.links.take_listed()
    }

    /// The command chosen in the menu of a related asset, and its row.
    pub fn take_row_command(&mut self) -> Option<(Command, Arc<AssetRow>)> {
        self.tabs.related.take_command()
    }

    /// Opens a form, field or picker as soon as the asset is drawn.
    pub fn open_tool(&mut self, request: AssetRequest) {
        self.pending = Some(request);
    }

    /// Returns whether it belongs to this asset.
    pub fn is_of(&self, id: &AssetId) -> bool {
        self.asset_id.as_ref() == Some(id)
    }

    /// Returns whether the links show that its asset is linked to an item.
    pub fn is_linked(&self, item: &Item) -> bool {
        self.links.has(item)
    }

    /// Takes the unsaved name of an asset that is not open here.
    pub fn take_unsaved_name(&mut self, id: &AssetId) -> Option<Header> {
        match self.is_of(id) && self.header.is_editing() {
            true => Some(std::mem::take(&mut self.header)),
            false => self.unsaved_names.remove(id),
        }
    }

    /// Keeps the unsaved name of an asset until that is opened here.
    pub fn keep_unsaved_name(&mut self, id: &AssetId, header: Header) {
        match self.is_of(id) {
            true => self.header = header,
            false => _ = self.unsaved_names.insert(id.clone(), header),
        }
    }

    /// Draws the page of an asset; returns whether it is to be closed.
    pub fn ui(
        &mut self,
        ui: &mut Ui,
        id: &AssetId,
        layout: PageLayout,
        state: &State,
        actions: &mut Vec<Action>,
    ) -> bool {
        if self.view != Some(state.preferences.view_number) {
            self.view = Some(state.preferences.view_number);
            self.tabs.chosen = state.preferences.view.tab.min(RECORD);
        }
        if self.asset_id.as_ref() != Some(id) {
            self.switch_to(id);
        }
        let Some(page) = state.assets.pages.of.get(id) else { return false };
        tab_strip::ui(ui, layout.place, state, actions);
        self.column = layout.column;
        let back = layout.back;
        let asset = page.record.value().map(|asset| asset.view());
        let mut frame = AssetFrame { id, page, write: state.write.of(id), state, actions };
        let left = match asset {
            Some(asset) => self.asset_ui(ui, asset, back, &mut frame),
            None => {
                let left = Header::placeholder_ui(ui, id, state, back);
                match page.record.error() {
                    Some(error) => {
                        ui.add_space(SPACE_M);
                        if failure_ui(ui, "This asset could not be read", error) {
                            frame.push(AssetsAction::Reload(id.clone()));
                        }
                    }
                    None => skeleton(ui, "the asset", 8),
                }
                left
            }
        };
        self.form_ui(ui, &mut frame);
        left
    }

    /// Starts the page of another asset; an unapplied name is kept for when the user returns.
    fn switch_to(&mut self, id: &AssetId) {
        let Self { asset_id, header, preview, details_height, tabs, view, pending, mut unsaved_names, .. } =
            std::mem::take(self);
        if let Some(asset_id) = asset_id.filter(|_| header.is_editing()) {
            unsaved_names.insert(asset_id, header);
        }
        let header = unsaved_names.remove(id).unwrap_or_default();
        let (asset_id, tabs) = (Some(id.clone()), tabs.for_other_asset());
        *self =
            Self { asset_id, header, tabs, view, preview, details_height, pending, unsaved_names, ..Self::default() };
    }

    /// Opens the pending tool; returns the form, if it is one.
    fn open_pending(&mut self, request: AssetRequest, asset: View<'_, Asset>, state: &State) -> Option<Form> {
        Some(match request {
            AssetRequest::Rename => {
                self.header.start_rename(asset);
                return None;
            }
            AssetRequest::Link(kind) => {
                self.links.open_picker(kind);
                return None;
            }
            AssetRequest::Find => {
                self.tabs.chosen = PREVIEW;
                match &mut self.text {
                    TextEditing::Open(editor) => editor.find(),
                    TextEditing::No | TextEditing::Wanted(_) => self.preview.find(),
                }
                return None;
            }
            AssetRequest::EditText => {
                self.tabs.chosen = PREVIEW;
                self.request_text(None);
                return None;
            }
            AssetRequest::Versions | AssetRequest::Related => {
                self.tabs.chosen = if request == AssetRequest::Versions { VERSIONS } else { RELATED };
                return None;
            }
            AssetRequest::Edit => Form::Edit(Box::new(EditForm::new(asset))),
            AssetRequest::Reclassify => Form::reclassify(asset, state),
            AssetRequest::Score => Form::Score(ScoreForm::default()),
            AssetRequest::Export => Form::Export(Box::default()),
        })
    }

    fn form_ui(&mut self, ui: &mut Ui, frame: &mut AssetFrame<'_>) {
        if let Some(form) = &mut self.form
            && form.ui(ui, frame)
        {
            self.form = None;
            if frame.write.refused.is_some() {
                frame.dismiss_refusal();
            }
        }
    }

    fn asset_ui(&mut self, ui: &mut Ui, asset: View<'_, Asset>, back: bool, frame: &mut AssetFrame<'_>) -> bool {
        let mut left = self.header.ui(ui, asset, back, frame);
        let wished = self.pending.take().and_then(|request| self.open_pending(request, asset, frame.state));
        if wished.is_some() || !self.text_needs_room(ui) {
            self.tools_ui(ui, asset, wished, frame);
        }
        self.take_saved_text(ui, frame);
        left |= self.banners_ui(ui, frame);
        ui.add_space(SPACE_XS);
        // Ids of their own: when something appears above, a click that has begun below is not lost.
        let below = UiBuilder::new().scope_id(ui.scope_id().with(("parts of the asset", frame.id)));
        ui.scope_builder(below, |ui| self.tabs_ui(ui, asset, frame));
        left
    }

    /// Whether the actions and the links make room for the text that is edited in a low window.
    fn text_needs_room(&self, ui: &Ui) -> bool {
        let edits = matches!(self.text, TextEditing::Open(_)) && self.tabs.chosen == PREVIEW;
        edits && ui.ctx().content_rect().height() < LOW_WINDOW && self.form.is_none() && self.links.is_at_rest()
    }

    /// Draws the actions and the links. `wished` is the form that a command asks for.
    fn tools_ui(&mut self, ui: &mut Ui, asset: View<'_, Asset>, wished: Option<Form>, frame: &mut AssetFrame<'_>) {
        if let Some(form) = self.header.actions_ui(ui, asset, frame).or(wished) {
            // The refusal of an earlier write does not belong to this form.
            frame.dismiss_refusal();
            self.form = Some(match (form, frame.state.drafts.typed.get(&DraftKey::Fields(frame.id.clone()))) {
                (Form::Edit(_), Some(draft)) => Form::Edit(Box::new(EditForm::resumed(draft))),
                (form, _) => form,
            });
        }
        ui.add_space(SPACE_XS);
        self.links.ui(ui, frame);
    }

    /// Draws the tabs and the current one's content.
    fn tabs_ui(&mut self, ui: &mut Ui, asset: View<'_, Asset>, frame: &mut AssetFrame<'_>) {
        let mut chosen = self.tabs.chosen;
        tabs(ui, "Parts of the asset", &Tabs::entries(asset, frame.page), &mut chosen);
        if chosen != self.tabs.chosen {
            frame.push(SettingsAction::KeepTab(chosen));
        }
        self.tabs.chosen = chosen;
        ui.add_space(SPACE_XS);
        let name = Tabs::entries(asset, frame.page).get(chosen).map_or("", |entry| entry.0);
        let part = UiBuilder::new().accessibility_role(Role::TabPanel).accessibility_label(name);
        ui.scope_builder(part, |ui| self.tab_ui(ui, asset, frame));
    }

    /// Draws the current tab.
    fn tab_ui(&mut self, ui: &mut Ui, asset: View<'_, Asset>, frame: &mut AssetFrame<'_>) {
        if self.tabs.chosen == PREVIEW {
            self.preview_ui(ui, asset, frame);
        } else {
            self.tabs.ui(ui, asset, frame);
        }
    }

    /// Draws the content or its editor, and the details: in a column beside it in a wide window, else below it.
    fn preview_ui(&mut self, ui: &mut Ui, asset: View<'_, Asset>, frame: &mut AssetFrame<'_>) {
        // What has the keyboard keeps it when a column of details comes or goes.
        let content = UiBuilder::new().id_salt("content");
        if !self.column {
            ui.scope_builder(content, |ui| {
                if !self.text_ui(ui, frame) {
                    self.above_details_ui(ui, asset, frame);
                }
            });
            return;
        }
        let room = ui.available_rect_before_wrap();
        let (left, column) = room.split_left_right_at_x(room.right() - COLUMN_WIDTH);
        ui.scope_builder(content.max_rect(left.with_max_x(left.right() - SPACE_M)), |ui| {
            if !self.text_ui(ui, frame) {
                self.content_ui(ui, asset, ui.available_height(), frame);
            }
        });
        ui.scope_builder(UiBuilder::new().max_rect(column).id_salt("details"), |ui| {
            ui.section_title("Details");
            details_ui(ui, asset, frame);
        });
        ui.advance_cursor_after_rect(room);
    }

    /// Draws the content, at most `height` points high.
    fn content_ui(&mut self, ui: &mut Ui, asset: View<'_, Asset>, height: f32, frame: &mut AssetFrame<'_>) {
        self.preview.ui(ui, asset, height, frame);
        if let Some(place) = self.preview.take_edit() {
            self.request_text(place);
        }
    }

    /// Draws the content and the details, which can be folded, below it. Unfolded, they have the height they need as long
    /// as enough of the content is visible; then they scroll.
    fn above_details_ui(&mut self, ui: &mut Ui, asset: View<'_, Asset>, frame: &mut AssetFrame<'_>) {
        let unfolded = frame.state.preferences.view.details;
        let space = ui.spacing().item_spacing.y;
        let room = ui.available_height() - control(ui) - SPACE_XS - 2.0 * space;
        let wanted = if unfolded { self.details_height + space } else { 0.0 };
        let below = wanted.min((room * 0.42).max(room - MIN_PREVIEW));
        self.content_ui(ui, asset, room - below, frame);
        ui.add_space(SPACE_XS);
        if fold_ui(ui, "Details", unfolded) {
            frame.push(SettingsAction::KeepDetails(!unfolded));
        }
        if !unfolded {
            return;
        }
        let height = details_ui(ui, asset, frame);
        // A difference of one point is not a reason to move anything.
        if (height - self.details_height).abs() > 1.5 {
            self.details_height = height.ceil() + 1.0;
            ui.ctx().request_discard("the details have another height");
            ui.ctx().request_repaint();
        }
    }

    fn request_text(&mut self, place: Option<TextPlace>) {
        if !matches!(self.text, TextEditing::Open(_)) {
            self.text = TextEditing::Wanted(place);
        }
    }

    /// Draws the text editor in place of the preview, if it is open.
    fn text_ui(&mut self, ui: &mut Ui, frame: &mut AssetFrame<'_>) -> bool {
        if let TextEditing::Wanted(place) = self.text {
            if let Some(mut editor) = TextEditor::open(frame) {
                frame.dismiss_refusal();
                editor.start_at(place.unwrap_or_default());
                self.text = TextEditing::Open(Box::new(editor));
            } else if let Some(reason) = edit_disabled_reason(frame.page, frame.state) {
                frame.push(Action::Hint(reason));
                self.text = TextEditing::No;
            }
        }
        let TextEditing::Open(editor) = &mut self.text else { return false };
        if editor.ui(ui, frame) {
            self.close_text();
        }
        true
    }

    /// Takes the result of a save into the text editor, also while another tab is shown.
    fn take_saved_text(&mut self, ui: &Ui, frame: &mut AssetFrame<'_>) {
        if let TextEditing::Open(editor) = &mut self.text
            && editor.take_result(ui, frame)
        {
            self.close_text();
        }
    }

    /// Shows the preview where the text was edited last.
    fn close_text(&mut self) {
        if let TextEditing::Open(editor) = std::mem::replace(&mut self.text, TextEditing::No) {
            self.preview.return_to(editor.place());
        }
    }
}
