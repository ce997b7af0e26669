//! What is on the clipboard, requested from the toolkit for a new asset.
//!
//! What must hold: what was requested reaches no text field.

use std::sync::Arc;

use egui::{Context, Event, ViewportCommand};

use lunette_inspector::Action;
use lunette_inspector::action::ImportAction;
use lunette_inspector::files::picture::Picture;
use lunette_inspector::import::Captured;

/// The toolkit answers with the next frame; if it has not after so many, the clipboard is empty.
const FRAMES: u64 = 4;

/// A request for what is on the clipboard.
#[derive(Default)]
pub(in crate::ui) struct Capture {
    /// The frame in which it was requested, while the answer is awaited.
    requested_in: Option<u64>,
}

impl Capture {
    /// Requests what is on the clipboard.
    pub(in crate::ui) fn request(&mut self, ctx: &Context) {
        self.requested_in = Some(ctx.cumulative_frame_nr());
        ctx.send_viewport_cmd(ViewportCommand::RequestPaste);
        ctx.request_repaint();
    }

    /// Takes the answer out of the input, before anything else is drawn that would.
    pub(in crate::ui) fn receive(&mut self, ctx: &Context) -> Option<Action> {
        let waited = ctx.cumulative_frame_nr() - self.requested_in?;
        let mut captured = None;
        ctx.input_mut(|input| {
            input.events.retain(|event| {
                let found = match event {
                    Event::Paste(text) if !text.is_empty() => Captured::Text(text.clone()),
                    Event::PasteImage(image) => Captured::Picture(Arc::new(picture(image))),
                    _ => return true,
                };
                captured.get_or_insert(found);
                false
            });
        });
        if let Some(captured) = captured {
            self.requested_in = None;
            return Some(ImportAction::Capture(captured).into());
        }
        ctx.request_repaint();
        if waited < FRAMES {
            return None;
        }
        self.requested_in = None;
        Some(Action::Hint("The clipboard has neither text nor a picture".to_owned()))
    }
}

fn picture(image: &egui::ColorImage) -> Picture {
    let [width, height] = image.size.map(|dots| u32::try_from(dots).unwrap_or_default());
    Picture { width, height, dots: image.pixels.iter().flat_map(|dot| dot.to_srgba_unmultiplied()).collect() }
}
