//! All near duplicates of a store, in groups.
//!
//! Our choice: of each text the eight smallest hashes of its pairs of words are compared (a bottom-k sketch), and texts that
//! share one are compared in full. The texts are read twice: first to know which words very many of them have. Nothing of
//! this is kept: all texts of 100,000 assets are read in a few seconds, and a table would have to be kept right.
//!
//! What must hold: it takes 8 MiB, and 128 bytes for each asset; the work after the two passes is bounded.

use std::collections::HashMap;

use rusqlite::Connection;

use super::SHARING;
use super::near::{self, NEAR, Shingles};
use crate::store::interrupt::InterruptToken;
use crate::store::search::later::check;
use crate::store::{Store, StoreError};

/// How many counters of words there are. Words that share one are counted together: they seem more frequent than they are.
const COUNTERS: usize = 1 << 22;
/// The most texts that share a number and are all compared with each other; of more, each is compared with the next ones.
const SHARING_A_NUMBER: usize = 24;
const NEXT: usize = 4;
/// The most pairs of texts that are compared.
const PAIRS: usize = 400_000;

impl Store {
    /// The groups of assets that are near duplicates of one another, as ids, those last updated first.
    pub(crate) fn near_duplicates(&self, interrupt: &InterruptToken) -> Result<Vec<Vec<String>>, StoreError> {
        self.read(|db| interrupt.run_interruptible(db, || groups(db, interrupt)))
    }
}

fn groups(db: &Connection, interrupt: &InterruptToken) -> Result<Vec<Vec<String>>, StoreError> {
    let common = Common::read(db, interrupt)?;
    let mut sketched: Vec<(u64, i64)> = Vec::new();
    each_text(db, interrupt, |asset, text| {
        sketched.extend(common.shingles(text).keys().iter().map(|key| (*key, asset)));
    })?;
    sketched.sort_unstable();
    let mut pairs = Vec::new();
    for sharing in sketched.chunk_by(|one, other| one.0 == other.0) {
        let next = if sharing.len() > SHARING_A_NUMBER { NEXT } else { SHARING_A_NUMBER };
        for (index, (_, asset)) in sharing.iter().enumerate() {
            pairs.extend(sharing[index + 1..].iter().take(next).map(|(_, other)| (*asset, *other)));
        }
        if pairs.len() > PAIRS {
            break;
        }
    }
    drop(sketched);
    pairs.sort_unstable();
    pairs.dedup();
    let mut joined = Joined::default();
    same_contents(db, &mut joined)?;
    for of_one in pairs.chunk_by(|one, other| one.0 == other.0) {
        check(interrupt)?;
        compare(db, &common, of_one, &mut joined)?;
    }
    named(db, joined)
}

/// Joins the assets of pairs that are near duplicates; the first of all pairs is the same.
fn compare(db: &Connection, common: &Common, pairs: &[(i64, i64)], joined: &mut Joined) -> Result<(), StoreError> {
    let Some((first, _)) = pairs.first() else { return Ok(()) };
    let text = near::text(db, *first)?.unwrap_or_default();
    let shingles = common.shingles(&text);
    for (_, other) in pairs {
        if joined.of(*first) == joined.of(*other) {
            continue;
        }
        let text = near::text(db, *other)?.unwrap_or_default();
        if shingles.similarity(&common.shingles(&text)) >= NEAR {
            joined.join(*first, *other);
        }
    }
    Ok(())
}

/// Calls the closure with the text of each asset that is neither deleted nor a pseudo asset.
fn each_text(db: &Connection, interrupt: &InterruptToken, mut each: impl FnMut(i64, &str)) -> Result<(), StoreError> {
    let mut query = db.prepare_cached("SELECT row FROM asset WHERE deleted IS NULL AND pseudo = 0 ORDER BY row")?;
    let mut rows = query.query([])?;
    while let Some(row) = rows.next()? {
        check(interrupt)?;
        let asset = row.get(0)?;
        if let Some(text) = near::text(db, asset)? {
            each(asset, &text);
        }
    }
    Ok(())
}

/// Which words very many texts have.
struct Common(Vec<u16>);

impl Common {
    fn read(db: &Connection, interrupt: &InterruptToken) -> Result<Self, StoreError> {
        let mut counts = vec![0_u16; COUNTERS];
        each_text(db, interrupt, |_, text| {
            for word in near::words(text) {
                let count = &mut counts[Self::counter(word)];
                *count = count.saturating_add(1);
            }
        })?;
        Ok(Self(counts))
    }

    fn counter(word: u64) -> usize {
        // The upper bits of this hash are the better ones.
        usize::try_from(word >> 32).unwrap_or_default() % COUNTERS
    }

    /// The shingles of a text, with the common words only where there are few others.
    fn shingles(&self, text: &str) -> Shingles {
        let shingles = Shingles::of(text, |word| usize::from(self.0[Self::counter(word)]) > SHARING);
        if shingles.is_enough() { shingles } else { Shingles::of(text, |_| false) }
    }
}

/// Assets that belong together.
#[derive(Default)]
struct Joined(HashMap<i64, i64>);

impl Joined {
    /// The asset that stands for all that belong to this one.
    fn of(&self, mut asset: i64) -> i64 {
        while let Some(next) = self.0.get(&asset).filter(|next| **next != asset) {
            asset = *next;
        }
        asset
    }

    fn join(&mut self, one: i64, other: i64) {
        let (one, other) = (self.of(one), self.of(other));
        self.0.insert(one.max(other), one.min(other));
        self.0.entry(one.min(other)).or_insert(one.min(other));
    }
}

/// Joins the assets of the same content, whatever it is.
fn same_contents(db: &Connection, joined: &mut Joined) -> Result<(), StoreError> {
    let mut query = db.prepare_cached(
        "SELECT min(asset.row) OVER (PARTITION BY sha256), asset.row FROM format JOIN asset ON asset.row = format.asset
         WHERE place = 0 AND size > 0 AND deleted IS NULL AND pseudo = 0
           AND sha256 IN (SELECT sha256 FROM format WHERE place = 0 GROUP BY sha256 HAVING count(*) > 1)",
    )?;
    let mut rows = query.query([])?;
    while let Some(row) = rows.next()? {
        let (first, asset): (i64, i64) = (row.get(0)?, row.get(1)?);
        if first != asset {
            joined.join(first, asset);
        }
    }
    Ok(())
}

/// The ids of assets that belong together.
fn named(db: &Connection, joined: Joined) -> Result<Vec<Vec<String>>, StoreError> {
    let mut rows: Vec<i64> = joined.0.keys().copied().collect();
    rows.sort_unstable();
    let mut groups: HashMap<i64, Vec<(i64, i64, String)>> = HashMap::new();
    let mut query = db.prepare_cached("SELECT updated, row, id FROM asset WHERE row = ?1")?;
    for row in rows {
        let asset = query.query_row([row], |asset| Ok((asset.get(0)?, asset.get(1)?, asset.get(2)?)))?;
        groups.entry(joined.of(row)).or_default().push(asset);
    }
    let mut groups: Vec<Vec<(i64, i64, String)>> = groups.into_values().collect();
    groups.iter_mut().for_each(|group| group.sort_unstable_by(|one, other| other.cmp(one)));
    groups.sort_unstable_by(|one, other| other.cmp(one));
    Ok(groups.into_iter().map(|group| group.into_iter().map(|(_, _, id)| id).collect()).collect())
}
