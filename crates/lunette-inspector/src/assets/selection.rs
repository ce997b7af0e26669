//! How many assets are selected in the list.

/// The selection in the list of assets, for commands; the list itself knows the selected rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Selected {
    /// How many are selected.
    pub count: usize,
    /// How many of those are not visible, because of a filter or because the list is not shown.
    pub hidden: usize,
    /// Whether each of them is a favourite.
    pub favourites: bool,
}

impl Selected {
    /// Whether several are selected. With one row selected, commands act on the open asset, if there is one.
    pub fn several(self) -> bool {
        self.count > 1
    }
}
