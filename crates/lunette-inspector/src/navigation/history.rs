//! The history of visited locations, for back and forward.
//!
//! What must hold: each step leads to another location; deleted assets are skipped; a location that was left before it
//! was loaded is not recorded, so that moving through a list adds only its last row.

use crate::action::ApplicationsAction;
use crate::action::AssetsAction;
use crate::assets::page::{OpenAssets, Place, ShownPages};
use crate::context::Context;
use crate::event::Event;
use crate::listing::rows::ExternalKey;
use crate::navigation::Navigation;
use crate::panel::Panel;
use lunette_client::model::id::AssetId;

/// How many locations are kept; the oldest are dropped.
const KEPT: usize = 100;

/// A location: a panel, and the page that is open in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Location {
    /// The panel.
    pub panel: Panel,
    /// The asset of the active page, in the panel of assets.
    pub asset: Option<AssetId>,
    /// The asset of the other page, if two are open there.
    pub beside: Option<AssetId>,
    /// Where the active page is.
    pub place: Place,
    /// The application, in the panel of applications, by the id of its row.
    pub application: Option<String>,
    /// The external application, in the panel of those.
    pub external: Option<ExternalKey>,
    /// Whether it is the welcome page, which covers the panel of assets.
    pub welcome: bool,
}

impl Location {
    /// Whether both are the same, whichever of two pages is active.
    fn is_like(&self, other: &Self) -> bool {
        let exchanged = || Self {
            asset: other.beside.clone(),
            beside: other.asset.clone(),
            place: other.place.other(),
            ..other.clone()
        };
        self == other || other.beside.is_some() && *self == exchanged()
    }
}

/// The visited locations, oldest first, and the index of the current one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NavigationHistory {
    locations: Vec<Location>,
    at: usize,
    /// Deleted assets.
    gone: Vec<AssetId>,
}

impl NavigationHistory {
    /// The asset of the current location.
    pub(crate) fn current_asset(&self) -> Option<&AssetId> {
        self.locations.get(self.at)?.asset.as_ref()
    }

    /// The target of back, if there is one.
    pub fn back(&self) -> Option<&Location> {
        self.before().map(|location| &self.locations[location])
    }

    /// The target of forward, if there is one.
    pub fn forward(&self) -> Option<&Location> {
        self.after().map(|location| &self.locations[location])
    }

    pub(super) fn before(&self) -> Option<usize> {
        let here = self.locations.get(self.at)?;
        (0..self.at).rev().find(|location| self.leads(*location, here))
    }

    pub(super) fn after(&self) -> Option<usize> {
        let here = self.locations.get(self.at)?;
        (self.at + 1..self.locations.len()).find(|location| self.leads(*location, here))
    }

    /// Whether a location differs from the current one and still exists.
    fn leads(&self, location: usize, here: &Location) -> bool {
        let location = &self.locations[location];
        !location.is_like(here) && location.asset.as_ref().is_none_or(|asset| !self.gone.contains(asset))
    }

    /// Records the current location; `passed` says that nothing of the previous one was loaded.
    pub(crate) fn record(&mut self, here: Location, passed: bool) {
        if let Some(now) = self.locations.get_mut(self.at).filter(|now| now.is_like(&here)) {
            *now = here;
            return;
        }
        self.locations.truncate(self.at + 1);
        if passed {
            self.locations.pop();
        }
        if self.locations.last() != Some(&here) {
            self.locations.push(here);
        }
        let surplus = self.locations.len().saturating_sub(KEPT);
        self.locations.drain(..surplus);
        self.at = self.locations.len() - 1;
    }

    pub(crate) fn lose(&mut self, asset: &AssetId) {
        if !self.gone.contains(asset) {
            self.gone.push(asset.clone());
        }
    }

    pub(crate) fn find(&mut self, asset: &AssetId) {
        self.gone.retain(|known| known != asset);
    }
}

impl Navigation {
    /// Shows a panel; what covered it is closed.
    pub(crate) fn show(&mut self, panel: Panel, cx: &mut Context<'_>) {
        (self.panel, self.welcome) = (panel, false);
        cx.set(|settings| settings.panel = panel);
        cx.see(|view| view.panel = panel);
        cx.emit(Event::Shown(panel));
    }

    /// Shows the welcome page in place of the assets.
    pub(super) fn show_welcome(&mut self, cx: &mut Context<'_>) {
        self.show(Panel::Assets, cx);
        self.welcome = true;
    }

    /// Shows a location of the history.
    pub(super) fn visit(&mut self, location: Option<usize>, pages: &OpenAssets, cx: &mut Context<'_>) {
        let Some(at) = location else { return };
        let Some(location) = self.visits.locations.get(at).cloned() else { return };
        self.visits.at = at;
        if location.welcome {
            return self.show_welcome(cx);
        }
        self.show(location.panel, cx);
        match location.panel {
            Panel::Assets => {
                let Location { asset: open, beside, place, .. } = location;
                let other = beside.filter(|beside| !self.visits.gone.contains(beside));
                let shown = ShownPages { open, place: if other.is_some() { place } else { Place::First }, other };
                if shown != pages.shown_pages() {
                    cx.request(AssetsAction::ShowPages(shown));
                }
            }
            Panel::Applications => cx.request(ApplicationsAction::Visit(location.application)),
            Panel::External => cx.request(ApplicationsAction::OpenExternal(location.external)),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn panel(panel: Panel) -> Location {
        Location { panel, ..Location::default() }
    }

    fn asset(number: u8) -> Location {
        let id = format!("00000000-0000-4000-8000-{number:012}").parse().expect("an id");
        Location { panel: Panel::Assets, asset: Some(id), ..Location::default() }
    }

    fn visited(locations: &[Location]) -> NavigationHistory {
        let mut visits = NavigationHistory::default();
        locations.iter().for_each(|location| visits.record(location.clone(), false));
        visits
    }

    #[test]
    fn back_leads_to_the_previous_location_and_forward_returns() {
        let mut visits = visited(&[panel(Panel::Log), asset(1), asset(2)]);
        assert_eq!(visits.back(), Some(&asset(1)));
        assert_eq!(visits.forward(), None);
        visits.at = 1;
        assert_eq!(visits.forward(), Some(&asset(2)));
        visits.record(asset(3), false);
        assert_eq!((visits.back(), visits.forward()), (Some(&asset(1)), None));
    }

    #[test]
    fn deleted_assets_are_skipped() {
        let mut visits = visited(&[panel(Panel::Log), asset(1), asset(2)]);
        visits.lose(&asset(1).asset.expect("an asset"));
        assert_eq!(visits.back(), Some(&panel(Panel::Log)));
        visits.find(&asset(1).asset.expect("an asset"));
        assert_eq!(visits.back(), Some(&asset(1)));
    }

    #[test]
    fn skipping_deleted_assets_never_leads_to_the_current_location() {
        let mut visits = visited(&[asset(2), asset(1), asset(2)]);
        visits.lose(&asset(1).asset.expect("an asset"));
        assert_eq!(visits.back(), None);
    }

    #[test]
    fn a_location_left_while_it_loads_is_not_recorded() {
        let mut visits = visited(&[panel(Panel::Log), asset(1)]);
        visits.record(asset(2), true);
        assert_eq!(visits.back(), Some(&panel(Panel::Log)));
    }

    #[test]
    fn the_oldest_are_evicted() {
        let locations: Vec<Location> = (0..=250).map(asset).collect();
        let visits = visited(&locations);
        assert_eq!((visits.locations.len(), visits.at), (KEPT, KEPT - 1));
    }
}
