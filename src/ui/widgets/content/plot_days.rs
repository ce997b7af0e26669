//! A figure by day as bars, with axes, and a text summary for assistive technology.
//!
//! What must hold: a day is as wide as any other, and one without anything is there; every number is told with its unit.

use egui::{Align2, FontId, Painter, Rect, Sense, Ui, UiBuilder, accesskit::Role, pos2, vec2};
use egui_plot::{Bar, BarChart, Plot};

use crate::ui::theme::{SPACE_XS, Tokens};
use crate::ui::widgets::grouped;

/// One day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Day<'a> {
    /// The displayed day: `2026-11-20`.
    pub name: &'a str,
    /// The figure.
    pub count: u64,
}

/// What is counted: one, and many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unit(pub &'static str, pub &'static str);

impl Unit {
    /// Events.
    pub const EVENTS: Self = Self("event", "events");
    /// Assets.
    pub const ASSETS: Self = Self("asset", "assets");

    /// A count with its unit.
    pub fn of(self, count: u64) -> String {
        if count == 1 { format!("1 {}", self.0) } else { format!("{} {}", grouped(count), self.1) }
    }
}

/// The room left of the bars for the numbers, and below them for the days, in points.
const AXES: (f32, f32) = (40.0, 16.0);

/// Draws the days from left to right, `height` points high; the last three stand out. Returns the index of a day that
/// was clicked.
///
/// `name` says what is counted: "Activity, last 30 days". Days are drawn in the given order.
pub fn plot_days(ui: &mut Ui, name: &str, unit: Unit, days: &[Day<'_>], height: f32) -> Option<usize> {
    let summary = summary(name, unit, days);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), height + AXES.1), Sense::hover());
    response.widget_info(|| egui::WidgetInfo::labeled(Role::GraphicsDocument, true, &summary));
    let bars = Rect::from_min_max(pos2(rect.left() + AXES.0, rect.top()), pos2(rect.right(), rect.bottom() - AXES.1));
    axes(&ui.painter().with_clip_rect(rect.intersect(ui.clip_rect())), Tokens::of(ui), bars, days);
    let mut inner = ui.new_child(UiBuilder::new().id_salt(name).max_rect(bars));
    let drawn = plot(&mut inner, name, bars, days);
    ui.ctx().accesskit_node_builder(drawn.id, |node| node.set_label(summary));
    let pointer = response.ctx.pointer_hover_pos().filter(|pointer| bars.contains(*pointer))?;
    let at = day_at(bars, pointer.x, days.len())?;
    let day = &days[at];
    let clicked = drawn.clicked().then_some(at);
    drawn.on_hover_ui_at_pointer(|ui| {
        ui.spacing_mut().item_spacing.x = SPACE_XS;
        ui.label(format!("{}: {}", crate::ui::widgets::shown(day.name), unit.of(day.count)));
    });
    clicked
}

/// Draws the bars.
fn plot(ui: &mut Ui, name: &str, bars: Rect, days: &[Day<'_>]) -> egui::Response {
    let t = Tokens::of(ui);
    let (recent, most) = (days.len().saturating_sub(3), maximum(days).max(1) as f64);
    let bar = |(at, day): (u32, &Day<'_>)| {
        let color = if at as usize >= recent { t.accent } else { t.bar };
        // A day without anything keeps a thin line, so that it is recognizable as a day.
        let bar = Bar::new(f64::from(at), (day.count as f64).max(0.02 * most));
        bar.width(0.72).fill(color).stroke(egui::Stroke::NONE).name(day.name)
    };
    let charted: Vec<Bar> = (0_u32..).zip(days).map(bar).collect();
    Plot::new(("days", name.to_owned()))
        .height(bars.height())
        .sense(Sense::click())
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
        .include_y(most * 1.05)
        .include_y(0.0)
        .include_x(-0.5)
        .include_x(days.len() as f64 - 0.5)
        .set_margin_fraction(vec2(0.0, 0.0))
        .cursor_color(egui::Color32::TRANSPARENT)
        .show(ui, |plot| plot.bar_chart(BarChart::new("", charted).allow_hover(false)))
        .response
}

/// The index of the day below a point.
fn day_at(bars: Rect, x: f32, days: usize) -> Option<usize> {
    let share = (x - bars.left()) / bars.width().max(1.0);
    let at = (share * days as f32) as usize;
    (share >= 0.0 && at < days).then_some(at)
}

/// Draws the highest number and zero on the left, and the first, the middle and the last day below.
fn axes(painter: &Painter, t: &Tokens, bars: Rect, days: &[Day<'_>]) {
    let font = FontId::proportional(10.0);
    let text = |at, align: Align2, text: String| {
        painter.text(at, align, text, font.clone(), t.muted);
    };
    painter.hline(bars.x_range(), bars.bottom() + 0.5, (1.0, t.line));
    painter.hline(bars.x_range(), bars.top() + 4.0, (0.5, t.line));
    text(pos2(bars.left() - 6.0, bars.top() + 5.0), Align2::RIGHT_CENTER, compact(maximum(days)));
    text(pos2(bars.left() - 6.0, bars.bottom() - 1.0), Align2::RIGHT_BOTTOM, "0".to_owned());
    let day = |at: usize| days.get(at).map(|day| crate::ui::widgets::shown(day.name).into_owned()).unwrap_or_default();
    let below = bars.bottom() + 4.0;
    text(pos2(bars.left(), below), Align2::LEFT_TOP, day(0));
    if days.len() > 1 {
        text(pos2(bars.right(), below), Align2::RIGHT_TOP, day(days.len() - 1));
    }
    if days.len() > 6 && bars.width() > 260.0 {
        let at = days.len() / 2;
        let x = bars.left() + bars.width() * (at as f32 + 0.5) / days.len() as f32;
        text(pos2(x, below), Align2::CENTER_TOP, day(at));
    }
}

/// A number that fits beside the bars: 950, 12k, 3M.
fn compact(number: u64) -> String {
    match number {
        0..10_000 => grouped(number),
        10_000..10_000_000 => format!("{}k", grouped(number / 1_000)),
        _ => format!("{}M", grouped(number / 1_000_000)),
    }
}

fn maximum(days: &[Day<'_>]) -> u64 {
    days.iter().map(|day| day.count).max().unwrap_or(0)
}

/// Returns the plot as text: the total, and the day with the most.
fn summary(name: &str, unit: Unit, days: &[Day<'_>]) -> String {
    let total: u64 = days.iter().map(|day| day.count).fold(0, u64::saturating_add);
    let length = Unit("day", "days").of(days.len() as u64);
    match days.iter().rev().max_by_key(|day| day.count) {
        Some(day) if total > 0 => {
            format!("{name}: {} in {length}, most on {} with {}", unit.of(total), day.name, grouped(day.count))
        }
        _ => format!("{name}: no {}", unit.1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_plot_has_a_text_description_with_its_unit() {
        let days = [Day { name: "2026-11-19", count: 3 }, Day { name: "2026-11-20", count: 1_200 }];
        let expected = "Activity: 1,203 events in 2 days, most on 2026-11-20 with 1,200";
        assert_eq!(summary("Activity", Unit::EVENTS, &days), expected);
        assert_eq!(summary("Activity", Unit::EVENTS, &[]), "Activity: no events");
        let minutes = summary("Open time", Unit("minute", "minutes"), &days[..1]);
        assert_eq!(minutes, "Open time: 3 minutes in 1 day, most on 2026-11-19 with 3");
    }

    #[test]
    fn the_pointer_finds_its_day_and_none_beside_the_bars() {
        let bars = Rect::from_min_max(pos2(40.0, 0.0), pos2(340.0, 60.0));
        assert_eq!(day_at(bars, 41.0, 30), Some(0));
        assert_eq!(day_at(bars, 339.0, 30), Some(29));
        assert_eq!((day_at(bars, 12.0, 30), day_at(bars, 340.0, 30), day_at(bars, 50.0, 0)), (None, None, None));
    }

    #[test]
    fn the_numbers_of_the_axis_fit_beside_the_bars() {
        assert_eq!(
            [0, 950, 9_999, 12_345, 3_000_000, 45_000_000].map(compact),
            ["0", "950", "9,999", "12k", "3,000k", "45M"]
        );
    }
}
