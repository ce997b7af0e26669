//! Restoring and resetting the saved window layout of a connection.
//!
//! Our choice: a connection without its own view begins with the last used panel and zoom, and with the default layout
//! of every list; a filter of one connection never hides the rows of another.

use crate::app::App;
use crate::app::context::of_feature;
use crate::app::filter::{List, parse};
use crate::app::listing::{Column, Direction, Query};
use crate::app::settings::{Sorted, View};
use crate::app::state::State;

impl App {
    /// Applies the view of the connection, unless it is the current one; the queries of the lists are always taken from
    /// it.
    pub(in crate::app) fn apply_view(&mut self) {
        let key = self.state.connection.key();
        if self.state.preferences.viewed.as_ref() != Some(&key) {
            let view = self.state.preferences.settings.view_of(&key);
            self.state.preferences.viewed = Some(key);
            self.set_view(view);
        }
        self.query_as_viewed();
    }

    fn set_view(&mut self, view: View) {
        self.state.navigation.panel = view.panel;
        let preferences = &mut self.state.preferences;
        preferences.settings.zoom = view.zoom;
        preferences.settings.panel = view.panel;
        preferences.view = view;
        preferences.view_number += 1;
    }

    fn query_as_viewed(&mut self) {
        let State { preferences, applications, inventory, assets, .. } = &mut self.state;
        applications.list.query = query(&preferences.view, List::Applications);
        applications.external.query = query(&preferences.view, List::External);
        inventory.list.query = query(&preferences.view, List::Inventory);
        assets.list.query = query(&preferences.view, List::Assets);
    }

    /// Resets the layout of the window for every connection. Saved filters are kept.
    pub(in crate::app) fn reset_layout(&mut self) {
        let count = self.state.preferences.settings.views.len().max(1);
        let panel = self.state.navigation.panel;
        self.state.preferences.settings.views.clear();
        self.state.preferences.settings.layout.clear();
        self.set_view(View { panel, ..View::default() });
        self.query_as_viewed();
        let State { applications, assets, .. } = &self.state;
        let (tracked, external) = (applications.list.query.clone(), applications.external.query.clone());
        let listed = assets.list.query.clone();
        of_feature!(self, applications.apply_query(tracked));
        of_feature!(self, applications.apply_external_query(external));
        of_feature!(self, assets.apply_assets_query(listed));
        let connections = if count == 1 { "this connection".to_owned() } else { format!("{count} connections") };
        let mut context = self.context();
        context.keep_settings();
        context.show_success(format!("Reset the layout of {connections}"));
    }
}

/// The saved query of a list; an invalid filter and unknown columns are dropped.
fn query<C: Column>(view: &View, list: List) -> Query<C> {
    let kept = view.list(list.key());
    let direction = |descending| if descending { Direction::Down } else { Direction::Up };
    let key = |sort: &Option<Sorted>| {
        sort.as_ref().and_then(|sort| Some((C::named(&sort.column)?, direction(sort.descending))))
    };
    let filter = parse(&kept.filter, list).unwrap_or_default();
    Query { filter, sort: key(&kept.sort), then: key(&kept.then) }
}
