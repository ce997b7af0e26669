//! What two sides were when they were last compared, so that the next comparison says which of them changed an asset.
//!
//! What must hold: what is not known is no change; a file that cannot be read counts as no earlier comparison.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use lunette_client::model::fingerprint::text_hash;
use lunette_storage::{atomic, owner_only};

use super::facts::Facts;
use super::row::SideRow;

/// The folder below the data folder of the inspector.
const FOLDER: &str = "compared";
/// How a file begins.
const MAGIC: &[u8; 8] = b"LUNCMP1\n";
/// A row: the hash of the two ids, and a number for what each side was.
const ROW: usize = 24;
/// Our choice: so many pairs of sides are remembered; the one that was not compared for longest is dropped.
const MOST: usize = 32;

/// Which sides changed an asset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Changed {
    /// The left one.
    pub left: bool,
    /// The right one.
    pub right: bool,
}

impl Changed {
    /// Whether both did.
    pub fn both(self) -> bool {
        self.left && self.right
    }

    /// Which, in a word; `None` for neither.
    pub fn as_str(self) -> Option<&'static str> {
        match (self.left, self.right) {
            (true, true) => Some("both"),
            (true, false) => Some("left"),
            (false, true) => Some("right"),
            (false, false) => None,
        }
    }
}

/// What the assets of two sides were: when they were last compared, or at a checkpoint.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Base {
    pairs: HashMap<u64, [u64; 2]>,
    /// What all assets were at a checkpoint, by id; both sides are measured by it.
    then: HashMap<Box<str>, u64>,
}

impl Base {
    /// What a side was at a checkpoint, from which both sides went on.
    pub fn of_checkpoint<'a>(facts: impl IntoIterator<Item = &'a Facts>) -> Self {
        let then = facts.into_iter().map(|facts| (Box::from(&*facts.id), facts.digest())).collect();
        Self { then, pairs: HashMap::new() }
    }

    /// What rows were, for the next comparison of their sides.
    pub fn of_rows<'a>(rows: impl IntoIterator<Item = &'a SideRow>) -> Self {
        let pair = |row: &SideRow| match &row.sides {
            [Some(left), Some(right)] => Some((place(left, right), [left.digest(), right.digest()])),
            _ => None,
        };
        Self { pairs: rows.into_iter().filter_map(pair).collect(), then: HashMap::new() }
    }

    /// Which sides changed an asset since; `None` if it is not known what it was.
    pub(super) fn changed(&self, left: &Facts, right: &Facts) -> Option<Changed> {
        let was = match self.pairs.get(&place(left, right)) {
            Some(was) => *was,
            None => [*self.then.get(&*left.id).or_else(|| self.then.get(&*right.id))?; 2],
        };
        Some(Changed { left: left.digest() != was[0], right: right.digest() != was[1] })
    }

    /// Reads what two sides were when they were last compared with this data folder. Blocks.
    pub fn load(data: &Path, sides: [&str; 2]) -> Self {
        let Ok(bytes) = fs::read(path(data, sides)) else { return Self::default() };
        let Some(rows) = bytes.strip_prefix(MAGIC) else { return Self::default() };
        let number = |bytes: &[u8]| bytes.try_into().map(u64::from_le_bytes).unwrap_or_default();
        let row = |row: &[u8]| (number(&row[..8]), [number(&row[8..16]), number(&row[16..24])]);
        Self { pairs: rows.chunks_exact(ROW).map(row).collect(), then: HashMap::new() }
    }

    /// Writes it. Fails if the disk does. Blocks.
    pub fn save(&self, data: &Path, sides: [&str; 2]) -> io::Result<()> {
        let mut bytes = MAGIC.to_vec();
        for (place, [left, right]) in &self.pairs {
            [place, left, right].iter().for_each(|number| bytes.extend_from_slice(&number.to_le_bytes()));
        }
        let folder = data.join(FOLDER);
        owner_only::create_folder(&folder)?;
        atomic::write(&path(data, sides), &bytes)?;
        remove_oldest(&folder);
        Ok(())
    }
}

fn path(data: &Path, sides: [&str; 2]) -> PathBuf {
    data.join(FOLDER).join(text_hash(&sides.join("\n")))
}

fn remove_oldest(folder: &Path) {
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<_> =
        files.filter_map(|file| Some((file.metadata().ok()?.modified().ok()?, file.path()))).collect();
    files.sort();
    for (_, file) in files.iter().rev().skip(MOST) {
        // One that cannot be removed is tried again after the next comparison.
        fs::remove_file(file).ok();
    }
}

/// The hash of the ids of two assets.
fn place(left: &Facts, right: &Facts) -> u64 {
    let bytes = left.id.bytes().chain([0]).chain(right.id.bytes());
    bytes.fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3))
}
