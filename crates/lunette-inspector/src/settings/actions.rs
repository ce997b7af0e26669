//! The actions of settings, and of the layout of the window.

use crate::context::Context;
use crate::event::SettingsEvent;
use crate::filter::List;
use crate::filter::Saved;
use crate::listing::{ListView, PageWidths};
use crate::settings::Look;
use crate::settings::RecentSearch;
use crate::settings::Synonyms;
use crate::settings::TagColor;
use crate::settings::Theme;
use crate::settings::VersionBounds;
use crate::settings::WindowSize;
use lunette_client::client::MAX_CONCURRENCY;
use std::sync::Arc;

/// An action of settings, and of the layout of the window.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Sets whether content is fetched with an asset.
    Transferables(bool),
    /// Sets whether long lines of a text are wrapped.
    WrapText(bool),
    /// Sets whether plans show their details.
    PlanDetails(bool),
    /// Sets the theme.
    Theme(Theme),
    /// Sets the appearance of the window.
    Look(Look),
    /// Chooses how many calls of runs are on their way to a service of others at once, at most.
    InFlight(usize),
    /// Sets the zoom.
    Zoom(f32),
    /// Saves the columns of the list with this name; the rest of its view is ignored.
    Layout(String, Box<ListView>),
    /// Saves the widths of the page beside the list with this name.
    KeepPages(&'static str, PageWidths),
    /// Replaces the saved filters of a list, by their names.
    KeepFilters(List, Vec<Saved>),
    /// Saves the open tab of an asset's page.
    KeepTab(usize),
    /// Saves whether searches find only assets that have every word as typed.
    KeepExactSearch(bool),
    /// Saves a search of the list as a recent one.
    KeepSearch(RecentSearch),
    /// Forgets the recent searches of the connection.
    ForgetSearches,
    /// Sets the words that mean the same in searches.
    Synonyms(Arc<Synonyms>),
    /// Sets how many versions of assets are kept, and for how long.
    VersionBounds(VersionBounds),
    /// Sets whether versions of the assets of this connection are kept.
    KeepVersions(bool),
    /// Saves whether the details of assets are unfolded below their content.
    KeepDetails(bool),
    /// Saves whether the folder with this path is unfolded in the sidebar.
    KeepUnfolded(String, bool),
    /// Saves the size of the window.
    KeepWindow(WindowSize),
    /// Resets the layout of the window for every connection.
    ResetLayout,
    /// Sets the colour of the tag with this text, or removes it.
    TagColor(String, Option<TagColor>),
    /// Records that several rows of a list were selected, or that how to do it is known.
    SelectedSeveral,
    /// Records that the command with this name was used.
    Used(&'static str),
}

impl From<Action> for crate::Action {
    fn from(action: Action) -> Self {
        Self::Settings(action)
    }
}

impl Context<'_> {
    /// Changes the pace of runs, of those under way too.
    fn set_in_flight(&mut self, most: usize) {
        let most = most.clamp(1, MAX_CONCURRENCY);
        self.set(|settings| settings.in_flight = most);
        if let Some(limiter) = self.known_client().and_then(|client| client.limiter()) {
            limiter.set_max(most);
            self.connection.pace = self.connection.pace.map(|_| limiter.view());
        }
    }

    /// Keeps versions of the assets of this connection in the database of the window, or no longer.
    fn keep_versions(&mut self, keeps: bool) {
        let key = self.connection.key();
        self.set(|settings| match keeps {
            true => drop(settings.unrecorded.remove(&key)),
            false => drop(settings.unrecorded.insert(key)),
        });
        self.emit(SettingsEvent::Versions);
    }

    /// Forgets the recent searches of this connection.
    fn forget_searches(&mut self) {
        let key = self.connection.key();
        self.set(|settings| drop(settings.searches.remove(&key)));
    }

    /// Performs an action.
    pub(crate) fn perform_settings(&mut self, action: Action) {
        match action {
            Action::Transferables(on) => {
                self.set(|settings| settings.transferables = on);
                self.emit(SettingsEvent::Transferables);
            }
            Action::WrapText(on) => self.set(|settings| settings.wrap_text = on),
            Action::PlanDetails(shown) => self.set(|settings| settings.plan_details = shown),
            Action::Theme(theme) => self.set(|settings| settings.theme = theme),
            Action::Look(look) => self.set(|settings| settings.look = look),
            Action::InFlight(most) => self.set_in_flight(most),
            Action::Zoom(zoom) => self.zoom(zoom),
            Action::Layout(name, layout) => self.lay_out(name, *layout),
            Action::KeepPages(name, pages) => {
                self.see(|view| view.lists.entry(name.to_owned()).or_default().pages = pages);
            }
            Action::KeepFilters(list, saved) => self.keep_filters(list, saved),
            Action::KeepTab(tab) => self.see(|view| view.tab = tab),
            Action::KeepExactSearch(exact) => self.see(|view| view.exact_search = exact),
            Action::KeepSearch(search) => {
                let key = self.connection.key();
                self.set(|settings| settings.keep_search(&key, search));
            }
            Action::ForgetSearches => self.forget_searches(),
            Action::Synonyms(synonyms) => self.keep_synonyms(synonyms),
            Action::VersionBounds(bounds) => {
                self.set(|settings| settings.versions = bounds);
                self.emit(SettingsEvent::Versions);
            }
            Action::KeepVersions(keeps) => self.keep_versions(keeps),
            Action::KeepDetails(unfolded) => self.see(|view| view.details = unfolded),
            Action::KeepUnfolded(path, on) => self.see(|view| view.unfold(path, on)),
            Action::KeepWindow(size) => self.see(|view| view.window = Some(size)),
            Action::ResetLayout => self.emit(SettingsEvent::LayoutReset),
            Action::TagColor(text, color) => self.set(|settings| settings.look.tag_colors.set(&text, color)),
            Action::SelectedSeveral => self.set(|settings| settings.selected_several = true),
            Action::Used(command) => self.set(|settings| settings.used(command)),
        }
    }
}
