//! Versions are read back byte for byte, and cost what their change costs.

use proptest::prelude::*;

use super::*;

const LIMIT: usize = 128 << 20;

/// Text that hardly compresses, the same for the same seed.
pub(crate) fn noise(seed: u64, bytes: usize) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    (0..bytes)
        .map(|_| b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"[(next() >> 32) as usize % 64])
        .collect()
}

/// The text with so many bytes replaced by others, in equal parts at places far apart.
pub(crate) fn changed(text: &[u8], bytes: usize, places: usize) -> Vec<u8> {
    let mut next = text.to_vec();
    let (part, step) = (bytes / places, text.len() / places);
    for place in 0..places {
        next[place * step..place * step + part].copy_from_slice(&noise(1000 + place as u64, part));
    }
    next
}

/// Encodes, reads back, and returns the size of the difference.
fn cost(old: &[u8], next: &[u8]) -> usize {
    let stored = encode(old, Some(next));
    assert!(decode(&stored, Some(next), LIMIT).as_deref() == Ok(old), "it is read back");
    stored.len()
}

#[test]
fn a_version_of_any_size_costs_no_more_than_what_changed() {
    // At level 1 the two larger ones would cost as much as they are long.
    for size in [2 << 10, 128 << 10, 1 << 20] {
        let old = noise(1, size);
        let one_percent = size / 100 + 180;
        for places in [1, 10] {
            let cost = cost(&old, &changed(&old, one_percent, places));
            assert!(cost <= one_percent + 8 * places + 24, "{size} bytes, {places} places: {cost} for {one_percent}");
        }
    }
}

#[test]
fn a_small_difference_that_was_compressed_by_zstd_is_read_as_well() {
    let (old, next) = (noise(8, 2048), changed(&noise(8, 2048), 200, 10));
    let stored = [vec![PREFIXED], compress(&old, &next).expect("a frame")].concat();
    assert!(decode(&stored, Some(&next), LIMIT).as_ref() == Ok(&old));
    assert!(encode(&old, Some(&next)).len() + 40 < stored.len());
}

/// What is on disk has to be read by every later program.
#[test]
fn differences_are_what_they_were_in_the_first_release() {
    let (old, next) =
        (b"one line\nanother line\nthe last line\n".as_slice(), b"one line\nthe last line of all\n".as_slice());
    let stored = encode(old, Some(next));
    let written: String = stored.iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(written, "0424fb9683f5de72dbd35d9dc3999deb76");
    assert!(decode(&stored, Some(next), LIMIT).as_deref() == Ok(old));
}

#[test]
fn what_was_inserted_at_the_front_of_64_mib_costs_less_than_2_mib_in_both_directions() {
    let old = noise(2, 64 << 20);
    let mut next = noise(3, 1 << 20);
    next.extend_from_slice(&old);
    assert!(cost(&old, &next) < 64 << 10);
    assert!(cost(&next, &old) < 2 << 20);
}

#[test]
fn an_edit_in_a_large_text_costs_little() {
    let old = noise(4, 8 << 20);
    let mut next = old.clone();
    next.splice(5_000_000..5_000_010, *b"something else");
    assert!(cost(&old, &next) < 1 << 10);
    assert!(cost(&old, b"") <= old.len() + 16);
}

#[test]
fn a_difference_from_another_text_is_damaged_and_a_whole_version_needs_none() {
    let (old, next) = (noise(5, 4096), changed(&noise(5, 4096), 100, 1));
    let stored = encode(&old, Some(&next));
    assert!(!is_whole(&stored));
    assert!(decode(&stored, Some(&noise(6, 4096)), LIMIT) == Err(Damaged));
    assert!(decode(&stored, None, LIMIT) == Err(Damaged));
    for whole in [encode(&old, None), encode_uncompressed(&old)] {
        assert!(is_whole(&whole));
        assert!(decode(&whole, None, LIMIT).as_ref() == Ok(&old));
    }
}

#[test]
fn what_stands_for_more_than_the_limit_is_not_read() {
    let stored = encode(&vec![b'a'; 1 << 20], None);
    assert!(stored.len() < 1 << 10);
    assert!(decode(&stored, None, (1 << 20) - 1) == Err(Damaged));
}

#[test]
fn every_flipped_bit_is_noticed() {
    for (old, next) in [(noise(6, 600), changed(&noise(6, 600), 40, 1)), (noise(7, 40), Vec::new())] {
        let stored = encode(&old, Some(&next));
        for bit in 0..stored.len() * 8 {
            let mut flipped = stored.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            // A bit of a frame may mean nothing; what is read is never another text.
            if let Ok(read) = decode(&flipped, Some(&next), LIMIT) {
                assert!(read == old, "bit {bit}");
            }
        }
    }
}

proptest! {
    #[test]
    fn any_two_texts_are_read_back(old in proptest::collection::vec(any::<u8>(), 0..4000), next in proptest::collection::vec(any::<u8>(), 0..4000)) {
        let stored = encode(&old, Some(&next));
        prop_assert!(stored.len() <= old.len() + 16);
        prop_assert_eq!(decode(&stored, Some(&next), LIMIT), Ok(old));
    }

    #[test]
    fn any_bytes_are_read_or_refused(stored in proptest::collection::vec(any::<u8>(), 0..200), next in proptest::collection::vec(any::<u8>(), 0..200)) {
        if let Ok(text) = decode(&stored, Some(&next), 1 << 16) {
            prop_assert!(text.len() <= 1 << 16);
        }
    }
}
