//! Events per day as bars, with the same in words for those who do not see them.

use super::grouped;
use crate::ui::theme::{SPACE_XS, Tokens};
use egui::{Rect, Sense, Ui, UiBuilder, accesskit::Role, vec2};
use egui_plot::{Bar, BarChart, Plot};

/// One day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Day<'a> {
    /// The day as it is read: `2026-11-20`.
    pub name: &'a str,
    /// How much happened in it.
    pub events: u64,
}

/// Draws the days from left to right, `height` points high; the last three stand out.
///
/// `name` says what is counted: "Activity, last 30 days". Days are drawn in the order given.
pub fn plot_days(ui: &mut Ui, name: &str, days: &[Day<'_>], height: f32) {
    let t = Tokens::of(ui);
    let recent = days.len().saturating_sub(3);
    let bars: Vec<Bar> = (0_u32..)
        .zip(days)
        .map(|(at, day)| {
            let color = if at as usize >= recent { t.accent } else { t.bar };
            // A day without events keeps a line of its own, so that gaps are seen as days.
            Bar::new(f64::from(at), (day.events as f64).max(0.02 * most(days) as f64))
                .width(0.72)
                .fill(color)
                .stroke(egui::Stroke::NONE)
                .name(day.name)
        })
        .collect();
    let summary = summary(name, days);
    let space = vec2(ui.available_width(), height);
    let (rect, response) = ui.allocate_exact_size(space, Sense::hover());
    response.widget_info(|| egui::WidgetInfo::labeled(Role::GraphicsDocument, true, &summary));
    let mut inner = ui.new_child(UiBuilder::new().id_salt(name).max_rect(rect));
    let highest = most(days).max(1) as f64;
    let drawn = Plot::new(("days", name.to_owned()))
        .height(height)
        .show_axes(false)
        .show_grid(false)
        .show_background(false)
        .show_x(false)
        .show_y(false)
        .allow_drag(false)
        .allow_zoom(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .allow_double_click_reset(false)
        .include_y(highest * 1.05)
        .include_y(0.0)
        .include_x(-0.5)
        .include_x(days.len() as f64 - 0.5)
        .set_margin_fraction(vec2(0.0, 0.0))
        .cursor_color(egui::Color32::TRANSPARENT)
        .show(&mut inner, |plot| plot.bar_chart(BarChart::new("", bars).allow_hover(false)));
    ui.ctx().accesskit_node_builder(drawn.response.id, |node| node.set_label(summary.clone()));
    if let Some(day) = hovered(rect, &response, days) {
        response.on_hover_ui_at_pointer(|ui| {
            ui.spacing_mut().item_spacing.x = SPACE_XS;
            ui.label(format!("{}: {}", super::shown(day.name), events(day.events)));
        });
    }
}

fn hovered<'a>(rect: Rect, response: &egui::Response, days: &'a [Day<'a>]) -> Option<&'a Day<'a>> {
    let pointer = response.ctx.pointer_hover_pos().filter(|pointer| rect.contains(*pointer))?;
    let share = (pointer.x - rect.left()) / rect.width().max(1.0);
    days.get((share * days.len() as f32) as usize)
}

fn most(days: &[Day<'_>]) -> u64 {
    days.iter().map(|day| day.events).max().unwrap_or(0)
}

fn events(count: u64) -> String {
    if count == 1 { "1 event".to_owned() } else { format!("{} events", grouped(count)) }
}

/// The plot in words: how much in all, and on which day the most.
fn summary(name: &str, days: &[Day<'_>]) -> String {
    let total: u64 = days.iter().map(|day| day.events).sum();
    match days.iter().rev().max_by_key(|day| day.events) {
        Some(day) if total > 0 => {
            format!(
                "{name}: {} in {} days, most on {} with {}",
                events(total),
                days.len(),
                day.name,
                grouped(day.events)
            )
        }
        _ => format!("{name}: no events"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_plot_is_told_in_words() {
        let days = [Day { name: "2026-11-19", events: 3 }, Day { name: "2026-11-20", events: 1_200 }];
        let told = "Activity: 1,203 events in 2 days, most on 2026-11-20 with 1,200";
        assert_eq!(summary("Activity", &days), told);
        assert_eq!(summary("Activity", &[]), "Activity: no events");
    }
}
