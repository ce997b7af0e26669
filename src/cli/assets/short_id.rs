//! Short forms of ids: any beginning or end of an id that no other id has. Ids made by Lunette begin with the time and end
//! at random, so lists print the end.

use crate::cli::list::Extent;

/// The fewest characters that name something.
const SHORTEST: usize = 4;
/// The fewest characters that are printed.
const PRINTED: usize = 6;
/// The number of printed characters where there may be ids that are not listed. Our choice: two of 10,000 end alike once in
/// a hundred times.
const PRINTED_OF_PART: usize = 8;

/// Whether a text is the beginning or the end of an id, or the id itself.
pub(in crate::cli) fn names(text: &str, id: &str) -> bool {
    let (text, id) = (text.to_lowercase(), id.to_lowercase());
    text.len() >= SHORTEST && (id.starts_with(&text) || id.ends_with(&text))
}

/// Returns the least length at which the ends of these ids differ.
pub(in crate::cli) fn length<'a>(ids: impl Iterator<Item = &'a str>, extent: Extent) -> usize {
    let mut backwards: Vec<Vec<char>> = ids.map(|id| id.chars().rev().collect()).collect();
    backwards.sort_unstable();
    // The same id may be in a list twice.
    backwards.dedup();
    let alike = |pair: &[Vec<char>]| pair[0].iter().zip(&pair[1]).take_while(|(one, other)| one == other).count();
    let longest = backwards.windows(2).map(alike).max().unwrap_or(0);
    let least = match extent {
        Extent::All => PRINTED,
        Extent::Part => PRINTED_OF_PART,
    };
    (longest + 1).max(least)
}

/// Returns the end of an id.
pub(in crate::cli) fn end(id: &str, length: usize) -> &str {
    match id.char_indices().rev().nth(length.saturating_sub(1)) {
        Some((start, _)) => &id[start..],
        None => id,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_one_moment_are_told_apart_by_their_ends() {
        let ids: Vec<String> = (0..2_000).map(|_| uuid::Uuid::now_v7().to_string()).collect();
        let length = length(ids.iter().map(String::as_str), Extent::All);
        assert!((6..12).contains(&length), "{length}");
        for id in &ids {
            let found = ids.iter().filter(|other| names(end(id, length), other)).count();
            assert_eq!(found, 1, "{id}");
        }
    }

    #[test]
    fn both_ends_of_an_id_name_it_in_any_case() {
        let id = "01a21c42-5f86-7386-98d1-7485a46e7055";
        for text in ["01a2", "01A21C42-5f86", "7055", "A46E7055", id] {
            assert!(names(text, id), "{text}");
        }
        for text in ["", "01a", "055", "5f86", "7056"] {
            assert!(!names(text, id), "{text}");
        }
        assert_eq!((end(id, 6), end(id, 60)), ("6e7055", id));
    }
}
