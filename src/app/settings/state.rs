//! The current settings and view, and what saves them.

use super::{Settings, View};
use crate::app::background::SaveState;

/// The settings of the user, and the layout of the window for this connection.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Preferences {
    /// The saved settings.
    pub settings: Settings,
    /// The layout of the window for this connection.
    pub view: View,
    /// Counts changes of the view, so that widgets notice them.
    pub view_number: u64,
    /// Whether the settings are being written.
    pub(in crate::app) keeping: SaveState,
    /// The settings that were last read or written: differences from them are changes of this window.
    pub(in crate::app) saved: Settings,
    /// The connection of the current view; `None` before the first.
    pub(in crate::app) viewed: Option<String>,
}
