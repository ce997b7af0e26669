//! What the assets of two sides were when they were last the same, or first compared, so that a comparison says which
//! side changed one; and which assets were copied under another id.
//!
//! What must hold: what is not known is not a change; a file that cannot be read counts as no earlier comparison; which of
//! the two sides is named first makes no difference.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lunette_client::model::fingerprint::text_hash;
use lunette_storage::{atomic, owner_only};

use super::facts::Facts;
use super::row::{Changed, SideRow};

/// The folder below the data folder of the inspector.
pub(super) const FOLDER: &str = "compared";
/// How a file begins.
const MAGIC: &[u8; 8] = b"LUNCMP2\n";
/// A row: a number for the two ids, and one for what each side was.
const ROW: usize = 24;
/// Our choice: so many pairs of sides are remembered; the one that was not compared for longest is dropped.
const MOST: usize = 32;

/// What the assets of two sides were: when they were last the same, or at a checkpoint.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Base {
    pairs: HashMap<u64, [u64; 2]>,
    /// What all assets were at a checkpoint, by id; both sides are measured by it.
    then: HashMap<Box<str>, u64>,
    /// The ids on the right of assets that were copied under another id, by those on the left.
    copied: BTreeMap<Arc<str>, Arc<str>>,
}

impl Base {
    /// What a side was at a checkpoint, from which both sides went on.
    pub fn of_checkpoint<'a>(facts: impl IntoIterator<Item = &'a Facts>) -> Self {
        let then = facts.into_iter().map(|facts| (Box::from(&*facts.id), facts.digest())).collect();
        Self { then, ..Self::default() }
    }

    /// What is measured by a checkpoint, with what is remembered of copied assets.
    #[must_use]
    pub fn with_copied_of(self, remembered: Self) -> Self {
        Self { copied: remembered.copied, ..self }
    }

    /// Remembers assets that were copied under another id: the ids on the left and on the right.
    #[must_use]
    pub fn with_copied(mut self, pairs: impl IntoIterator<Item = (Arc<str>, Arc<str>)>) -> Self {
        self.copied.extend(pairs);
        self
    }

    /// What is remembered after a comparison with this base: an asset that differs stays as it was when the sides were
    /// last the same, so that a conflict is one until it is decided.
    #[must_use]
    pub fn after<'a>(&self, rows: impl IntoIterator<Item = &'a SideRow>) -> Self {
        let pair = |row: &SideRow| match &row.sides {
            [Some(left), Some(right)] => {
                let (place, now) = (place(left, right), [left.digest(), right.digest()]);
                let was = self.pairs.get(&place).filter(|_| row.state.is_difference());
                Some((place, was.copied().unwrap_or(now)))
            }
            _ => None,
        };
        let pairs = rows.into_iter().filter_map(pair).collect();
        Self { pairs, copied: self.copied.clone(), then: HashMap::new() }
    }

    /// Which sides changed an asset since; `None` if it is not known what it was.
    pub(super) fn changed(&self, left: &Facts, right: &Facts) -> Option<Changed> {
        let was = match self.pairs.get(&place(left, right)) {
            Some(was) => *was,
            None => [*self.then.get(&*left.id).or_else(|| self.then.get(&*right.id))?; 2],
        };
        Some(Changed { left: left.digest() != was[0], right: right.digest() != was[1] })
    }

    /// The ids on the right of assets that were copied under another id, by those on the left.
    pub(super) fn copied(&self) -> &BTreeMap<Arc<str>, Arc<str>> {
        &self.copied
    }

    /// Reads what is remembered of two sides in this data folder. Blocks.
    pub fn load(data: &Path, sides: [&str; 2]) -> Self {
        fs::read(path(data, sides)).ok().and_then(|bytes| Self::read(&bytes, sides)).unwrap_or_default()
    }

    fn read(bytes: &[u8], sides: [&str; 2]) -> Option<Self> {
        let number = |bytes: &[u8]| bytes.try_into().map(u64::from_le_bytes).unwrap_or_default();
        let (count, rest) = bytes.strip_prefix(MAGIC)?.split_at_checked(8)?;
        let rows = usize::try_from(number(count)).ok()?.checked_mul(ROW)?;
        let (rows, copied) = rest.split_at_checked(rows)?;
        let row = |row: &[u8]| (number(&row[..8]), in_order([number(&row[8..16]), number(&row[16..24])], sides));
        let copied = std::str::from_utf8(copied).ok()?.lines().filter_map(|line| line.split_once('\t'));
        let copied =
            copied.map(|(one, other)| in_order([one, other], sides)).map(|[left, right]| (left.into(), right.into()));
        Some(Self { pairs: rows.chunks_exact(ROW).map(row).collect(), copied: copied.collect(), then: HashMap::new() })
    }

    /// Writes it. Fails if the disk does. Blocks.
    pub fn save(&self, data: &Path, sides: [&str; 2]) -> io::Result<()> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend_from_slice(&(self.pairs.len() as u64).to_le_bytes());
        for (place, was) in &self.pairs {
            let [one, other] = in_order(*was, sides);
            [*place, one, other].iter().for_each(|number| bytes.extend_from_slice(&number.to_le_bytes()));
        }
        // A path may have any letter; one that would break a line is not remembered.
        let is_plain = |id: &str| !id.contains(['\t', '\n', '\r']);
        for (left, right) in self.copied.iter().filter(|(left, right)| is_plain(left) && is_plain(right)) {
            let [one, other] = in_order([left, right], sides);
            bytes.extend_from_slice(format!("{one}\t{other}\n").as_bytes());
        }
        let folder = data.join(FOLDER);
        owner_only::create_folder(&folder)?;
        atomic::write(&path(data, sides), &bytes)?;
        remove_oldest(&folder);
        Ok(())
    }
}

/// What is said of the left and the right side, in the order of the names of these two, or back.
fn in_order<T>([left, right]: [T; 2], sides: [&str; 2]) -> [T; 2] {
    if sides[0] <= sides[1] { [left, right] } else { [right, left] }
}

fn path(data: &Path, sides: [&str; 2]) -> PathBuf {
    data.join(FOLDER).join(text_hash(&in_order(sides, sides).join("\n")))
}

fn remove_oldest(folder: &Path) {
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    let modified = |file: fs::DirEntry| {
        let found = file.metadata().ok().filter(fs::Metadata::is_file)?;
        Some((found.modified().ok()?, file.path()))
    };
    let mut files: Vec<_> = files.filter_map(modified).collect();
    files.sort();
    for (_, file) in files.iter().rev().skip(MOST) {
        // One that cannot be removed is tried again after the next comparison.
        fs::remove_file(file).ok();
    }
}

/// A number for the ids of two assets, whichever is on the left.
fn place(left: &Facts, right: &Facts) -> u64 {
    let hash = |facts: &Facts| {
        let fold = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3);
        facts.id.bytes().fold(0xCBF2_9CE4_8422_2325, fold)
    };
    hash(left).wrapping_add(hash(right))
}
