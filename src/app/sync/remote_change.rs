//! The events of the sync tasks, and how they change the displayed state.
//!
//! What must hold: an answer that came too late, because the user reads or writes the thing, or the rows moved on, is
//! not shown but asked for again; taking one in costs the same however many changes it stands for.

use std::sync::Arc;

use crate::app::CallError;
use crate::app::change::{Item, LinkKind};
use crate::app::listing::RowList;
use crate::app::listing::rows::ApplicationRow;
use crate::app::sync::SyncStatus;
use crate::app::sync::rows::NewRows;
use lunette_client::model::activity::Activities;
use lunette_client::model::application::Application;
use lunette_client::model::asset::Asset;
use lunette_client::model::conversation::Conversations;
use lunette_client::model::id::AssetId;

/// A difference from the displayed state.
pub enum RemoteChange {
    /// How the window keeps up with the service.
    Standing(SyncStatus),
    /// The service no longer answers.
    Down,
    /// The service does not answer, or another one does, as it seems.
    Doubted,
    /// The open asset.
    Asset {
        /// Which.
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
    /// What assets can be linked to.
    Linkable(LinkKind, Arc<Vec<Item>>),
    /// The tracked applications.
    Applications(RowList<ApplicationRow>),
    /// The open application, by the id of its row.
    Application(String, Arc<Application>),
    /// Live updates stopped because of a bug in this program.
    Halted(CallError),
}
