//! What is above the content of a page: errors, what happened to the asset elsewhere, and drafts.
//!
//! What must hold: enough room is left for the content, and the frame after one that is drawn is the same.

use egui::{ScrollArea, Ui};

use crate::ui::list::failure::stale_ui;
use crate::ui::notifications::reported;
use crate::ui::theme::UiExt as _;
use lunette_inspector::action::{AssetsAction, DraftsAction};
use lunette_inspector::drafts::DraftKey;
use lunette_inspector::notifications::Topic;
use lunette_inspector::write::own_writes::Edited;

use super::{Page, TextEditing};
use crate::ui::panels::assets::draft_banner::{self, DraftChoice, banner_ui};
use crate::ui::panels::assets::forms::{EditForm, Form};
use crate::ui::panels::assets::frame::AssetFrame;
use crate::ui::panels::assets::remote_edits::{self, Base};
use crate::ui::panels::assets::tabs::{PREVIEW, RECORD};

/// Height that the banners leave for the tabs and a small editor with its buttons, in points.
const BELOW_BANNERS: f32 = 210.0;
/// Minimum height of the banners, if there are any, in points.
const MIN_BANNERS: f32 = 40.0;

impl Page {
    /// Draws errors, what happened elsewhere and drafts; they scroll if they would leave too little room below. Returns
    /// whether the page is to be closed.
    pub(super) fn banners_ui(&mut self, ui: &mut Ui, frame: &mut AssetFrame<'_>) -> bool {
        let room = (ui.available_height() - BELOW_BANNERS).max(MIN_BANNERS);
        let scrolls = self.banners_height > room;
        // Measured the same way whether they scroll or not, or neither would be right for some heights of the window.
        let mut draw = |ui: &mut Ui| {
            let top = ui.cursor().top();
            self.errors_ui(ui, frame);
            let left = self.remote_edits_ui(ui, frame);
            self.drafts_ui(ui, frame);
            (left, ui.cursor().top() - top)
        };
        let (left, height) = if scrolls {
            let area = ScrollArea::vertical().id_salt("banners").max_height(room).min_scrolled_height(room);
            area.auto_shrink([false, true]).show(ui, draw).inner
        } else {
            draw(ui)
        };
        self.banners_height = height;
        if (height > room) != scrolls {
            ui.ctx().request_discard("the banners fit, or no longer do");
            ui.ctx().request_repaint();
        }
        left
    }

    /// Draws what happened to the asset elsewhere; returns whether the page is to be closed.
    fn remote_edits_ui(&mut self, ui: &mut Ui, frame: &AssetFrame<'_>) -> bool {
        if frame.page.gone {
            return remote_edits::deleted_ui(ui, draft_banner::has_draft(frame.state, frame.id));
        }
        let Self { tabs, form, text, remote_edits, .. } = self;
        let Some(record) = frame.page.record.value() else { return false };
        let typed = match (tabs.record.base(), &*form) {
            (Some(record), _) => Some(Base { record, edited: Edited::Record }),
            (None, Some(Form::Edit(form))) => Some(Base { record: form.base(), edited: Edited::Fields }),
            (None, _) if let TextEditing::Open(editor) = text => {
                Some(Base { record: editor.base(), edited: Edited::Text })
            }
            (None, _) => remote_edits::base_of(frame.state, frame.id),
        };
        // A write or read in progress is reported once it has finished.
        let differs = !frame.write.writing && remote_edits.differs(ui, typed, &frame.write.own_writes, record);
        if let (true, Some(typed)) = (differs, typed) {
            remote_edits.ui(ui, typed, &frame.write.own_writes, record);
        }
        if let Some(Form::Edit(form)) = form {
            form.set_changed_elsewhere(differs);
        }
        false
    }

    /// Draws errors: of the last read, and of a write that no visible form reports.
    fn errors_ui(&self, ui: &mut Ui, frame: &mut AssetFrame<'_>) {
        if let Some(error) = frame.page.record.error()
            && stale_ui(ui, "The asset", error)
        {
            frame.push(AssetsAction::Reload(frame.id.clone()));
        }
        let edited = matches!(self.text, TextEditing::Open(_)) && self.tabs.chosen == PREVIEW;
        let shown_elsewhere = self.form.is_some() || self.links.adds_website() || edited;
        if !shown_elsewhere && let Some(refused) = frame.write.refused.as_ref().filter(|_| !frame.write.cancelled) {
            ui.horizontal_top(|ui| {
                if ui.line_button("Dismiss").accessible_name("Dismiss the refusal").clicked() {
                    frame.dismiss_refusal();
                }
                let shown = match frame.write.unsure {
                    true => ui.error_text(refused),
                    false => ui.error_text(&format!("The last change was not made: {refused}")),
                };
                reported(&shown, Topic::Asset(frame.id.clone()));
            });
        }
    }

    /// Draws the drafts that are not on screen.
    fn drafts_ui(&mut self, ui: &mut Ui, frame: &mut AssetFrame<'_>) {
        let record = (DraftKey::Record(frame.id.clone()), "this record", self.tabs.record.editing());
        let editing = matches!(self.form, Some(Form::Edit(_)));
        let fields = (DraftKey::Fields(frame.id.clone()), "the fields of this asset", editing);
        let writing = matches!(self.text, TextEditing::Open(_));
        let text = (DraftKey::Text(frame.id.clone()), "the text of this asset", writing);
        for (key, what, open) in [record, fields, text] {
            let Some(draft) = frame.state.drafts.typed.get(&key).filter(|_| !open) else { continue };
            match (banner_ui(ui, what, draft), &key) {
                (None, _) => {}
                (Some(DraftChoice::Discard), _) => frame.push(DraftsAction::Save(key, None)),
                (Some(DraftChoice::Continue), DraftKey::Fields(_)) => {
                    self.form = Some(Form::Edit(Box::new(EditForm::resumed(draft))))
                }
                (Some(DraftChoice::Continue), DraftKey::Text(_)) => {
                    self.tabs.chosen = PREVIEW;
                    self.request_text(None);
                }
                (Some(DraftChoice::Continue), DraftKey::Record(_) | DraftKey::NewText) => {
                    self.tabs.chosen = RECORD;
                    self.tabs.record.resume(draft);
                }
            }
        }
    }
}
