//! Two pages beside each other: what each shows, which of them is the active one, and where it is.
//!
//! What must hold: an asset is shown in one page at a time and has one tab; there is a second page only beside a first one.

use super::OpenAssets;
use crate::assets::page::AssetPage;
use lunette_client::model::id::AssetId;

/// Where a page is. A page that is alone is the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// Beside the list.
    #[default]
    First,
    /// At the right of the first one.
    Second,
}

impl Place {
    /// Both, from left to right.
    pub const ALL: [Self; 2] = [Self::First, Self::Second];

    /// The other place.
    pub fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }
}

/// The one of two pages that is not active.
#[derive(Clone, Debug, PartialEq)]
pub struct OtherPage {
    /// The asset that it shows.
    pub asset: AssetId,
    /// The assets in its tabs, in their order.
    pub tabs: Vec<AssetId>,
    /// The asset that it showed when it had the keyboard last.
    pub(in crate::assets) attended: Option<AssetId>,
}

/// Which assets are shown, and where.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShownPages {
    /// The asset of the active page.
    pub open: Option<AssetId>,
    /// The asset of the other page, if there are two.
    pub other: Option<AssetId>,
    /// Where the active page is.
    pub place: Place,
}

impl OpenAssets {
    /// Returns whether two pages are open.
    pub fn are_two(&self) -> bool {
        self.other.is_some()
    }

    /// Returns the asset that the page at a place shows.
    pub fn at(&self, place: Place) -> Option<&AssetId> {
        if place == self.place { self.open.as_ref() } else { self.other.as_ref().map(|other| &other.asset) }
    }

    /// Returns the assets in the tabs of the page at a place.
    pub fn tabs_at(&self, place: Place) -> &[AssetId] {
        if place == self.place { &self.tabs } else { self.other.as_ref().map_or(&[], |other| &other.tabs) }
    }

    /// Returns the shown assets with their pages, from left to right.
    pub fn shown(&self) -> impl Iterator<Item = (&AssetId, &AssetPage)> {
        Place::ALL.into_iter().filter_map(|place| self.of.get_key_value(self.at(place)?))
    }

    /// Returns the ids of the shown assets, from left to right.
    pub(crate) fn shown_ids(&self) -> Vec<AssetId> {
        Place::ALL.into_iter().filter_map(|place| self.at(place).cloned()).collect()
    }

    /// Returns whether a page shows this asset.
    pub fn is_shown(&self, id: &AssetId) -> bool {
        self.open.as_ref() == Some(id) || self.is_beside(id)
    }

    /// Returns whether the page that is not active shows this asset.
    pub fn is_beside(&self, id: &AssetId) -> bool {
        self.other.as_ref().is_some_and(|other| other.asset == *id)
    }

    /// Returns which assets are shown, and where.
    pub fn shown_pages(&self) -> ShownPages {
        let other = self.other.as_ref().map(|other| other.asset.clone());
        ShownPages { open: self.open.clone(), other, place: self.place }
    }

    /// Makes the other page the active one, if there is one.
    pub(in crate::assets) fn exchange(&mut self) {
        let (Some(other), Some(open)) = (self.other.take(), self.open.take()) else { return };
        let tabs = std::mem::replace(&mut self.tabs, other.tabs);
        let attended = std::mem::replace(&mut self.attended, other.attended);
        self.other = Some(OtherPage { asset: open, tabs, attended });
        self.open = Some(other.asset);
        self.place = self.place.other();
    }

    /// Closes the active page; the other one, if there is one, is then active and alone.
    pub(in crate::assets) fn close(&mut self) {
        self.place = Place::First;
        match self.other.take() {
            Some(OtherPage { asset, tabs, attended }) => {
                (self.open, self.tabs, self.attended) = (Some(asset), tabs, attended);
            }
            None => (self.open, self.attended) = (None, None),
        }
    }

    /// Closes the page of a deleted asset, and removes its tab.
    pub(super) fn remove_shown(&mut self, id: &AssetId) {
        if self.open.as_ref() == Some(id) {
            return self.close();
        }
        if self.is_beside(id) {
            (self.other, self.place) = (None, Place::First);
        }
        self.remove_tab_beside(id);
    }

    /// Removes the tab of an asset from the page that is not active.
    pub(super) fn remove_tab_beside(&mut self, id: &AssetId) {
        if let Some(other) = &mut self.other {
            other.tabs.retain(|tab| tab != id);
        }
    }

    /// Returns what the active page showed before it showed this asset: what it had when it had the keyboard, or else what
    /// was opened last.
    pub(in crate::assets) fn before(&self, id: &AssetId) -> Option<AssetId> {
        let is_there = |known: &&AssetId| self.of.get(*known).is_some_and(|page| !page.gone);
        let mut known = self.attended.iter().chain(self.opened.iter().rev());
        known.find(|known| *known != id && !self.is_beside(known) && is_there(known)).cloned()
    }

    /// Adds a second page, which is active and shows nothing yet.
    pub(in crate::assets) fn add_page(&mut self) {
        let Some(asset) = self.open.take() else { return };
        let (tabs, attended) = (std::mem::take(&mut self.tabs), self.attended.take());
        self.other = Some(OtherPage { asset, tabs, attended });
        self.place = Place::Second;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::listing::rows::AssetRow;

    fn id(number: usize) -> AssetId {
        AssetRow::sample(number).id()
    }

    fn two() -> OpenAssets {
        let other = OtherPage { asset: id(2), tabs: vec![id(2), id(3)], attended: None };
        OpenAssets { open: Some(id(1)), tabs: vec![id(1)], other: Some(other), ..OpenAssets::default() }
    }

    #[test]
    fn the_pages_stay_where_they_are_when_the_other_one_becomes_active() {
        let mut pages = two();
        pages.exchange();
        assert_eq!((pages.open.clone(), pages.place), (Some(id(2)), Place::Second));
        assert_eq!(Place::ALL.map(|place| pages.at(place).cloned()), [Some(id(1)), Some(id(2))]);
        assert_eq!(Place::ALL.map(|place| pages.tabs_at(place).len()), [1, 2]);
        pages.exchange();
        assert_eq!(pages, two());
    }

    #[test]
    fn the_page_that_is_left_is_alone_whichever_is_closed() {
        for exchanged in [false, true] {
            let mut pages = two();
            if exchanged {
                pages.exchange();
            }
            let left = pages.other.as_ref().map(|other| other.asset.clone());
            pages.close();
            assert_eq!((pages.open.clone(), pages.place, pages.are_two()), (left, Place::First, false));
            pages.close();
            assert_eq!(pages.open, None);
        }
    }

    #[test]
    fn a_deleted_asset_leaves_either_page_and_its_tab() {
        let mut pages = two();
        pages.remove(&id(3));
        assert_eq!(pages.tabs_at(Place::Second), [id(2)]);
        pages.remove(&id(2));
        assert_eq!((pages.open.clone(), pages.are_two()), (Some(id(1)), false));
        let mut pages = two();
        pages.remove(&id(1));
        assert_eq!((pages.open, pages.place), (Some(id(2)), Place::First));
    }
}
