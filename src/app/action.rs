//! What a user can ask of the window. Panels push these; [`crate::app::App::perform`] carries them out.

use std::path::PathBuf;

use crate::app::change::{Change, LinkKind};
use crate::app::listing::Query;
use crate::app::rows::{ApplicationColumn, AssetColumn, ExternalColumn};
use crate::app::settings::Theme;
use crate::app::state::{Panel, Target};
use crate::app::tasks::TaskId;
use crate::model::export::ExportType;
use crate::model::id::AssetId;
use crate::operation::Call;

/// One wish of the user.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Brings a panel to the front.
    Show(Panel),
    /// Talks to another service from now on.
    Connect(Target),
    /// Tries the same service again.
    Reconnect,
    /// Looks for services on this machine.
    Discover,
    /// Reads a panel's lists anew.
    Refresh(Panel),
    /// Looks at an application, by the id of its row.
    OpenApplication(String),
    /// Registers an external application, by the place of its row.
    Track {
        /// Its name.
        name: String,
        /// Its version, if known.
        version: String,
        /// The interface's word for it, if there is one.
        identifier: Option<String>,
    },
    /// Filters and sorts the applications.
    ArrangeApplications(Query<ApplicationColumn>),
    /// Filters and sorts the external applications.
    ArrangeExternal(Query<ExternalColumn>),
    /// Filters and sorts the assets.
    ArrangeAssets(Query<AssetColumn>),
    /// Lets the service search the content of assets; an empty text ends the search.
    Search(String),
    /// Looks at an asset.
    OpenAsset(AssetId),
    /// Goes back to the list alone.
    CloseAsset,
    /// Reads an asset anew.
    RefreshAsset(AssetId),
    /// Reads an asset's content although it is large.
    LoadContent(AssetId),
    /// Reads an asset's formats.
    LoadFormats(AssetId),
    /// Reads an asset's activities.
    LoadActivities(AssetId),
    /// Reads an asset's conversations.
    LoadConversations(AssetId),
    /// Reads what assets can be linked to.
    LoadLinkable(LinkKind),
    /// Chooses whether content is fetched with an asset.
    Transferables(bool),
    /// Writes.
    Change(Change),
    /// Takes the last write back.
    Undo,
    /// Forgets why a write to an asset failed.
    DismissRefusal(AssetId),
    /// Makes an asset from text.
    Create {
        /// Its name.
        name: String,
        /// Its text.
        text: String,
    },
    /// Sends any operation.
    Send(Box<Call>),
    /// Imports files and folders.
    Import(Vec<PathBuf>),
    /// Lets the user pick files to import.
    PickFiles,
    /// Lets the user pick a folder to import.
    PickFolder,
    /// Imports the samples.
    ImportSamples,
    /// Exports an asset, to look at.
    Export(AssetId, ExportType),
    /// Saves the export that is looked at, where the user says.
    SaveExport(AssetId),
    /// Saves the content that is looked at, where the user says.
    SaveContent(AssetId),
    /// Ends work under way.
    Cancel(TaskId),
    /// Puts a notice away.
    Dismiss(u64),
    /// Puts the report of the last import away.
    DismissImport,
    /// Says something to the user, after a copy for example.
    Say(String),
    /// Empties the log.
    ClearLog,
    /// Chooses the theme.
    Theme(Theme),
    /// Draws everything this much larger.
    Zoom(f32),
    /// Keeps how a list is laid out, under its name.
    Layout(String, serde_json::Value),
}
