//! The current settings and view, and what saves them.

use std::sync::Arc;

use super::{Settings, Synonyms, View};
use crate::background::SaveState;

/// The settings of the user, and the layout of the window for this connection.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Preferences {
    /// The saved settings.
    pub settings: Settings,
    /// The layout of the window for this connection.
    pub view: View,
    /// The words that mean the same in searches.
    pub synonyms: Arc<Synonyms>,
    /// Counts changes of the view, so that widgets notice them.
    pub view_number: u64,
    /// Whether the settings are being written.
    pub(crate) saving: SaveState,
    /// The settings that were last read or written: differences from them are changes of this window.
    pub(crate) saved: Settings,
    /// The connection of the current view; `None` before the first.
    pub(crate) viewed: Option<String>,
}
