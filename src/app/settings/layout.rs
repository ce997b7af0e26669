//! Saves the layout of the window for the connection.

use crate::app::context::Context;
use crate::app::filter::{List, Saved};
use crate::app::listing::{Column, Direction, Query};
use crate::app::settings::{ListView, Recent, Sorted, View, ZOOM};

impl Context<'_> {
    /// The assets that were opened recently with this service, newest first.
    pub(in crate::app) fn recent(&self) -> &[Recent] {
        self.preferences.settings.recent.get(&self.connection.key()).map_or(&[], Vec::as_slice)
    }

    /// Changes the view and saves it.
    pub(in crate::app) fn see(&mut self, change: impl FnOnce(&mut View)) {
        let before = self.preferences.view.clone();
        change(&mut self.preferences.view);
        if self.preferences.view == before {
            return;
        }
        let (key, view) = (self.connection.key(), self.preferences.view.clone());
        self.set(|settings| settings.keep_view(key, view));
    }

    pub(in crate::app) fn zoom(&mut self, zoom: f32) {
        let zoom = zoom.clamp(*ZOOM.start(), *ZOOM.end());
        self.set(|settings| settings.zoom = zoom);
        self.see(|view| view.zoom = zoom);
    }

    pub(in crate::app) fn lay_out(&mut self, name: &str, layout: ListView) {
        // The filter and the order are kept: they may have changed since the layout was drawn.
        self.see(|view| {
            let list = view.lists.entry(name.to_owned()).or_default();
            *list = ListView { filter: std::mem::take(&mut list.filter), ..layout };
        });
    }

    pub(in crate::app) fn keep_filter(&mut self, list: List, filter: String) {
        self.see(|view| view.lists.entry(list.key().to_owned()).or_default().filter = filter);
    }

    pub(in crate::app) fn keep_filters(&mut self, list: List, saved: Vec<Saved>) {
        self.set(|settings| {
            settings.filters.insert(list.key().to_owned(), saved);
        });
    }

    pub(in crate::app) fn keep_sort<C: Column>(&mut self, list: List, query: &Query<C>) {
        let kept = |key: Option<(C, Direction)>| {
            key.map(|(column, direction)| Sorted {
                column: column.key().to_owned(),
                descending: direction == Direction::Down,
            })
        };
        let (sort, then) = (kept(query.sort), kept(query.then));
        let list_now = self.preferences.view.list(list.key());
        if (&list_now.sort, &list_now.then) != (&sort, &then) {
            self.see(|view| {
                let list = view.lists.entry(list.key().to_owned()).or_default();
                (list.sort, list.then) = (sort, then);
            });
        }
    }
}
