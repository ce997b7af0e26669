//! What a command acts on now.
//!
//! What must hold: a command acts on what is seen: the selected rows of the list that is shown; with none selected, its
//! row with the focus ring; otherwise the open page. It never acts on what another panel or page hides. [`target`] alone
//! decides that, and the titles of the commands name what it returns.

use std::sync::Arc;

use crate::ui::panels::applications::labels;
use crate::ui::panels::info::info;
use crate::ui::widgets::{grouped, shown_short};
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;
use lunette_inspector::State;
use lunette_inspector::assets::page::AssetPage;
use lunette_inspector::change::{Item, LinkKind};
use lunette_inspector::filter::List;
use lunette_inspector::inventory::Shown;
use lunette_inspector::listing::rows::{AssetRow, ExternalRow, InventoryRow};
use lunette_inspector::navigation::in_view::{SelectedRows, Several, Subject};
use lunette_inspector::panel::Panel;
use lunette_inspector::write::ConsoleAnswer;

/// Maximum number of characters of a name in a title.
const MAX_NAME: usize = 40;

/// What a command acts on.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::ui) enum CommandTarget<'a> {
    /// Nothing: there is neither a row nor a page that commands act on.
    Nothing,
    /// The asset whose page is open.
    OpenAsset(&'a AssetId),
    /// The asset of a row, whose page is not open or not read.
    AssetRow(&'a Arc<AssetRow>),
    /// Several selected assets.
    Assets(Several),
    /// A tag, a website or a workstream summary.
    Item(&'a Item),
    /// Several of them.
    Items(LinkKind, Several),
    /// A tracked application.
    Application {
        /// Its id.
        id: &'a str,
        /// Its name as shown.
        name: String,
    },
    /// Several applications.
    Applications(Several),
    /// Something that is only compared.
    Compared(Compared<'a>),
}

/// Something that commands compare, and do nothing else with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::ui) enum Compared<'a> {
    /// An application that was found on this machine or integrates with the service.
    External(&'a ExternalRow),
    /// An application of all lists that is not tracked.
    Joined(&'a InventoryRow),
    /// The response in the console.
    Response(&'a ConsoleAnswer),
}

impl Compared<'_> {
    fn name(self) -> String {
        match self {
            Self::External(row) => labels::application(&row.name),
            Self::Joined(row) => labels::application(&row.name),
            Self::Response(answer) => format!("{} #{}", answer.line.info.name, answer.line.number),
        }
    }

    fn kind(self) -> &'static str {
        match self {
            Self::External(_) | Self::Joined(_) => "the application",
            Self::Response(_) => "the response",
        }
    }
}

/// How a title names what it acts on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::ui) enum Naming {
    /// By its name: “lib.rs”.
    Name,
    /// By its kind: the asset.
    Kind,
}

/// Returns what commands act on now.
pub(in crate::ui) fn target(state: &State) -> CommandTarget<'_> {
    let navigation = &state.navigation;
    if navigation.welcome {
        return CommandTarget::Nothing;
    }
    let in_view = Some(&navigation.in_view).filter(|in_view| in_view.panel == navigation.panel);
    // As in file managers: the selection is acted on, wherever in its list the focus is.
    let row = match in_view.map(|in_view| &in_view.selected) {
        Some(SelectedRows::Several(several)) => return CommandTarget::several(*several, state),
        Some(SelectedRows::One(subject)) => Some(subject),
        Some(SelectedRows::None) | None => in_view.and_then(|in_view| in_view.focused.as_ref()),
    };
    row.map_or_else(|| CommandTarget::of_page(state), |subject| CommandTarget::of_row(subject, state))
}

impl<'a> CommandTarget<'a> {
    fn several(several: Several, state: &State) -> Self {
        match several.list {
            List::Assets | List::Linked => Self::Assets(several),
            List::Links => Self::Items(state.links.kind, several),
            List::Applications | List::Inventory | List::External => Self::Applications(several),
            List::Log
            | List::History
            | List::Trash
            | List::Import
            | List::Rescue
            | List::Sides
            | List::Proposals
            | List::ProposedChanges
            | List::Assistants => Self::Nothing,
        }
    }

    fn of_row(subject: &'a Subject, state: &'a State) -> Self {
        match subject {
            Subject::Asset(row) => match state.page().filter(|(id, page)| row.is_of(id) && is_read(page)) {
                Some((id, _)) => Self::OpenAsset(id),
                None => Self::AssetRow(row),
            },
            Subject::Item(item) => Self::Item(item),
            Subject::Application { id, name } => Self::Application { id, name: name.clone() },
            Subject::External(row) => Self::Compared(Compared::External(row)),
            Subject::Joined(row) => Self::Compared(Compared::Joined(row)),
        }
    }

    /// Returns the subject of the page that is open in the panel, beside its list or in place of it.
    fn of_page(state: &'a State) -> Self {
        match state.navigation.panel {
            Panel::Assets => state.assets.pages.open.as_ref().map_or(Self::Nothing, Self::OpenAsset),
            Panel::Links => state.links.open.as_ref().map_or(Self::Nothing, |page| Self::Item(&page.item)),
            Panel::Applications => open_application(state)
                .map_or(Self::Nothing, |(id, name)| Self::Application { id, name: labels::application(name) }),
            Panel::Operations => {
                let answer = state.write.console.answer.as_deref().filter(|answer| !answer.text.is_empty());
                answer.map_or(Self::Nothing, |answer| Self::Compared(Compared::Response(answer)))
            }
            _ => Self::Nothing,
        }
    }

    /// Returns what a title calls it, for use within a sentence; `None` if there is nothing.
    pub(in crate::ui) fn phrase(&self, state: &State, naming: Naming) -> Option<String> {
        let one = |name: &str| format!("“{}”", shown_short(name, MAX_NAME));
        let several = |several: &Several, things: &str| format!("{} selected {things}", grouped(several.count as u64));
        Some(match (self, naming) {
            (Self::Nothing, _) => return None,
            (Self::OpenAsset(_) | Self::AssetRow(_), Naming::Kind) => "the asset".to_owned(),
            (Self::OpenAsset(id), Naming::Name) => one(&open_name(id, state)),
            (Self::AssetRow(row), Naming::Name) => one(&row.title()),
            (Self::Item(item), Naming::Kind) => format!("the {}", item.kind.one()),
            (Self::Item(item), Naming::Name) => format!("the {} {}", item.kind.one(), one(item.name())),
            (Self::Application { .. }, Naming::Kind) => "the application".to_owned(),
            (Self::Application { name, .. }, Naming::Name) => one(name),
            (Self::Assets(count), _) => several(count, "assets"),
            (Self::Items(kind, count), _) => several(count, &kind.many().to_lowercase()),
            (Self::Applications(count), _) => several(count, "applications"),
            (Self::Compared(what), Naming::Kind) => what.kind().to_owned(),
            (Self::Compared(what), Naming::Name) => one(&what.name()),
        })
    }
}

impl CommandTarget<'_> {
    /// Returns how many of the selected rows the filter hides.
    pub(in crate::ui) fn hidden(&self) -> usize {
        match self {
            Self::Assets(several) | Self::Items(_, several) | Self::Applications(several) => several.hidden,
            Self::Nothing
            | Self::OpenAsset(_)
            | Self::AssetRow(_)
            | Self::Item(_)
            | Self::Application { .. }
            | Self::Compared(_) => 0,
        }
    }
}

/// Returns whether the record of a page was read.
fn is_read(page: &AssetPage) -> bool {
    page.record.value().is_some()
}

/// Returns the name of the open asset, or its id if it has none or is not read yet.
pub(super) fn open_name(id: &AssetId, state: &State) -> String {
    let record = state.assets.pages.of.get(id).and_then(|page| page.record.value());
    let name = record.and_then(|asset| asset.view().name()).filter(|name| !name.trim().is_empty());
    name.unwrap_or(id.as_str()).to_owned()
}

/// Returns id and name of the tracked application whose page is open.
fn open_application(state: &State) -> Option<(&str, &str)> {
    let id = state.applications.open.as_ref()?.id.as_str();
    match state.inventory.shown {
        Shown::Tracked => {
            let row = state.applications.list.iter().find(|row| row.id == id);
            Some((id, row.map_or(id, |row| &row.name)))
        }
        Shown::All | Shown::Board => {
            let row = state.inventory.open_row()?;
            row.tracked.as_ref().map(|tracked| (tracked.id.as_str(), row.name.as_str()))
        }
    }
}

/// Returns whether a page is open in the panel that is shown, as far as commands can close it.
pub(super) fn page_is_open(state: &State) -> bool {
    !state.navigation.welcome && (info(state.navigation.panel).close)(state).is_some()
}

#[cfg(test)]
mod tests;
