//! The settings and the view that hold, and their way to disk.

use super::{Settings, View};
use crate::app::background::SaveState;

/// What the user chose about the program, and how the window is laid out for this connection.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Preferences {
    /// What is kept from one run to the next.
    pub settings: Settings,
    /// How the window is laid out for this connection.
    pub view: View,
    /// Counts how often another view was taken up: what draws by one looks at it anew then.
    pub view_number: u64,
    /// Whether the settings are being written.
    pub(in crate::app) keeping: SaveState,
    /// The settings as they were last read or written: what differs from them is what this window chose.
    pub(in crate::app) saved: Settings,
    /// The connection whose view holds; None before the first.
    pub(in crate::app) viewed: Option<String>,
}
