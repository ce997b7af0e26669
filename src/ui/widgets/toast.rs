//! Short messages in the corner: what was done, with a way to take it back; what failed, until it is dismissed.
//!
//! What must hold: none goes while the pointer rests on them or one of their buttons has the focus.

use super::{shown, shown_short};
use crate::ui::theme::{Appearance, Icon, SPACE_L, SPACE_S, Sizes, Tokens, UiExt as _};
use egui::{
    Align2, Area, Color32, Context, Frame, Id, Label, Margin, Order, RichText, Stroke, Ui,
    accesskit::{Live, Role},
    vec2,
};
use std::time::Duration;

/// How long a message that is not a failure stays.
const STAY: Duration = Duration::from_secs(6);
/// How long it stays at least once it is no longer pointed at.
const AFTER: Duration = Duration::from_secs(2);
/// The last part of its stay, in which it fades.
const FADE: Duration = Duration::from_millis(300);
/// More messages than this are not shown at once; the oldest that may go, goes.
const MOST: usize = 5;

/// How much of a message is drawn, in characters: a service can have a say in it.
const LONGEST: usize = 1_000;

/// What a message is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToastKind {
    /// Something to know.
    Info,
    /// Something was done.
    Done,
    /// Something failed; it stays until dismissed.
    Error,
}

/// One message.
#[derive(Clone, Debug, PartialEq)]
struct Toast {
    number: u64,
    kind: ToastKind,
    text: String,
    actions: Vec<String>,
    /// How often it was said.
    count: usize,
    /// When it goes, in seconds of the window's clock; set when it is first drawn, as only drawing knows the time.
    until: Option<f64>,
}

/// The messages on screen.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Toasts {
    shown: Vec<Toast>,
    next: u64,
    /// Whether the pointer or the focus was on them when they were last drawn.
    held: bool,
}

impl Toasts {
    /// Adds a message, or counts it where the same one is on screen; the number names it when its action is pressed.
    pub fn push(&mut self, kind: ToastKind, text: impl Into<String>, action: Option<&str>) -> u64 {
        self.push_offering(kind, text, action.as_slice())
    }

    /// [`Toasts::push`] with any number of actions.
    pub fn push_offering(&mut self, kind: ToastKind, text: impl Into<String>, actions: &[&str]) -> u64 {
        let text = text.into();
        let actions: Vec<String> = actions.iter().map(|action| (*action).to_owned()).collect();
        // One that is said again is counted, not shown twice.
        let same = |toast: &Toast| toast.kind == kind && toast.text == text && toast.actions == actions;
        if let Some(place) = self.shown.iter().position(same) {
            let mut toast = self.shown.remove(place);
            (toast.count, toast.until) = (toast.count + 1, None);
            let number = toast.number;
            self.shown.push(toast);
            return number;
        }
        let number = self.next;
        self.next += 1;
        self.shown.push(Toast { number, kind, text, actions, count: 1, until: None });
        if self.shown.len() > MOST {
            let oldest = self.shown.iter().position(|toast| toast.kind != ToastKind::Error).unwrap_or(0);
            self.shown.remove(oldest);
        }
        number
    }

    /// Takes a message away.
    pub fn dismiss(&mut self, number: u64) {
        self.shown.retain(|toast| toast.number != number);
    }

    /// Whether a message is on screen still.
    pub fn shows(&self, number: u64) -> bool {
        self.shown.iter().any(|toast| toast.number == number)
    }

    /// Whether nothing is shown.
    pub fn is_empty(&self) -> bool {
        self.shown.is_empty()
    }

    /// Draws the messages over the lower right corner; gives the number of the one whose action was pressed, and which
    /// of its actions it was.
    ///
    /// A message whose action was pressed goes away.
    pub fn show(&mut self, ctx: &Context) -> Option<(u64, usize)> {
        let now = ctx.input(|input| input.time);
        self.let_go(ctx, now);
        if self.shown.is_empty() {
            return None;
        }
        let (mut pressed, mut gone, mut focused) = (None, None, false);
        let corner = vec2(-SPACE_L, -(Sizes::of(ctx).status_bar + SPACE_L));
        let area = Area::new(Id::unique("toasts")).order(Order::Foreground).anchor(Align2::RIGHT_BOTTOM, corner);
        let drawn = area.show(ctx, |ui| {
            ui.spacing_mut().item_spacing.y = SPACE_S;
            for toast in &self.shown {
                match toast_ui(ui, toast, now, &mut focused) {
                    Done::Nothing => {}
                    Done::Action(place) => pressed = Some((toast.number, place)),
                    Done::Dismissed => gone = Some(toast.number),
                }
            }
        });
        let over = |place| drawn.response.rect.contains(place);
        self.held = focused || ctx.input(|input| input.pointer.hover_pos()).is_some_and(over);
        for number in pressed.map(|(number, _)| number).into_iter().chain(gone) {
            self.dismiss(number);
        }
        pressed
    }

    fn let_go(&mut self, ctx: &Context, now: f64) {
        for toast in &mut self.shown {
            if toast.kind != ToastKind::Error {
                let until = toast.until.get_or_insert(now + STAY.as_secs_f64());
                if self.held {
                    *until = until.max(now + AFTER.as_secs_f64());
                }
            }
        }
        // What ends the hold, the pointer or a key, brings a frame with it.
        if self.held {
            return;
        }
        self.shown.retain(|toast| toast.until.is_none_or(|until| until > now));
        let next = self.shown.iter().filter_map(|toast| toast.until).fold(f64::INFINITY, f64::min);
        if next.is_finite() {
            let left = next - now;
            let fade = if Appearance::of(ctx).still { 0.0 } else { FADE.as_secs_f64() };
            // Asleep until the fade begins, then some frames of it.
            let wait = if left > fade { left - fade } else { 0.03 };
            ctx.request_repaint_after(Duration::from_secs_f64(wait));
        }
    }
}

enum Done {
    Nothing,
    Action(usize),
    Dismissed,
}

fn toast_ui(ui: &mut Ui, toast: &Toast, now: f64, focused: &mut bool) -> Done {
    let t = Tokens::of(ui);
    let (icon, color, kind) = match toast.kind {
        ToastKind::Info => (Icon::INFO, t.muted, "Note"),
        ToastKind::Done => (Icon::DONE, t.ok, "Done"),
        ToastKind::Error => (Icon::ERROR, t.error, "Error"),
    };
    let mut text = shown_short(&toast.text, LONGEST).into_owned();
    if toast.count > 1 {
        text.push_str(&format!(" (×{})", toast.count));
    }
    let builder = egui::UiBuilder::new()
        .id_salt(toast.number)
        .accessibility_role(Role::Alert)
        .accessibility_label(format!("{kind}: {text}"));
    let mut done = Done::Nothing;
    // An error is read out at once, anything else when there is time.
    let live = if toast.kind == ToastKind::Error { Live::Assertive } else { Live::Polite };
    ui.scope_builder(builder, |ui| {
        ui.ctx().accesskit_node_builder(ui.unique_id(), |node| node.set_live(live));
        if let Some(until) = toast.until.filter(|_| !Appearance::of(ui).still) {
            ui.set_opacity(((until - now) / FADE.as_secs_f64()).clamp(0.0, 1.0) as f32);
        }
        let frame = Frame::new()
            .fill(ui.visuals().window_fill)
            .stroke(Stroke::new(1.0, t.line))
            .corner_radius(8.0)
            .shadow(ui.visuals().popup_shadow)
            .inner_margin(Margin::symmetric(12, 8));
        frame.show(ui, |ui| {
            ui.set_width(340.0);
            ui.horizontal_top(|ui| done = toast_row(ui, toast, &text, (icon, color), focused));
        });
    });
    done
}

fn toast_row(ui: &mut Ui, toast: &Toast, text: &str, (icon, color): (Icon, Color32), focused: &mut bool) -> Done {
    let mut done = Done::Nothing;
    // One action stands beside its text, more of them below it.
    let beside = if let [action] = toast.actions.as_slice() { 24.0 + 7.5 * action.len() as f32 } else { 0.0 };
    let buttons = 36.0 + beside;
    ui.add_space(2.0);
    let sign = icon.text().size(16.0).color(color);
    ui.vertical(|ui| {
        ui.add_space(5.0);
        ui.add(Label::new(sign).selectable(false));
    });
    let width = ui.available_width() - buttons;
    ui.vertical(|ui| {
        ui.set_width(width);
        ui.add_space(5.0);
        ui.add(Label::new(text).wrap());
        if toast.actions.len() > 1 {
            ui.horizontal_wrapped(|ui| *focused |= actions_ui(ui, toast, &mut done));
        }
    });
    ui.with_layout(egui::Layout::right_to_left(egui::Align::Min), |ui| {
        let dismiss = ui.icon_button(Icon::CLOSE, "Dismiss");
        *focused |= dismiss.has_focus();
        if dismiss.clicked() {
            done = Done::Dismissed;
        }
        if toast.actions.len() == 1 {
            *focused |= actions_ui(ui, toast, &mut done);
        }
    });
    done
}

/// Draws what a message offers; true when one of it has the focus.
fn actions_ui(ui: &mut Ui, toast: &Toast, done: &mut Done) -> bool {
    let mut focused = false;
    let color = ui.tokens().accent;
    for (place, action) in toast.actions.iter().enumerate() {
        let button = egui::Button::new(RichText::new(shown(action)).color(color)).frame_when_inactive(false);
        let button = ui.add(button);
        focused |= button.has_focus();
        if button.clicked() {
            *done = Done::Action(place);
        }
    }
    focused
}
