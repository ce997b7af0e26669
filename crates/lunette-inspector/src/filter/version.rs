//! Versions, compared by their numbers.

use std::cmp::Ordering;

/// The numbers in a version, in order.
pub(super) fn numbers(version: &str) -> Vec<u64> {
    version.split(|c: char| !c.is_ascii_digit()).filter_map(|part| part.parse().ok()).collect()
}

/// The numbers without trailing zeros: 1.2 and 1.2.0 are the same version.
pub(super) fn significant(mut numbers: Vec<u64>) -> Vec<u64> {
    while numbers.last() == Some(&0) {
        numbers.pop();
    }
    numbers
}

/// Compares the numbers in two versions as numbers: 1.10 comes after 1.9.
pub(crate) fn compare_versions(one: &str, other: &str) -> Ordering {
    numbers(one).cmp(&numbers(other)).then_with(|| one.cmp(other))
}
