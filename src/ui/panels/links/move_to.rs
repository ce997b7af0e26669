//! The button that moves the assets of an item to another item.

use egui::{Popup, Ui};

use crate::ui::disabled_reason::enabled_unless;
use crate::ui::theme::{Icon, UiExt as _};
use crate::ui::widgets::picker::{self, Picked, Picker, PickerEntry, PickerState};
use lunette_inspector::State;
use lunette_inspector::change::Item;
use lunette_inspector::listing::RowList;
use lunette_inspector::listing::rows::LinkRow;

/// The name of the picker.
const NAME: &str = "Move to";

/// The button with its picker.
#[derive(Default)]
pub(super) struct MoveButton {
    picker: PickerState,
    /// The rows that the picker offers, and how often they have changed.
    rows: RowList<LinkRow>,
    revision: u64,
    /// Whether to open the picker.
    open: bool,
}

impl MoveButton {
    /// Opens the picker as soon as the button is drawn.
    pub(super) fn open(&mut self) {
        self.open = true;
    }

    /// Draws the button; returns the item to move the assets to.
    pub(super) fn ui(&mut self, ui: &mut Ui, item: &Item, state: &State, disabled: Option<&str>) -> Option<Item> {
        let button = enabled_unless(ui, disabled, |ui| ui.icon_text_button(Icon::LINK, "Move to…"));
        let button = button.on_hover_text(
            "Shows a plan that links its assets to another item instead. To move only some, select them \
             in the list of assets and choose Move under this kind of link",
        );
        if std::mem::take(&mut self.open) && button.enabled() {
            Popup::open_id(ui.ctx(), picker::popup_id(NAME, ""));
        }
        let rows = state.links.list(item.kind).rows.value()?;
        if !self.rows.same(rows) {
            self.rows = rows.clone();
            self.revision += 1;
        }
        let own = rows.iter().position(|row| row.item.id == item.id);
        let row_index = |index: usize| index + usize::from(own.is_some_and(|own| index >= own));
        let entry = |index: usize| match rows.get(row_index(index)) {
            Some(row) => {
                PickerEntry { name: row.item.name().into(), detail: row.item.url.as_deref().unwrap_or_default().into() }
            }
            None => PickerEntry::default(),
        };
        let offered = rows.len() - usize::from(own.is_some());
        let picker = Picker::new(NAME, offered, &entry).revision(self.revision * 2 + u64::from(own.is_some()));
        match picker.popup(&button, &mut self.picker) {
            Some(Picked::Entry(index)) => rows.get(row_index(index)).map(|row| row.item.clone()),
            Some(Picked::New(_)) | None => None,
        }
    }
}
