//! The stored versions of an asset, and how they are read back one after the other.

use std::ops::ControlFlow;

use lunette_versions::{decode, is_whole};
use rusqlite::{Connection, OptionalExtension as _};

use super::gap::{self, Gap};
use super::piece::{self, Piece, What};
use super::state::{self, PastState};
use crate::store::StoreError;

/// The largest content that is read back, in bytes.
const MAX_CONTENT: usize = 1 << 30;

/// What an asset was before a change.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) version: i64,
    /// When the change was made, and by whom.
    pub(super) at: i64,
    pub(super) client: Option<String>,
    /// What the change replaced; None if that is damaged.
    pub(super) pieces: Option<Vec<Piece>>,
}

impl Entry {
    /// Whether the change replaced the content.
    pub(super) fn has_content(&self) -> bool {
        self.pieces.iter().flatten().any(|piece| piece.what == What::Content)
    }

    /// Whether it was not recorded, because it was changed while no versions were kept.
    pub(super) fn is_unrecorded(&self) -> bool {
        self.pieces.iter().flatten().any(|piece| piece.what == What::Unrecorded)
    }

    /// Whether it holds all but the content, so that no later version is needed for that.
    fn has_state(&self) -> bool {
        self.pieces.iter().flatten().any(|piece| piece.what == What::State)
    }

    /// Whether it holds the whole content, or says that this is not kept, so that no later version is needed for that.
    fn has_whole_content(&self) -> bool {
        self.pieces.iter().flatten().any(|piece| match piece.what {
            What::Content => piece.bytes.get(1..).is_some_and(is_whole),
            what => what == What::ContentLost,
        })
    }
}

/// All stored versions of an asset.
#[derive(Debug, Default)]
pub(super) struct Chain {
    /// Newest first.
    pub(super) entries: Vec<Entry>,
    /// Versions up to this number are no longer kept.
    pub(super) ended: Option<i64>,
    /// When the last of them was replaced, or when they were forgotten; 0 if all are kept.
    pub(super) ended_at: i64,
    /// When changes were made of which no versions were kept, newest first.
    pub(super) gaps: Vec<Gap>,
}

impl Chain {
    /// The number of the version that the asset is now.
    pub(super) fn current(&self) -> i64 {
        self.entries.first().map(|entry| entry.version).or(self.ended).unwrap_or_default() + 1
    }

    /// From which entry on versions have to be read for one of them: the oldest that hangs on no later one. None where what
    /// the asset is now is needed.
    fn start_for(&self, number: i64, reads_content: bool) -> Option<usize> {
        let target = self.entries.iter().position(|entry| entry.version <= number)?;
        let (mut has_state, mut has_content) = (false, !reads_content);
        (0..=target).rev().find(|index| {
            let entry = &self.entries[*index];
            has_state |= entry.has_state();
            has_content |= entry.has_whole_content();
            has_state && has_content
        })
    }

    /// How many differences of content lead from what the asset is now to the last content that is stored whole.
    pub(super) fn content_steps(&self) -> usize {
        let with_content = self.entries.iter().filter(|entry| entry.has_content() || entry.pieces.is_none());
        with_content.take_while(|entry| entry.pieces.is_some() && !entry.has_whole_content()).count()
    }

    /// The gaps that began between a change and the next one, which was made at `next`, or between it and now.
    fn gaps_after(&self, at: i64, next: Option<i64>) -> impl Iterator<Item = &Gap> {
        self.gaps.iter().filter(move |gap| gap.began > at && next.is_none_or(|next| gap.began < next))
    }

    /// Whether a gap began between a change and the next one, or between it and now.
    pub(super) fn has_gap_after(&self, at: i64, next: Option<i64>) -> bool {
        self.gaps_after(at, next).next().is_some()
    }

    /// Whether the asset may have changed in such a gap without a version that says so.
    pub(super) fn is_broken_after(&self, at: i64, next: Option<i64>) -> bool {
        self.gaps_after(at, next).any(|gap| !gap.is_marked)
    }
}

/// The stored versions of an asset: those in order, and those that the log still has.
pub(super) fn chain(db: &Connection, asset: i64) -> Result<Chain, StoreError> {
    chain_from(db, asset, 0)
}

/// The stored versions of an asset from this number on, or the newest in order if that is before it, and up to which
/// they are no longer kept.
pub(super) fn chain_from(db: &Connection, asset: i64, first: i64) -> Result<Chain, StoreError> {
    let mut chain = Chain::default();
    // The row that says what is gone is before all others.
    let gone = db
        .prepare_cached("SELECT version, at, pieces IS NULL FROM past WHERE asset = ?1 ORDER BY version LIMIT 1")?
        .query_row([asset], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        .optional()?;
    if let Some((version, at, true)) = gone {
        (chain.ended, chain.ended_at) = (Some(version), at);
    }
    let mut statement = db.prepare_cached(
        "SELECT version, at, pieces, name FROM past LEFT JOIN past_client ON past_client.row = past.client
         WHERE asset = ?1 AND version >= min(?2, (SELECT max(version) FROM past WHERE asset = ?1)) AND pieces IS NOT NULL
         ORDER BY version",
    )?;
    let mut rows = statement.query([asset, first])?;
    while let Some(row) = rows.next()? {
        let (version, at) = (row.get(0)?, row.get(1)?);
        let pieces = piece::unpack(asset, version, at, piece::blob(row, 2)?.unwrap_or_default());
        chain.entries.push(Entry { version, at, client: row.get(3)?, pieces });
    }
    let mut statement =
        db.prepare_cached("SELECT at, client, what, piece FROM past_log WHERE asset = ?1 ORDER BY row")?;
    let mut rows = statement.query([asset])?;
    while let Some(row) = rows.next()? {
        let at = row.get(0)?;
        let piece = Piece::of_log(row.get(2)?, row.get_ref(3)?)?;
        match chain.entries.last_mut().filter(|last| last.at == at) {
            Some(last) => last.pieces.iter_mut().for_each(|pieces| pieces.push(piece.clone())),
            None => {
                let version = chain.entries.last().map(|last| last.version).or(chain.ended).unwrap_or_default() + 1;
                chain.entries.push(Entry { version, at, client: row.get(1)?, pieces: Some(vec![piece]) });
            }
        }
    }
    chain.entries.reverse();
    chain.gaps = gap::all(db)?;
    Ok(chain)
}

/// The content of a version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PastContent {
    pub(super) binary: bool,
    pub(super) bytes: Vec<u8>,
}

/// Why a version cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unreadable {
    /// It is damaged, or hangs on one that is.
    Damaged,
    /// Between it and a later one no versions were kept.
    NotRecorded,
    /// It was forgotten.
    Forgotten,
}

/// A version while versions are read back, from the present one on.
#[derive(Debug)]
pub(super) struct Reading {
    pub(super) state: Result<PastState, Unreadable>,
    /// Ok(None) where it has none, or where content is not read.
    pub(super) content: Result<Option<PastContent>, Unreadable>,
    reads_content: bool,
}

impl Reading {
    /// Begins with what an asset is now.
    pub(super) fn begin(db: &Connection, asset: i64, reads_content: bool) -> Result<Self, StoreError> {
        let content = if reads_content { content_of(db, asset)? } else { None };
        Ok(Self { state: Ok(state::of(db, asset)?), content: Ok(content), reads_content })
    }

    /// Whether content is read.
    pub(super) fn reads_content(&self) -> bool {
        self.reads_content
    }

    /// Begins before an entry that hangs on no later one.
    fn begin_whole(reads_content: bool) -> Self {
        let mut reading = Self { state: Err(Unreadable::NotRecorded), content: Ok(None), reads_content };
        reading.pass_gap();
        reading
    }

    /// Goes back over a time in which no versions were kept.
    pub(super) fn pass_gap(&mut self) {
        self.lose(Unreadable::NotRecorded);
    }

    fn lose(&mut self, why: Unreadable) {
        self.state = Err(why);
        if self.reads_content {
            self.content = Err(why);
        }
    }

    /// Goes back one version.
    pub(super) fn back(&mut self, entry: &Entry) {
        let Some(pieces) = &entry.pieces else {
            return self.lose(Unreadable::Damaged);
        };
        for piece in pieces.iter().rev() {
            match piece.what {
                What::Content | What::ContentLost => self.content_back(piece),
                What::Forgotten => self.lose(Unreadable::Forgotten),
                What::Unrecorded => self.lose(Unreadable::NotRecorded),
                What::State => {
                    let mut state = PastState::default();
                    self.state = state.undo(piece).map(|()| state).ok_or(Unreadable::Damaged);
                }
                _ => {
                    let undone = self.state.as_mut().map(|state| state.undo(piece));
                    if undone == Ok(None) {
                        self.state = Err(Unreadable::Damaged);
                    }
                }
            }
        }
    }

    fn content_back(&mut self, piece: &Piece) {
        if !self.reads_content {
            return;
        }
        let Some((binary, stored)) = piece.bytes.split_first().filter(|_| piece.what == What::Content) else {
            self.content = Err(Unreadable::NotRecorded);
            return;
        };
        let next = self.content.as_ref().ok().and_then(Option::as_ref).map(|next| next.bytes.as_slice());
        self.content = match (next, is_whole(stored), &self.content) {
            (None, false, Err(why)) => Err(*why),
            (next, _, _) => match decode(stored, next, MAX_CONTENT) {
                Ok(bytes) => Ok(Some(PastContent { binary: *binary != 0, bytes })),
                Err(_) => Err(Unreadable::Damaged),
            },
        };
    }
}

/// The content of an asset now; None if it has none.
fn content_of(db: &Connection, asset: i64) -> Result<Option<PastContent>, StoreError> {
    let mut statement = db.prepare_cached(
        "SELECT binary, coalesce(bytes, CAST(text AS BLOB)) FROM format JOIN content ON content.format = format.row
         WHERE asset = ?1 AND place = 0",
    )?;
    Ok(statement.query_row([asset], |row| Ok(PastContent { binary: row.get(0)?, bytes: row.get(1)? })).optional()?)
}

/// Reads one version that is stored; None if it is not.
pub(super) fn read(
    db: &Connection,
    asset: i64,
    number: i64,
    reads_content: bool,
    chain: &Chain,
) -> Result<Option<Reading>, StoreError> {
    if number == chain.current() {
        return Reading::begin(db, asset, reads_content).map(Some);
    }
    let start = chain.start_for(number, reads_content);
    let mut reading = match start {
        Some(_) => Reading::begin_whole(reads_content),
        None => Reading::begin(db, asset, reads_content)?,
    };
    let mut next = None;
    for entry in chain.entries.iter().skip(start.unwrap_or_default()) {
        if chain.is_broken_after(entry.at, next) {
            reading.pass_gap();
        }
        reading.back(entry);
        if entry.version == number {
            return Ok(Some(reading));
        }
        next = Some(entry.at);
    }
    Ok(None)
}

/// Calls `each` with what an asset is now and then with each version that is stored, the newest first, until it has enough.
pub(super) fn walk(
    db: &Connection,
    asset: i64,
    reads_content: bool,
    chain: &Chain,
    mut each: impl FnMut(i64, &Reading) -> ControlFlow<()>,
) -> Result<(), StoreError> {
    let mut reading = Reading::begin(db, asset, reads_content)?;
    if each(chain.current(), &reading).is_break() {
        return Ok(());
    }
    let mut next = None;
    for entry in &chain.entries {
        if chain.is_broken_after(entry.at, next) {
            reading.pass_gap();
        }
        reading.back(entry);
        if each(entry.version, &reading).is_break() {
            break;
        }
        next = Some(entry.at);
    }
    Ok(())
}
