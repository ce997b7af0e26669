//! What a command does: the actions it pushes, and what it asks of the window itself.

use super::target::{CommandTarget, open_name, target};
use super::{Command, Scope};
use crate::ui::panels::assets::SelectionTool;
use crate::ui::panels::links::ItemsTool;
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;
use lunette_inspector::action::{
    AssetsAction, AssistantsAction, CompareAction, EmbeddedAction, GraphAction, HistoryAction, ImportAction,
    NavigationAction, PreviewAction, ScratchAction, ScratchOf, SessionAction, SettingsAction, TrashAction, WriteAction,
};
use lunette_inspector::change::{Change, Edit, Field, Item, LinkKind};
use lunette_inspector::graph::Start;
use lunette_inspector::import::known_libraries::Machine;
use lunette_inspector::navigation::in_view::Subject;
use lunette_inspector::panel::Panel;
use lunette_inspector::settings::Theme;
use lunette_inspector::settings::{Recent, Target};
use lunette_inspector::{Action, State, WritePolicy};

/// Size of one zoom step.
const ZOOM_STEP: f32 = 0.1;

/// What a command asks of the window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UiRequest {
    /// Opens the palette.
    Palette,
    /// Opens the dialog for the connection.
    Connection,
    /// Opens the preferences.
    Preferences,
    /// Opens the list of backups.
    Backups,
    /// Opens the help sheet.
    Help,
    /// Opens what is said of the program.
    About,
    /// Opens the notification history.
    Messages,
    /// Opens the form for a new asset.
    NewText,
    /// Moves the keyboard to the filter of the current list.
    Find,
    /// Opens the form for the id of an asset.
    GoToId,
    /// Opens a form, a field or a tab on the page of the open asset.
    Asset(AssetRequest),
    /// Acts on the selected assets.
    Selected(SelectionTool),
    /// Acts on the selected tags, websites or workstream summaries.
    SelectedItems(ItemsTool),
    /// Opens the field for the name of a tag, a website or a workstream summary, on its page.
    RenameItem(Item),
    /// Shows the assets that are near duplicates of others.
    NearDuplicates,
    /// Shows the assets as tiles, or as rows.
    Gallery,
    /// Opens the dialog for the past of the list of assets.
    PastOfList,
    /// Closes the open page.
    ClosePage,
    /// Goes to the next change of the compared texts, or to the previous one.
    Change(bool),
    /// Moves the keyboard to the next area, or to the previous one.
    Area(bool),
    /// Copies a text.
    Copy(String),
    /// Opens the dialog that exports many assets.
    ExportMany,
    /// Shows the page of the conformance check, which says what a check does. Nothing is started.
    Check,
    /// Makes an asset of what is on the clipboard.
    Capture,
    /// Saves what the window shows.
    Screenshot,
    /// Closes the window.
    Quit,
}

/// A tool of the open asset's page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AssetRequest {
    /// The field for its name.
    Rename,
    /// The field that searches its text.
    Find,
    /// The form for its fields.
    Edit,
    /// The editor of its text.
    EditText,
    /// The tab of its versions.
    Versions,
    /// The tab of the assets that are related to it.
    Related,
    /// The form for its language.
    Reclassify,
    /// The form for its score.
    Score,
    /// The form for an export.
    Export,
    /// The picker of links of a kind.
    Link(LinkKind),
}

impl Command {
    /// Runs the command: pushes its actions, and returns what it asks of the window. If it is disabled, the reason is
    /// reported instead.
    pub(in crate::ui) fn run(self, state: &State, actions: &mut Vec<Action>) -> Option<UiRequest> {
        if let Some(disabled_reason) = self.disabled_reason(state) {
            // The inspector gives a more precise reason for Undo and Redo.
            match self {
                Self::Undo => actions.push(HistoryAction::Undo.into()),
                Self::Redo => actions.push(HistoryAction::Redo.into()),
                _ => actions.push(Action::Hint(format!("{}: {}", self.title(), disabled_reason.sentence))),
            }
            return None;
        }
        if self.row().scope == Scope::Asset && self != Self::CloseAsset {
            return self.run_for_target(state, actions);
        }
        self.push_actions(state, actions);
        self.ui_request()
    }

    /// Runs a command that acts on what is in view; returns what it asks of the window.
    fn run_for_target(self, state: &State, actions: &mut Vec<Action>) -> Option<UiRequest> {
        let target = target(state);
        if let Some(action) = self.compare_action(&target, state) {
            actions.push(action);
            return None;
        }
        match target {
            CommandTarget::OpenAsset(id) => {
                actions.extend(self.asset_action(state));
                self.asset_request(id, actions)
            }
            CommandTarget::AssetRow(row) => self.run_for_row(row, state, actions),
            CommandTarget::Assets(_) => self.tool_for_assets(state).map(UiRequest::Selected),
            CommandTarget::Item(item) => self.run_for_item(item, state, actions),
            CommandTarget::Items(..) => self.tool_for_items().map(UiRequest::SelectedItems),
            CommandTarget::Application { id, name } => self.run_for_application(id, &name, actions),
            CommandTarget::Nothing | CommandTarget::Applications(_) | CommandTarget::Compared(_) => None,
        }
    }

    /// Returns the action of a command that acts on the open asset without a form.
    fn asset_action(self, state: &State) -> Option<Action> {
        match self {
            Self::ShowGraph => graph_of_asset(state),
            Self::Favourite => toggle_favourite(state),
            Self::PinRecent => {
                let (id, _) = state.page()?;
                Some(toggle_pinned(id, &open_name(id, state), state))
            }
            Self::Delete => delete_asset(state),
            Self::OpenBeside => {
                let (id, _) = state.page()?;
                Some(AssetsAction::OpenBeside(id.clone()).into())
            }
            _ => None,
        }
    }

    /// Returns what a command that acts on the open asset asks of the window.
    fn asset_request(self, id: &AssetId, actions: &mut Vec<Action>) -> Option<UiRequest> {
        if self == Self::CopyId {
            actions.push(Action::Notify("Copied the UUID".to_owned()));
            return Some(UiRequest::Copy(id.to_string()));
        }
        self.form().map(UiRequest::Asset)
    }

    /// Returns the form, field or tab that it opens on the page of an asset.
    pub(super) fn form(self) -> Option<AssetRequest> {
        Some(match self {
            Self::Rename => AssetRequest::Rename,
            Self::EditAsset => AssetRequest::Edit,
            Self::EditText => AssetRequest::EditText,
            Self::ShowVersions => AssetRequest::Versions,
            Self::ShowRelated => AssetRequest::Related,
            Self::Reclassify => AssetRequest::Reclassify,
            Self::Score => AssetRequest::Score,
            Self::Export => AssetRequest::Export,
            Self::Tag => AssetRequest::Link(LinkKind::Tag),
            Self::Website => AssetRequest::Link(LinkKind::Website),
            Self::Summary => AssetRequest::Link(LinkKind::Summary),
            _ => return None,
        })
    }

    /// Pushes the actions of the command.
    fn push_actions(self, state: &State, actions: &mut Vec<Action>) {
        actions.extend(self.panel().map(|panel| NavigationAction::Show(panel).into()));
        actions.extend(self.settings_action(state).map(Action::Settings));
        actions.extend(self.session_action().map(Action::Session));
        actions.extend(self.other_action(state));
    }

    /// Returns the panel that the command shows first.
    fn panel(self) -> Option<Panel> {
        Some(match self {
            Self::Check => Panel::Operations,
            Self::NewText | Self::NewFromClipboard | Self::ImportSamples | Self::Gallery | Self::PastOfList => {
                Panel::Assets
            }
            command => return Panel::ALL.into_iter().find(|panel| Self::of_panel(*panel) == command),
        })
    }

    /// Returns the change of the settings that the command makes.
    fn settings_action(self, state: &State) -> Option<SettingsAction> {
        let zoom = |step: f32| {
            let steps = ((state.preferences.settings.zoom + step) / ZOOM_STEP).round();
            SettingsAction::Zoom(steps * ZOOM_STEP)
        };
        Some(match self {
            Self::ThemeSystem => SettingsAction::Theme(Theme::System),
            Self::ThemeLight => SettingsAction::Theme(Theme::Light),
            Self::ThemeDark => SettingsAction::Theme(Theme::Dark),
            Self::ZoomIn => zoom(ZOOM_STEP),
            Self::ZoomOut => zoom(-ZOOM_STEP),
            Self::ZoomReset => SettingsAction::Zoom(1.0),
            _ => return None,
        })
    }

    /// Returns what the command asks of the connection.
    fn session_action(self) -> Option<SessionAction> {
        Some(match self {
            Self::Reconnect => SessionAction::Reconnect,
            Self::UseEmbedded => SessionAction::Connect(Target::Embedded),
            Self::ClearLog => SessionAction::ClearLog,
            Self::AllowWrites => SessionAction::SetWritePolicy(WritePolicy::Allow),
            Self::ConfirmWrites => SessionAction::SetWritePolicy(WritePolicy::Confirm),
            Self::ReadOnlyWrites => SessionAction::SetWritePolicy(WritePolicy::ReadOnly),
            _ => return None,
        })
    }

    /// Returns the action of a command of another feature.
    fn other_action(self, state: &State) -> Option<Action> {
        Some(match self {
            Self::Back => NavigationAction::Back.into(),
            Self::Forward => NavigationAction::Forward.into(),
            Self::Refresh => Action::Refresh(state.navigation.panel),
            Self::Undo => HistoryAction::Undo.into(),
            Self::Redo => HistoryAction::Redo.into(),
            Self::Trash => TrashAction::Show(true).into(),
            Self::TryOnCopy => ScratchAction::Ask(ScratchOf::All).into(),
            Self::Assistants => AssistantsAction::Show(true).into(),
            Self::CompareFiles => CompareAction::PickFiles.into(),
            Self::ImportFiles => ImportAction::PickFiles.into(),
            Self::ImportFolder => ImportAction::PickFolder.into(),
            Self::ImportSamples => ImportAction::Samples.into(),
            Self::ImportPreview => PreviewAction::ShowPage(Machine::here()).into(),
            Self::BackUp => EmbeddedAction::BackUp.into(),
            Self::Welcome => NavigationAction::ShowWelcome.into(),
            Self::NextAsset => AssetsAction::Open(neighbour(state, 1)?).into(),
            Self::PreviousAsset => AssetsAction::Open(neighbour(state, -1)?).into(),
            Self::Peek => AssetsAction::Peek(peek_target(state).filter(|_| state.assets.pages.peeked.is_none())).into(),
            _ => return None,
        })
    }

    /// Returns what it asks of the window.
    fn ui_request(self) -> Option<UiRequest> {
        Some(match self {
            Self::Palette => UiRequest::Palette,
            Self::GoToId => UiRequest::GoToId,
            Self::Find => UiRequest::Find,
            Self::NewText => UiRequest::NewText,
            Self::NewFromClipboard => UiRequest::Capture,
            Self::Check => UiRequest::Check,
            Self::ExportMany => UiRequest::ExportMany,
            Self::Screenshot => UiRequest::Screenshot,
            Self::Quit => UiRequest::Quit,
            Self::Preferences => UiRequest::Preferences,
            Self::Connection => UiRequest::Connection,
            Self::Restore => UiRequest::Backups,
            Self::Help => UiRequest::Help,
            Self::About => UiRequest::About,
            Self::Messages => UiRequest::Messages,
            Self::NearDuplicates => UiRequest::NearDuplicates,
            Self::Gallery => UiRequest::Gallery,
            Self::PastOfList => UiRequest::PastOfList,
            Self::CloseAsset => UiRequest::ClosePage,
            Self::NextChange => UiRequest::Change(true),
            Self::PreviousChange => UiRequest::Change(false),
            Self::NextArea => UiRequest::Area(true),
            Self::PreviousArea => UiRequest::Area(false),
            _ => return None,
        })
    }
}

/// Returns the action that makes the open asset a favourite, or removes it from the favourites.
fn toggle_favourite(state: &State) -> Option<Action> {
    let (id, page) = state.page()?;
    let on = page.record.value()?.view().favorited().unwrap_or_default();
    let edit = Edit { field: Field::Favorited, from: Some(on.into()), to: (!on).into() };
    Some(Action::Write(WriteAction::Change(Change::Edit { asset: id.clone(), edits: vec![edit] })))
}

/// Pins an asset in *Recent*, or no longer.
pub(super) fn toggle_pinned(id: &AssetId, name: &str, state: &State) -> Action {
    let pinned = !is_pinned(id, state);
    AssetsAction::PinRecent(Recent { id: id.to_string(), name: name.to_owned(), pinned }).into()
}

/// Returns whether an asset is pinned in *Recent*.
pub(super) fn is_pinned(id: &AssetId, state: &State) -> bool {
    state.recent().iter().any(|recent| recent.id == id.as_str() && recent.pinned)
}

fn graph_of_asset(state: &State) -> Option<Action> {
    let (id, _) = state.page()?;
    Some(GraphAction::Start(vec![Start::asset(id.clone(), &open_name(id, state))]).into())
}

fn delete_asset(state: &State) -> Option<Action> {
    let (id, _) = state.page()?;
    let change = Change::Delete { asset: id.clone(), name: open_name(id, state), made: None };
    Some(Action::Write(WriteAction::Change(change)))
}

/// Returns the asset that would be looked at: that of the focused row, also among several selected ones, else the only
/// selected one, else the open one.
pub(super) fn peek_target(state: &State) -> Option<AssetId> {
    let in_view = Some(&state.navigation.in_view).filter(|in_view| in_view.panel == state.navigation.panel);
    if let Some(Subject::Asset(row)) = in_view.and_then(|in_view| in_view.focused.as_ref()) {
        return (state.navigation.panel == Panel::Assets && !state.navigation.welcome).then(|| row.id());
    }
    match (state.navigation.panel, target(state)) {
        (Panel::Assets, CommandTarget::AssetRow(row)) => Some(row.id()),
        (Panel::Assets, CommandTarget::OpenAsset(id)) => Some(id.clone()),
        _ => None,
    }
}

/// Returns the asset `step` rows below the open one; the first or the last if none is open or it is not in the list.
fn neighbour(state: &State, step: isize) -> Option<AssetId> {
    let listing = &state.assets.list;
    let (sequence, rows) = (listing.sequence(), listing.rows.value()?);
    let last = sequence.len().checked_sub(1)?;
    let row = |index: usize| rows.get(*sequence.get(index)? as usize);
    let shows = |id: &AssetId| (0..=last).find(|index| row(*index).is_some_and(|row| row.is_of(id)));
    let open = state.assets.pages.open.as_ref().and_then(shows);
    let index = match open {
        Some(index) => index.saturating_add_signed(step).min(last),
        None if step > 0 => 0,
        None => last,
    };
    (Some(index) != open).then(|| row(index).map(|row| row.id()))?
}
