//! What a user can ask of the list of assets, its search, and the pages of assets.

use crate::app::App;
use crate::app::assets::Selected;
use crate::app::change::LinkKind;
use crate::app::listing::Query;
use crate::app::listing::rows::AssetColumn;
use lunette_client::model::id::AssetId;

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

impl App {
    /// Carries out a request.
    pub(in crate::app) fn perform_assets(&mut self, action: Action) {
        match action {
            Action::Arrange(query) => self.arrange_assets(query),
            Action::Search(text) => self.search(text),
            Action::Open(id) => self.open_asset(id),
            Action::Select(selected) => self.state.assets.selected = selected,
            Action::Close => self.close_asset(),
            Action::Reload(id) => self.load_asset(&id),
            Action::LoadContent(id) => self.load_content(&id),
            Action::LoadMore(id) => self.load_more_content(&id),
            Action::LoadFormats(id) => self.load_formats(id),
            Action::LoadActivities(id) => self.load_activities(id),
            Action::LoadConversations(id) => self.load_conversations(id),
            Action::LoadLinkable(kind) => self.load_linkable(kind),
            Action::ForgetRecent(id) => {
                let key = self.state.connection.key();
                self.set(|settings| settings.forget(&key, id.as_str()));
            }
        }
    }
}
