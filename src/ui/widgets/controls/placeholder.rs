//! Placeholders for data that is empty, loading or failed. Each says what to do next.

use crate::ui::theme::{Icon, RADIUS, SPACE_M, SPACE_S, Tokens, UiExt as _, row as row_height};
use crate::ui::widgets::shown;
use egui::{
    CornerRadius, Frame, Label, Margin, Rect, RichText, Sense, Stroke, Ui, UiBuilder, accesskit::Role, pos2, vec2,
};

/// Maximum width of an empty state or a failure, in points.
const MAX_WIDTH: f32 = 440.0;

/// A failed call, as described to the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure<'a> {
    /// What failed: "Assets could not be loaded".
    pub title: &'a str,
    /// The HTTP method.
    pub method: &'a str,
    /// The full address.
    pub address: &'a str,
    /// How far the call came, such as "refused": shown if there is no reason.
    pub phase: &'a str,
    /// The reason, as a sentence.
    pub reason: &'a str,
    /// What to do, as a sentence.
    pub advice: &'a str,
}

impl Failure<'_> {
    /// Returns the failure as text for a report, without escapes.
    pub fn report(&self) -> String {
        let Self { title, reason, advice, .. } = self;
        let call = self.call().map(|call| format!("{call}\n")).unwrap_or_default();
        format!("{title}\n{call}{reason}\n{advice}")
    }

    /// The method and the address, if a call failed.
    fn call(&self) -> Option<String> {
        (!self.address.is_empty()).then(|| format!("{} {}", self.method, self.address))
    }
}

/// Draws an empty state: the reason, what to do, and buttons for it, of which the first is the main one.
///
/// Returns the index of the button that was clicked.
pub fn empty(ui: &mut Ui, icon: Icon, title: &str, advice: &str, actions: &[&str]) -> Option<usize> {
    let t = Tokens::of(ui);
    let mut pressed = None;
    centered(ui, 150.0, |ui| {
        ui.decoration(icon.text().size(30.0).color(t.bar));
        ui.title(title);
        ui.add(Label::new(RichText::new(shown(advice)).color(t.muted)).wrap().halign(egui::Align::Center));
        ui.add_space(SPACE_S);
        row_of_buttons(ui, actions, &mut pressed);
    });
    pressed
}

/// Draws buttons side by side, centred.
fn row_of_buttons(ui: &mut Ui, actions: &[&str], pressed: &mut Option<usize>) {
    if actions.is_empty() {
        return;
    }
    // The width is known only after drawing: the first frame is invisible, as egui does for its own centred rows.
    let id = ui.unique_id().with("buttons");
    let width = ui.data(|data| data.get_temp::<f32>(id));
    let shift = width.map_or(0.0, |width| ((ui.available_width() - width) / 2.0).max(0.0));
    let drawn = ui.horizontal(|ui| {
        ui.add_space(shift);
        let left = ui.cursor().left();
        for (index, action) in actions.iter().enumerate() {
            let button = if index == 0 { ui.primary_button(action) } else { ui.button(shown(action)) };
            if button.clicked() {
                *pressed = Some(index);
            }
        }
        ui.min_rect().right() - left
    });
    if width != Some(drawn.inner) {
        ui.data_mut(|data| data.insert_temp(id, drawn.inner));
        ui.ctx().request_discard("centred buttons");
    }
}

/// Draws rows being loaded: grey bars where text will be, and `name` for assistive technology.
///
/// It is not animated, so waiting costs nothing.
pub fn skeleton(ui: &mut Ui, name: &str, rows: usize) {
    let t = Tokens::of(ui);
    let height = row_height(ui);
    let size = vec2(ui.available_width(), height * rows as f32);
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    response.widget_info(|| egui::WidgetInfo::labeled(Role::ProgressIndicator, true, format!("Loading {name}")));
    for row in 0..rows {
        let top = rect.top() + height * row as f32;
        // Uneven lengths look like text; the same in every frame, so that nothing flickers.
        let share = [0.42, 0.31, 0.5, 0.36, 0.46][row % 5];
        for (left, width) in [(0.0, share), (0.6, 0.12), (0.8, 0.15)] {
            let at = pos2(rect.left() + 8.0 + rect.width() * left, top + height / 2.0 - 4.0);
            let bar = Rect::from_min_size(at, vec2((rect.width() - 16.0) * width, 8.0));
            ui.painter().rect_filled(bar.intersect(rect), 4.0, t.line.gamma_multiply(0.7));
        }
        let line = Stroke::new(1.0, t.line.gamma_multiply(0.4));
        ui.painter().hline(rect.x_range(), top + height - 0.5, line);
    }
}

/// Draws lines of text being loaded, like [`skeleton`].
pub fn skeleton_text(ui: &mut Ui, name: &str, lines: usize) {
    const LINE: f32 = 22.0;
    let t = Tokens::of(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), LINE * lines as f32), Sense::hover());
    response.widget_info(|| egui::WidgetInfo::labeled(Role::ProgressIndicator, true, format!("Loading {name}")));
    for line in 0..lines {
        let share = [0.82, 0.9, 0.64, 0.86, 0.38][line % 5];
        let at = pos2(rect.left(), rect.top() + LINE * line as f32 + 7.0);
        let bar = Rect::from_min_size(at, vec2(rect.width().min(MAX_WIDTH * 1.5) * share, 8.0));
        ui.painter().rect_filled(bar, 4.0, t.line.gamma_multiply(0.7));
    }
}

/// Draws a failed call in a card with all details and a button that copies them; returns whether to retry.
pub fn failed(ui: &mut Ui, failure: &Failure<'_>) -> bool {
    let t = Tokens::of(ui);
    let mut again = false;
    let title = shown(failure.title).into_owned();
    let builder = UiBuilder::new().accessibility_role(Role::Alert).accessibility_label(title.clone());
    ui.scope_builder(builder, |ui| {
        let frame = Frame::new()
            .fill(t.panel)
            .stroke(Stroke::new(1.0, t.line))
            .corner_radius(CornerRadius::same(RADIUS))
            .inner_margin(Margin::same(SPACE_M as i8));
        frame.show(ui, |ui| {
            ui.set_max_width(ui.available_width().min(MAX_WIDTH + 120.0));
            ui.spacing_mut().item_spacing.y = 6.0;
            ui.horizontal(|ui| {
                ui.decoration(Icon::ERROR.text().size(16.0).color(t.error));
                ui.title(&title);
            });
            details(ui, failure);
            ui.add_space(2.0);
            ui.horizontal(|ui| {
                again = ui.button("Try again").clicked();
                if ui.icon_text_button(Icon::COPY, "Copy details").clicked() {
                    ui.ctx().copy_text(failure.report());
                }
            });
        });
    });
    again
}

fn details(ui: &mut Ui, failure: &Failure<'_>) {
    let t = Tokens::of(ui);
    if let Some(call) = failure.call() {
        let call = RichText::new(shown(&call)).text_style(crate::ui::theme::text::mono_small()).color(t.muted);
        ui.add(Label::new(call).wrap());
    }
    let why = match failure.reason {
        "" => shown(failure.phase).into_owned(),
        reason => shown(reason).into_owned(),
    };
    ui.add(Label::new(RichText::new(why).color(t.error)).wrap());
    ui.add(Label::new(RichText::new(shown(failure.advice))).wrap());
}

/// Draws `contents` in the middle of the available space, at least `height` points high.
fn centered(ui: &mut Ui, height: f32, contents: impl FnOnce(&mut Ui)) {
    let space = ui.available_rect_before_wrap();
    let width = space.width().min(MAX_WIDTH);
    let top = space.top() + ((space.height() - height) * 0.4).max(SPACE_M);
    let rect = Rect::from_min_size(pos2(space.center().x - width / 2.0, top), vec2(width, height));
    let builder = UiBuilder::new().max_rect(rect).layout(egui::Layout::top_down(egui::Align::Center));
    let drawn = ui.scope_builder(builder, contents);
    ui.advance_cursor_after_rect(drawn.response.rect);
}
