//! Pictures of the window: asked of the toolkit, and handed to the inspector when they are there.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

use egui::{ColorImage, Context};

use crate::app::export::picture::Picture;

/// Pictures that were asked for.
pub(in crate::ui) struct Screenshots {
    sender: Sender<Arc<ColorImage>>,
    receiver: Receiver<Arc<ColorImage>>,
}

impl Default for Screenshots {
    fn default() -> Self {
        let (sender, receiver) = channel();
        Self { sender, receiver }
    }
}

impl Screenshots {
    /// Asks for one of the frame that is drawn now.
    pub(in crate::ui) fn ask(&self, ctx: &Context) {
        let (sender, waker) = (self.sender.clone(), ctx.clone());
        ctx.request_screenshot(move |image| {
            // Nobody waits for it once the window is closed.
            sender.send(image).ok();
            waker.request_repaint();
        });
    }

    /// One that is there by now.
    pub(in crate::ui) fn taken(&self) -> Option<Arc<Picture>> {
        let image = self.receiver.try_recv().ok()?;
        let [width, height] = image.size.map(|dots| u32::try_from(dots).unwrap_or_default());
        let dots = image.pixels.iter().flat_map(|dot| dot.to_srgba_unmultiplied()).collect();
        Some(Arc::new(Picture { width, height, dots }))
    }
}
