//! Saves a picture of the window as a file.
//!
//! What must hold: it is encoded and written in the background; the user picks the path.

use std::sync::Arc;

use crate::context::Context;
use crate::export::{Exports, NotMade};
use crate::files::picture::Picture;
use crate::notifications::Severity;

impl Exports {
    pub(crate) fn save_picture(&mut self, picture: Arc<Picture>, cx: &mut Context<'_>) {
        if picture.dots.is_empty() {
            return cx.notify(Severity::Failed, "Could not take the picture; try again".to_owned());
        }
        cx.save_made("lunette.png", move || picture.png().map_err(NotMade::of_picture));
    }
}
