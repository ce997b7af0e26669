//! egui's style built from our tokens, so that its plain buttons, fields and menus look like the rest.

use super::{Appearance, RADIUS, SPACE_S, Tokens, fonts};
use egui::{
    Color32, CornerRadius, Margin, Stroke, Style, Theme, Visuals, epaint::Shadow, style::ScrollAnimation,
    style::ScrollStyle, style::WidgetVisuals, vec2,
};

/// Returns the whole style of one theme with the user's choices.
pub(super) fn style(theme: Theme, appearance: Appearance) -> Style {
    let sizes = appearance.sizes();
    let mut style = Style {
        text_styles: fonts::text_styles(),
        visuals: visuals(Tokens::for_theme(theme, appearance.accent), appearance),
        // Only toasts and progress bars are animated: the frame after a change shows its result.
        animation_time: 0.0,
        scroll_animation: ScrollAnimation::none(),
        url_in_tooltip: true,
        ..Style::default()
    };
    let spacing = &mut style.spacing;
    spacing.item_spacing = vec2(SPACE_S, sizes.gap);
    spacing.button_padding = vec2(sizes.button.0, sizes.button.1);
    spacing.interact_size = vec2(sizes.control, sizes.control);
    spacing.icon_width = 16.0;
    spacing.icon_width_inner = 10.0;
    spacing.icon_spacing = 6.0;
    spacing.menu_margin = Margin::same(6);
    spacing.window_margin = Margin::same(sizes.dialog);
    spacing.combo_width = 120.0;
    spacing.text_edit_width = 240.0;
    spacing.tooltip_width = 420.0;
    spacing.scroll = ScrollStyle::thin();
    style.interaction.tooltip_delay = 0.4;
    style
}

fn visuals(t: &Tokens, appearance: Appearance) -> Visuals {
    let mut visuals = if t.dark { Visuals::dark() } else { Visuals::light() };
    let widgets = &mut visuals.widgets;
    widgets.noninteractive = state(t.panel, t.line, t.text);
    widgets.inactive = state(t.raised, t.line, t.text);
    widgets.hovered = state(t.hovered, t.bar, t.text);
    // The focused state too: the window draws the only focus ring.
    widgets.active = state(t.hovered, t.bar, t.text);
    widgets.open = state(t.hovered, t.line, t.text);
    // The rail of a slider has this fill and no outline; it must contrast with the background of a dialog.
    widgets.inactive.bg_fill = t.line.lerp_to_gamma(t.bar, 0.45);
    widgets.hovered.bg_fill = t.line.lerp_to_gamma(t.bar, 0.7);
    widgets.active.bg_fill = t.line.lerp_to_gamma(t.bar, 0.7);
    visuals.selection.bg_fill = t.selection;
    visuals.selection.stroke = Stroke::new(1.0, t.accent);
    visuals.weak_text_color = Some(t.muted);
    visuals.hyperlink_color = t.accent;
    visuals.faint_bg_color = t.hovered_row;
    visuals.extreme_bg_color = t.code_ground;
    visuals.text_edit_bg_color = Some(t.field());
    visuals.code_bg_color = if t.dark { t.raised } else { t.hovered };
    visuals.warn_fg_color = t.warning;
    visuals.error_fg_color = t.error;
    visuals.panel_fill = t.background;
    visuals.window_fill = if t.dark { t.raised } else { t.panel };
    visuals.window_stroke = Stroke::new(1.0, t.line);
    visuals.window_corner_radius = CornerRadius::same(10);
    visuals.menu_corner_radius = CornerRadius::same(8);
    visuals.window_shadow = shadow(t, 32, 12);
    visuals.popup_shadow = shadow(t, 20, 6);
    visuals.text_cursor.stroke = Stroke::new(1.5, t.text);
    visuals.text_cursor.blink = !appearance.still;
    visuals.indent_has_left_vline = false;
    visuals.slider_trailing_fill = true;
    visuals
}

fn shadow(t: &Tokens, blur: u8, down: i8) -> Shadow {
    Shadow { offset: [0, down], blur, spread: 0, color: Color32::from_black_alpha(if t.dark { 120 } else { 45 }) }
}

fn state(fill: Color32, line: Color32, text: Color32) -> WidgetVisuals {
    WidgetVisuals {
        bg_fill: fill,
        weak_bg_fill: fill,
        bg_stroke: Stroke::new(1.0, line),
        corner_radius: CornerRadius::same(RADIUS),
        fg_stroke: Stroke::new(1.0, text),
        expansion: 0.0,
    }
}
