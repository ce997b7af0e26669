//! The titles of commands: what they do now, and to what.

use super::execute::is_pinned;
use super::row::asks_to_delete;
use super::target::{CommandTarget, Naming, target};
use super::{Command, Scope};
use crate::ui::widgets::{grouped, shown_short};
use lunette_client::model::record::Record as _;
use lunette_inspector::State;

impl Command {
    /// Returns the title of the command.
    pub fn title(self) -> &'static str {
        self.row().title
    }

    /// Returns what the command would do now, and to what, if that is more specific than its title.
    pub fn title_now(self, state: &State) -> String {
        let step = |word: &str, title: Option<&str>| title.map(|title| format!("{word}: {title}"));
        let closer = match self {
            Self::Undo => step("Undo", state.history.last().map(|step| step.title.as_str())),
            Self::Redo => step("Redo", state.history.redoable().map(|step| step.title.as_str())),
            Self::Refresh => Some(format!("Refresh {}", state.navigation.panel.name())),
            _ => self.title_for_target(state, Naming::Name),
        };
        closer.unwrap_or_else(|| self.title().to_owned())
    }

    /// Returns the title that says what the command acts on, by its name or only by its kind; `None` if it acts on
    /// nothing now.
    pub(in crate::ui) fn title_for_target(self, state: &State, naming: Naming) -> Option<String> {
        if self.row().scope != Scope::Asset {
            return None;
        }
        let target = target(state);
        if self == Self::CloseAsset || !self.acts_on(&target) {
            return None;
        }
        let title = self.title_of(&target, &target.phrase(state, naming)?, state)?;
        Some(match target.hidden() {
            0 => title,
            hidden => format!("{title} ({} not visible)", grouped(hidden as u64)),
        })
    }

    /// Returns the title with what it acts on.
    fn title_of(self, target: &CommandTarget<'_>, on: &str, state: &State) -> Option<String> {
        // With several, a plan is shown first.
        let more = if matches!(target, CommandTarget::Assets(_)) { "…" } else { "" };
        let id = if is_one_asset(target) { "UUID" } else { "id" };
        Some(match self {
            Self::Rename => format!("Rename {on}"),
            Self::EditAsset => format!("Edit {on}…"),
            Self::EditText => format!("Edit the text of {on}…"),
            Self::Tag => format!("Tag {on}…"),
            Self::Website => format!("Link a website to {on}…"),
            Self::Summary => format!("Link a workstream summary to {on}…"),
            Self::Reclassify => format!("Reclassify {on}…"),
            Self::Score => format!("Increment a score of {on}…"),
            Self::Favourite if is_favourite(target, state) => format!("Remove {on} from favourites{more}"),
            Self::Favourite => format!("Add {on} to favourites{more}"),
            Self::PinRecent if is_pinned_target(target, state) => format!("Unpin {on} from Recent"),
            Self::PinRecent => format!("Pin {on} in Recent"),
            Self::Export => format!("Export {on}…"),
            Self::ShowGraph => format!("Show graph of {on}"),
            Self::Compare => match &state.compare.selected {
                Some(selected) if !is_several(target) => {
                    format!("Compare {on} with “{}”", shown_short(&selected.name(), 40))
                }
                _ => format!("Compare {on}"),
            },
            Self::SelectForCompare => format!("Select {on} for compare"),
            Self::CompareWith => format!("Compare {on} with…"),
            Self::CompareWithFile => format!("Compare {on} with a file…"),
            Self::ShowVersions => format!("Show the versions of {on}"),
            Self::ShowRelated => format!("Show what is related to {on}"),
            Self::OpenBeside => format!("Open {on} beside"),
            Self::CopyId => format!("Copy the {id} of {on}"),
            Self::Delete if is_one_asset(target) && !asks_to_delete(state) => format!("Delete {on}"),
            Self::Delete => format!("Delete {on}…"),
            _ => return None,
        })
    }
}

/// Returns whether what a command acts on is pinned in *Recent*.
fn is_pinned_target(target: &CommandTarget<'_>, state: &State) -> bool {
    match target {
        CommandTarget::OpenAsset(id) => is_pinned(id, state),
        CommandTarget::AssetRow(row) => is_pinned(&row.id(), state),
        CommandTarget::Nothing
        | CommandTarget::Assets(_)
        | CommandTarget::Item(_)
        | CommandTarget::Items(..)
        | CommandTarget::Application { .. }
        | CommandTarget::Applications(_)
        | CommandTarget::Compared(_) => false,
    }
}

fn is_several(target: &CommandTarget<'_>) -> bool {
    matches!(target, CommandTarget::Assets(_) | CommandTarget::Items(..) | CommandTarget::Applications(_))
}

fn is_one_asset(target: &CommandTarget<'_>) -> bool {
    matches!(target, CommandTarget::OpenAsset(_) | CommandTarget::AssetRow(_))
}

/// Returns whether what a command acts on is a favourite: each of the assets, if there are several.
pub(super) fn is_favourite(target: &CommandTarget<'_>, state: &State) -> bool {
    match target {
        CommandTarget::Assets(_) => state.assets.selected.favourites,
        CommandTarget::AssetRow(row) => row.favorited,
        CommandTarget::OpenAsset(id) => {
            let record = state.assets.pages.of.get(id).and_then(|page| page.record.value());
            record.is_some_and(|asset| asset.view().favorited().unwrap_or_default())
        }
        CommandTarget::Nothing
        | CommandTarget::Item(_)
        | CommandTarget::Items(..)
        | CommandTarget::Application { .. }
        | CommandTarget::Applications(_)
        | CommandTarget::Compared(_) => false,
    }
}
