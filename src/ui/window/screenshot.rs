//! Screenshots: requested from the toolkit, and passed to the inspector when they arrive.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

use egui::{ColorImage, Context};

use lunette_inspector::files::picture::Picture;

/// The requested screenshots.
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
    /// Requests a screenshot of the current frame.
    pub(in crate::ui) fn request(&self, ctx: &Context) {
        let (sender, waker) = (self.sender.clone(), ctx.clone());
        ctx.request_screenshot(move |image| {
            // The receiver is gone once the window is closed.
            sender.send(image).ok();
            waker.request_repaint();
        });
    }

    /// Returns a screenshot that has arrived.
    pub(in crate::ui) fn receive(&self) -> Option<Arc<Picture>> {
        let image = self.receiver.try_recv().ok()?;
        let [width, height] = image.size.map(|dots| u32::try_from(dots).unwrap_or_default());
        let dots = image.pixels.iter().flat_map(|dot| dot.to_srgba_unmultiplied()).collect();
        Some(Arc::new(Picture { width, height, dots }))
    }
}
