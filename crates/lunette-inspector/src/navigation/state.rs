//! The state of navigation.

use super::history::NavigationHistory;
use super::in_view::InView;
use super::link::Link;
use crate::panel::Panel;

/// The open panel, and the visited locations.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Navigation {
    /// The open panel.
    pub panel: Panel,
    /// Whether the welcome page covers the panel of assets, since it was requested. Every navigation ends that.
    pub welcome: bool,
    /// What the list of the panel showed in the last frame.
    pub in_view: InView,
    /// The visited locations.
    pub visits: NavigationHistory,
    /// The link that waits for a service.
    pub(super) waiting: Option<Link>,
}
