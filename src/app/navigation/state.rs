//! Where the window is, and where it was.

use super::history::NavigationHistory;
use super::link::Link;

/// The panel in front, and what was open before.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Navigation {
    /// The panel in front.
    pub panel: Panel,
    /// What was open, to go back to.
    pub visits: NavigationHistory,
    /// The link that waits for a service.
    pub(super) waiting: Option<Link>,
}

/// The panels, in the order of the sidebar.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Panel {
    /// Tracked applications.
    #[default]
    Applications,
    /// External applications.
    External,
    /// Assets.
    Assets,
    /// What assets are linked to: tags, websites, workstream summaries.
    Links,
    /// The console for every operation.
    Operations,
    /// Every call that was made.
    Log,
    /// Every write that was made, to be taken back or done again.
    History,
    /// What is linked, as a picture.
    Graph,
}

impl Panel {
    /// All of them, in the order of the sidebar.
    pub const ALL: [Self; 8] = [
        Self::Applications,
        Self::External,
        Self::Assets,
        Self::Links,
        Self::Operations,
        Self::Log,
        Self::History,
        Self::Graph,
    ];

    /// The name in the sidebar.
    pub fn name(self) -> &'static str {
        match self {
            Self::Applications => "Applications",
            Self::External => "External",
            Self::Assets => "Assets",
            Self::Links => "Links",
            Self::Operations => "Operations",
            Self::Log => "Log",
            Self::History => "History",
            Self::Graph => "Graph",
        }
    }
}
