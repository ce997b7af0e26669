//! What the tasks beside the window tell it, and what that changes on screen.
//!
//! What must hold: an answer that came too late, because the user reads or writes the thing, or the rows moved on, is
//! not shown but asked for again; taking one in costs the same however many changes it stands for.

use std::sync::Arc;

use crate::app::CallError;
use crate::app::change::{Item, LinkKind};
use crate::app::listing::rows::ApplicationRow;
use crate::app::sync::SyncStatus;
use crate::app::sync::rows::NewRows;
use lunette_client::model::activity::Activities;
use lunette_client::model::application::Application;
use lunette_client::model::asset::Asset;
use lunette_client::model::conversation::Conversations;
use lunette_client::model::id::AssetId;

/// Something that differs from what the window shows.
pub enum RemoteChange {
    /// How the window keeps up with the service.
    Standing(SyncStatus),
    /// The service no longer answers.
    Down,
    /// The service does not answer, or another one does, as it seems.
    Doubted,
    /// The asset looked at.
    Asset {
        /// Which.
        id: AssetId,
        /// Its record.
        record: Arc<Asset>,
        /// Whether more than what moves by itself differs from what is shown.
        edited: bool,
    },
    /// The asset looked at is there no more.
    Gone(AssetId),
    /// What happened to the asset looked at.
    Activities(AssetId, Arc<Activities>),
    /// Where the asset looked at was talked about.
    Conversations(AssetId, Arc<Conversations>),
    /// The rows of the list of assets.
    Rows(Box<NewRows>),
    /// What assets can be linked to.
    Linkable(LinkKind, Arc<Vec<Item>>),
    /// The tracked applications.
    Applications(Arc<Vec<Arc<ApplicationRow>>>),
    /// The application looked at, by the id of its row.
    Application(String, Arc<Application>),
    /// Nothing is kept up with any more; a fault of this program.
    Halted(CallError),
}
