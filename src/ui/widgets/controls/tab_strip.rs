//! Tabs of opened things, in one line that scrolls.
//!
//! What must hold: a click opens a tab; a click with the middle button, its cross, or Delete closes it.

use egui::accesskit::Role;
use egui::{Id, Key, ScrollArea, Ui, UiBuilder};

use crate::ui::theme::{Icon, SPACE_XS, UiExt as _, control};
use crate::ui::widgets::shown_short;

/// How many characters of a name are shown at least, and at most where there is room.
const MIN_NAME: usize = 24;
const MAX_NAME: usize = 80;

/// A tab.
pub struct TabText {
    /// Its name.
    pub name: String,
    /// Whether it is the one that is shown.
    pub open: bool,
}

/// The tabs that were drawn.
pub struct TabStripResponse {
    /// What the user did.
    pub event: Option<TabEvent>,
    /// The tab that is open, if any.
    pub open: Option<Id>,
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
pub fn tab_strip(ui: &mut Ui, name: &str, tabs: &[TabText]) -> TabStripResponse {
    let list = UiBuilder::new().accessibility_role(Role::TabList).accessibility_label(name);
    let most = longest_name(ui, tabs);
    // The tab that is opened is scrolled to, once.
    let (of_strip, open) = (ui.scope_id().with(("tab strip", name)), tabs.iter().position(|tab| tab.open));
    let shown: Option<usize> = ui.data_mut(|data| data.get_temp::<Option<usize>>(of_strip)).flatten();
    ui.data_mut(|data| data.insert_temp(of_strip, open));
    let drawn = ui.scope_builder(list, |ui| {
        let area = ScrollArea::horizontal().id_salt(name).auto_shrink([false, true]);
        area.show(ui, |ui| {
            ui.horizontal(|ui| {
                ui.spacing_mut().item_spacing.x = SPACE_XS;
                let mut drawn = TabStripResponse { event: None, open: None };
                for (index, tab) in tabs.iter().enumerate() {
                    let (id, event) = tab_ui(ui, index, tab, (most, shown));
                    drawn.event = event.or(drawn.event);
                    drawn.open = tab.open.then_some(id).or(drawn.open);
                }
                drawn
            })
            .inner
        })
        .inner
    });
    drawn.inner
}

/// How many characters of each name are shown, so that all tabs are in sight if that is possible.
fn longest_name(ui: &Ui, tabs: &[TabText]) -> usize {
    let font = egui::TextStyle::Button.resolve(ui.style());
    let letter = ui.fonts_mut(|fonts| fonts.glyph_width(&font, 'n')).max(1.0);
    let beside = 2.0 * ui.spacing().button_padding.x + control(ui) + 2.0 * SPACE_XS;
    let room = (ui.available_width() - beside * tabs.len() as f32).max(0.0);
    limit(tabs.iter().map(|tab| tab.name.chars().count()), (room / letter) as usize)
}

/// The largest number of characters of each name with which all together have at most `room`; between [`MIN_NAME`] and
/// [`MAX_NAME`].
fn limit(names: impl Iterator<Item = usize>, mut room: usize) -> usize {
    let mut lengths: Vec<usize> = names.map(|length| length.min(MAX_NAME)).collect();
    lengths.sort_unstable();
    let mut left = lengths.len();
    for length in lengths {
        let share = room / left;
        if length > share {
            return share.clamp(MIN_NAME, MAX_NAME);
        }
        room -= length;
        left -= 1;
    }
    MAX_NAME
}

fn tab_ui(
    ui: &mut Ui,
    index: usize,
    &TabText { ref name, open }: &TabText,
    (most, shown): (usize, Option<usize>),
) -> (Id, Option<TabEvent>) {
    let tab = ui.selectable_label(open, shown_short(name, most));
    ui.ctx().accesskit_node_builder(tab.id, |node| {
        node.set_role(Role::Tab);
        node.set_selected(open);
    });
    let deleted = tab.has_focus() && ui.input(|input| input.key_pressed(Key::Delete));
    let closed = ui.icon_button(Icon::CLOSE, &format!("Close {}", shown_short(name, MIN_NAME))).clicked();
    let event = if closed || deleted || tab.middle_clicked() {
        Some(TabEvent::Close(index))
    } else {
        (tab.clicked() && !open).then_some(TabEvent::Open(index))
    };
    if open && shown != Some(index) {
        tab.scroll_to_me(None);
    }
    let id = tab.id;
    tab.on_hover_text(shown_short(name, 2_000));
    (id, event)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_cut_only_where_there_is_no_room_for_all() {
        assert_eq!(limit([30, 40].into_iter(), 70), MAX_NAME);
        assert_eq!(limit([30, 40].into_iter(), 60), 30);
        // What a short name leaves is for the others.
        assert_eq!(limit([5, 60, 60].into_iter(), 100), 47);
        assert_eq!(limit([500].into_iter(), 1_000), MAX_NAME);
        assert_eq!(limit([60; 20].into_iter(), 100), MIN_NAME);
        assert_eq!(limit([].into_iter(), 0), MAX_NAME);
    }
}
