//! Filtering and sorting the rows of two sides, in the background where there are many.

use super::{Output, SidesPage};
use crate::context::Context;
use crate::listing::{APPLIED_AT_ONCE, AnyList as _, Arrangement, Query, RowList, apply_query};
use crate::sides::SideRow;
use crate::tasks::Ended;

/// Rows as a query wants them.
pub(crate) struct Arranged {
    query: Query,
    arrangement: Arrangement,
}

impl Arranged {
    /// Filters and sorts rows.
    pub fn of(rows: &RowList<SideRow>, query: Query) -> Self {
        let arrangement = Arrangement::of(rows, &query, apply_query(rows, &query));
        Self { query, arrangement }
    }
}

impl SidesPage {
    /// Filters and sorts the rows; many of them in the background.
    pub(crate) fn apply_query(&mut self, cx: &mut Context<'_>) {
        let Some(rows) = self.list.rows.value().filter(|rows| rows.len() > APPLIED_AT_ONCE) else {
            return self.list.apply();
        };
        if std::mem::replace(&mut self.list.applying_query, true) {
            return;
        }
        let (rows, query, of) = (RowList::clone(rows), self.list.query.clone(), self.shown);
        let arrange = move || Ok::<_, Ended>(Arranged::of(&rows, query));
        cx.run_blocking(arrange, move |end| Output::Arranged(of, end));
    }

    /// Shows rows as they were arranged; once more if another order was asked for meanwhile.
    pub(super) fn arranged(&mut self, arranged: Arranged, cx: &mut Context<'_>) {
        self.list.applying_query = false;
        let Arranged { query, arrangement } = arranged;
        match query == self.list.query {
            true => self.list.arrange(arrangement),
            false => {
                // The indices are those of these rows whichever query they were arranged for.
                self.list.arrange(arrangement);
                self.apply_query(cx);
            }
        }
    }
}
