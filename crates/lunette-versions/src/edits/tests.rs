//! Small differences cost little more than the bytes that are new in them, and are read back or refused.

use proptest::prelude::*;

use super::*;
use crate::delta::tests::{changed, noise};

/// Encodes, reads back, and returns how many bytes it takes.
fn cost(old: &[u8], next: &[u8]) -> usize {
    let stored = encode(old, next).expect("it is encoded");
    assert!(decode(&stored, next, MAX_TEXT).as_deref() == Some(old), "it is read back");
    stored.len()
}

#[test]
fn ten_places_of_20_bytes_cost_their_letters_and_two_bytes_a_place() {
    // Of 64 letters each is six bits: 150 bytes for 200 of them.
    for (places, most) in [(1, 160), (10, 176)] {
        let total: usize = (0..50)
            .map(|seed| {
                let old = noise(seed, 2048);
                cost(&old, &changed(&old, 200, places))
            })
            .sum();
        assert!(total / 50 <= most, "{} bytes for {places} places", total / 50);
    }
}

#[test]
fn what_was_moved_or_is_there_several_times_is_copied() {
    let old = noise(1, 4000);
    let moved = [&old[1500..], &old[..1500]].concat();
    assert!(cost(&old, &moved) < 16);
    let lines: Vec<u8> =
        (0..200).flat_map(|line| format!("a line of many, number {}\n", line % 7).into_bytes()).collect();
    assert!(cost(&lines, b"") < 180, "{}", cost(&lines, b""));
}

#[test]
fn what_is_too_large_or_has_too_much_of_its_own_is_left_to_zstd() {
    let text = noise(2, MAX_TEXT);
    assert_eq!(encode(&noise(3, MAX_OWN + 1), &[]), None);
    assert_eq!(encode(&[text.as_slice(), b"a"].concat(), &text), None);
    assert!(encode(&text, &changed(&text, MAX_OWN, 10)).is_some());
}

fn word() -> impl Strategy<Value = Vec<u8>> {
    proptest::collection::vec(b'a'..b'e', 1..12)
}

/// A text of few letters, in which much is there several times.
fn text() -> impl Strategy<Value = Vec<u8>> {
    proptest::collection::vec(word(), 0..300).prop_map(|words| words.concat())
}

/// Where a part of a text begins and how long it is, and what follows it.
fn parts() -> impl Strategy<Value = Vec<(usize, usize, Vec<u8>)>> {
    proptest::collection::vec((any::<usize>(), 0..700_usize, word()), 0..20)
}

proptest! {
    #[test]
    fn a_text_of_parts_of_the_next_in_any_order_is_read_back(next in text(), parts in parts()) {
        let part = |(from, length, word): &(usize, usize, Vec<u8>)| {
            let from = from % (next.len() + 1);
            [&next[from..(from + length).min(next.len())], word].concat()
        };
        let old: Vec<u8> = parts.iter().flat_map(part).collect();
        let stored = encode(&old, &next).expect("it has little of its own");
        prop_assert_eq!(decode(&stored, &next, old.len()), Some(old));
    }

    #[test]
    fn any_bytes_are_read_within_the_limit_or_refused(
        stored in proptest::collection::vec(any::<u8>(), 0..100),
        next in text(),
        limit in 0..3000_usize,
    ) {
        prop_assert!(decode(&stored, &next, limit).is_none_or(|read| read.len() <= limit));
    }
}
