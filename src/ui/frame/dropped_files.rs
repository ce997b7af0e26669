//! Files that were dropped from the desktop on a panel with two sides: they become a side there, and are not imported.
//!
//! What must hold: a file that becomes no side is refused with a word. Most desktops do not say where a drag is before it has
//! ended, so that a drop waits for the pointer for a moment.

use std::path::PathBuf;
use std::time::Duration;

use egui::{Context, Rect, Ui};

use lunette_inspector::State;
use lunette_inspector::compare::Position;
use lunette_inspector::panel::Panel;

/// How long a drop waits for the pointer.
const PATIENCE: Duration = Duration::from_secs(1);

/// What is said of files that become no side.
const REFUSED: &str = "Nothing was imported or compared: drop one file on the left or right side, or two files";

/// Whether files that are dropped now become a side, rather than being imported.
pub(in crate::ui) fn become_sides(state: &State) -> bool {
    matches!(state.navigation.panel, Panel::Compare | Panel::Sides) && !state.navigation.welcome
}

/// The files that were dropped in this frame.
pub(in crate::ui) fn paths(ctx: &Context) -> Vec<PathBuf> {
    ctx.input(|input| input.raw.dropped_files.iter().map(|file| file.path().to_owned()).collect())
}

/// What dropped files become.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::ui) enum Dropped {
    /// A side.
    Side(Position, PathBuf),
    /// Both sides.
    Both([PathBuf; 2]),
    /// No side; why.
    Refused(&'static str),
}

/// A drop that waits for the pointer.
#[derive(Default)]
pub(in crate::ui) struct DroppedFiles {
    /// The files, and when they were dropped, in seconds of the window's clock.
    waiting: Option<(Vec<PathBuf>, f64)>,
}

impl DroppedFiles {
    /// What the files become that were dropped on a panel whose sides are the halves of this rectangle.
    pub fn take(&mut self, ui: &Ui, rect: Rect) -> Option<Dropped> {
        let (paths, now) = (paths(ui.ctx()), ui.input(|input| input.time));
        if !paths.is_empty() {
            self.waiting = Some((paths, now));
        }
        let (paths, since) = self.waiting.take()?;
        let path = match <[PathBuf; 2]>::try_from(paths) {
            Ok(both) => return Some(Dropped::Both(both)),
            Err(paths) if paths.len() > 2 => return Some(Dropped::Refused(REFUSED)),
            Err(paths) => paths.into_iter().next()?,
        };
        let is_late = now - since > PATIENCE.as_secs_f64();
        match ui.ctx().pointer_hover_pos() {
            Some(at) if rect.contains(at) && !is_late => {
                let side = if at.x < rect.center().x { Position::Left } else { Position::Right };
                Some(Dropped::Side(side, path))
            }
            Some(_) => Some(Dropped::Refused(REFUSED)),
            None if is_late => Some(Dropped::Refused(REFUSED)),
            None => {
                self.waiting = Some((vec![path], since));
                ui.ctx().request_repaint_after(PATIENCE / 4);
                None
            }
        }
    }
}
