//! Semantic additions to egui's `Ui`: a panel says what something is, and the theme decides how it looks.

use super::{Icon, LINE_BUTTON, RADIUS, SPACE_XS, Tokens, control, fonts, icon, text};
use crate::ui::widgets::{shown, shown_short};
use egui::{Button, Label, Response, RichText, Stroke, TextStyle, Ui, Vec2, accesskit::Role, vec2};

/// Height of the icon on an icon button, in points.
const ICON_SIZE: f32 = 15.0;

/// What panels use besides egui's own `label`, `button` and `heading` (17 points, semibold).
///
/// Text passed to these is escaped by `display_text`: control and direction characters appear as escapes.
pub trait UiExt {
    /// Returns the colours of the current theme.
    fn tokens(&self) -> &'static Tokens;

    /// The main button of a form or page.
    fn primary_button(&mut self, text: &str) -> Response;

    /// A button without a frame until it is hovered.
    fn ghost_button(&mut self, text: &str) -> Response;

    /// A button within a line of text: small letters, but 24 points high, so that it is easy to hit.
    fn line_button(&mut self, text: &str) -> Response;

    /// A button that deletes or cannot be undone.
    fn danger_button(&mut self, text: &str) -> Response;

    /// A plain button with an icon before its label; the label is its name.
    fn icon_text_button(&mut self, icon: Icon, text: &str) -> Response;

    /// [`UiExt::icon_text_button`] that opens a menu drawn by `menu`.
    fn icon_menu_button(&mut self, icon: Icon, text: &str, menu: impl FnOnce(&mut Ui)) -> Response;

    /// An icon button that opens a menu of that name.
    fn icon_menu(&mut self, icon: Icon, name: &str, menu: impl FnOnce(&mut Ui)) -> Response;

    /// An entry of a menu that opens a menu of its own; both have this accessible name.
    fn sub_menu<'a>(&mut self, atoms: impl egui::IntoAtoms<'a>, name: &str, menu: impl FnOnce(&mut Ui)) -> Response;

    /// An icon button. `name` is its accessible name and its tooltip.
    fn icon_button(&mut self, icon: Icon, name: &str) -> Response;

    /// [`UiExt::icon_button`] whose tooltip says more than its name.
    fn icon_button_with(&mut self, icon: Icon, name: &str, tip: &str) -> Response;

    /// [`UiExt::icon_button`] that is on or off, like a star.
    fn toggle_icon_button(&mut self, icon: Icon, name: &str, on: bool) -> Response;

    /// The filled star beside the name of a favourite, `size` points high.
    fn favourite_sign(&mut self, size: f32) -> Response;

    /// The title of a section or dialog, 15 points.
    fn title(&mut self, text: &str) -> Response;

    /// The small bold heading of a group.
    fn section_title(&mut self, text: &str) -> Response;

    /// Secondary text, 13 points.
    fn muted(&mut self, text: &str) -> Response;

    /// [`UiExt::muted`] that goes to the next line of a row that wraps, rather than being broken.
    fn muted_line(&mut self, text: &str) -> Response;

    /// Secondary text, 12 points.
    fn caption(&mut self, text: &str) -> Response;

    /// An icon that says nothing beyond the text beside it; hidden from assistive technology.
    fn decoration(&mut self, icon: RichText) -> Response;

    /// The least prominent text, 11 points.
    fn tiny(&mut self, text: &str) -> Response;

    /// An error on one line, with its icon.
    fn error_text(&mut self, text: &str) -> Response;

    /// A warning on one line, with its icon.
    fn warning_text(&mut self, text: &str) -> Response;

    /// Text as code: ids, paths, filters.
    fn code_text(&mut self, text: &str) -> Response;

    /// A rounded label, like a tag in a list. See [`crate::ui::widgets::chip`] for one that can be removed or opened.
    fn chip(&mut self, text: &str) -> Response;

    /// A small outlined word, like "Tracked" or "deprecated".
    fn badge(&mut self, text: &str) -> Response;

    /// A count at the end of a line, grouped by thousands.
    fn count_badge(&mut self, count: usize) -> Response;

    /// A row of details: the muted key, 100 points wide, and its value, truncated with the full text on hover.
    fn key_value(&mut self, key: &str, value: &str) -> Response;

    /// A row of details whose value is drawn by `value`.
    fn key_value_ui<R>(&mut self, key: &str, value: impl FnOnce(&mut Ui) -> R) -> R;

    /// A horizontal line without space around it.
    fn line(&mut self);
}

impl UiExt for Ui {
    fn tokens(&self) -> &'static Tokens {
        Tokens::of(self)
    }

    fn primary_button(&mut self, text: &str) -> Response {
        let t = self.tokens();
        filled_button(self, text, t.accent, t.on_accent)
    }

    fn ghost_button(&mut self, text: &str) -> Response {
        self.add(Button::new(shown(text)).frame_when_inactive(false))
    }

    fn line_button(&mut self, text: &str) -> Response {
        self.add(Button::new(RichText::new(shown(text)).small()).small().min_size(Vec2::splat(LINE_BUTTON)))
    }

    fn danger_button(&mut self, text: &str) -> Response {
        let color = self.tokens().error;
        self.add(Button::new(RichText::new(shown(text)).color(color)))
    }

    fn icon_text_button(&mut self, icon: Icon, text: &str) -> Response {
        let label = shown(text).into_owned();
        let response = self.button((icon.text(), label.clone()));
        response.accessible_name(label)
    }

    fn icon_menu_button(&mut self, icon: Icon, text: &str, menu: impl FnOnce(&mut Ui)) -> Response {
        let response = self.icon_text_button(icon, text);
        egui::Popup::menu(&response).accessible_name(text).show(menu);
        response
    }

    fn icon_menu(&mut self, icon: Icon, name: &str, menu: impl FnOnce(&mut Ui)) -> Response {
        let response = self.button(icon.text()).accessible_name(name).on_hover_text(name);
        egui::Popup::menu(&response).accessible_name(name).show(menu);
        response
    }

    fn sub_menu<'a>(&mut self, atoms: impl egui::IntoAtoms<'a>, name: &str, menu: impl FnOnce(&mut Ui)) -> Response {
        let drawn = self.menu_button(atoms, |ui| {
            let of_menu = ui.stack().iter().find(|stack| stack.kind() == Some(egui::UiKind::Menu));
            if let Some(of_menu) = of_menu.map(|stack| stack.unique_id) {
                ui.ctx().accesskit_node_builder(of_menu, |node| node.set_label(name));
            }
            menu(ui);
        });
        let response = drawn.response;
        response.widget_info(|| egui::WidgetInfo::labeled(Role::MenuItem, response.enabled(), name));
        response
    }

    fn icon_button(&mut self, icon: Icon, name: &str) -> Response {
        self.icon_button_with(icon, name, name)
    }

    fn icon_button_with(&mut self, icon: Icon, name: &str, tip: &str) -> Response {
        let color = self.tokens().muted;
        let response = icon_only(self, icon, color);
        response.widget_info(|| egui::WidgetInfo::labeled(Role::Button, response.enabled(), name));
        response.accessible_name(shown(name).into_owned()).on_hover_text(shown(tip).into_owned())
    }

    fn toggle_icon_button(&mut self, icon: Icon, name: &str, on: bool) -> Response {
        let t = self.tokens();
        let response = icon_only(self, icon, if on { t.accent } else { t.muted });
        if on && icon.is_star() {
            icon::paint_star(self.painter(), response.rect.center(), ICON_SIZE, t.accent);
        }
        response.widget_info(|| egui::WidgetInfo::selected(Role::Button, response.enabled(), on, name));
        named(response, name)
    }

    fn favourite_sign(&mut self, size: f32) -> Response {
        let color = self.tokens().accent;
        let sign = self.label(Icon::STAR.text().size(size).color(color));
        icon::paint_star(self.painter(), sign.rect.center(), size, color);
        sign.widget_info(|| egui::WidgetInfo::labeled(Role::Image, true, "Favourite"));
        sign.on_hover_text("Favourite")
    }

    fn title(&mut self, text: &str) -> Response {
        self.label(RichText::new(shown(text)).text_style(self::text::title()))
    }

    fn section_title(&mut self, text: &str) -> Response {
        let color = self.tokens().muted;
        self.label(RichText::new(shown(text)).text_style(self::text::section()).color(color))
    }

    fn muted(&mut self, text: &str) -> Response {
        let color = self.tokens().muted;
        self.label(RichText::new(shown(text)).color(color))
    }

    fn muted_line(&mut self, text: &str) -> Response {
        let text = RichText::new(shown(text)).color(self.tokens().muted);
        self.add(egui::Label::new(text).truncate())
    }

    fn caption(&mut self, text: &str) -> Response {
        let color = self.tokens().muted;
        self.label(RichText::new(shown(text)).text_style(TextStyle::Small).color(color))
    }

    fn decoration(&mut self, icon: RichText) -> Response {
        let response = self.add(egui::Label::new(icon).selectable(false));
        self.ctx().accesskit_node_builder(response.id, |node| node.set_hidden());
        response
    }

    fn tiny(&mut self, text: &str) -> Response {
        let color = self.tokens().muted;
        self.label(RichText::new(shown(text)).text_style(self::text::tiny()).color(color))
    }

    fn error_text(&mut self, text: &str) -> Response {
        let color = self.tokens().error;
        signed_line(self, Icon::ERROR, text, color)
    }

    fn warning_text(&mut self, text: &str) -> Response {
        let color = self.tokens().warning;
        signed_line(self, Icon::WARNING, text, color)
    }

    fn code_text(&mut self, text: &str) -> Response {
        self.label(RichText::new(shown(text)).text_style(self::text::mono_small()))
    }

    fn chip(&mut self, text: &str) -> Response {
        crate::ui::widgets::chip(self, text, None)
    }

    fn badge(&mut self, text: &str) -> Response {
        crate::ui::widgets::badge(self, text)
    }

    fn count_badge(&mut self, count: usize) -> Response {
        let color = self.tokens().muted;
        self.label(RichText::new(crate::ui::widgets::grouped(count as u64)).text_style(TextStyle::Small).color(color))
    }

    fn key_value(&mut self, key: &str, value: &str) -> Response {
        let value = shown(value).into_owned();
        self.key_value_ui(key, |ui| ui.add(Label::new(value).truncate()))
    }

    fn key_value_ui<R>(&mut self, key: &str, value: impl FnOnce(&mut Ui) -> R) -> R {
        let color = self.tokens().muted;
        let key = RichText::new(shown(key)).color(color);
        self.scope(|ui| {
            // Lines of text rather than of controls: 25 points from one to the next.
            ui.spacing_mut().interact_size.y = 17.0;
            key_value_line(ui, key, value)
        })
        .inner
    }

    fn line(&mut self) {
        let color = self.tokens().line;
        let (rect, _) = self.allocate_exact_size(vec2(self.available_width(), 1.0), egui::Sense::hover());
        self.painter().rect_filled(rect, 0.0, color);
    }
}

/// Draws the arrow of a collapsible section, for egui's own headers.
pub fn fold_arrow(ui: &mut Ui, openness: f32, response: &Response) {
    let icon = if openness > 0.5 { Icon::UNFOLDED } else { Icon::FOLDED };
    let color = if response.hovered() || response.has_focus() { ui.tokens().text } else { ui.tokens().muted };
    icon.paint(ui.painter(), response.rect.center(), 14.0, color);
}

fn key_value_line<R>(ui: &mut Ui, key: RichText, value: impl FnOnce(&mut Ui) -> R) -> R {
    ui.horizontal(|ui| {
        let left = ui.max_rect().left();
        ui.add(Label::new(key));
        let gap = left + 100.0 - ui.cursor().left();
        if gap > 0.0 {
            ui.add_space(gap);
        }
        value(ui)
    })
    .inner
}

/// A button of one colour, a little brighter or darker when hovered.
fn filled_button(ui: &mut Ui, text: &str, fill: egui::Color32, ink: egui::Color32) -> Response {
    ui.scope(|ui| {
        let widgets = &mut ui.visuals_mut().widgets;
        for (state, gamma) in [(&mut widgets.inactive, 1.0), (&mut widgets.hovered, 0.9), (&mut widgets.active, 0.8)] {
            state.weak_bg_fill = fill.gamma_multiply(gamma);
            state.bg_stroke = Stroke::new(1.0, state.weak_bg_fill);
        }
        ui.add(Button::new(RichText::new(shown(text)).color(ink).family(fonts::semibold())))
    })
    .inner
}

/// A square icon button, with a frame only while it is hovered or focused.
fn icon_only(ui: &mut Ui, icon: Icon, color: egui::Color32) -> Response {
    let (rect, response) = ui.allocate_exact_size(vec2(control(ui), control(ui)), egui::Sense::click());
    if ui.is_rect_visible(rect) {
        let look = ui.style().interact(&response);
        let color = if response.hovered() && color == ui.tokens().muted { look.text_color() } else { color };
        if response.hovered() {
            let inside = egui::StrokeKind::Inside;
            ui.painter().rect(rect, f32::from(RADIUS), look.weak_bg_fill, look.bg_stroke, inside);
        }
        icon.paint(ui.painter(), rect.center(), ICON_SIZE, color);
    }
    response
}

fn named(response: Response, name: &str) -> Response {
    let name = shown(name).into_owned();
    response.accessible_name(name.clone()).on_hover_text(name)
}

/// Maximum number of characters drawn of an error: it may come from a service.
const MAX_LINE: usize = 2_000;

fn signed_line(ui: &mut Ui, icon: Icon, text: &str, color: egui::Color32) -> Response {
    let text = shown_short(text, MAX_LINE).into_owned();
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = SPACE_XS + 2.0;
        let height = ui.text_style_height(&TextStyle::Body);
        let (rect, _) = ui.allocate_exact_size(vec2(14.0, height), egui::Sense::hover());
        icon.paint(ui.painter(), rect.center(), 14.0, color);
        ui.add(Label::new(RichText::new(text).color(color)).wrap())
    })
    .inner
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui_kittest::{
        Harness,
        kittest::{NodeT as _, Queryable as _},
    };

    fn harness<'a>(draw: impl FnMut(&mut Ui) + 'a) -> Harness<'a> {
        Harness::builder().with_context_setup(crate::ui::theme::install).build_ui(draw)
    }

    #[test]
    fn errors_are_truncated() {
        let long = "x".repeat(1_000_000);
        let mut harness = harness(|ui| drop(ui.error_text(&long)));
        harness.run();
        let label = harness.get_by_role(Role::Label).accesskit_node().value().unwrap_or_default();
        assert!((1_000..=MAX_LINE + 4).contains(&label.len()), "{} bytes", label.len());
    }

    #[test]
    fn an_icon_button_is_named_by_its_name_alone() {
        let mut harness = harness(|ui| {
            ui.icon_button(Icon::REFRESH, "Refresh");
            ui.icon_text_button(Icon::IMPORT, "Import");
        });
        harness.run();
        harness.get_by_role_and_label(Role::Button, "Refresh");
        harness.get_by_role_and_label(Role::Button, "Import");
    }

    #[test]
    fn the_sign_of_a_favourite_is_filled_as_the_button_is() {
        let filled = |draw: fn(&mut Ui)| {
            let mut harness = harness(draw);
            harness.run();
            let center = harness.get_by_label("Favourite").rect().center();
            let meshes = harness.output().shapes.iter().filter_map(|shape| match &shape.shape {
                egui::Shape::Mesh(mesh) => Some(mesh.calc_bounds()),
                _ => None,
            });
            meshes.filter(|bounds| bounds.contains(center)).count()
        };
        assert_eq!(filled(|ui| drop(ui.toggle_icon_button(Icon::STAR, "Favourite", true))), 1);
        assert_eq!(filled(|ui| drop(ui.toggle_icon_button(Icon::STAR, "Favourite", false))), 0);
        assert_eq!(filled(|ui| drop(ui.favourite_sign(12.0))), 1);
    }

    #[test]
    fn a_toggle_says_whether_it_is_on() {
        let mut harness = harness(|ui| {
            ui.toggle_icon_button(Icon::STAR, "Favourite", true);
        });
        harness.run();
        let star = harness.get_by_role_and_label(Role::Button, "Favourite");
        assert_eq!(star.accesskit_node().toggled(), Some(egui::accesskit::Toggled::True));
    }
}
