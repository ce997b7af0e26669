//! What a command does: what it asks of the inspector, and what it asks of the window itself.

use super::Command;
use crate::app::change::{Change, Edit, Field, LinkKind};
use crate::app::settings::Theme;
use crate::app::state::{Panel, Target};
use crate::app::{Action, State, WritePolicy};
use crate::ui::panels::assets::SelectionTool;
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;

/// How much one step of the zoom is.
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
    /// Shows the first page.
    Welcome,
    /// Opens the list of what was said.
    Messages,
    /// Opens the form for a new asset.
    NewText,
    /// Puts the cursor into the filter of the list in front.
    Find,
    /// Opens the dialog for the UUID of an asset.
    GoToId,
    /// Opens a form on the page of the open asset.
    Asset(AssetRequest),
    /// Acts on the assets that are selected in the list.
    Selected(SelectionTool),
    /// Copies a text.
    Copy(String),
    /// Saves what the window shows.
    Screenshot,
    /// Closes the window.
    Quit,
}

/// What is wanted of the page of the open asset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::ui) enum AssetRequest {
    /// Its name is to be typed over.
    Rename,
    /// The field that finds words in its text.
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
    /// What it can be linked to.
    Link(LinkKind),
}

impl Command {
    /// Does it: gives what it asks of the window, and pushes what it asks of the inspector. What cannot be done now is
    /// said instead.
    pub(in crate::ui) fn run(self, state: &State, actions: &mut Vec<Action>) -> Option<UiRequest> {
        if let Some(disabled_reason) = self.disabled_reason(state) {
            // Undo and Redo know better what stands in their way.
            match self {
                Self::Undo => actions.push(Action::Undo),
                Self::Redo => actions.push(Action::Redo),
                _ => actions.push(Action::Say(format!("{}: {}", self.title(), disabled_reason.sentence))),
            }
            return None;
        }
        if let Some(tool) = self.for_selected(state) {
            actions.push(Action::Show(Panel::Assets));
            return Some(UiRequest::Selected(tool));
        }
        self.push_actions(state, actions);
        self.ui_request(state)
    }

    /// What it asks of the inspector.
    fn push_actions(self, state: &State, actions: &mut Vec<Action>) {
        let zoom = |step: f32| Action::Zoom(((state.settings.zoom + step) / ZOOM_STEP).round() * ZOOM_STEP);
        match self {
            Self::GoApplications => actions.push(Action::Show(Panel::Applications)),
            Self::GoExternal => actions.push(Action::Show(Panel::External)),
            Self::GoAssets | Self::NewText | Self::Welcome => actions.push(Action::Show(Panel::Assets)),
            Self::GoOperations => actions.push(Action::Show(Panel::Operations)),
            Self::GoLog => actions.push(Action::Show(Panel::Log)),
            Self::GoHistory => actions.push(Action::Show(Panel::History)),
            Self::Trash => actions.push(Action::ShowTrash(true)),
            Self::Back => actions.push(Action::GoBack),
            Self::Forward => actions.push(Action::GoForward),
            Self::ImportFiles => actions.push(Action::PickFiles),
            Self::ImportFolder => actions.push(Action::PickFolder),
            Self::ImportSamples => actions.extend([Action::Show(Panel::Assets), Action::ImportSamples]),
            Self::Undo => actions.push(Action::Undo),
            Self::Redo => actions.push(Action::Redo),
            Self::Refresh => actions.push(Action::Refresh(state.panel)),
            Self::ThemeSystem => actions.push(Action::Theme(Theme::System)),
            Self::ThemeLight => actions.push(Action::Theme(Theme::Light)),
            Self::ThemeDark => actions.push(Action::Theme(Theme::Dark)),
            Self::ZoomIn => actions.push(zoom(ZOOM_STEP)),
            Self::ZoomOut => actions.push(zoom(-ZOOM_STEP)),
            Self::ZoomReset => actions.push(Action::Zoom(1.0)),
            Self::ClearLog => actions.push(Action::ClearLog),
            Self::Rename
            | Self::EditAsset
            | Self::EditText
            | Self::Reclassify
            | Self::Tag
            | Self::Website
            | Self::Summary
            | Self::Score
            | Self::Export => actions.push(Action::Show(Panel::Assets)),
            Self::Favourite => actions.extend(toggle_favourite(state)),
            Self::CopyId => actions.push(Action::Say("Copied the UUID".to_owned())),
            Self::Delete => actions.extend([Action::Show(Panel::Assets)].into_iter().chain(delete_asset(state))),
            Self::NextAsset => actions.extend(neighbour(state, 1).map(Action::OpenAsset)),
            Self::PreviousAsset => actions.extend(neighbour(state, -1).map(Action::OpenAsset)),
            Self::CloseAsset => actions.push(Action::CloseAsset),
            Self::Reconnect => actions.push(Action::Reconnect),
            Self::UseEmbedded => actions.push(Action::Connect(Target::Embedded)),
            Self::Check => actions.extend([Action::Show(Panel::Operations), Action::Check(false)]),
            Self::BackUp => actions.push(Action::BackUp),
            Self::AllowWrites => actions.push(Action::SetWritePolicy(WritePolicy::Allow)),
            Self::ConfirmWrites => actions.push(Action::SetWritePolicy(WritePolicy::Confirm)),
            Self::ReadOnlyWrites => actions.push(Action::SetWritePolicy(WritePolicy::ReadOnly)),
            Self::Palette
            | Self::GoToId
            | Self::Find
            | Self::Screenshot
            | Self::Quit
            | Self::Preferences
            | Self::Connection
            | Self::Restore
            | Self::Help
            | Self::Messages => {}
        }
    }

    /// What it asks of the window.
    fn ui_request(self, state: &State) -> Option<UiRequest> {
        Some(match self {
            Self::Palette => UiRequest::Palette,
            Self::GoToId => UiRequest::GoToId,
            Self::Find => UiRequest::Find,
            Self::NewText => UiRequest::NewText,
            Self::Screenshot => UiRequest::Screenshot,
            Self::Quit => UiRequest::Quit,
            Self::Preferences => UiRequest::Preferences,
            Self::Connection => UiRequest::Connection,
            Self::Restore => UiRequest::Backups,
            Self::Help => UiRequest::Help,
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
            Self::CopyId => UiRequest::Copy(state.asset.as_ref()?.to_string()),
            _ => return None,
        })
    }
}

/// The other way round of whether the open asset is a favourite.
fn toggle_favourite(state: &State) -> Option<Action> {
    let (id, page) = state.page()?;
    let on = page.record.value()?.view().favorited().unwrap_or_default();
    let edit = Edit { field: Field::Favorited, from: Some(on.into()), to: (!on).into() };
    Some(Action::Change(Change::Edit { asset: id.clone(), edits: vec![edit] }))
}

fn delete_asset(state: &State) -> Option<Action> {
    let (id, page) = state.page()?;
    let name = page.record.value()?.view().name().filter(|name| !name.is_empty()).unwrap_or(id.as_str());
    Some(Action::Change(Change::Delete { asset: id.clone(), name: name.to_owned(), made: None }))
}

/// The asset so many rows below the open one; the first or the last where none is open or it is not in the list.
fn neighbour(state: &State, step: isize) -> Option<AssetId> {
    let listing = &state.assets;
    let last = listing.order.len().checked_sub(1)?;
    let is_open = |place: &usize| listing.shown(*place).map(|row| &row.id) == state.asset.as_ref();
    let open = state.asset.as_ref().and_then(|_| (0..=last).find(is_open));
    let place = match open {
        Some(place) => place.saturating_add_signed(step).min(last),
        None if step > 0 => 0,
        None => last,
    };
    (Some(place) != open).then(|| listing.shown(place).map(|row| row.id.clone()))?
}
