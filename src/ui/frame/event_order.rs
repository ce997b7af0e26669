//! Hands the events of a frame to the window in the order in which they came, each to what had the focus then.
//!
//! The toolkit draws the window once for all events since the last frame, and reads the focus and the modifiers once.
//! Programs that type (password managers, text expanders, remote desktops) send words, Tab and Enter within one frame,
//! and on a busy machine several keys of a person arrive together. The events are therefore split after each one that
//! can move the focus, or open or close something, and the window is drawn once for each part.
//!
//! What must hold: no event is lost or overtakes another; a part is handed over once the window has drawn the effect of
//! the part before it; a frame draws the window at most [`PASSES`] times, and the next frame continues; a window without
//! input is not drawn.

use std::collections::VecDeque;
use std::num::NonZeroUsize;

use egui::{Context, Event, Id, Key, LayerId, Modifiers, Plugin, Popup, RawInput, Ui, ViewportCommand};

use crate::ui::command::Keys;

/// How often a frame draws the window at most.
const PASSES: NonZeroUsize = NonZeroUsize::MIN.saturating_add(31);
/// For how many passes events wait at most until the effect of earlier ones is drawn.
const MAX_WAITED: u8 = 6;

/// Keys that only move within what has the focus, once the first press has not moved the focus.
const MOVEMENT_KEYS: [Key; 6] =
    [Key::ArrowUp, Key::ArrowDown, Key::ArrowLeft, Key::ArrowRight, Key::PageUp, Key::PageDown];

/// Makes the context hand over events in order. Must be the first plugin, so that the others see what the window sees.
pub(in crate::ui) fn install(ctx: &Context) {
    ctx.add_plugin(EventOrder::default());
}

/// Keeps back the events that follow until the window was drawn once more, since something changed that is not drawn
/// yet.
pub(in crate::ui) fn wait_for_next_pass(ctx: &Context) {
    ctx.data_mut(|data| data.insert_temp(waits_id(), true));
}

fn waits_id() -> Id {
    Id::unique("events wait")
}

/// What receives keys.
#[derive(Clone, Copy, Default, PartialEq)]
struct Receiver {
    focused: Option<Id>,
    dialog: Option<LayerId>,
    popup: bool,
}

impl Receiver {
    fn of(ctx: &Context) -> Self {
        let (focused, dialog) = ctx.memory(|memory| (memory.focused(), memory.top_modal_layer()));
        Self { focused, dialog, popup: Popup::is_any_open(ctx) }
    }
}

#[derive(Default)]
struct EventOrder {
    /// The events that were not handed over yet.
    queue: VecDeque<Event>,
    /// What received keys when the last pass began.
    receiver: Receiver,
    /// For how many passes the queue has waited.
    waited: u8,
    /// The key pressed in the last part.
    pressed: Option<Key>,
    /// The key that is held since its press moved the focus: its repeats are not for what has the focus now.
    moved_focus: Option<Key>,
    /// The movement in the last part: as long as it does not move the focus, more of it can be handed over together.
    movement: Option<(Key, Modifiers)>,
    /// Whether the window is to be closed in this frame.
    closing: bool,
    /// Whether the window is to be closed once the queue is empty.
    closes_later: bool,
    /// Whether the last pass of this frame was discarded although no event waited.
    discarded: bool,
}

/// What an event requires.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Nothing: it is part of what comes next.
    Passive,
    /// It changes what has the focus and moves nothing.
    Typing,
    /// It can move the focus, or open or close something: nothing may follow it in its part.
    Decisive,
}

impl Plugin for EventOrder {
    fn debug_name(&self) -> &'static str {
        "event order"
    }

    fn setup(&mut self, ctx: &Context) {
        ctx.options_mut(|options| options.max_passes = PASSES);
    }

    fn input_hook(&mut self, ctx: &Context, input: &mut RawInput) {
        if ctx.current_pass_index() == 0 {
            (self.closing, self.discarded) = (input.viewport().close_requested(), false);
        } else {
            input.time = Some(ctx.input(|input| input.time));
        }
        self.queue.extend(input.events.drain(..));
        let receiver = Receiver::of(ctx);
        let moved = std::mem::replace(&mut self.receiver, receiver) != receiver;
        let waits = ctx.data_mut(|data| data.remove_temp::<bool>(waits_id())).is_some();
        if moved {
            self.movement = None;
            self.moved_focus = self.pressed.or(self.moved_focus);
        }
        if (moved || waits) && self.waited < MAX_WAITED && self.queue.iter().any(|event| kind(event, false).is_input())
        {
            self.waited += 1;
            return;
        }
        self.waited = 0;
        input.events = self.next_part(ctx.text_edit_focused());
    }

    fn on_end_pass(&mut self, ui: &mut Ui) {
        if self.queue.is_empty() {
            if std::mem::take(&mut self.closes_later) {
                ui.send_viewport_cmd(ViewportCommand::Close);
            }
            // The toolkit draws a frame at most twice by itself.
            if self.discarded {
                ui.output_mut(|output| output.request_discard_reasons.clear());
            }
            self.discarded = ui.output(|output| output.requested_discard());
            return;
        }
        ui.request_discard("events wait for the effect of earlier ones");
        if !ui.will_discard() {
            ui.request_repaint();
            if std::mem::take(&mut self.closing) {
                ui.send_viewport_cmd(ViewportCommand::CancelClose);
                self.closes_later = true;
            }
        }
    }
}

impl EventOrder {
    /// Takes the next part out of the queue; `typing` says that a text field has the focus.
    fn next_part(&mut self, typing: bool) -> Vec<Event> {
        let (mut part, mut typed) = (Vec::new(), false);
        while let Some(event) = self.queue.pop_front() {
            match kind(&event, typing) {
                Kind::Decisive if typed => {
                    self.queue.push_front(event);
                    break;
                }
                Kind::Decisive if self.is_foreign_repeat(&event) => {
                    let following = self.take_following();
                    part.extend(following.into_iter().filter(|event| !matches!(event, Event::Text(_))));
                }
                Kind::Decisive => {
                    self.end_part(event, &mut part);
                    break;
                }
                kind => {
                    if kind == Kind::Typing {
                        (typed, self.pressed, self.movement) = (true, None, None);
                    }
                    self.release(&event);
                    part.push(event);
                }
            }
        }
        part
    }

    /// Ends a part with this event and what belongs to it.
    fn end_part(&mut self, event: Event, part: &mut Vec<Event>) {
        let press = key_press(&event);
        let movement = press.filter(|(key, _)| MOVEMENT_KEYS.contains(key));
        let more = movement.is_some() && movement == self.movement;
        (self.pressed, self.movement) = (press.map(|(key, _)| key), movement);
        part.push(event);
        if press.is_some() {
            part.extend(self.take_following());
        }
        while more && self.queue.front().is_some_and(|next| key_press(next) == movement) {
            part.extend(self.queue.pop_front());
            part.extend(self.take_following());
        }
    }

    /// Takes the text that a key press typed, and releases of keys.
    fn take_following(&mut self) -> Vec<Event> {
        let mut following = Vec::new();
        let follows = |event: &mut Event| matches!(event, Event::Text(_) | Event::Key { pressed: false, .. });
        while let Some(event) = self.queue.pop_front_if(follows) {
            self.release(&event);
            following.push(event);
        }
        following
    }

    /// Records that a key is not held any more.
    fn release(&mut self, event: &Event) {
        match event {
            Event::Key { key, pressed: false, .. } => {
                self.pressed = self.pressed.filter(|pressed| pressed != key);
                self.moved_focus = self.moved_focus.filter(|held| held != key);
            }
            Event::WindowFocused(false) => (self.pressed, self.moved_focus) = (None, None),
            _ => {}
        }
    }

    /// Returns whether this is a repeat of a key whose first press moved the focus. Tab, movements and commands with
    /// Ctrl or Alt repeat wherever they lead.
    fn is_foreign_repeat(&self, event: &Event) -> bool {
        key_press(event).is_some_and(|(key, modifiers)| {
            let repeats = key == Key::Tab || MOVEMENT_KEYS.contains(&key);
            let command = modifiers.ctrl || modifiers.command || modifiers.alt;
            self.moved_focus == Some(key) && !repeats && !command
        })
    }
}

impl Kind {
    fn is_input(self) -> bool {
        self != Self::Passive
    }
}

fn kind(event: &Event, typing: bool) -> Kind {
    match event {
        Event::Key { key, pressed: true, modifiers, .. } => match Keys::pressed(*key, *modifiers) {
            None => Kind::Passive,
            Some(keys) if typing && is_typing(keys, *key) => Kind::Typing,
            Some(_) => Kind::Decisive,
        },
        Event::Text(_) | Event::Paste(_) | Event::PasteImage(_) | Event::Copy | Event::Cut | Event::Ime(_) => {
            Kind::Typing
        }
        Event::PointerButton { .. } | Event::AccessKitActionRequest(_) => Kind::Decisive,
        _ => Kind::Passive,
    }
}

/// Returns whether a text field takes this key and keeps the focus. Undo and redo may be commands.
fn is_typing(keys: Keys, key: Key) -> bool {
    const LEAVING: [Key; 7] =
        [Key::Tab, Key::Enter, Key::Escape, Key::ArrowUp, Key::ArrowDown, Key::PageUp, Key::PageDown];
    let undo = [Keys::ctrl(Key::Z), Keys::ctrl(Key::Z).shift(), Keys::ctrl(Key::Y)].contains(&keys);
    keys.used_by_text_fields() && !LEAVING.contains(&key) && !undo
}

fn key_press(event: &Event) -> Option<(Key, Modifiers)> {
    match event {
        Event::Key { key, pressed: true, modifiers, .. } => Some((*key, *modifiers)),
        _ => None,
    }
}
