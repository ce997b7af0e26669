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
    /// Whether commands act on the selected assets: with one row selected they act on the open asset.
    pub fn several(self) -> bool {
        self.count > 1
    }
}
