//! Closes the tooltips of what a dialog covers.
//!
//! The toolkit keeps a tooltip open while the pointer rests on its widget, even if a dialog opened above both. In the
//! frame after a dialog has opened, the pointer therefore counts as outside the window; in the next one it is back, so
//! that the dialog reacts to it.

use egui::{Context, Event, LayerId, Plugin, Pos2, RawInput, Ui};

/// Makes the context close covered tooltips.
pub(in crate::ui) fn install(ctx: &Context) {
    ctx.add_plugin(CoveredTooltips::default());
}

#[derive(Default)]
struct CoveredTooltips {
    /// The dialog on top when the input was read last.
    top: Option<LayerId>,
    /// Where the pointer is while it counts as outside the window.
    hidden: Option<Pos2>,
}

impl Plugin for CoveredTooltips {
    fn debug_name(&self) -> &'static str {
        "covered tooltips"
    }

    fn input_hook(&mut self, ctx: &Context, input: &mut RawInput) {
        let top = ctx.memory(|memory| memory.top_modal_layer());
        let opened = top.is_some() && top != self.top;
        self.top = top;
        let pointer_event = |event: &Event| {
            matches!(
                event,
                Event::PointerMoved(_) | Event::PointerButton { .. } | Event::PointerGone | Event::Touch { .. }
            )
        };
        if let Some(at) = self.hidden.take()
            && !input.events.iter().any(pointer_event)
        {
            input.events.insert(0, Event::PointerMoved(at));
        }
        // A click closes tooltips by itself, and a drag must not be interrupted.
        let pressed = ctx.input(|input| input.pointer.any_down());
        let clicks = input.events.iter().any(|event| matches!(event, Event::PointerButton { .. }));
        if !opened || pressed || clicks {
            return;
        }
        let moved = input.events.iter().rev().find_map(|event| match event {
            Event::PointerMoved(at) => Some(*at),
            _ => None,
        });
        self.hidden = moved.or_else(|| ctx.input(|input| input.pointer.latest_pos()));
        if self.hidden.is_some() {
            input.events.push(Event::PointerGone);
        }
    }

    fn on_end_pass(&mut self, ui: &mut Ui) {
        let opened = ui.memory(|memory| memory.top_modal_layer()) != self.top;
        if opened || self.hidden.is_some() {
            ui.request_repaint();
        }
    }
}
