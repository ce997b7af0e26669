//! Saves the layout of the window for the connection.

use crate::context::Context;
use crate::filter::{List, Saved};
use crate::listing::ListView;
use crate::settings::{Recent, View, ZOOM};

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
        self.set(|settings| settings.save_view(key, view));
    }

    pub(crate) fn zoom(&mut self, zoom: f32) {
        let zoom = zoom.clamp(*ZOOM.start(), *ZOOM.end());
        self.set(|settings| settings.zoom = zoom);
        self.see(|view| view.zoom = zoom);
    }

    pub(crate) fn lay_out(&mut self, name: String, layout: ListView) {
        let ListView { widths, visible, tiles, .. } = layout;
        self.see(|view| {
            let list = view.lists.entry(name).or_default();
            *list = ListView { widths, visible, tiles, ..std::mem::take(list) };
        });
    }

    pub(crate) fn keep_filters(&mut self, list: List, saved: Vec<Saved>) {
        self.set(|settings| {
            settings.filters.insert(list.key().to_owned(), saved);
        });
    }
}
