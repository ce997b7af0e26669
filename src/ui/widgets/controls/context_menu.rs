//! Context menus of rows, chips, column headers and entries of the sidebar.
//!
//! How to use it: `context_menu(&response, "Menu of NAME", |ui| { if entry(ui, Icon::COPY, "Copy name") { … } })`; for
//! the rows of a table [`crate::ui::widgets::table::Table::row_menu`]; for a command of the window `command::entry_ui`.
//!
//! What must hold: the menu opens by the right mouse button, and by the Menu key or Shift+F10 while its widget has the
//! focus; it takes the focus, and Escape closes only the menu.

use crate::ui::focus;
use crate::ui::theme::{Icon, UiExt as _};
use egui::{Button, Context, Id, Key, Modifiers, Popup, PopupAnchor, Pos2, Response, Ui, accesskit::Role, vec2};

/// Width of a menu, in points.
const WIDTH: f32 = 230.0;

/// The menu of a widget. `name` is its accessible name; `draw` draws the entries and returns what was chosen.
pub fn context_menu<R>(response: &Response, name: &str, draw: impl FnOnce(&mut Ui) -> R) -> Option<R> {
    let by_key = focus::receives_keys(&response.ctx, response.id) && menu_key(&response.ctx);
    let at = by_key.then(|| response.rect.left_bottom());
    menu_at(response, name, at, draw)
}

/// Draws the menu of a widget that cannot have the focus, such as a row: `opened_at` is where a key opens it.
pub fn menu_at<R>(
    response: &Response,
    name: &str,
    opened_at: Option<Pos2>,
    draw: impl FnOnce(&mut Ui) -> R,
) -> Option<R> {
    let ctx = &response.ctx;
    let id = Popup::default_response_id(response);
    let pointer = || ctx.pointer_interact_pos().unwrap_or_else(|| response.rect.center());
    let opened = opened_at.or_else(|| response.secondary_clicked().then(pointer));
    let kept = id.with("opened at");
    if let Some(at) = opened {
        ctx.data_mut(|data| data.insert_temp(kept, OpenMenu { at, focus: true }));
        Popup::open_id(ctx, id);
    }
    let mut opened: OpenMenu = ctx.data(|data| data.get_temp(kept))?;
    let popup = Popup::menu(response)
        .open_memory(response.clicked().then_some(egui::SetOpenCommand::Bool(false)))
        .anchor(PopupAnchor::Position(opened.at))
        .accessible_name(name);
    let Some(drawn) = popup.show(|ui| {
        ui.set_width(WIDTH);
        (draw(ui), !ui.is_sizing_pass())
    }) else {
        ctx.data_mut(|data| data.remove::<OpenMenu>(kept));
        return None;
    };
    let (chosen, visible) = drawn.inner;
    // While it is being measured, nothing in it can have the focus.
    if opened.focus && visible {
        focus_first(ctx, drawn.response.layer_id);
        opened.focus = false;
        ctx.data_mut(|data| data.insert_temp(kept, opened));
    }
    Some(chosen)
}

/// Returns whether the key that opens the menu of the focused widget was pressed, and consumes it.
pub fn menu_key(ctx: &Context) -> bool {
    ctx.input_mut(|input| {
        input.consume_key(Modifiers::NONE, Key::Menu) || input.consume_key(Modifiers::SHIFT, Key::F10)
    })
}

/// The state of an open menu.
#[derive(Clone, Copy)]
struct OpenMenu {
    at: Pos2,
    /// Whether its first entry is to get the focus.
    focus: bool,
}

/// Focuses the first enabled entry.
fn focus_first(ctx: &Context, layer: egui::LayerId) {
    let first: Option<Id> = ctx.viewport(|view| {
        let mut widgets = view.this_pass.widgets.get_layer(layer);
        widgets.find(|widget| widget.enabled && widget.sense.is_focusable()).map(|widget| widget.id)
    });
    if let Some(first) = first {
        ctx.memory_mut(|memory| memory.request_focus(first));
    }
}

/// Draws an entry; returns whether it was chosen, which closes the menu.
pub fn entry(ui: &mut Ui, icon: Icon, text: &str) -> bool {
    Entry::new(icon, text).show(ui)
}

/// Draws a line between groups of entries.
pub fn separator(ui: &mut Ui) {
    ui.add_space(3.0);
    ui.line();
    ui.add_space(3.0);
}

/// An entry of a menu; see [`Entry::show`].
#[must_use = "an entry is drawn by `show`"]
#[derive(Clone, Copy)]
pub struct Entry<'a> {
    icon: Icon,
    text: &'a str,
    keys: &'a str,
    tip: &'a str,
    disabled_reason: Option<&'a str>,
    danger: bool,
    checked: bool,
}

impl<'a> Entry<'a> {
    /// An entry with a label.
    pub fn new(icon: Icon, text: &'a str) -> Self {
        Self { icon, text, keys: "", tip: "", disabled_reason: None, danger: false, checked: false }
    }

    /// The keyboard shortcut.
    pub fn keys(self, keys: &'a str) -> Self {
        Self { keys, ..self }
    }

    /// The tooltip.
    pub fn tip(self, tip: &'a str) -> Self {
        Self { tip, ..self }
    }

    /// Why it is disabled; `None` if it is enabled.
    pub fn disabled_reason(self, disabled_reason: Option<&'a str>) -> Self {
        Self { disabled_reason, ..self }
    }

    /// Marks an entry that deletes or cannot be undone.
    pub fn danger(self) -> Self {
        Self { danger: true, ..self }
    }

    /// Whether the state that it sets is already set.
    pub fn checked(self, checked: bool) -> Self {
        Self { checked, ..self }
    }

    /// Draws the entry; returns whether it was chosen, which closes the menu.
    pub fn show(self, ui: &mut Ui) -> bool {
        let Self { icon, text, keys, tip, disabled_reason, danger, checked } = self;
        let t = ui.tokens();
        let sign = if checked { Icon::CHECK } else { icon };
        let color = if danger { t.error } else { t.text };
        let sign_color = match (checked, danger) {
            (true, _) => t.accent,
            (false, true) => t.error,
            (false, false) => t.muted,
        };
        let label = egui::RichText::new(crate::ui::widgets::shown_short(text, 60)).color(color);
        let button = Button::new((sign.text().color(sign_color), label)).shortcut_text(keys);
        let button = button.frame_when_inactive(false).min_size(vec2(ui.available_width(), 0.0));
        let enabled = disabled_reason.is_none();
        let response = ui.add_enabled(enabled, button);
        response.widget_info(|| egui::WidgetInfo::labeled(Role::MenuItem, enabled, text));
        ui.ctx().accesskit_node_builder(response.id, |node| {
            node.set_role(Role::MenuItem);
            if !keys.is_empty() {
                node.set_keyboard_shortcut(keys);
            }
            if checked {
                node.set_toggled(egui::accesskit::Toggled::True);
            }
            if let Some(description) = disabled_reason.or(Some(tip).filter(|tip| !tip.is_empty())) {
                node.set_description(description);
            }
        });
        let chosen = response.clicked();
        match (disabled_reason, tip) {
            (Some(disabled_reason), _) => drop(response.on_disabled_hover_text(disabled_reason)),
            (None, "") => {}
            (None, tip) => drop(response.on_hover_text(tip)),
        }
        if chosen {
            ui.close();
        }
        chosen
    }
}
