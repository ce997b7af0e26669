//! Opens an asset beside another, and shows two pages again.

use crate::assets::Assets;
use crate::assets::page::{OtherPage, Place, ShownPages};
use crate::context::Context;
use crate::settings::OpenedAssets;
use lunette_client::model::id::AssetId;

impl Assets {
    /// Opens an asset in the other of two pages, which is added if there is one page. An asset that the active page shows
    /// moves there, and the active page shows again what it showed before.
    pub(in crate::assets) fn open_beside(&mut self, id: AssetId, cx: &mut Context<'_>) {
        let is_open = self.pages.open.as_ref() == Some(&id);
        if is_open {
            let Some(before) = self.pages.before(&id) else {
                return cx.show_hint("This is the only open asset: open another one beside it".to_owned());
            };
            self.pages.tabs.retain(|tab| *tab != id);
            if cx.preferences.settings.look.opened == OpenedAssets::Tabs && !self.pages.tabs.contains(&before) {
                self.pages.tabs.push(before.clone());
            }
            self.load_asset(&before, cx);
            self.pages.open = Some(before);
        }
        match self.pages.are_two() {
            true => self.pages.exchange(),
            false => self.pages.add_page(),
        }
        if is_open {
            // It was counted as a use when it was opened.
            self.pages.open = Some(id.clone());
        }
        self.open_asset(id, cx);
    }

    /// Makes the page at a place the active one: it has the keyboard.
    pub(in crate::assets) fn activate(&mut self, place: Place) {
        if place != self.pages.place {
            self.pages.exchange();
        }
        self.pages.attended.clone_from(&self.pages.open);
    }

    /// Shows these pages; the tabs of each place stay.
    pub(in crate::assets) fn show_pages(&mut self, shown: ShownPages, cx: &mut Context<'_>) {
        let ShownPages { open, other, place } = shown;
        let Some(open) = open else {
            self.pages.other = None;
            return self.close_asset();
        };
        if place != self.pages.place {
            self.pages.exchange();
        }
        let other = other.filter(|other| *other != open);
        let tabs = self.pages.other.take().map(|other| other.tabs).unwrap_or_default();
        self.pages.place = if other.is_some() { place } else { Place::First };
        if let Some(asset) = other {
            self.load_asset(&asset, cx);
            self.pages.tabs.retain(|tab| *tab != asset);
            let mut tabs: Vec<AssetId> = tabs.into_iter().filter(|tab| *tab != open).collect();
            if cx.preferences.settings.look.opened == OpenedAssets::Tabs && !tabs.contains(&asset) {
                tabs.push(asset.clone());
            }
            self.pages.other = Some(OtherPage { asset, tabs, attended: None });
        }
        if self.pages.open.as_ref() != Some(&open) {
            self.open_asset(open, cx);
        }
    }
}
