//! Which rows of a table are marked: exactly those that were, whatever is filtered, sorted or added later.
//!
//! Rows are marked by their number, which stays a row's own while the order changes: its place among all rows there are,
//! shown or not. One bit a row, so that marking a million rows costs as much as walking over them once, asking about one
//! costs nothing, and a row that arrives later has a number nobody has marked. Where numbers change, since rows were
//! read anew, the owner of the rows carries the marks over.

/// The marked rows, by number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// 64 rows each; the last one is never empty, so that equal selections are equal.
    words: Vec<u64>,
    count: usize,
}

impl Selection {
    /// One row.
    pub fn one(number: u32) -> Self {
        Self::from_iter([number])
    }

    /// Whether the row is marked.
    pub fn contains(&self, number: u32) -> bool {
        let (word, bit) = place(number);
        self.words.get(word).is_some_and(|word| word & bit != 0)
    }

    /// How many rows are marked.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Marks the row, or unmarks it. The last of all numbers stands for no row.
    pub fn set(&mut self, number: u32, marked: bool) {
        if number == u32::MAX || self.contains(number) == marked {
            return;
        }
        let (word, bit) = place(number);
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

    /// Marks the row if it is not, and the other way round.
    pub fn toggle(&mut self, number: u32) {
        self.set(number, !self.contains(number));
    }

    /// The numbers of the marked rows, from low to high.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.words.iter().zip(0_u32..).flat_map(|(&word, place)| {
            let mut left = word;
            std::iter::from_fn(move || {
                let bit = (left != 0).then(|| left.trailing_zeros())?;
                left &= left - 1;
                Some(place * u64::BITS + bit)
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

/// Where a row's bit stands.
fn place(number: u32) -> (usize, u64) {
    ((number / u64::BITS) as usize, 1 << (number % u64::BITS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_marked_is_given_back_and_nothing_else() {
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
    fn selections_of_the_same_rows_are_equal_however_they_came_about() {
        let mut selection = Selection::from_iter([3, 70_000]);
        selection.set(70_000, false);
        selection.set(70_000, false);
        assert_eq!(selection, Selection::one(3));
        selection.toggle(3);
        assert_eq!(selection, Selection::default());
    }
}
