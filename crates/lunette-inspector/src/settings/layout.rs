//! Saves the layout of the window for the connection.

use crate::context::Context;
use crate::filter::{List, Saved};
use crate::listing::{Column, Direction, Query};
use crate::settings::{ListView, Recent, Sorted, View, ZOOM};

impl Context<'_> {
    /// The assets that were opened recently with this service, newest first.
    pub(crate) fn recent(&self) -> &[Recent] {
        self.preferences.settings.recent.get(&self.connection.key()).map_or(&[], Vec::as_slice)
    }

    /// Changes the view and saves it.
    pub(crate) fn see(&mut self, change: impl FnOnce(&mut View)) {
        let before = self.preferences.view.clone();
        change(&mut self.preferences.view);
        if self.preferences.view == before {
            return;
        }
        let (key, view) = (self.connection.key(), self.preferences.view.clone());
        self.set(|settings| settings.keep_view(key, view));
    }

    pub(crate) fn zoom(&mut self, zoom: f32) {
        let zoom = zoom.clamp(*ZOOM.start(), *ZOOM.end());
        self.set(|settings| settings.zoom = zoom);
        self.see(|view| view.zoom = zoom);
    }

    pub(crate) fn lay_out(&mut self, name: &str, layout: ListView) {
        // The filter and the order are kept: they may have changed since the layout was drawn.
        self.see(|view| {
            let list = view.lists.entry(name.to_owned()).or_default();
            *list = ListView { filter: std::mem::take(&mut list.filter), ..layout };
        });
    }

    pub(crate) fn keep_filter(&mut self, list: List, filter: String) {
        self.see(|view| view.lists.entry(list.key().to_owned()).or_default().filter = filter);
    }

    pub(crate) fn keep_filters(&mut self, list: List, saved: Vec<Saved>) {
        self.set(|settings| {
            settings.filters.insert(list.key().to_owned(), saved);
        });
    }

    pub(crate) fn keep_sort<C: Column>(&mut self, list: List, query: &Query<C>) {
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
