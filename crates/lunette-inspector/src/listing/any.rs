//! A list of any rows: what the loop does with all of them alike.

use super::{Arrangement, ListView, Listing, Query, Row, RowList, apply_query};
use crate::filter::List;

/// A list whose filter and order belong to the view of a connection.
pub trait AnyList {
    /// Which list it is.
    fn list(&self) -> List;
    /// What its rows are asked for.
    fn query(&self) -> &Query;
    /// Whether the shown rows are those that the query wants, in their order.
    fn is_applied(&self) -> bool;
    /// Takes the query of a view. The rows are not filtered yet.
    fn load(&mut self, view: &ListView);
    /// Filters and sorts the rows.
    fn apply(&mut self);
    /// Forgets the query, and the rows unless they outlive the connection.
    fn leave(&mut self);
}

impl<R: Row> AnyList for Listing<R> {
    fn list(&self) -> List {
        self.list
    }

    fn query(&self) -> &Query {
        &self.query
    }

    fn is_applied(&self) -> bool {
        let shown = |rows| {
            let Arrangement { order, groups } = arranged(rows, &self.query);
            order == self.order && groups == self.groups
        };
        self.rows.value().is_none_or(shown)
    }

    fn load(&mut self, view: &ListView) {
        self.query = view.query::<R>(self.list, &self.query);
    }

    fn apply(&mut self) {
        self.applying_query = false;
        if let Some(rows) = self.rows.value() {
            let shown = arranged(rows, &self.query);
            self.arrange(shown);
        }
    }

    fn leave(&mut self) {
        match R::OF_CONNECTION {
            true => *self = Self::of(self.list),
            false => self.query = Query::default(),
        }
    }
}

/// The rows that a query wants, in its order and its groups.
fn arranged<R: Row>(rows: &RowList<R>, query: &Query) -> Arrangement {
    Arrangement::of(rows, query, apply_query(rows, query))
}
