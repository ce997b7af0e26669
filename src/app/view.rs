//! The layout of the window as it is kept for the connection: what changes is kept, what was kept is taken up again.
//!
//! Our choice: a connection without a view of its own begins with the panel and the zoom that were used last, and with
//! every list as it first is; a filter of one connection never hides the rows of another.

use crate::app::App;
use crate::app::filter::{List, Saved, parse};
use crate::app::listing::{Column, Direction, Query};
use crate::app::settings::{ListView, Sorted, View, ZOOM};
use crate::app::state::State;

impl App {
    /// Takes up the view of the connection, unless it is the one that holds already; what the lists are asked for comes
    /// from it in any case.
    pub(super) fn take_up_view(&mut self) {
        let key = self.state.connection.key();
        if self.state.preferences.viewed.as_ref() != Some(&key) {
            let view = self.state.preferences.settings.view_of(&key);
            self.state.preferences.viewed = Some(key);
            self.put_view(view);
        }
        self.query_as_viewed();
    }

    fn put_view(&mut self, view: View) {
        self.state.navigation.panel = view.panel;
        self.state.preferences.settings.zoom = view.zoom;
        self.state.preferences.settings.panel = view.panel;
        self.state.preferences.view = view;
        self.state.preferences.view_number += 1;
    }

    fn query_as_viewed(&mut self) {
        let State { preferences, applications, assets, .. } = &mut self.state;
        applications.list.query = query(&preferences.view, List::Applications);
        applications.external.query = query(&preferences.view, List::External);
        assets.list.query = query(&preferences.view, List::Assets);
    }

    /// Changes the view and keeps it.
    pub(super) fn see(&mut self, change: impl FnOnce(&mut View)) {
        let before = self.state.preferences.view.clone();
        change(&mut self.state.preferences.view);
        if self.state.preferences.view == before {
            return;
        }
        let (key, view) = (self.state.connection.key(), self.state.preferences.view.clone());
        self.set(|settings| settings.keep_view(key, view));
    }

    pub(super) fn zoom(&mut self, zoom: f32) {
        let zoom = zoom.clamp(*ZOOM.start(), *ZOOM.end());
        self.set(|settings| settings.zoom = zoom);
        self.see(|view| view.zoom = zoom);
    }

    pub(super) fn lay_out(&mut self, name: &str, layout: ListView) {
        // What was typed and sorted since the layout was drawn stays.
        self.see(|view| {
            let list = view.lists.entry(name.to_owned()).or_default();
            *list = ListView { filter: std::mem::take(&mut list.filter), ..layout };
        });
    }

    pub(super) fn keep_filter(&mut self, list: List, filter: String) {
        self.see(|view| view.lists.entry(list.key().to_owned()).or_default().filter = filter);
    }

    pub(super) fn keep_filters(&mut self, list: List, saved: Vec<Saved>) {
        self.set(|settings| {
            settings.filters.insert(list.key().to_owned(), saved);
        });
    }

    pub(super) fn keep_sort<C: Column>(&mut self, list: List, query: &Query<C>) {
        let kept = |key: Option<(C, Direction)>| {
            key.map(|(column, direction)| Sorted {
                column: column.key().to_owned(),
                descending: direction == Direction::Down,
            })
        };
        let (sort, then) = (kept(query.sort), kept(query.then));
        let list_now = self.state.preferences.view.list(list.key());
        if (&list_now.sort, &list_now.then) != (&sort, &then) {
            self.see(|view| {
                let list = view.lists.entry(list.key().to_owned()).or_default();
                (list.sort, list.then) = (sort, then);
            });
        }
    }

    /// Forgets how the window was laid out, for every connection. Saved filters stay.
    pub(super) fn reset_layout(&mut self) {
        let count = self.state.preferences.settings.views.len().max(1);
        let panel = self.state.navigation.panel;
        self.set(|settings| {
            settings.views.clear();
            settings.layout.clear();
        });
        self.put_view(View { panel, ..View::default() });
        self.keep_settings();
        self.query_as_viewed();
        self.arrange_applications(self.state.applications.list.query.clone());
        self.arrange_external(self.state.applications.external.query.clone());
        self.arrange_assets(self.state.assets.list.query.clone());
        let connections = if count == 1 { "this connection".to_owned() } else { format!("{count} connections") };
        self.say(format!("Reset the layout of {connections}"));
    }
}

/// What a list is asked for as it was kept; a filter or a column that is no more is none.
fn query<C: Column>(view: &View, list: List) -> Query<C> {
    let kept = view.list(list.key());
    let direction = |descending| if descending { Direction::Down } else { Direction::Up };
    let key = |sort: &Option<Sorted>| {
        sort.as_ref().and_then(|sort| Some((C::named(&sort.column)?, direction(sort.descending))))
    };
    let filter = parse(&kept.filter, list).unwrap_or_default();
    Query { filter, sort: key(&kept.sort), then: key(&kept.then) }
}
