//! The panels of the window.

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
    /// The items that assets are linked to: tags, websites, workstream summaries.
    Links,
    /// The console for every operation.
    Operations,
    /// The log of calls.
    Log,
    /// The history of writes, for undo and redo.
    History,
    /// The graph of links.
    Graph,
    /// Two things side by side.
    Compare,
    /// What assistants proposed.
    Proposals,
    /// Two sides of many assets.
    Sides,
    /// Rescuing everything from a service.
    Rescue,
}

impl Panel {
    /// All of them, in the order of the sidebar.
    pub const ALL: [Self; 12] = [
        Self::Applications,
        Self::External,
        Self::Assets,
        Self::Links,
        Self::Operations,
        Self::Log,
        Self::History,
        Self::Graph,
        Self::Compare,
        Self::Proposals,
        Self::Sides,
        Self::Rescue,
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
            Self::Compare => "Compare",
            Self::Proposals => "Proposals",
            Self::Sides => "Two sides",
            Self::Rescue => "Rescue",
        }
    }
}
