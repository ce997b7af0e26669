//! Where the window is, and how its locations are called.

use super::State;
use crate::assets::page::ShownPages;
use crate::navigation::history::Location;
use crate::panel::Panel;
use lunette_client::model::record::Record as _;

impl State {
    /// The current location.
    pub fn location(&self) -> Location {
        let panel = self.navigation.panel;
        if self.navigation.welcome {
            return Location { panel, welcome: true, ..Location::default() };
        }
        let pages = if panel == Panel::Assets { self.assets.pages.shown_pages() } else { ShownPages::default() };
        let application = self.applications.open.as_ref().filter(|_| panel == Panel::Applications);
        let external = self.applications.external_open.clone().filter(|_| panel == Panel::External);
        let application = application.map(|page| page.id.clone());
        let ShownPages { open: asset, other: beside, place } = pages;
        Location { panel, asset, beside, place, application, external, welcome: false }
    }

    /// The display name of a location.
    pub fn name_of(&self, location: &Location) -> String {
        if location.welcome {
            return "Welcome page".to_owned();
        }
        let asset = location.asset.as_ref().map(|id| {
            let page = self.assets.pages.of.get(id).and_then(|page| page.record.value());
            let name = page.and_then(|asset| asset.view().name());
            let recent = || self.recent().iter().find(|recent| recent.id == id.as_str()).map(|recent| &*recent.name);
            name.or_else(recent).filter(|name| !name.trim().is_empty()).unwrap_or(id.as_str()).to_owned()
        });
        let application = location.application.as_ref().map(|id| {
            let mut rows = self.applications.list.iter();
            rows.find(|row| row.id == *id).map_or(id, |row| &row.name).clone()
        });
        let external = location.external.as_ref().map(|external| external.name.clone());
        asset.or(application).or(external).unwrap_or_else(|| location.panel.name().to_owned())
    }
}
