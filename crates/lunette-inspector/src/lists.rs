//! The lists of all features: their view is that of the connection.
//!
//! Our choice: a connection without its own view begins with the last used panel and zoom, and with the default layout
//! of every list; a filter of one connection never hides the rows of another.
//!
//! What must hold: the field of every list, its query and its rows agree; `lists!` is the only place that names the
//! lists, and a new feature must be considered there.

use crate::App;
use crate::context::of_feature;
use crate::filter::List;
use crate::listing::{AnyList, Change};
use crate::settings::View;
use crate::state::State;

impl App {
    /// Changes which rows a list shows, and in which order.
    pub(crate) fn change_list(&mut self, list: List, change: Change) {
        self.context().see(|view| view.lists.entry(list.key().to_owned()).or_default().change(change));
        self.load_lists(|other| other == list);
        self.apply_lists(|other| other == list);
    }

    /// Applies the view of the connection, unless it is the current one; the queries of the lists are always taken from
    /// it.
    pub(crate) fn apply_view(&mut self) {
        let key = self.state.connection.key();
        if self.state.preferences.viewed.as_ref() != Some(&key) {
            let view = self.state.preferences.settings.view_of(&key);
            self.state.preferences.viewed = Some(key);
            self.set_view(view);
        }
        self.load_lists(|_| true);
    }

    fn set_view(&mut self, view: View) {
        self.state.navigation.panel = view.panel;
        let preferences = &mut self.state.preferences;
        preferences.settings.zoom = view.zoom;
        preferences.settings.panel = view.panel;
        preferences.view = view;
        preferences.view_number += 1;
    }

    /// Gives lists their queries.
    fn load_lists(&mut self, which: impl Fn(List) -> bool) {
        let view = self.state.preferences.view.clone();
        for list in self.state.lists_mut().into_iter().filter(|list| which(list.list())) {
            list.load(view.list(list.list().key()));
        }
    }

    /// Filters and sorts the rows of lists.
    fn apply_lists(&mut self, which: impl Fn(List) -> bool) {
        for list in self.state.lists_mut().into_iter().filter(|list| which(list.list())) {
            // These may be long, and that of assets shows the hits of a search.
            if !matches!(list.list(), List::Assets | List::Import | List::Sides) {
                list.apply();
            }
        }
        if which(List::Assets) {
            of_feature!(self, assets.apply_query());
        }
        if which(List::Sides) {
            of_feature!(self, sides.apply_query());
        }
        if which(List::Import) {
            of_feature!(self, import.apply_query());
        }
    }

    /// Resets the layout of the window for every connection. Saved filters are kept.
    pub(crate) fn reset_layout(&mut self) {
        let count = self.state.preferences.settings.views.len().max(1);
        let panel = self.state.navigation.panel;
        self.state.preferences.settings.views.clear();
        self.set_view(View { panel, ..View::default() });
        self.load_lists(|_| true);
        self.apply_lists(|_| true);
        let connections = if count == 1 { "this connection".to_owned() } else { format!("{count} connections") };
        let mut context = self.context();
        context.save_settings();
        context.show_success(format!("Reset the layout of {connections}"));
    }
}

/// Every list whose query belongs to the view.
macro_rules! lists {
    ($state:expr, $all:ident, $item:ty $(, $mutable:tt)?) => {{
        let State {
            applications,
            inventory,
            assets,
            links,
            trash,
            rescue,
            sides,
            proposals,
            assistants,
            session,
            history,
            connection: _,
            preferences: _,
            notifications: _,
            work: _,
            navigation: _,
            overview: _,
            scratch: _,
            versions: _,
            graph: _,
            compare: _,
            write: _,
            bulk: _,
            import,
            watch: _,
            export: _,
            check: _,
            drafts: _,
            embedded: _,
            shell: _,
            sync: _,
            windows: _,
        } = $state;
        let mut lists: Vec<$item> = vec![
            &$($mutable)? applications.list,
            &$($mutable)? applications.external,
            &$($mutable)? inventory.list,
            &$($mutable)? assets.list,
            &$($mutable)? trash.listing,
            &$($mutable)? rescue.list,
            &$($mutable)? sides.list,
            &$($mutable)? proposals.list,
            &$($mutable)? proposals.changes,
            &$($mutable)? assistants.list,
            &$($mutable)? session.log,
            &$($mutable)? history.list,
            &$($mutable)? import.previews.list,
        ];
        lists.extend(links.$all());
        lists
    }};
}

impl State {
    /// Makes the rows of lists that are made of other things that changed since the last frame.
    pub fn update_rows(&mut self) {
        if self.session.log.applying_query {
            self.session.log.apply();
        }
        self.history.update_rows(&self.bulk.runs, &self.assets.pages.names());
    }

    /// Every list whose query belongs to the view of the connection.
    pub fn lists(&self) -> Vec<&dyn AnyList> {
        lists!(self, lists, &dyn AnyList)
    }

    pub(crate) fn lists_mut(&mut self) -> Vec<&mut dyn AnyList> {
        lists!(self, lists_mut, &mut dyn AnyList, mut)
    }
}
