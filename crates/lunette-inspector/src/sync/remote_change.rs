//! The events of the sync tasks, and how they change the displayed state.
//!
//! What must hold: a response that is outdated, because the user reads or writes the item or the rows changed, is not
//! shown but requested again; applying a response takes the same time for any number of changes.

use std::sync::Arc;

use crate::CallError;
use crate::change::{Item, LinkKind};
use crate::listing::RowList;
use crate::listing::rows::ApplicationRow;
use crate::sync::SyncStatus;
use crate::sync::rows::NewRows;
use lunette_client::model::activity::Activities;
use lunette_client::model::application::Application;
use lunette_client::model::asset::Asset;
use lunette_client::model::conversation::Conversations;
use lunette_client::model::id::AssetId;

/// A difference from the displayed state.
pub enum RemoteChange {
    /// The sync status.
    Status(SyncStatus),
    /// The service no longer responds.
    Down,
    /// The service does not seem to respond, or another one does.
    Doubted,
    /// The open asset.
    Asset {
        /// Its id.
        id: AssetId,
        /// Its record.
        record: Arc<Asset>,
        /// Whether more than volatile fields differs from the displayed state.
        edited: bool,
    },
    /// The open asset was deleted.
    Gone(AssetId),
    /// The activities of the open asset.
    Activities(AssetId, Arc<Activities>),
    /// The conversations about the open asset.
    Conversations(AssetId, Arc<Conversations>),
    /// The rows of the list of assets.
    Rows(Box<NewRows>),
    /// The items that assets can be linked to.
    Linkable(LinkKind, Arc<Vec<Item>>),
    /// The tracked applications.
    Applications(RowList<ApplicationRow>),
    /// The open application, by the id of its row.
    Application(String, Arc<Application>),
    /// Live updates stopped because of a bug in this program.
    Halted(CallError),
}
