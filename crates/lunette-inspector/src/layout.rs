//! Restoring and resetting the saved window layout of a connection.
//!
//! Our choice: a connection without its own view begins with the last used panel and zoom, and with the default layout
//! of every list; a filter of one connection never hides the rows of another.
//!
//! What must hold: the field of every list, its query and its rows agree; `viewed_lists!` is the only place that names the
//! lists, and a new feature must be considered there.

use crate::App;
use crate::context::of_feature;
use crate::filter::{Filter, List, parse};
use crate::listing::{Column, Direction, Listing, Query, Row, apply_query};
use crate::settings::{Sorted, View};
use crate::state::State;

impl App {
    /// Applies the view of the connection, unless it is the current one; the queries of the lists are always taken from
    /// it.
    pub(crate) fn apply_view(&mut self) {
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
        let view = self.state.preferences.view.clone();
        for list in self.state.viewed_lists_mut() {
            list.query_as(&view);
        }
    }

    /// Resets the layout of the window for every connection. Saved filters are kept.
    pub(crate) fn reset_layout(&mut self) {
        let count = self.state.preferences.settings.views.len().max(1);
        let panel = self.state.navigation.panel;
        self.state.preferences.settings.views.clear();
        self.state.preferences.settings.layout.clear();
        self.set_view(View { panel, ..View::default() });
        self.query_as_viewed();
        // The list of assets may be long, and show the hits of a search.
        let others = self.state.viewed_lists_mut().into_iter().filter(|list| list.list() != List::Assets);
        others.for_each(ViewedList::apply);
        let listed = self.state.assets.list.query.clone();
        of_feature!(self, assets.apply_assets_query(listed));
        let connections = if count == 1 { "this connection".to_owned() } else { format!("{count} connections") };
        let mut context = self.context();
        context.keep_settings();
        context.show_success(format!("Reset the layout of {connections}"));
    }
}

/// A list whose filter and order belong to the view of a connection.
pub trait ViewedList {
    /// Which list it is.
    fn list(&self) -> List;
    /// The filter of its rows.
    fn filter(&self) -> &Filter;
    /// Whether it is sorted by a column.
    fn is_sorted(&self) -> bool;
    /// Whether its rows are those that its query wants, in their order.
    fn is_applied(&self) -> bool;
    /// Takes the query of a view. The rows are not filtered yet.
    fn query_as(&mut self, view: &View);
    /// Filters and sorts the rows.
    fn apply(&mut self);
}

impl<R: Row> ViewedList for Listing<R> {
    fn list(&self) -> List {
        R::LIST
    }

    fn filter(&self) -> &Filter {
        &self.query.filter
    }

    fn is_sorted(&self) -> bool {
        self.query.sort.is_some()
    }

    fn is_applied(&self) -> bool {
        self.rows.value().is_none_or(|rows| apply_query(rows, &self.query) == *self.order)
    }

    fn query_as(&mut self, view: &View) {
        self.query = query(view, R::LIST);
    }

    fn apply(&mut self) {
        self.set_query(self.query.clone());
    }
}

/// Every list whose query belongs to the view. Those of the log and of the history are filtered by their panels, and that
/// of the Trash is sorted anew each time.
macro_rules! viewed_lists {
    ($state:expr, $all:ident, $item:ty $(, $mutable:tt)?) => {{
        let State {
            applications,
            inventory,
            assets,
            links,
            trash: _,
            session: _,
            history: _,
            connection: _,
            preferences: _,
            notifications: _,
            work: _,
            pages: _,
            navigation: _,
            overview: _,
            graph: _,
            write: _,
            bulk: _,
            import: _,
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
        ];
        lists.extend(links.$all().map(|list| list as $item));
        lists
    }};
}

impl State {
    /// Every list whose query belongs to the view of the connection.
    pub fn viewed_lists(&self) -> Vec<&dyn ViewedList> {
        viewed_lists!(self, lists, &dyn ViewedList)
    }

    fn viewed_lists_mut(&mut self) -> Vec<&mut dyn ViewedList> {
        viewed_lists!(self, lists_mut, &mut dyn ViewedList, mut)
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
