//! Saves a picture of the window as a file.
//!
//! What must hold: it is encoded and written in the background; the user picks the path.

use std::sync::Arc;

use crate::app::context::Context;
use crate::app::export::Exports;
use crate::app::files::picture::Picture;
use crate::app::notifications::Grade;

impl Exports {
    pub(in crate::app) fn save_picture(&mut self, picture: Arc<Picture>, cx: &mut Context<'_>) {
        if picture.dots.is_empty() {
            return cx.notify(Grade::Failed, "Could not take the picture; try again".to_owned());
        }
        cx.save_made("lunette.png", move || picture.png().map_err(|error| error.to_string()));
    }
}
