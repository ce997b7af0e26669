//! The columns of a table and how they share its width.

use super::TableState;

/// A column narrower than this cannot be made, in points.
const NARROWEST: f32 = 40.0;

/// Where the contents of a column stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// At the left: text.
    Left,
    /// At the right: figures.
    Right,
}

/// One column of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Names the column in a [`TableState`]; never shown.
    pub key: &'static str,
    /// What stands in the header.
    pub title: &'static str,
    /// Width until the user changes it, in points.
    pub width: f32,
    /// Where the contents stand.
    pub side: Side,
    /// Whether a click on the header sorts by it.
    pub sortable: bool,
    /// Whether it takes the space the others leave.
    pub grows: bool,
    /// Whether it is shown until the user says otherwise.
    pub shown: bool,
}

impl Column {
    /// A column of text.
    pub const fn text(key: &'static str, title: &'static str, width: f32) -> Self {
        Column { key, title, width, side: Side::Left, sortable: true, grows: false, shown: true }
    }

    /// A column of figures: at the right, and sorted with the largest first.
    pub const fn figures(key: &'static str, title: &'static str, width: f32) -> Self {
        Column { side: Side::Right, ..Column::text(key, title, width) }
    }

    /// Takes the space the others leave.
    pub const fn growing(self) -> Self {
        Column { grows: true, ..self }
    }

    /// A click on its header does nothing.
    pub const fn unsorted(self) -> Self {
        Column { sortable: false, ..self }
    }

    /// Left out until chosen in the columns menu.
    pub const fn hidden(self) -> Self {
        Column { shown: false, ..self }
    }
}

/// A column where it is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Placed {
    /// Its index in the slice of columns.
    pub index: usize,
    /// Left edge from the left of all columns, in points.
    pub left: f32,
    /// Width in points.
    pub width: f32,
}

/// Shares `available` points among the shown columns: what is left over goes to the growing ones; where it is too
/// little, columns the user has not resized give way down to half of their first width.
pub(super) fn place(columns: &[Column], state: &TableState, available: f32) -> Vec<Placed> {
    let shown: Vec<usize> = (0..columns.len()).filter(|&index| state.shows(&columns[index])).collect();
    let mut widths: Vec<f32> = shown.iter().map(|&index| state.width(&columns[index])).collect();
    let spare = available - widths.iter().sum::<f32>();
    if spare > 0.0 {
        let growing: Vec<usize> = (0..shown.len()).filter(|&at| grows(&columns[shown[at]], state)).collect();
        for &at in &growing {
            widths[at] += (spare / growing.len() as f32).floor();
        }
    } else if spare < 0.0 {
        let slack = |at: usize| {
            let column = &columns[shown[at]];
            if state.widths.contains_key(column.key) { 0.0 } else { (column.width * 0.5).max(0.0) }
        };
        let total: f32 = (0..shown.len()).map(slack).sum();
        if total > 0.0 {
            let part = (-spare / total).min(1.0);
            for (at, width) in widths.iter_mut().enumerate() {
                *width = (*width - slack(at) * part).max(NARROWEST).floor();
            }
        }
    }
    let mut left = 0.0;
    shown
        .into_iter()
        .zip(widths)
        .map(|(index, width)| {
            let placed = Placed { index, left, width };
            left += width;
            placed
        })
        .collect()
}

/// A column the user resized stays as wide as it was made.
fn grows(column: &Column, state: &TableState) -> bool {
    column.grows && !state.widths.contains_key(column.key)
}

/// A width the user may give a column.
pub(super) fn allowed(width: f32) -> f32 {
    width.clamp(NARROWEST, 2_000.0)
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
    fn what_is_left_over_goes_to_the_growing_column() {
        let placed = place(&COLUMNS, &TableState::default(), 500.0);
        let widths: Vec<_> = placed.iter().map(|placed| (placed.index, placed.left, placed.width)).collect();
        assert_eq!(widths, [(0, 0.0, 400.0), (1, 400.0, 100.0)]);
    }

    #[test]
    fn in_a_narrow_place_columns_give_way_by_half_at_most() {
        let placed = place(&COLUMNS, &TableState::default(), 60.0);
        let widths: Vec<_> = placed.iter().map(|placed| placed.width).collect();
        assert_eq!(widths, [100.0, 50.0]);
    }

    #[test]
    fn a_width_the_user_gave_is_kept() {
        let mut state = TableState::default();
        state.widths.insert("tags".to_owned(), 150.0);
        let placed = place(&COLUMNS, &state, 250.0);
        assert_eq!(placed[1].width, 150.0);
    }
}
