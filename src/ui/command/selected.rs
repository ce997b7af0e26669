//! Commands while several assets are selected, or one that is not open: each acts on all of them, through a dialog and a
//! plan.
//!
//! What must hold: while several assets are selected, no command that changes an asset acts on the open one alone; the
//! title says how many assets it acts on and how many of them are not visible.

use super::Command;
use crate::app::State;
use crate::app::assets::Selected;
use crate::app::change::LinkKind;
use crate::ui::panels::assets::SelectionTool;
use crate::ui::widgets::grouped;

impl Command {
    /// Returns its tool for the selected assets; `None` if it does not act on them.
    pub(super) fn for_selected(self, state: &State) -> Option<SelectionTool> {
        // In a window too narrow for the page beside the list, the selected row is not open.
        let only_selected = state.assets.selected.count == 1 && state.pages.open.is_none();
        if !state.assets.selected.several() && !only_selected {
            return None;
        }
        Some(match self {
            Self::Tag => SelectionTool::Link(LinkKind::Tag),
            Self::Website => SelectionTool::Link(LinkKind::Website),
            Self::Summary => SelectionTool::Link(LinkKind::Summary),
            Self::Reclassify => SelectionTool::Reclassify,
            Self::Score => SelectionTool::Score,
            Self::Favourite => SelectionTool::Favourite(!state.assets.selected.favourites),
            Self::Export => SelectionTool::Export,
            Self::ShowGraph => SelectionTool::Graph,
            Self::Delete => SelectionTool::Delete,
            _ => return None,
        })
    }

    /// Returns whether it needs a single asset, so that it is disabled while several are selected.
    pub(super) fn needs_one_asset(self) -> bool {
        matches!(self, Self::Rename | Self::EditAsset | Self::EditText)
    }

    /// Returns its title while several assets are selected; `None` if it does not act on them.
    pub(super) fn title_for_selected(self, state: &State) -> Option<String> {
        let tool = self.for_selected(state)?;
        let Selected { count, hidden, .. } = state.assets.selected;
        let assets = match count {
            1 => "the selected asset".to_owned(),
            count => format!("{} selected assets", grouped(count as u64)),
        };
        let title = match tool {
            SelectionTool::Link(LinkKind::Tag) => format!("Tag {assets}…"),
            SelectionTool::Link(LinkKind::Website) => format!("Link a website to {assets}…"),
            SelectionTool::Link(LinkKind::Summary) => format!("Link a workstream summary to {assets}…"),
            SelectionTool::Reclassify => format!("Reclassify {assets}…"),
            SelectionTool::Score => format!("Increment a score of {assets}…"),
            SelectionTool::Favourite(true) => format!("Add {assets} to favourites…"),
            SelectionTool::Favourite(false) => format!("Remove {assets} from favourites…"),
            SelectionTool::Export => format!("Export {assets}…"),
            SelectionTool::Graph => format!("Show graph of {assets}"),
            SelectionTool::Delete => format!("Delete {assets}…"),
        };
        Some(if hidden == 0 { title } else { format!("{title} ({} not visible)", grouped(hidden as u64)) })
    }
}
