//! The actions of assets: their list, its search, and their pages.

use super::Assets;
use crate::assets::page::{Place, ShownPages};
use crate::assets::pictures::PictureOf;
use crate::assets::{Selected, SelectedRows};
use crate::change::LinkKind;
use crate::context::Context;
use crate::settings::Recent;
use lunette_client::model::asset::Asset;
use lunette_client::model::id::AssetId;
use std::sync::Arc;

/// An action of assets: their list, its search, and their pages.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Starts a search of the service and cancels the previous one; an empty text ends the search.
    Search(String),
    /// Starts a search of the service for the palette and cancels the previous one; an empty text ends the search.
    SearchForPalette(String),
    /// Opens an asset in the active page, or shows the page that it is open in.
    Open(AssetId),
    /// Opens an asset in the other of two pages.
    OpenBeside(AssetId),
    /// Makes the page at a place the active one.
    Activate(Place),
    /// Shows these pages.
    ShowPages(ShownPages),
    /// Sets the selected rows of the list of assets.
    Select(Selected),
    /// Sums up the selected assets, or none.
    SumUp(SelectedRows),
    /// Loads the list.
    LoadList,
    /// Shows the record in the response to a write: responses to earlier reads are older.
    Take(Arc<Asset>),
    /// Removes a deleted asset from the recent ones and from the navigation.
    Forget(AssetId),
    /// Removes an asset from the list.
    DropRow(AssetId),
    /// Removes the page of a deleted asset.
    DropPage(AssetId),
    /// Shows a text that was saved as the content of an asset.
    TakeText(AssetId, String),
    /// Loads the content that is shown without a request of the user.
    LoadSmallContent(AssetId),
    /// Counts a use of an asset: it was copied or exported.
    CountUse(AssetId),
    /// Shows an asset without opening it, or none any more.
    Peek(Option<AssetId>),
    /// Closes the active page; the other one stays.
    Close,
    /// Closes the tab of an asset in the active page; if that is open, the next tab is opened.
    CloseTab(AssetId),
    /// Reloads an asset.
    Reload(AssetId),
    /// Loads an asset's content although it is large.
    LoadContent(AssetId),
    /// Loads more of a text that is shown in part.
    LoadMore(AssetId),
    /// Loads an asset's formats.
    LoadFormats(AssetId),
    /// Loads an asset's activities.
    LoadActivities(AssetId),
    /// Loads an asset's conversations.
    LoadConversations(AssetId),
    /// Looks for what is related to an asset.
    LoadRelated(AssetId),
    /// Asks for the near duplicates again.
    LoadNearDuplicates,
    /// Loads the items that assets can be linked to.
    LoadLinkable(LinkKind),
    /// Loads pictures of assets, unless they are known.
    LoadPictures(Vec<PictureOf>),
    /// Loads the thumbnails that are in sight, and no others.
    ShowThumbnails(Vec<PictureOf>),
    /// Pins an asset above the recent ones, or no longer.
    PinRecent(Recent),
    /// Removes an asset from the recent ones.
    ForgetRecent(AssetId),
}

impl From<Action> for crate::Action {
    fn from(action: Action) -> Self {
        Self::Assets(action)
    }
}

impl Assets {
    /// Performs an action.
    pub(crate) fn perform(&mut self, action: Action, cx: &mut Context<'_>) {
        match action {
            Action::LoadList => self.load_assets(cx),
            Action::Take(asset) => self.take(asset, cx),
            Action::Forget(id) => self.forget_asset(&id, cx),
            Action::DropRow(id) => self.drop_row(&id, cx),
            Action::DropPage(id) => self.pages.remove(&id),
            Action::TakeText(id, text) => self.take_text(&id, &text),
            Action::LoadSmallContent(id) => self.load_small_content(&id, cx),
            Action::Search(text) => self.search(text, cx),
            Action::SearchForPalette(text) => self.search_for_palette(text, cx),
            Action::Open(id) => self.open_asset(id, cx),
            Action::OpenBeside(id) => self.open_beside(id, cx),
            Action::Activate(place) => self.activate(place),
            Action::ShowPages(shown) => self.show_pages(shown, cx),
            Action::Select(selected) => self.selected = selected,
            Action::SumUp(selected) => self.sum_up(selected, cx),
            Action::CountUse(id) => self.count_use(&id, cx),
            Action::Peek(id) => self.peek(id, cx),
            Action::Close => self.close_asset(),
            Action::CloseTab(id) => self.close_tab(&id, cx),
            Action::Reload(id) => self.load_asset(&id, cx),
            Action::LoadContent(id) => self.load_content(&id, cx),
            Action::LoadMore(id) => self.load_more_content(&id, cx),
            Action::LoadFormats(id) => self.load_formats(id, cx),
            Action::LoadActivities(id) => self.load_activities(id, cx),
            Action::LoadConversations(id) => self.load_conversations(id, cx),
            Action::LoadRelated(id) => self.load_related(id, cx),
            Action::LoadNearDuplicates => self.load_near_duplicates(cx),
            Action::LoadLinkable(kind) => self.load_linkable(kind, cx),
            Action::LoadPictures(wanted) => self.load_pictures(wanted, cx),
            Action::ShowThumbnails(in_sight) => self.show_thumbnails(in_sight, cx),
            Action::PinRecent(recent) => {
                let key = cx.connection.key();
                cx.set(|settings| settings.pin(&key, recent));
            }
            Action::ForgetRecent(id) => {
                let key = cx.connection.key();
                cx.set(|settings| settings.forget(&key, id.as_str()));
            }
        }
    }
}
