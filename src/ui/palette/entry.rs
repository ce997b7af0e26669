//! The entries of the palette.

use crate::ui::command::{Command, CommandTarget, Naming, target};
use crate::ui::drawing::kind_icon::of_language;
use crate::ui::link_icon::link_icon;
use crate::ui::panels::applications::labels;
use crate::ui::theme::Icon;
use lunette_client::model::id::AssetId;
use lunette_inspector::action::{ApplicationsAction, AssetsAction, NavigationAction, SettingsAction, WriteAction};
use lunette_inspector::assets::search::{replacement, with_marks};
use lunette_inspector::change::{Change, Item, LinkKind};
use lunette_inspector::filter::{Field, Filter};
use lunette_inspector::listing::rows::{ApplicationRow, AssetRow};
use lunette_inspector::panel::Panel;
use lunette_inspector::runs::BulkOperation;
use lunette_inspector::settings::{Recent, RecentSearch};
use lunette_inspector::{Action, State};

/// An entry that can be chosen.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub part: Part,
    pub icon: Icon,
    pub title: String,
    /// The title without the name of what a command acts on: a typed name is searched among assets.
    pub without_name: Option<String>,
    /// What tells it from others of its title; may be empty.
    pub detail: String,
    /// The kind of item, the keys of the command, or why it is disabled.
    pub hint: String,
    /// The words of the search that an asset does not have.
    pub missing: Vec<String>,
    /// Whether it is available now.
    pub available: bool,
    pub action: EntryAction,
}

/// What choosing an entry does.
#[derive(Clone, Debug)]
pub(super) enum EntryAction {
    /// Performs actions.
    Act(Vec<Action>),
    /// Runs a command.
    Run(Command),
    /// Shows the assets linked to an item.
    Linked(Item),
    /// Changes the selected assets.
    ForSelected(BulkOperation),
    /// Filters the list of assets.
    Filtered(Filter),
    /// Searches for another text in the palette.
    Retype(String),
}

/// The parts of the results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Suggested,
    Recent,
    Id,
    Commands,
    Applications,
    Assets,
    Linked(LinkKind),
    /// Words that were replaced.
    Replaced,
    /// The hits of the service in its section with this index.
    Found(usize),
    Search,
}

impl Part {
    /// Returns the heading of the part; hits have that of their section.
    pub fn name(self) -> &'static str {
        match self {
            Self::Suggested => "Suggested",
            Self::Recent => "Recent",
            Self::Id => "By UUID",
            Self::Commands => "Commands",
            Self::Applications => "Applications",
            Self::Assets => "Assets",
            Self::Linked(kind) => kind.many(),
            Self::Replaced => "Replaced words",
            Self::Found(_) => "Found by the service",
            Self::Search => "Search",
        }
    }
}

impl Entry {
    /// An entry for a command in its current state.
    pub fn command(command: Command, part: Part, state: &State) -> Self {
        let disabled_reason = command.disabled_reason(state);
        let available = disabled_reason.is_none();
        let hint = disabled_reason
            .map_or_else(|| command.keys_shown(state), |disabled_reason| disabled_reason.short.to_owned());
        let title = command.title_now(state);
        let without_name = command.title_for_target(state, Naming::Kind);
        let (icon, action) = (command.row().icon, EntryAction::Run(command));
        let (detail, missing) = Default::default();
        Self { part, icon, title, without_name, detail, hint, missing, available, action }
    }

    fn act(part: Part, icon: Icon, title: String, hint: String, actions: Vec<Action>) -> Self {
        let (detail, missing, action) = (String::new(), Vec::new(), EntryAction::Act(actions));
        Self { part, icon, title, without_name: None, detail, hint, missing, available: true, action }
    }

    /// An entry for background work.
    pub fn background_work(icon: Icon, title: String, actions: Vec<Action>) -> Self {
        Self::act(Part::Commands, icon, title, String::new(), actions)
    }

    /// An entry for the asset whose id was pasted.
    pub fn by_id(id: AssetId) -> Self {
        let title = format!("Open asset {id}");
        Self::act(Part::Id, Icon::ASSETS, title, "Asset".to_owned(), vec![Action::Assets(AssetsAction::Open(id))])
    }

    /// An application.
    pub fn application(row: &ApplicationRow) -> Self {
        let actions = vec![
            Action::Navigation(NavigationAction::Show(Panel::Applications)),
            Action::Applications(ApplicationsAction::Open(row.id.clone())),
        ];
        let hint = if row.version.is_empty() { String::new() } else { row.version.clone() };
        Self::act(Part::Applications, Icon::APPLICATIONS, labels::application(&row.name), hint, actions)
    }

    /// The id of the tracked application that the entry stands for, if it does.
    pub fn application_id(&self) -> Option<&str> {
        let EntryAction::Act(actions) = &self.action else { return None };
        actions.iter().find_map(|action| match action {
            Action::Applications(ApplicationsAction::Open(id)) => Some(id.as_str()),
            _ => None,
        })
    }

    /// Whether it opens this asset.
    pub fn is_of(&self, asset: &AssetId) -> bool {
        let EntryAction::Act(actions) = &self.action else { return false };
        actions.iter().any(|action| matches!(action, Action::Assets(AssetsAction::Open(id)) if id == asset))
    }

    /// An asset.
    pub fn asset(row: &AssetRow) -> Self {
        let title = if row.name().is_empty() { row.id().to_string() } else { row.name().to_owned() };
        let actions = vec![Action::Assets(AssetsAction::Open(row.id()))];
        Self {
            detail: row.folder().map(|folder| (**folder).to_owned()).unwrap_or_default(),
            ..Self::act(Part::Assets, of_language(row.specific()), title, row.language().to_owned(), actions)
        }
    }

    /// An entry for a recently opened asset; `None` if its id is invalid.
    pub fn recent(recent: &Recent, state: &State) -> Option<Self> {
        let id: AssetId = recent.id.parse().ok()?;
        let title = if recent.name.trim().is_empty() { recent.id.clone() } else { recent.name.clone() };
        let row = state.assets.row(&id);
        let detail = row.and_then(|row| row.folder()).map(|folder| (**folder).to_owned()).unwrap_or_default();
        let icon = row.map_or(Icon::ASSETS, |row| of_language(row.specific()));
        let actions = vec![Action::Assets(AssetsAction::Open(id))];
        Some(Self { detail, ..Self::act(Part::Recent, icon, title, "Asset".to_owned(), actions) })
    }

    /// An entry for a tag, website or summary: choosing it shows its assets.
    pub fn linked(item: &Item) -> Self {
        let icon = link_icon(item.kind);
        let title = item.name().to_owned();
        let hint = item.url.clone().unwrap_or_else(|| "Show its assets".to_owned());
        let action = EntryAction::Linked(item.clone());
        Self { action, ..Self::act(Part::Linked(item.kind), icon, title, hint, Vec::new()) }
    }

    /// An entry that adds a tag to the assets that commands act on now; `None` if that is not possible.
    pub fn tag(text: &str, state: &State) -> Option<Self> {
        if text.is_empty() || Command::Tag.disabled_reason(state).is_some() {
            return None;
        }
        let target = target(state);
        let on = target.phrase(state, Naming::Name)?;
        let known = state
            .assets
            .items(LinkKind::Tag)
            .iter()
            .find(|item| item.text.trim().to_lowercase() == text.to_lowercase());
        let shown = known.map_or(text, |item| item.text.trim());
        let asset = match target {
            CommandTarget::Assets(_) => {
                let action = EntryAction::ForSelected(tag_for_selected(text, known));
                let title = format!("Add tag “{shown}” to {on}…");
                return Some(Self {
                    action,
                    ..Self::act(Part::Suggested, Icon::TAG, title, String::new(), Vec::new())
                });
            }
            CommandTarget::OpenAsset(id) => id.clone(),
            CommandTarget::AssetRow(row) => row.id(),
            CommandTarget::Nothing
            | CommandTarget::Item(_)
            | CommandTarget::Items(..)
            | CommandTarget::Application { .. }
            | CommandTarget::Applications(_)
            | CommandTarget::Compared(_) => return None,
        };
        let title = format!("Add tag “{shown}” to {on}");
        let actions = vec![WriteAction::Change(tag_for_asset(asset, text, known)).into()];
        Some(Self::act(Part::Suggested, Icon::TAG, title, String::new(), actions))
    }

    /// An asset that the service found, in the section with this index.
    pub fn found(row: &AssetRow, section: usize, missing: &[String]) -> Self {
        Self { part: Part::Found(section), missing: missing.to_vec(), ..Self::asset(row) }
    }

    /// An entry that searches for a word as it was typed which was replaced by others.
    pub fn as_typed(query: &str, word: &str, by: &[String]) -> Self {
        let (action, detail) = (EntryAction::Retype(with_marks(query, word)), replacement(word, by));
        let title = format!("Search for “{word}”");
        Self { action, detail, ..Self::act(Part::Replaced, Icon::SEARCH, title, String::new(), Vec::new()) }
    }

    /// An entry that filters the list of assets by a field.
    pub fn filter(field: Field, value: &str) -> Self {
        let (action, title) =
            (EntryAction::Filtered(Filter::of(field, value)), format!("Assets with the {} “{value}”", field.name()));
        let icon = if field == Field::Tag { Icon::TAG } else { Icon::FILTER };
        Self { action, ..Self::act(Part::Suggested, icon, title, "Filter the list".to_owned(), Vec::new()) }
    }

    /// An entry that searches the content of assets on the service.
    pub fn content_search(query: &str) -> Self {
        let title = format!("Search contents for “{query}”");
        let actions = vec![
            Action::Navigation(NavigationAction::Show(Panel::Assets)),
            Action::Assets(AssetsAction::Search(query.to_owned())),
            SettingsAction::KeepSearch(RecentSearch { text: query.to_owned(), contents: true }).into(),
        ];
        Self::act(Part::Search, Icon::SEARCH, title, String::new(), actions)
    }
}

/// Returns the operation that adds a tag to the selected assets: a known one, or a new one with this text.
fn tag_for_selected(text: &str, known: Option<&Item>) -> BulkOperation {
    match known {
        Some(item) => BulkOperation::Link(item.clone()),
        None => BulkOperation::LinkNew { kind: LinkKind::Tag, text: text.to_owned(), url: None, unlink: Vec::new() },
    }
}

/// Returns the change that adds a tag to an asset: a known one, or a new one with this text.
fn tag_for_asset(asset: AssetId, text: &str, known: Option<&Item>) -> Change {
    match known {
        Some(item) => Change::Link { asset, item: item.clone() },
        None => Change::LinkNew { asset, kind: LinkKind::Tag, text: text.to_owned(), url: None, unlink: Vec::new() },
    }
}
