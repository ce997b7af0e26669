//! The focus while a list comes and goes.

use egui::{Context, Event, Id, Key, Modifiers, RawInput, Sense, vec2};

use super::{KeyboardFocus, Region, region, register_list};

/// A window of a button and, if it is loaded, a list.
struct Drawn {
    ctx: Context,
    focus: KeyboardFocus,
    button: Id,
    list: Id,
}

impl Drawn {
    fn new() -> Self {
        let (button, list) = (Id::unique("button"), Id::unique("list"));
        Self { ctx: Context::default(), focus: KeyboardFocus::default(), button, list }
    }

    /// Draws a frame with these events; returns what has the focus afterwards.
    fn frame(&mut self, loaded: bool, events: Vec<Event>) -> Option<Id> {
        let Self { focus, button, list, .. } = self;
        let input = RawInput { events, ..RawInput::default() };
        let mut output = self.ctx.clone().run_ui(input, |ui| {
            focus.begin(ui.ctx());
            region(ui, Region::List, |ui| {
                let (rect, _) = ui.allocate_exact_size(vec2(80.0, 20.0), Sense::hover());
                ui.interact(rect, *button, Sense::click());
                if loaded {
                    let (rect, _) = ui.allocate_exact_size(vec2(80.0, 80.0), Sense::hover());
                    ui.interact(rect, *list, Sense::click());
                    register_list(ui.ctx(), *list);
                }
            });
            focus.end(ui.ctx());
        });
        output.textures_delta.clear();
        self.ctx.memory(|memory| memory.focused())
    }

    fn draw(&mut self, loaded: bool) -> Option<Id> {
        self.frame(loaded, Vec::new())
    }
}

#[test]
fn a_list_that_had_the_focus_gets_it_back_when_it_is_loaded_again() {
    let mut drawn = Drawn::new();
    drawn.draw(true);
    assert_eq!(drawn.draw(true), Some(drawn.list));
    for _ in 0..3 {
        drawn.draw(false);
    }
    assert_eq!(drawn.draw(false), Some(drawn.button));
    drawn.draw(true);
    assert_eq!(drawn.draw(true), Some(drawn.list));
}

#[test]
fn a_list_that_is_loaded_takes_no_focus_from_a_control_that_was_used_meanwhile() {
    let mut drawn = Drawn::new();
    drawn.draw(true);
    drawn.draw(true);
    drawn.draw(false);
    drawn.draw(false);
    let (key, modifiers) = (Key::Space, Modifiers::NONE);
    let press = Event::Key { key, physical_key: None, pressed: true, repeat: false, modifiers };
    assert_eq!(drawn.frame(false, vec![press]), Some(drawn.button));
    drawn.draw(true);
    assert_eq!(drawn.draw(true), Some(drawn.button));
}
