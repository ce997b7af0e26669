//! The selected rows of a table: exactly those, whatever is filtered, sorted or added later.
//!
//! Rows are selected by number, which is independent of the order: the index among all rows, visible or not. There is
//! one bit per row, so that selecting a million rows costs one pass over them, a lookup costs nothing, and a new row
//! has a number that is not selected. If the numbers change because rows were reloaded, the owner of the rows remaps
//! the selection.

/// The selected rows, by number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// 64 rows each; the last one is never zero, so that equal selections compare equal.
    words: Vec<u64>,
    count: usize,
}

impl Selection {
    /// A selection of one row.
    pub fn one(number: u32) -> Self {
        Self::from_iter([number])
    }

    /// Returns whether the row is selected.
    pub fn contains(&self, number: u32) -> bool {
        let (word, bit) = word_and_bit(number);
        self.words.get(word).is_some_and(|word| word & bit != 0)
    }

    /// Returns how many rows are selected.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Selects or deselects the row. The maximum number is not a row.
    pub fn set(&mut self, number: u32, marked: bool) {
        if number == u32::MAX || self.contains(number) == marked {
            return;
        }
        let (word, bit) = word_and_bit(number);
        if marked {
            if self.words.len() <= word {
                self.words.resize(word + 1, 0);
            }
            self.words[word] |= bit;
            self.count += 1;
        } else {
            self.words[word] &= !bit;
            self.count -= 1;
            while self.words.last() == Some(&0) {
                self.words.pop();
            }
        }
    }

    /// Toggles the row.
    pub fn toggle(&mut self, number: u32) {
        self.set(number, !self.contains(number));
    }

    /// Returns the numbers of the selected rows, ascending.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.words.iter().zip(0_u32..).flat_map(|(&word, index)| {
            let mut left = word;
            std::iter::from_fn(move || {
                let bit = (left != 0).then(|| left.trailing_zeros())?;
                left &= left - 1;
                Some(index * u64::BITS + bit)
            })
        })
    }
}

impl FromIterator<u32> for Selection {
    fn from_iter<I: IntoIterator<Item = u32>>(numbers: I) -> Self {
        let mut selection = Self::default();
        selection.extend(numbers);
        selection
    }
}

impl Extend<u32> for Selection {
    fn extend<I: IntoIterator<Item = u32>>(&mut self, numbers: I) {
        for number in numbers {
            self.set(number, true);
        }
    }
}

/// Returns the position of a row's bit.
fn word_and_bit(number: u32) -> (usize, u64) {
    ((number / u64::BITS) as usize, 1 << (number % u64::BITS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_marked_rows_are_returned() {
        let numbers = [0, 63, 64, 65, 1_000, 999_999];
        let mut selection = Selection::from_iter(numbers);
        assert_eq!((selection.iter().collect::<Vec<_>>(), selection.count()), (numbers.to_vec(), 6));
        assert!(!selection.contains(66) && !selection.contains(u32::MAX));
        selection.toggle(999_999);
        selection.toggle(1_000);
        selection.toggle(1_000);
        assert_eq!((selection.count(), selection.iter().last()), (5, Some(1_000)));
    }

    #[test]
    fn selections_of_the_same_rows_are_equal() {
        let mut selection = Selection::from_iter([3, 70_000]);
        selection.set(70_000, false);
        selection.set(70_000, false);
        assert_eq!(selection, Selection::one(3));
        selection.toggle(3);
        assert_eq!(selection, Selection::default());
    }
}
