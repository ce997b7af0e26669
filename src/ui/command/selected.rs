//! Commands while several rows are selected: each acts on all of them, through a dialog and a plan.
//!
//! What must hold: while several assets are selected, no command that changes an asset acts on the open one alone.

use super::Command;
use crate::ui::panels::assets::SelectionTool;
use crate::ui::panels::links::ItemsTool;
use lunette_inspector::State;
use lunette_inspector::change::LinkKind;

impl Command {
    /// Returns its tool for several selected assets; `None` if it acts only on a single one.
    pub(super) fn tool_for_assets(self, state: &State) -> Option<SelectionTool> {
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
            Self::Compare => SelectionTool::Compare,
            _ => return None,
        })
    }

    /// Returns its tool for several selected tags, websites or summaries; `None` if it acts only on a single one.
    pub(super) fn tool_for_items(self) -> Option<ItemsTool> {
        Some(match self {
            Self::Delete => ItemsTool::Delete,
            Self::ShowGraph => ItemsTool::Graph,
            Self::Compare => ItemsTool::Compare,
            _ => return None,
        })
    }

    /// Returns whether it acts on a single asset, so that it is disabled while several are selected.
    pub(super) fn needs_one_asset(self) -> bool {
        matches!(self, Self::Rename | Self::EditAsset | Self::EditText | Self::CopyId | Self::PinRecent)
            || matches!(self, Self::SelectForCompare | Self::CompareWith | Self::CompareWithFile | Self::OpenBeside)
            || matches!(self, Self::ShowVersions | Self::ShowRelated)
    }
}
