//! The columns of a table and how they share its width.

use super::TableState;

/// Minimum width of a column, in points.
const MIN_WIDTH: f32 = 40.0;
/// If there is little room, a growing column keeps this share of its width.
const GROWING_KEEPS: f32 = 0.5;
/// If there is little room, another text column keeps this share of its width.
const TEXT_KEEPS: f32 = 0.85;

/// The alignment of a column's contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// On the left: text.
    Left,
    /// On the right: figures.
    Right,
}

/// One column of a table whose columns are always the same.
pub type Column = ColumnOf<'static>;

/// One column of a table; its texts may come from what the table shows.
#[derive(Clone, Debug, PartialEq)]
pub struct ColumnOf<'a> {
    /// Identifies the column in a [`TableState`]; never shown.
    pub key: &'a str,
    /// The title in the header.
    pub title: &'a str,
    /// Initial width, in points.
    pub width: f32,
    /// The alignment of the contents.
    pub side: Side,
    /// Whether a click on the header sorts by it.
    pub sortable: bool,
    /// The width at which its usual values are whole, in points: it gets so much of the remaining width first.
    pub full: f32,
    /// Its share of the remaining width; 0 for a column that does not grow.
    pub grows: f32,
    /// Whether it is visible initially.
    pub shown: bool,
}

impl<'a> ColumnOf<'a> {
    /// A column of text.
    pub const fn text(key: &'a str, title: &'a str, width: f32) -> Self {
        Self { key, title, width, side: Side::Left, sortable: true, full: width, grows: 0.0, shown: true }
    }

    /// A column of figures: right-aligned, and sorted with the largest first.
    pub const fn figures(key: &'a str, title: &'a str, width: f32) -> Self {
        Self { side: Side::Right, ..Self::text(key, title, width) }
    }

    /// Takes the remaining width.
    pub const fn growing(self) -> Self {
        self.growing_by(1.0)
    }

    /// Takes this share of the remaining width, divided among all growing columns.
    pub const fn growing_by(self, share: f32) -> Self {
        Self { grows: share, ..self }
    }

    /// A click on its header does nothing.
    pub const fn unsorted(self) -> Self {
        Self { sortable: false, ..self }
    }

    /// Hidden until chosen in the columns menu.
    pub const fn hidden(self) -> Self {
        Self { shown: false, ..self }
    }
}

/// A column with its position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Placed {
    /// Its index in the slice of columns.
    pub index: usize,
    /// Left edge relative to the columns, in points.
    pub left: f32,
    /// Width in points.
    pub width: f32,
}

/// Distributes `available` points among the visible columns: each gets its full width, and growing columns take what
/// remains. If there is too little,
/// growing columns shrink first, then other text; figures and columns that the user resized keep their width. What is
/// still too wide is scrolled.
pub(super) fn place(columns: &[ColumnOf<'_>], state: &TableState, available: f32) -> Vec<Placed> {
    let shown: Vec<&ColumnOf<'_>> = columns.iter().filter(|column| state.shows(column)).collect();
    let mut widths: Vec<f32> = shown.iter().map(|column| state.width(column)).collect();
    let free = available - widths.iter().sum::<f32>();
    let spare = widen(&shown, &mut widths, state, free);
    if spare > 0.0 {
        let all: f32 = shown.iter().map(|column| share(column, state)).sum();
        for (column, width) in shown.iter().zip(&mut widths).filter(|_| all > 0.0) {
            *width += (spare * share(column, state) / all).floor();
        }
    } else {
        let growing = |column: &ColumnOf<'_>| if share(column, state) > 0.0 { GROWING_KEEPS } else { 1.0 };
        let missing = narrow(&shown, &mut widths, -spare, growing);
        let text = |column: &ColumnOf<'_>| {
            let fixed = column.grows > 0.0 || column.side == Side::Right || state.widths.contains_key(column.key);
            if fixed { 1.0 } else { TEXT_KEEPS }
        };
        narrow(&shown, &mut widths, missing, text);
    }
    let mut left = 0.0;
    let indices = (0..columns.len()).filter(|&index| state.shows(&columns[index]));
    indices
        .zip(widths)
        .map(|(index, width)| {
            let placed = Placed { index, left, width };
            left += width;
            placed
        })
        .collect()
}

/// Gives columns their full width out of `spare` points, each the same share of what it lacks if that is too little;
/// returns what remains.
fn widen(shown: &[&ColumnOf<'_>], widths: &mut [f32], state: &TableState, spare: f32) -> f32 {
    let lacks = |column: &ColumnOf<'_>, width: f32| {
        if state.widths.contains_key(column.key) { 0.0 } else { (column.full - width).max(0.0) }
    };
    let all: f32 = shown.iter().zip(&*widths).map(|(column, width)| lacks(column, *width)).sum();
    if spare <= 0.0 || all <= 0.0 {
        return spare;
    }
    let part = (spare / all).min(1.0);
    for (column, width) in shown.iter().zip(&mut *widths) {
        *width += (lacks(column, *width) * part).floor();
    }
    (spare - all).max(0.0)
}

/// Takes `missing` points from columns, each of which keeps the share given by `keeps`; returns what is still missing.
fn narrow(shown: &[&ColumnOf<'_>], widths: &mut [f32], missing: f32, keeps: impl Fn(&ColumnOf<'_>) -> f32) -> f32 {
    let slack = |column: &ColumnOf<'_>, width: f32| (width * (1.0 - keeps(column))).min(width - MIN_WIDTH).max(0.0);
    let total: f32 = shown.iter().zip(&*widths).map(|(column, width)| slack(column, *width)).sum();
    if total <= 0.0 {
        return missing;
    }
    let part = (missing / total).min(1.0);
    for (column, width) in shown.iter().zip(&mut *widths) {
        *width = (*width - slack(column, *width) * part).floor();
    }
    (missing - total).max(0.0)
}

/// Returns the share of a column; one that the user resized does not grow.
fn share(column: &ColumnOf<'_>, state: &TableState) -> f32 {
    if state.widths.contains_key(column.key) { 0.0 } else { column.grows }
}

/// Clamps a width that the user chose.
pub(super) fn allowed(width: f32) -> f32 {
    width.clamp(MIN_WIDTH, 2_000.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLUMNS: [Column; 3] = [
        Column::text("name", "Name", 200.0).growing(),
        Column::text("tags", "Tags", 100.0),
        Column::figures("size", "Size", 80.0).hidden(),
    ];

    #[test]
    fn remaining_width_goes_to_the_growing_column() {
        let placed = place(&COLUMNS, &TableState::default(), 500.0);
        let widths: Vec<_> = placed.iter().map(|placed| (placed.index, placed.left, placed.width)).collect();
        assert_eq!(widths, [(0, 0.0, 400.0), (1, 400.0, 100.0)]);
    }

    #[test]
    fn growing_columns_share_the_remaining_width_proportionally() {
        let columns =
            [Column::text("name", "Name", 100.0).growing_by(3.0), Column::text("tags", "Tags", 100.0).growing()];
        let widths: Vec<_> = place(&columns, &TableState::default(), 600.0).iter().map(|column| column.width).collect();
        assert_eq!(widths, [400.0, 200.0]);
    }

    #[test]
    fn in_a_narrow_table_the_growing_column_shrinks_first() {
        let widths = |available| {
            let placed = place(&COLUMNS, &TableState::default(), available);
            placed.iter().map(|placed| placed.width).collect::<Vec<_>>()
        };
        assert_eq!(widths(250.0), [150.0, 100.0]);
        assert_eq!(widths(190.0), [100.0, 90.0]);
        assert_eq!(widths(60.0), [100.0, 85.0]);
    }

    #[test]
    fn a_column_that_would_be_cut_gets_remaining_width_before_others_grow() {
        let columns = [
            Column::text("name", "Name", 200.0).growing(),
            Column { full: 150.0, ..Column::text("language", "Language", 100.0) },
        ];
        let widths = |available, state: &TableState| {
            place(&columns, state, available).iter().map(|placed| placed.width).collect::<Vec<_>>()
        };
        let state = TableState::default();
        assert_eq!(widths(400.0, &state), [250.0, 150.0]);
        assert_eq!(widths(330.0, &state), [200.0, 130.0]);
        assert_eq!(widths(250.0, &state), [150.0, 100.0]);
        let mut chosen = TableState::default();
        chosen.widths.insert("language".to_owned(), 110.0);
        assert_eq!(widths(400.0, &chosen), [290.0, 110.0]);
    }

    #[test]
    fn a_width_set_by_the_user_is_kept() {
        let mut state = TableState::default();
        state.widths.insert("tags".to_owned(), 150.0);
        let placed = place(&COLUMNS, &state, 250.0);
        assert_eq!(placed[1].width, 150.0);
    }
}
