//! Tabs of opened things, in one line that scrolls.
//!
//! What must hold: a click opens a tab; a click with the middle button, its cross, or Delete closes it.

use egui::accesskit::Role;
use egui::{Key, ScrollArea, Ui, UiBuilder};

use crate::ui::theme::{Icon, SPACE_XS, UiExt as _};
use crate::ui::widgets::shown_short;

/// Maximum number of characters shown of a name.
const MAX_NAME: usize = 24;

/// A tab.
pub struct TabText {
    /// Its name.
    pub name: String,
    /// Whether it is the one that is shown.
    pub open: bool,
}

/// What the user did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TabEvent {
    /// Opened the tab with this index.
    Open(usize),
    /// Closed it.
    Close(usize),
}

/// Draws the tabs, called `name` together.
pub fn tab_strip(ui: &mut Ui, name: &str, tabs: &[TabText]) -> Option<TabEvent> {
    let list = UiBuilder::new().accessibility_role(Role::TabList).accessibility_label(name);
    let drawn = ui.scope_builder(list, |ui| {
        let area = ScrollArea::horizontal().id_salt(name).auto_shrink([false, true]);
        area.show(ui, |ui| {
            ui.horizontal(|ui| {
                ui.spacing_mut().item_spacing.x = SPACE_XS;
                tabs.iter().enumerate().filter_map(|(index, tab)| tab_ui(ui, index, tab)).last()
            })
            .inner
        })
        .inner
    });
    drawn.inner
}

fn tab_ui(ui: &mut Ui, index: usize, &TabText { ref name, open }: &TabText) -> Option<TabEvent> {
    let tab = ui.selectable_label(open, shown_short(name, MAX_NAME));
    ui.ctx().accesskit_node_builder(tab.id, |node| {
        node.set_role(Role::Tab);
        node.set_selected(open);
    });
    let deleted = tab.has_focus() && ui.input(|input| input.key_pressed(Key::Delete));
    let closed = ui.icon_button(Icon::CLOSE, &format!("Close {}", shown_short(name, MAX_NAME))).clicked();
    let event = if closed || deleted || tab.middle_clicked() {
        Some(TabEvent::Close(index))
    } else {
        (tab.clicked() && !open).then_some(TabEvent::Open(index))
    };
    if open && !tab.rect.intersects(ui.clip_rect()) {
        tab.scroll_to_me(None);
    }
    tab.on_hover_text(shown_short(name, 2_000));
    event
}
