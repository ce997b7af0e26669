//! How far apart the spellings of two words are.

use crate::stem::stem;

/// The fewest letters of stems that are compared.
const SHORTEST_STEM: usize = 4;

/// How many edits another word is away, by itself or by its stem; more than `most` if it is further away than that.
pub(crate) fn distance_between((letters, stem_letters): &(Vec<char>, Vec<char>), other: &str, most: usize) -> usize {
    let other_letters: Vec<char> = other.chars().collect();
    let whole = distance(letters, &other_letters, most);
    if whole <= most || letters.len() == stem_letters.len() && !other.ends_with(['s', 'd', 'g', 'e', 'r', 'y', 'n']) {
        return whole;
    }
    let other_stem: Vec<char> = stem(other).chars().collect();
    if stem_letters.len().min(other_stem.len()) < SHORTEST_STEM {
        whole
    } else {
        distance(stem_letters, &other_stem, most).min(whole)
    }
}

/// How many edits lead from one word to the other; more than `most` if it is more.
fn distance(one: &[char], other: &[char], most: usize) -> usize {
    if one.len().abs_diff(other.len()) > most {
        return most + 1;
    }
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=other.len()).collect();
    for (i, letter) in one.iter().enumerate() {
        let mut row = Vec::with_capacity(other.len() + 1);
        row.push(i + 1);
        for (j, other_letter) in other.iter().enumerate() {
            let replaced = last[j] + usize::from(letter != other_letter);
            let mut edits = replaced.min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *letter == other[j - 1] && one[i - 1] == *other_letter {
                edits = edits.min(before_last[j - 1] + 1);
            }
            row.push(edits);
        }
        if row.iter().min().is_some_and(|edits| *edits > most) {
            return most + 1;
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edit_inserts_removes_replaces_or_swaps() {
        for (one, other, edits) in [
            ("debounce", "debuonce", 1),
            ("git", "gti", 1),
            ("tree", "tre", 1),
            ("a", "b", 1),
            ("abcd", "badc", 2),
            ("abc", "abc", 0),
        ] {
            let letters = |word: &str| word.chars().collect::<Vec<_>>();
            assert_eq!(distance(&letters(one), &letters(other), 3), edits, "{one} {other}");
        }
        assert_eq!(distance(&['a'; 3], &['b'; 3], 1), 2);
    }
}
