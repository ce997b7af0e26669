//! The asset looked at: its name first, then what one does with it, then what it holds and is linked to.
//!
//! What must hold: everything shown is the page's of the asset looked at; a refresh blanks nothing; every fault of a
//! write stands where the write was asked for.

use std::collections::BTreeMap;

use egui::accesskit::Role;
use egui::{ScrollArea, Ui, UiBuilder};

use crate::app::change::Item;
use crate::app::drafts::DraftKey;
use crate::app::state::AssetPage;
use crate::app::{Action, State};
use crate::ui::command::AssetRequest;
use crate::ui::list::failure::{failure_ui, stale_ui};
use crate::ui::theme::{SPACE_M, SPACE_S, SPACE_XS, UiExt as _};
use crate::ui::widgets::state::skeleton;
use crate::ui::widgets::tabs;
use lunette_client::model::asset::Asset;
use lunette_client::model::id::AssetId;
use lunette_client::model::record::{Record as _, View};

use super::details;
use super::drafts::{self, Begun, banner_ui};
use super::forms::{EditForm, Form, ScoreForm};
use super::header::Header;
use super::links::Links;
use super::preview::Preview;
use super::remote_edits::{self, RemoteEdits};
use super::tabs::{RECORD, Tabs};
use super::text_editor::{TextEditor, why_not};

/// What is open and typed on the page; all of it belongs to one asset and goes when another is looked at.
#[derive(Default)]
pub struct Page {
    /// The asset it belongs to.
    of: Option<AssetId>,
    header: Header,
    links: Links,
    preview: Preview,
    tabs: Tabs,
    /// The view that the tab in front was taken from.
    view: Option<u64>,
    form: Option<Form>,
    text: TextEditing,
    elsewhere: RemoteEdits,
    /// How high that which is below the preview was drawn last, in points.
    below: f32,
    /// What was asked of the page and is not done yet.
    wanted: Option<AssetRequest>,
    /// Names that were typed over and not applied, of assets that are not looked at now.
    held: BTreeMap<AssetId, Header>,
}

/// Whether the text is edited in the place of the preview.
#[derive(Default)]
enum TextEditing {
    #[default]
    No,
    /// It is to be, as soon as the text is there.
    Wanted,
    Open(Box<TextEditor>),
}

/// The tabs, in their order.
const PREVIEW: usize = 0;

/// So much of the preview is seen in any case, in points, unless the window is too low for it.
const LEAST_PREVIEW: f32 = 210.0;

impl Page {
    /// The item whose assets are to be listed.
    pub fn take_listed(&mut self) -> Option<Item> {
        self.links.take_listed()
    }

    /// Wants a form, a field or a picker: it is opened as soon as the asset is drawn.
    pub fn ask(&mut self, wish: AssetRequest) {
        self.wanted = Some(wish);
    }

    /// Draws the page of the asset looked at; gives true when it is to be left.
    pub fn ui(&mut self, ui: &mut Ui, state: &State, back: bool, actions: &mut Vec<Action>) -> bool {
        let Some(id) = &state.asset else { return false };
        if self.view != Some(state.view_number) {
            self.view = Some(state.view_number);
            self.tabs.chosen = state.view.tab.min(RECORD);
        }
        if self.of.as_ref() != Some(id) {
            self.turn_to(id);
        }
        let Some(page) = state.pages.get(id) else { return false };
        let asset = page.record.value().map(|asset| asset.view());
        let left = match asset {
            Some(asset) => self.asset_ui(ui, id, asset, page, state, back, actions),
            None => {
                let left = Header::bare_ui(ui, id, back);
                match page.record.error() {
                    Some(error) => {
                        ui.add_space(SPACE_M);
                        if failure_ui(ui, "This asset could not be read", error) {
                            actions.push(Action::RefreshAsset(id.clone()));
                        }
                    }
                    None => skeleton(ui, "the asset", 8),
                }
                left
            }
        };
        self.form_ui(ui, id, page, state, actions);
        left
    }

    /// Begins the page of another asset; a name that was begun stays for when one comes back to it.
    fn turn_to(&mut self, id: &AssetId) {
        let Self { of, header, preview, below, tabs, view, wanted, mut held, .. } = std::mem::take(self);
        if let Some(of) = of.filter(|_| header.begun()) {
            held.insert(of, header);
        }
        let header = held.remove(id).unwrap_or_default();
        let (of, tabs) = (Some(id.clone()), tabs.for_another());
        *self = Self { of, header, tabs, view, preview, below, wanted, held, ..Self::default() };
    }

    /// Opens what was asked for; gives the form, where it is one.
    fn begin(&mut self, wish: AssetRequest, asset: View<'_, Asset>, state: &State) -> Option<Form> {
        Some(match wish {
            AssetRequest::Rename => {
                self.header.begin(asset);
                return None;
            }
            AssetRequest::Link(kind) => {
                self.tabs.chosen = PREVIEW;
                self.links.open(kind);
                return None;
            }
            AssetRequest::Find => {
                self.tabs.chosen = PREVIEW;
                self.preview.find();
                return None;
            }
            AssetRequest::EditText => {
                self.tabs.chosen = PREVIEW;
                self.want_text();
                return None;
            }
            AssetRequest::Edit => Form::Edit(Box::new(EditForm::new(asset))),
            AssetRequest::Reclassify => Form::reclassify(asset, state),
            AssetRequest::Score => Form::Score(ScoreForm::default()),
            AssetRequest::Export => Form::Export(Box::default()),
        })
    }

    fn form_ui(&mut self, ui: &mut Ui, id: &AssetId, page: &AssetPage, state: &State, actions: &mut Vec<Action>) {
        if let Some(form) = &mut self.form
            && form.ui(ui, id, page, state, actions)
        {
            self.form = None;
            if page.refused.is_some() {
                actions.push(Action::DismissRefusal(id.clone()));
            }
        }
    }

    #[expect(clippy::too_many_arguments, reason = "one call, and each is another part of the frame")]
    fn asset_ui(
        &mut self,
        ui: &mut Ui,
        id: &AssetId,
        asset: View<'_, Asset>,
        page: &AssetPage,
        state: &State,
        back: bool,
        actions: &mut Vec<Action>,
    ) -> bool {
        let mut left = self.header.ui(ui, id, asset, state, back, actions);
        let wished = self.wanted.take().and_then(|wish| self.begin(wish, asset, state));
        if let Some(form) = self.header.actions_ui(ui, id, asset, page, state, actions).or(wished) {
            // What an earlier write was refused for is not this form's.
            actions.push(Action::DismissRefusal(id.clone()));
            self.form = Some(match (form, state.drafts.get(&DraftKey::Fields(id.clone()))) {
                (Form::Edit(_), Some(draft)) => Form::Edit(Box::new(EditForm::resumed(draft))),
                (form, _) => form,
            });
        }
        self.faults_ui(ui, id, page, actions);
        left |= self.elsewhere_ui(ui, id, page, state);
        self.drafts_ui(ui, id, state, actions);
        ui.add_space(SPACE_S);
        let mut chosen = self.tabs.chosen;
        tabs(ui, "Parts of the asset", &Tabs::entries(asset, page), &mut chosen);
        if chosen != self.tabs.chosen {
            actions.push(Action::KeepTab(chosen));
        }
        self.tabs.chosen = chosen;
        ui.add_space(SPACE_XS);
        let name = Tabs::entries(asset, page).get(chosen).map_or("", |entry| entry.0);
        let part = UiBuilder::new().accessibility_role(Role::TabPanel).accessibility_label(name);
        ui.scope_builder(part, |ui| self.part_ui(ui, id, asset, page, state, actions));
        left
    }

    /// The part of the asset whose tab is in front.
    fn part_ui(
        &mut self,
        ui: &mut Ui,
        id: &AssetId,
        asset: View<'_, Asset>,
        page: &AssetPage,
        state: &State,
        actions: &mut Vec<Action>,
    ) {
        if self.tabs.chosen == PREVIEW {
            self.preview_ui(ui, id, asset, page, state, actions);
        } else {
            self.tabs.ui(ui, id, asset, page, state, actions);
        }
    }

    /// The content above, which scrolls by itself, and below it what it is linked to and what is known of it. What is
    /// below has the height it needs, as long as enough of the content is seen; then it scrolls by itself.
    fn preview_ui(
        &mut self,
        ui: &mut Ui,
        id: &AssetId,
        asset: View<'_, Asset>,
        page: &AssetPage,
        state: &State,
        actions: &mut Vec<Action>,
    ) {
        if self.text_ui(ui, id, page, state, actions) {
            return;
        }
        // Between the two stand this space and the spaces before and after it.
        let room = ui.available_height() - SPACE_M - 2.0 * ui.spacing().item_spacing.y;
        let below = self.below.min((room * 0.42).max(room - LEAST_PREVIEW));
        self.preview.ui(ui, id, asset, page, state, room - below, actions);
        if self.preview.take_edit() {
            self.want_text();
        }
        ui.add_space(SPACE_M);
        let area = ScrollArea::vertical().id_salt(("below the preview", id)).auto_shrink([false, false]);
        let drawn = area.show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = SPACE_XS;
            self.links.ui(ui, id, asset, page, state, actions);
            details::ui(ui, asset, state, actions);
        });
        // A point more or less is no reason to move anything.
        if (drawn.content_size.y - self.below).abs() > 1.5 {
            self.below = drawn.content_size.y.ceil() + 1.0;
            ui.ctx().request_discard("what is below the preview has another height");
            ui.ctx().request_repaint();
        }
    }

    fn want_text(&mut self) {
        if !matches!(self.text, TextEditing::Open(_)) {
            self.text = TextEditing::Wanted;
        }
    }

    /// Draws the editor of the text in the place of everything else of the preview, where it is open.
    fn text_ui(
        &mut self,
        ui: &mut Ui,
        id: &AssetId,
        page: &AssetPage,
        state: &State,
        actions: &mut Vec<Action>,
    ) -> bool {
        if matches!(self.text, TextEditing::Wanted) {
            if let Some(editor) = TextEditor::open(id, page, state) {
                actions.push(Action::DismissRefusal(id.clone()));
                self.text = TextEditing::Open(Box::new(editor));
            } else if let Some(reason) = why_not(page, state) {
                actions.push(Action::Say(reason));
                self.text = TextEditing::No;
            }
        }
        let TextEditing::Open(editor) = &mut self.text else { return false };
        if editor.ui(ui, id, page, state, actions) {
            self.text = TextEditing::No;
        }
        true
    }

    /// What became of the asset elsewhere; true when the page is to be left.
    fn elsewhere_ui(&mut self, ui: &mut Ui, id: &AssetId, page: &AssetPage, state: &State) -> bool {
        if page.gone {
            return remote_edits::gone_ui(ui, drafts::begun(state, id));
        }
        let Self { tabs, form, text, elsewhere, .. } = self;
        let Some(record) = page.record.value() else { return false };
        let typed = match (tabs.record.base(), &*form) {
            (Some(base), _) => Some(base),
            (None, Some(Form::Edit(form))) => Some(form.base()),
            (None, _) if let TextEditing::Open(editor) = text => Some(editor.base()),
            (None, _) => remote_edits::begun(state, id),
        };
        // What is written or read just now is told of when that has ended.
        let differs = !page.writing && elsewhere.differs(ui, typed, record);
        if let (true, Some(typed)) = (differs, typed) {
            elsewhere.ui(ui, typed, record);
        }
        if let Some(Form::Edit(form)) = form {
            form.tell(differs);
        }
        false
    }

    /// What went wrong: with the last read, and with a write that no form on screen tells of.
    fn faults_ui(&self, ui: &mut Ui, id: &AssetId, page: &AssetPage, actions: &mut Vec<Action>) {
        if let Some(error) = page.record.error()
            && stale_ui(ui, "The asset", error)
        {
            actions.push(Action::RefreshAsset(id.clone()));
        }
        let told = self.form.is_some() || matches!(self.text, TextEditing::Open(_)) && self.tabs.chosen == PREVIEW;
        if !told && let Some(refused) = page.refused.as_ref().filter(|_| !page.cancelled) {
            ui.horizontal_top(|ui| {
                if ui.line_button("Dismiss").accessible_name("Dismiss the refusal").clicked() {
                    actions.push(Action::DismissRefusal(id.clone()));
                }
                match page.unsure {
                    true => ui.error_text(&format!("The last change: {refused}")),
                    false => ui.error_text(&format!("The last change was not made: {refused}")),
                };
            });
        }
    }

    /// What was begun and is not on screen.
    fn drafts_ui(&mut self, ui: &mut Ui, id: &AssetId, state: &State, actions: &mut Vec<Action>) {
        let record = (DraftKey::Record(id.clone()), "this record", self.tabs.record.editing());
        let editing = matches!(self.form, Some(Form::Edit(_)));
        let fields = (DraftKey::Fields(id.clone()), "the fields of this asset", editing);
        let writing = matches!(self.text, TextEditing::Open(_));
        let text = (DraftKey::Text(id.clone()), "the text of this asset", writing);
        for (key, what, open) in [record, fields, text] {
            let Some(draft) = state.drafts.get(&key).filter(|_| !open) else { continue };
            match (banner_ui(ui, what, draft), &key) {
                (None, _) => {}
                (Some(Begun::Discard), _) => actions.push(Action::KeepDraft(key, None)),
                (Some(Begun::Continue), DraftKey::Fields(_)) => {
                    self.form = Some(Form::Edit(Box::new(EditForm::resumed(draft))))
                }
                (Some(Begun::Continue), DraftKey::Text(_)) => {
                    self.tabs.chosen = PREVIEW;
                    self.want_text();
                }
                (Some(Begun::Continue), DraftKey::Record(_) | DraftKey::NewText) => {
                    self.tabs.chosen = RECORD;
                    self.tabs.record.resume(draft);
                }
            }
        }
    }
}
