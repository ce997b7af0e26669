//! What a user can ask of the list of assets, its search, and the pages of assets.

use super::Assets;
use crate::app::assets::Selected;
use crate::app::change::LinkKind;
use crate::app::context::Context;
use crate::app::listing::Query;
use crate::app::listing::rows::AssetColumn;
use lunette_client::model::asset::Asset;
use lunette_client::model::id::AssetId;
use std::sync::Arc;

/// One request of the user about the list of assets, its search, and the pages of assets.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Filters and sorts the assets.
    Arrange(Query<AssetColumn>),
    /// Has the service search; the search before is given up, and an empty text ends the search.
    Search(String),
    /// Looks at an asset.
    Open(AssetId),
    /// Tells which rows of the list of assets are selected now.
    Select(Selected),
    /// Reads the list.
    LoadList,
    /// Takes the record of an asset as a write left it: what was asked for before is older.
    Take(Arc<Asset>),
    /// An asset is gone: it is not offered any more.
    Forget(AssetId),
    /// Takes an asset out of the list.
    DropRow(AssetId),
    /// Reads the content that is shown without being asked for.
    LoadSmallContent(AssetId),
    /// Chooses whether that is done.
    SetTransferables(bool),
    /// Goes back to the list alone.
    Close,
    /// Reads an asset anew.
    Reload(AssetId),
    /// Reads an asset's content although it is large.
    LoadContent(AssetId),
    /// Loads more of a text of which the beginning is shown.
    LoadMore(AssetId),
    /// Reads an asset's formats.
    LoadFormats(AssetId),
    /// Reads an asset's activities.
    LoadActivities(AssetId),
    /// Reads an asset's conversations.
    LoadConversations(AssetId),
    /// Reads what assets can be linked to.
    LoadLinkable(LinkKind),
    /// Removes an asset from those opened lately.
    ForgetRecent(AssetId),
}

impl From<Action> for crate::app::Action {
    fn from(action: Action) -> Self {
        Self::Assets(action)
    }
}

impl Assets {
    /// Carries out a request.
    pub(in crate::app) fn perform(&mut self, action: Action, cx: &mut Context<'_>) {
        match action {
            Action::LoadList => self.load_assets(cx),
            Action::Take(asset) => self.take(asset, cx),
            Action::Forget(id) => self.forget_asset(&id, cx),
            Action::DropRow(id) => self.drop_row(&id, cx),
            Action::LoadSmallContent(id) => self.load_small_content(&id, cx),
            Action::SetTransferables(on) => self.set_transferables(on, cx),
            Action::Arrange(query) => self.arrange_assets(query, cx),
            Action::Search(text) => self.search(text, cx),
            Action::Open(id) => self.open_asset(id, cx),
            Action::Select(selected) => self.selected = selected,
            Action::Close => self.close_asset(cx),
            Action::Reload(id) => self.load_asset(&id, cx),
            Action::LoadContent(id) => self.load_content(&id, cx),
            Action::LoadMore(id) => self.load_more_content(&id, cx),
            Action::LoadFormats(id) => self.load_formats(id, cx),
            Action::LoadActivities(id) => self.load_activities(id, cx),
            Action::LoadConversations(id) => self.load_conversations(id, cx),
            Action::LoadLinkable(kind) => self.load_linkable(kind, cx),
            Action::ForgetRecent(id) => {
                let key = cx.connection.key();
                cx.set(|settings| settings.forget(&key, id.as_str()));
            }
        }
    }
}
