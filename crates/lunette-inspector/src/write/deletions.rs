//! How the current connection restores deleted assets.

use crate::change::Recovery;
use crate::session::Connection;
use crate::session::support::Support;
use lunette_client::operation::Operation as _;
use lunette_client::operation::table::{AssetsCreateNewAsset, AssetsTrashRestore, AssetsTrashSnapshot};

impl Connection {
    /// How this connection restores deleted assets. The Trash is used once the service has shown it.
    pub fn recovery(&self) -> Recovery {
        let capabilities = &self.capabilities;
        let shown = capabilities.of(AssetsTrashSnapshot::INFO.name) == Support::Offered;
        if shown && self.offers(AssetsTrashRestore::INFO) {
            return Recovery::Trash;
        }
        match self.offers(AssetsCreateNewAsset::INFO) {
            true => Recovery::Copy,
            false => Recovery::None,
        }
    }
}
