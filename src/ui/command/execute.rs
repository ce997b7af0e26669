//! What a command does: the actions it pushes, and what it asks of the window itself.

use super::Command;
use crate::app::action::{
    AssetsAction, EmbeddedAction, GraphAction, HistoryAction, ImportAction, NavigationAction, PreviewAction,
    SessionAction, SettingsAction, TrashAction, WriteAction,
};
use crate::app::change::{Change, Edit, Field, LinkKind};
use crate::app::graph::Start;
use crate::app::import::known_places::Machine;
use crate::app::navigation::Panel;
use crate::app::settings::Target;
use crate::app::settings::Theme;
use crate::app::{Action, State, WritePolicy};
use crate::ui::panels::assets::SelectionTool;
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;

/// Size of one zoom step.
const ZOOM_STEP: f32 = 0.1;

/// What a command asks of the window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::ui) enum UiRequest {
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
    /// Shows the welcome page.
    Welcome,
    /// Opens the notification history.
    Messages,
    /// Opens the form for a new asset.
    NewText,
    /// Moves the keyboard to the filter of the current list.
    Find,
    /// Opens the form for the id of an asset.
    GoToId,
    /// Opens a form on the page of the open asset.
    Asset(AssetRequest),
    /// Acts on the selected assets.
    Selected(SelectionTool),
    /// Copies a text.
    Copy(String),
    /// Opens the dialog that exports many assets.
    ExportMany,
    /// Makes an asset of what is on the clipboard.
    Capture,
    /// Saves what the window shows.
    Screenshot,
    /// Closes the window.
    Quit,
}

/// A tool of the open asset's page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::ui) enum AssetRequest {
    /// The field for its name.
    Rename,
    /// The field that searches its text.
    Find,
    /// The form for its fields.
    Edit,
    /// The editor of its text.
    EditText,
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
                _ => actions.push(Action::Notify(format!("{}: {}", self.title(), disabled_reason.sentence))),
            }
            return None;
        }
        if let Some(tool) = self.for_selected(state) {
            actions.push(NavigationAction::Show(Panel::Assets).into());
            return Some(UiRequest::Selected(tool));
        }
        self.push_actions(state, actions);
        self.ui_request(state)
    }

    /// Pushes the actions of the command.
    fn push_actions(self, state: &State, actions: &mut Vec<Action>) {
        let zoom = |step: f32| {
            Action::Settings(SettingsAction::Zoom(
                ((state.preferences.settings.zoom + step) / ZOOM_STEP).round() * ZOOM_STEP,
            ))
        };
        match self {
            Self::GoApplications => actions.push(NavigationAction::Show(Panel::Applications).into()),
            Self::GoExternal => actions.push(NavigationAction::Show(Panel::External).into()),
            Self::GoAssets | Self::NewText | Self::NewFromClipboard | Self::Welcome => {
                actions.push(NavigationAction::Show(Panel::Assets).into())
            }
            Self::GoLinks => actions.push(NavigationAction::Show(Panel::Links).into()),
            Self::GoOperations => actions.push(NavigationAction::Show(Panel::Operations).into()),
            Self::GoLog => actions.push(NavigationAction::Show(Panel::Log).into()),
            Self::GoHistory => actions.push(NavigationAction::Show(Panel::History).into()),
            Self::GoGraph => actions.push(NavigationAction::Show(Panel::Graph).into()),
            Self::ShowGraph => actions.extend(graph_of_asset(state)),
            Self::Trash => actions.push(TrashAction::Show(true).into()),
            Self::Back => actions.push(NavigationAction::Back.into()),
            Self::Forward => actions.push(NavigationAction::Forward.into()),
            Self::ImportFiles => actions.push(ImportAction::PickFiles.into()),
            Self::ImportFolder => actions.push(ImportAction::PickFolder.into()),
            Self::ImportPreview => actions.push(PreviewAction::ShowPage(Machine::here()).into()),
            Self::ImportSamples => actions.extend([
                Action::Navigation(NavigationAction::Show(Panel::Assets)),
                Action::Import(ImportAction::Samples),
            ]),
            Self::Undo => actions.push(HistoryAction::Undo.into()),
            Self::Redo => actions.push(HistoryAction::Redo.into()),
            Self::Refresh => actions.push(Action::Refresh(state.navigation.panel)),
            Self::ThemeSystem => actions.push(SettingsAction::Theme(Theme::System).into()),
            Self::ThemeLight => actions.push(SettingsAction::Theme(Theme::Light).into()),
            Self::ThemeDark => actions.push(SettingsAction::Theme(Theme::Dark).into()),
            Self::ZoomIn => actions.push(zoom(ZOOM_STEP)),
            Self::ZoomOut => actions.push(zoom(-ZOOM_STEP)),
            Self::ZoomReset => actions.push(SettingsAction::Zoom(1.0).into()),
            Self::ClearLog => actions.push(SessionAction::ClearLog.into()),
            Self::Rename
            | Self::EditAsset
            | Self::EditText
            | Self::Reclassify
            | Self::Tag
            | Self::Website
            | Self::Summary
            | Self::Score
            | Self::Export => actions.push(NavigationAction::Show(Panel::Assets).into()),
            Self::Favourite => actions.extend(toggle_favourite(state)),
            Self::CopyId => actions.push(Action::Notify("Copied the UUID".to_owned())),
            Self::Delete => actions.extend(
                [Action::Navigation(NavigationAction::Show(Panel::Assets))].into_iter().chain(delete_asset(state)),
            ),
            Self::NextAsset => {
                actions.extend(neighbour(state, 1).map(|value| Action::Assets(AssetsAction::Open(value))))
            }
            Self::PreviousAsset => {
                actions.extend(neighbour(state, -1).map(|value| Action::Assets(AssetsAction::Open(value))))
            }
            Self::CloseAsset => actions.push(AssetsAction::Close.into()),
            Self::Reconnect => actions.push(SessionAction::Reconnect.into()),
            Self::UseEmbedded => actions.push(SessionAction::Connect(Target::Embedded).into()),
            Self::Check => {
                actions.extend([Action::Navigation(NavigationAction::Show(Panel::Operations)), Action::Check(false)])
            }
            Self::BackUp => actions.push(EmbeddedAction::BackUp.into()),
            Self::AllowWrites => actions.push(SessionAction::SetWritePolicy(WritePolicy::Allow).into()),
            Self::ConfirmWrites => actions.push(SessionAction::SetWritePolicy(WritePolicy::Confirm).into()),
            Self::ReadOnlyWrites => actions.push(SessionAction::SetWritePolicy(WritePolicy::ReadOnly).into()),
            Self::Palette
            | Self::GoToId
            | Self::Find
            | Self::ExportMany
            | Self::Screenshot
            | Self::Quit
            | Self::Preferences
            | Self::Connection
            | Self::Restore
            | Self::Help
            | Self::About
            | Self::Messages => {}
        }
    }

    /// Returns what it asks of the window.
    fn ui_request(self, state: &State) -> Option<UiRequest> {
        Some(match self {
            Self::Palette => UiRequest::Palette,
            Self::GoToId => UiRequest::GoToId,
            Self::Find => UiRequest::Find,
            Self::NewText => UiRequest::NewText,
            Self::NewFromClipboard => UiRequest::Capture,
            Self::ExportMany => UiRequest::ExportMany,
            Self::Screenshot => UiRequest::Screenshot,
            Self::Quit => UiRequest::Quit,
            Self::Preferences => UiRequest::Preferences,
            Self::Connection => UiRequest::Connection,
            Self::Restore => UiRequest::Backups,
            Self::Help => UiRequest::Help,
            Self::About => UiRequest::About,
            Self::Messages => UiRequest::Messages,
            Self::Welcome => UiRequest::Welcome,
            Self::Rename => UiRequest::Asset(AssetRequest::Rename),
            Self::EditAsset => UiRequest::Asset(AssetRequest::Edit),
            Self::EditText => UiRequest::Asset(AssetRequest::EditText),
            Self::Reclassify => UiRequest::Asset(AssetRequest::Reclassify),
            Self::Score => UiRequest::Asset(AssetRequest::Score),
            Self::Export => UiRequest::Asset(AssetRequest::Export),
            Self::Tag => UiRequest::Asset(AssetRequest::Link(LinkKind::Tag)),
            Self::Website => UiRequest::Asset(AssetRequest::Link(LinkKind::Website)),
            Self::Summary => UiRequest::Asset(AssetRequest::Link(LinkKind::Summary)),
            Self::CopyId => UiRequest::Copy(state.pages.open.as_ref()?.to_string()),
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

fn graph_of_asset(state: &State) -> Option<Action> {
    let (id, page) = state.page()?;
    let name = page.record.value()?.view().name().filter(|name| !name.is_empty()).unwrap_or(id.as_str());
    Some(GraphAction::Start(vec![Start::asset(id.clone(), name)]).into())
}

fn delete_asset(state: &State) -> Option<Action> {
    let (id, page) = state.page()?;
    let name = page.record.value()?.view().name().filter(|name| !name.is_empty()).unwrap_or(id.as_str());
    Some(Action::Write(WriteAction::Change(Change::Delete { asset: id.clone(), name: name.to_owned(), made: None })))
}

/// Returns the asset `step` rows below the open one; the first or the last if none is open or it is not in the list.
fn neighbour(state: &State, step: isize) -> Option<AssetId> {
    let listing = &state.assets.list;
    let last = listing.order.len().checked_sub(1)?;
    let shows = |id: &AssetId| (0..=last).find(|place| listing.shown(*place).is_some_and(|row| row.is_of(id)));
    let open = state.pages.open.as_ref().and_then(shows);
    let place = match open {
        Some(place) => place.saturating_add_signed(step).min(last),
        None if step > 0 => 0,
        None => last,
    };
    (Some(place) != open).then(|| listing.shown(place).map(|row| row.id()))?
}
