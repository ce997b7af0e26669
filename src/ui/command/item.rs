//! Commands for a tag, a website or a workstream summary, and for a tracked application.

use super::Command;
use super::availability::DisabledReason;
use super::execute::UiRequest;
use crate::ui::panels::links::used_reason;
use lunette_inspector::action::{GraphAction, LinksAction};
use lunette_inspector::capability::Capability;
use lunette_inspector::change::Item;
use lunette_inspector::graph::Start;
use lunette_inspector::history::ItemWrite;
use lunette_inspector::{Action, State};

impl Command {
    /// Returns whether it acts on tags, websites and workstream summaries too.
    pub(super) fn acts_on_items(self) -> bool {
        self.compares() || matches!(self, Self::Rename | Self::Delete | Self::ShowGraph | Self::CopyId)
    }

    /// Returns whether it acts on applications too.
    pub(super) fn acts_on_applications(self) -> bool {
        self.compares() || matches!(self, Self::ShowGraph | Self::CopyId)
    }

    /// Returns the feature of the service that it needs for an item.
    pub(super) fn item_capability(self, item: &Item) -> Option<Capability> {
        match self {
            Self::Rename => Some(Capability::EditItem(item.kind)),
            Self::Delete => Some(Capability::DeleteItem(item.kind)),
            _ => None,
        }
    }

    /// Returns why it is disabled for an item, apart from the service and the write policy.
    pub(super) fn item_reason(self, item: &Item, state: &State) -> Option<DisabledReason> {
        let writing = state.links.open.as_ref().is_some_and(|page| page.item.id == item.id && page.writing);
        let changes = matches!(self, Self::Rename | Self::Delete);
        if changes && writing {
            return Some(DisabledReason::new("The last change is being saved", "saving"));
        }
        let used = used_reason(item, state).filter(|_| self == Self::Delete);
        used.map(|reason| DisabledReason::new(reason, "in use"))
    }

    /// Runs the command for an item; returns what it asks of the window.
    pub(super) fn run_for_item(self, item: &Item, state: &State, actions: &mut Vec<Action>) -> Option<UiRequest> {
        match self {
            Self::Rename => {
                if state.links.open.as_ref().is_none_or(|page| page.item.id != item.id) {
                    actions.push(LinksAction::Open(item.clone()).into());
                }
                Some(UiRequest::RenameItem(item.clone()))
            }
            Self::Delete => {
                actions.push(LinksAction::Write(ItemWrite::Delete(item.clone())).into());
                None
            }
            Self::ShowGraph => {
                actions.push(GraphAction::Start(vec![Start::item(item)]).into());
                None
            }
            Self::CopyId => Some(copied_id(&item.id, actions)),
            _ => None,
        }
    }

    /// Runs the command for a tracked application; returns what it asks of the window.
    pub(super) fn run_for_application(self, id: &str, name: &str, actions: &mut Vec<Action>) -> Option<UiRequest> {
        match self {
            Self::ShowGraph => {
                actions.push(GraphAction::Start(vec![Start::application(id, name)]).into());
                None
            }
            Self::CopyId => Some(copied_id(id, actions)),
            _ => None,
        }
    }
}

fn copied_id(id: &str, actions: &mut Vec<Action>) -> UiRequest {
    actions.push(Action::Notify("Copied the id".to_owned()));
    UiRequest::Copy(id.to_owned())
}
