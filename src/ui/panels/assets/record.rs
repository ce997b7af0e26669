//! The record of an asset: as a tree, or as text to be edited.
//!
//! What must hold: input is kept as a draft from the first character on, and dropped only if the user discards it or
//! the service accepted it; nothing is sent from here, only shown as a plan.

use std::sync::Arc;

use egui::{Align, Layout, Ui};
use serde_json::Value;

use crate::ui::disabled_reason::enabled_unless;
use crate::ui::format;
use crate::ui::theme::{Icon, SPACE_S, UiExt as _};
use crate::ui::widgets::json_tree::{JsonSource, JsonTreeState, json_tree};
use crate::ui::widgets::revision::Revision;
use lunette_client::model::asset::Asset;
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;
use lunette_inspector::capability::Capability;
use lunette_inspector::drafts::{Draft, DraftKey};
use lunette_inspector::write::plan::ambiguous;

use super::frame::AssetFrame;

mod check;
mod editor;

use editor::RecordEditor;

/// Maximum size of a record that can be edited, in bytes: laying out a larger one would block the window.
const MAX_BYTES: usize = 4 * 1024 * 1024;

/// The state of the tree, and the editor while it is open.
#[derive(Default)]
pub struct RecordTab {
    tree: JsonTreeState,
    revision: Revision<Asset>,
    editor: Option<RecordEditor>,
    /// Why the editor was not opened.
    open_error: Option<String>,
}

impl RecordTab {
    /// Returns whether the record is being edited.
    pub fn editing(&self) -> bool {
        self.editor.is_some()
    }

    /// Returns the record as it was when editing started.
    pub fn base(&self) -> Option<&Value> {
        self.editor.as_ref().map(RecordEditor::base)
    }

    /// Opens the editor with a draft.
    pub fn resume(&mut self, draft: &Draft) {
        let text = draft.typed.as_text().unwrap_or_default().to_owned();
        self.editor = Some(RecordEditor::resumed(Arc::clone(&draft.base), text));
    }

    /// Draws the record in the available space.
    pub fn ui(&mut self, ui: &mut Ui, frame: &mut AssetFrame<'_>) {
        let Some(record) = frame.page.record.value() else { return };
        if let Some(editor) = &mut self.editor {
            if editor.ui(ui, frame) {
                self.editor = None;
            }
            return;
        }
        let message = ambiguous(record).map(|error| error.to_string());
        ui.horizontal(|ui| {
            let why_disabled = message.clone().or_else(|| frame.disabled_reason(Capability::Edit));
            if enabled_unless(ui, why_disabled.as_deref(), |ui| ui.icon_text_button(Icon::EDIT, "Edit record…"))
                .clicked()
            {
                match frame.state.drafts.typed.get(&key(frame.id)) {
                    Some(draft) => self.resume(draft),
                    None => self.open(record.tree()),
                }
            }
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let updated = record.view().updated().value();
                if !updated.is_empty() {
                    ui.caption(&format!("updated {}", format::ago(updated))).on_hover_text(format::exact(updated));
                }
            });
        });
        if let Some(message) = message.as_ref().or(self.open_error.as_ref()) {
            ui.error_text(message);
        }
        ui.add_space(SPACE_S);
        let height = ui.available_height();
        let source = JsonSource { of: Arc::clone(record), tree: Asset::tree, revision: self.revision.of(record) };
        json_tree(ui, "Record", &source, &mut self.tree, height);
    }

    fn open(&mut self, tree: &Value) {
        let text = serde_json::to_string_pretty(tree).unwrap_or_default();
        if text.len() > MAX_BYTES {
            let size = format::size(i64::try_from(text.len()).unwrap_or(i64::MAX));
            self.open_error = Some(format!(
                "this record has {size} of text, more than can be edited here; save it and send it with \
                 `lunette call assetUpdate --body FILE`"
            ));
            return;
        }
        self.open_error = None;
        self.editor = Some(RecordEditor::new(Arc::new(tree.clone()), text));
    }
}

/// Returns the key of the draft.
fn key(id: &AssetId) -> DraftKey {
    DraftKey::Record(id.clone())
}
