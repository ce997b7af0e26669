//! What a user can ask of settings, and the layout of the window.

use crate::app::action::AssetsAction;
use crate::app::context::Context;
use crate::app::context::Request;
use crate::app::filter::List;
use crate::app::filter::Saved;
use crate::app::settings::ListView;
use crate::app::settings::Look;
use crate::app::settings::Theme;
use crate::app::settings::WindowSize;
use lunette_client::client::HIGHEST_MOST;

/// One request of the user about settings, and the layout of the window.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Chooses whether content is fetched with an asset.
    Transferables(bool),
    /// Whether long lines of a text go on below, or are scrolled sideways.
    WrapText(bool),
    /// Chooses the theme.
    Theme(Theme),
    /// Chooses how the window looks and answers.
    Look(Look),
    /// Chooses how many calls of runs are on their way to a service of others at once, at most.
    InFlight(usize),
    /// Draws everything this much larger.
    Zoom(f32),
    /// Keeps how a list is laid out, under its name.
    Layout(String, Box<ListView>),
    /// Keeps the filter of a list as it is typed.
    KeepFilter(List, String),
    /// Keeps these filters of a list by their names, and no others.
    KeepFilters(List, Vec<Saved>),
    /// Keeps which tab of an asset's page is in front.
    KeepTab(usize),
    /// Keeps how large the window is.
    KeepWindow(WindowSize),
    /// Forgets how the window was laid out, for every connection.
    ResetLayout,
    /// Notes that a command was used, by its name.
    Used(&'static str),
}

impl From<Action> for crate::app::Action {
    fn from(action: Action) -> Self {
        Self::Settings(action)
    }
}

impl Context<'_> {
    /// Changes the pace of runs, of those under way too.
    fn set_in_flight(&mut self, most: usize) {
        let most = most.clamp(1, HIGHEST_MOST);
        self.set(|settings| settings.in_flight = most);
        if let Some(limiter) = self.runtime.client.as_ref().and_then(|client| client.limiter()) {
            limiter.set_most(most);
            self.connection.pace = self.connection.pace.map(|_| limiter.view());
        }
    }

    /// Carries out a request.
    pub(in crate::app) fn perform_settings(&mut self, action: Action) {
        match action {
            Action::Transferables(on) => self.request(AssetsAction::SetTransferables(on)),
            Action::WrapText(on) => self.set(|settings| settings.wrap_text = on),
            Action::Theme(theme) => self.set(|settings| settings.theme = theme),
            Action::Look(look) => self.set(|settings| settings.look = look),
            Action::InFlight(most) => self.set_in_flight(most),
            Action::Zoom(zoom) => self.zoom(zoom),
            Action::Layout(name, layout) => self.lay_out(&name, *layout),
            Action::KeepFilter(list, filter) => self.keep_filter(list, filter),
            Action::KeepFilters(list, saved) => self.keep_filters(list, saved),
            Action::KeepTab(tab) => self.see(|view| view.tab = tab),
            Action::KeepWindow(size) => self.see(|view| view.window = Some(size)),
            Action::ResetLayout => self.request_later(Request::ResetLayout),
            Action::Used(command) => self.set(|settings| settings.used(command)),
        }
    }
}
