//! Toasts: short messages, one below the other, in a place of their own where they cover nothing.
//!
//! What must hold: each goes by itself, an error later than the others, but none while the pointer is over them, one of
//! their buttons has the focus, or a dialog is over them.

use crate::ui::theme::{Appearance, Icon, SPACE_S, Tokens, UiExt as _};
use crate::ui::widgets::{shown, shown_short};
use egui::{
    Color32, Context, Label, RichText, Ui,
    accesskit::{Live, Role},
};
use std::time::Duration;

/// How long a toast stays that is not an error.
const DURATION: Duration = Duration::from_secs(6);
/// How long an error stays.
const ERROR_DURATION: Duration = Duration::from_secs(30);
/// Minimum time it stays after the pointer left it.
const DURATION_AFTER_HOVER: Duration = Duration::from_secs(2);
/// The last part of that time, in which it fades.
const FADE: Duration = Duration::from_millis(300);
/// Maximum number of toasts shown at once; the oldest that may go is removed.
const MAX_TOASTS: usize = 3;

/// Maximum number of characters drawn of a message: it may come from a service.
const MAX_LENGTH: usize = 1_000;

/// The kind of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToastKind {
    /// Information.
    Info,
    /// Something succeeded.
    Done,
    /// Something failed; it stays longer.
    Error,
}

/// One message.
#[derive(Clone, Debug, PartialEq)]
struct Toast {
    number: u64,
    kind: ToastKind,
    text: String,
    actions: Vec<String>,
    /// How often it was reported.
    count: usize,
    /// When it expires, in seconds of the window's clock; set when it is first drawn, since only drawing knows the
    /// time.
    expires_at: Option<f64>,
}

/// The messages on screen.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Toasts {
    shown: Vec<Toast>,
    next: u64,
    /// Whether they were hovered or focused when they were last drawn.
    paused: bool,
}

impl Toasts {
    /// Adds a message, or counts it if the same one is on screen; returns its number, by which its action is reported.
    pub fn push(&mut self, kind: ToastKind, text: impl Into<String>, action: Option<&str>) -> u64 {
        self.push_offering(kind, text, action.as_slice())
    }

    /// [`Toasts::push`] with any number of actions.
    pub fn push_offering(&mut self, kind: ToastKind, text: impl Into<String>, actions: &[&str]) -> u64 {
        let text = text.into();
        let actions: Vec<String> = actions.iter().map(|action| (*action).to_owned()).collect();
        // A repeated message is counted, not shown twice.
        let same = |toast: &Toast| toast.kind == kind && toast.text == text && toast.actions == actions;
        if let Some(index) = self.shown.iter().position(same) {
            let mut toast = self.shown.remove(index);
            (toast.count, toast.expires_at) = (toast.count + 1, None);
            let number = toast.number;
            self.shown.push(toast);
            return number;
        }
        let number = self.next;
        self.next += 1;
        self.shown.push(Toast { number, kind, text, actions, count: 1, expires_at: None });
        if self.shown.len() > MAX_TOASTS {
            let oldest = self.shown.iter().position(|toast| toast.kind != ToastKind::Error).unwrap_or(0);
            self.shown.remove(oldest);
        }
        number
    }

    /// Removes a message.
    pub fn dismiss(&mut self, number: u64) {
        self.shown.retain(|toast| toast.number != number);
    }

    /// Returns whether a message is still on screen.
    pub fn is_shown(&self, number: u64) -> bool {
        self.shown.iter().any(|toast| toast.number == number)
    }

    /// Returns whether a message with this text is on screen.
    pub fn says(&self, text: &str) -> bool {
        self.shown.iter().any(|toast| toast.text == text)
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.shown.is_empty()
    }

    /// Removes the messages whose time is over. Must be called once a frame, before they are drawn.
    pub fn expire(&mut self, ctx: &Context) {
        let now = ctx.input(|input| input.time);
        self.expire_at(ctx, now);
    }

    /// Draws the messages as wide as there is room; returns the number of the one whose action was clicked, and which
    /// action.
    ///
    /// A message whose action was clicked is removed.
    pub fn show(&mut self, ui: &mut Ui) -> Option<(u64, usize)> {
        let now = ui.input(|input| input.time);
        let (mut pressed, mut gone, mut focused) = (None, None, false);
        let drawn = ui.scope(|ui| {
            ui.spacing_mut().item_spacing.y = SPACE_S;
            for toast in &self.shown {
                match toast_ui(ui, toast, now, &mut focused) {
                    ToastAction::Nothing => {}
                    ToastAction::Action(index) => pressed = Some((toast.number, index)),
                    ToastAction::Dismissed => gone = Some(toast.number),
                }
            }
        });
        let over = |pos| drawn.response.rect.contains(pos);
        let covered = ui.memory(|memory| memory.top_modal_layer().is_some());
        self.paused = focused || covered || ui.input(|input| input.pointer.hover_pos()).is_some_and(over);
        for number in pressed.map(|(number, _)| number).into_iter().chain(gone) {
            self.dismiss(number);
        }
        pressed
    }

    fn expire_at(&mut self, ctx: &Context, now: f64) {
        for toast in &mut self.shown {
            let duration = if toast.kind == ToastKind::Error { ERROR_DURATION } else { DURATION };
            let expires_at = toast.expires_at.get_or_insert(now + duration.as_secs_f64());
            if self.paused {
                *expires_at = expires_at.max(now + DURATION_AFTER_HOVER.as_secs_f64());
            }
        }
        // What ends the pause, the pointer or a key, causes a frame.
        if self.paused {
            return;
        }
        self.shown.retain(|toast| toast.expires_at.is_none_or(|expires_at| expires_at > now));
        let next = self.shown.iter().filter_map(|toast| toast.expires_at).fold(f64::INFINITY, f64::min);
        if next.is_finite() {
            let left = next - now;
            let fade = if Appearance::of(ctx).still { 0.0 } else { FADE.as_secs_f64() };
            // No frames until the fade begins, then some for the fade.
            let wait = if left > fade { left - fade } else { 0.03 };
            ctx.request_repaint_after(Duration::from_secs_f64(wait));
        }
    }
}

enum ToastAction {
    Nothing,
    Action(usize),
    Dismissed,
}

fn toast_ui(ui: &mut Ui, toast: &Toast, now: f64, focused: &mut bool) -> ToastAction {
    let t = Tokens::of(ui);
    let (icon, color, kind) = match toast.kind {
        ToastKind::Info => (Icon::INFO, t.muted, "Note"),
        ToastKind::Done => (Icon::DONE, t.ok, "Done"),
        ToastKind::Error => (Icon::ERROR, t.error, "Error"),
    };
    let mut text = shown_short(&toast.text, MAX_LENGTH).into_owned();
    if toast.count > 1 {
        text.push_str(&format!(" (×{})", toast.count));
    }
    let builder = egui::UiBuilder::new()
        .id_salt(toast.number)
        .accessibility_role(Role::Alert)
        .accessibility_label(format!("{kind}: {text}"));
    let mut outcome = ToastAction::Nothing;
    // An error is announced at once, anything else when there is time.
    let live = if toast.kind == ToastKind::Error { Live::Assertive } else { Live::Polite };
    ui.scope_builder(builder, |ui| {
        ui.ctx().accesskit_node_builder(ui.unique_id(), |node| node.set_live(live));
        if let Some(expires_at) = toast.expires_at.filter(|_| !Appearance::of(ui).still) {
            ui.set_opacity(((expires_at - now) / FADE.as_secs_f64()).clamp(0.0, 1.0) as f32);
        }
        ui.horizontal_top(|ui| outcome = toast_row(ui, toast, &text, (icon, color), focused));
    });
    outcome
}

fn toast_row(
    ui: &mut Ui,
    toast: &Toast,
    text: &str,
    (icon, color): (Icon, Color32),
    focused: &mut bool,
) -> ToastAction {
    let mut outcome = ToastAction::Nothing;
    let beside = toast.actions.iter().map(|action| 24.0 + 7.5 * action.len() as f32).sum::<f32>();
    // In a narrow window, the actions are below the text.
    let below = beside > ui.available_width() / 2.0;
    let buttons = 36.0 + if below { 0.0 } else { beside };
    ui.add_space(2.0);
    let sign = icon.text().size(16.0).color(color);
    ui.vertical(|ui| {
        ui.add_space(5.0);
        ui.decoration(sign);
    });
    let width = ui.available_width() - buttons;
    ui.vertical(|ui| {
        ui.set_width(width);
        ui.add_space(5.0);
        ui.add(Label::new(text).wrap());
        if below {
            ui.horizontal_wrapped(|ui| *focused |= actions_ui(ui, toast, &mut outcome));
        }
    });
    ui.with_layout(egui::Layout::right_to_left(egui::Align::Min), |ui| {
        let dismiss = ui.icon_button(Icon::CLOSE, "Dismiss");
        *focused |= dismiss.has_focus();
        if dismiss.clicked() {
            outcome = ToastAction::Dismissed;
        }
        if !below {
            *focused |= actions_ui(ui, toast, &mut outcome);
        }
    });
    outcome
}

/// Draws the actions of a message; returns whether one of them has the focus.
fn actions_ui(ui: &mut Ui, toast: &Toast, outcome: &mut ToastAction) -> bool {
    let mut focused = false;
    let color = ui.tokens().accent;
    for (index, action) in toast.actions.iter().enumerate() {
        let button = egui::Button::new(RichText::new(shown(action)).color(color)).frame_when_inactive(false);
        let button = ui.add(button);
        focused |= button.has_focus();
        if button.clicked() {
            *outcome = ToastAction::Action(index);
        }
    }
    focused
}
