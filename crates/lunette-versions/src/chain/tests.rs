//! A chain of versions is read back in order, and damage takes no more with it than hangs on it.

use proptest::prelude::*;

use super::*;
use crate::delta::encode;

const LIMIT: usize = 1 << 24;

/// Versions 1 to n of a text, the newest last, and all but the newest as they are stored, newest first.
fn chain(versions: &[Vec<u8>]) -> Vec<(u64, Vec<u8>)> {
    let (mut steps, mut bytes) = (0, 0);
    let stored = versions.windows(2).enumerate().rev().map(|(index, pair)| {
        let whole = is_whole_due(steps, bytes, pair[0].len());
        let stored = encode(&pair[0], (!whole).then_some(&pair[1]));
        (steps, bytes) = if is_whole(&stored) { (0, 0) } else { (steps + 1, bytes + stored.len()) };
        (index as u64 + 1, stored)
    });
    stored.collect()
}

fn read(newest: Option<Vec<u8>>, stored: &[(u64, Vec<u8>)]) -> Vec<(u64, Result<Vec<u8>, Missing>)> {
    let mut read = Vec::new();
    walk_back(newest, stored.iter().map(|(number, stored)| (*number, stored)), LIMIT, |number, version| {
        read.push((number, version.map(<[u8]>::to_vec)));
        true
    });
    read
}

fn numbered_lines(count: usize) -> Vec<Vec<u8>> {
    (0..count).map(|version| format!("{}\nversion {version}\n", "a line\n".repeat(50)).into_bytes()).collect()
}

#[test]
fn every_version_is_read_back_in_order_and_one_of_32_is_whole() {
    let versions = numbered_lines(200);
    let stored = chain(&versions);
    for (number, version) in read(versions.last().cloned(), &stored) {
        assert_eq!(version.as_ref(), Ok(&versions[number as usize - 1]));
    }
    let between: Vec<_> = stored.split(|(_, stored)| is_whole(stored)).map(<[_]>::len).collect();
    assert!(between.len() > 5 && between.iter().all(|steps| *steps < WHOLE_EVERY), "{between:?}");
}

#[test]
fn what_hangs_on_a_damaged_version_is_missing_by_name_and_the_others_are_whole() {
    let versions = numbered_lines(100);
    let stored = chain(&versions);
    for damaged in [0, 20, 40, 98] {
        let mut stored = stored.clone();
        let bytes = &mut stored[damaged].1;
        let last = bytes.len() - 1;
        bytes[last] ^= 1;
        let whole_again = (damaged + 1..stored.len()).find(|at| is_whole(&stored[*at].1)).unwrap_or(stored.len());
        for (at, (number, version)) in read(versions.last().cloned(), &stored).into_iter().enumerate() {
            match (damaged..whole_again).contains(&at) {
                true => assert_eq!(version, Err(Missing { number })),
                false => assert_eq!(version.as_ref(), Ok(&versions[number as usize - 1])),
            }
        }
    }
}

#[test]
fn without_the_newest_only_what_hangs_on_a_whole_version_is_read() {
    let versions = numbered_lines(100);
    let stored = chain(&versions);
    let read = read(None, &stored);
    let first_whole = stored.iter().position(|(_, stored)| is_whole(stored)).expect("one is whole");
    assert!(read[..first_whole].iter().all(|(_, version)| version.is_err()));
    assert!(
        read[first_whole..].iter().all(|(number, version)| version.as_ref() == Ok(&versions[*number as usize - 1]))
    );
}

/// An edit: where, how many bytes go, and what comes.
fn edits() -> impl Strategy<Value = Vec<(usize, usize, Vec<u8>)>> {
    proptest::collection::vec((any::<usize>(), 0..200_usize, proptest::collection::vec(any::<u8>(), 0..200)), 1..40)
}

proptest! {
    #[test]
    fn random_edits_are_read_back(first in proptest::collection::vec(any::<u8>(), 0..2000), edits in edits()) {
        let mut versions = vec![first];
        for (at, gone, new) in edits {
            let mut next = versions[versions.len() - 1].clone();
            let at = at % (next.len() + 1);
            let end = (at + gone).min(next.len());
            next.splice(at..end, new);
            versions.push(next);
        }
        let read = read(versions.last().cloned(), &chain(&versions));
        prop_assert_eq!(read.len(), versions.len() - 1);
        for (number, version) in read {
            prop_assert_eq!(version.as_ref(), Ok(&versions[number as usize - 1]));
        }
    }
}
