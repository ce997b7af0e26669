//! Commands for the asset of a row, which need not be open, as the context menu of the asset list offers them.
//!
//! What must hold: a command is disabled for the same reasons as elsewhere, except that no asset needs to be open or
//! read: the command opens it.

use super::availability::{DisabledReason, asset_disabled_reason};
use super::execute::{UiRequest, is_pinned, toggle_pinned};
use super::target::CommandTarget;
use super::{Command, Scope};
use lunette_client::model::id::AssetId;
use lunette_inspector::WritePolicy;
use lunette_inspector::action::{AssetsAction, GraphAction, WriteAction};
use lunette_inspector::change::{Change, Edit, Field, Recovery};
use lunette_inspector::graph::Start;
use lunette_inspector::listing::rows::AssetRow;
use lunette_inspector::{Action, State};

/// Returns the name of the entry of a menu that deletes an asset: it has an ellipsis if a plan is shown first.
pub(in crate::ui) fn delete_name(state: &State) -> &'static str {
    if asks_to_delete(state) { "Delete…" } else { "Delete" }
}

/// Returns whether the deletion of one asset shows its plan first.
pub(super) fn asks_to_delete(state: &State) -> bool {
    state.connection.write_policy == WritePolicy::Confirm || state.connection.recovery() != Recovery::Trash
}

impl Command {
    /// Returns its title in the menu of a row; if several assets are selected, the title for the selection.
    pub(in crate::ui) fn title_for_row(self, row: &AssetRow, state: &State) -> String {
        let short = match self {
            _ if state.assets.selected.several() => return self.title_now(state),
            Self::Tag => "Add tag…",
            Self::Website => "Link website…",
            Self::Summary => "Link workstream summary…",
            Self::Reclassify => "Reclassify…",
            Self::Score => "Increment a score…",
            Self::Export => "Export…",
            Self::Favourite if row.favorited => "Remove from favourites",
            Self::Favourite => "Add to favourites",
            Self::PinRecent if is_pinned(&row.id(), state) => "Unpin from Recent",
            Self::PinRecent => "Pin in Recent",
            Self::Rename => "Rename…",
            Self::EditAsset => "Edit…",
            Self::EditText => "Edit text…",
            Self::ShowGraph => "Show graph",
            Self::Compare => "Compare",
            Self::CopyId => "Copy UUID",
            Self::Delete => delete_name(state),
            _ => self.title(),
        };
        short.to_owned()
    }

    /// Returns why it is disabled for the asset of a row, or for the selection if several assets are selected.
    pub(in crate::ui) fn row_disabled_reason(self, id: &AssetId, state: &State) -> Option<DisabledReason> {
        if state.assets.selected.several() || self.row().scope != Scope::Asset {
            return self.disabled_reason(state);
        }
        asset_disabled_reason(self, state, id, false)
            .or_else(|| self.policy_reason(&CommandTarget::OpenAsset(id), state).map(DisabledReason::of))
    }

    /// Runs the command for the asset of a row; returns what it asks of the panel. Forms and fields belong to the page
    /// of the asset, so the asset is opened.
    pub(in crate::ui) fn run_for_row(
        self,
        row: &AssetRow,
        state: &State,
        actions: &mut Vec<Action>,
    ) -> Option<UiRequest> {
        if self.row_disabled_reason(&row.id(), state).is_some() {
            return None;
        }
        match self {
            Self::ShowGraph => {
                actions.push(GraphAction::Start(vec![Start::asset(row.id(), &row.title())]).into());
                return None;
            }
            Self::OpenBeside => {
                actions.push(AssetsAction::OpenBeside(row.id()).into());
                return None;
            }
            Self::CopyId => {
                actions.push(Action::Notify("Copied the UUID".to_owned()));
                return Some(UiRequest::Copy(row.id().to_string()));
            }
            Self::Favourite => {
                let (from, to) = (Some(row.favorited.into()), (!row.favorited).into());
                let edit = Edit { field: Field::Favorited, from, to };
                actions.push(WriteAction::Change(Change::Edit { asset: row.id(), edits: vec![edit] }).into());
                return None;
            }
            Self::PinRecent => {
                actions.push(toggle_pinned(&row.id(), row.name(), state));
                return None;
            }
            Self::Delete => {
                let name = if row.name().is_empty() { row.id().to_string() } else { row.name().to_owned() };
                actions.push(WriteAction::Change(Change::Delete { asset: row.id(), name, made: None }).into());
                return None;
            }
            _ => {}
        }
        let request = self.form()?;
        if state.assets.pages.open.as_ref() != Some(&row.id()) {
            actions.push(AssetsAction::Open(row.id()).into());
        }
        Some(UiRequest::Asset(request))
    }
}
