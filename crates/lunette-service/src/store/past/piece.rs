//! Pieces of versions: what a change replaced, as it is stored.

use rusqlite::Row;
use rusqlite::types::ValueRef;

use crate::store::{StoreError, checksum};

/// What a piece says. The numbers are stored, and those below 14 stand in `triggers.sql` too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::store) enum What {
    /// Name, mechanism and favorite, as a JSON array.
    Fields = 1,
    /// The fields without a column, as a difference.
    Document = 2,
    /// Whether it was deleted.
    Deleted = 3,
    /// The two words of its language, as a JSON array.
    Language = 4,
    /// Whether its content is binary, a byte, and the content as a difference.
    Content = 5,
    /// The id of a tag, website or summary that was linked.
    LinkMade = 6,
    /// One that was unlinked: id, kind, name, key, mechanism.
    LinkGone = 7,
    /// The id of a person, anchor or hint that was linked.
    RelatedMade = 8,
    /// One that was unlinked: id, kind, mechanism, the document of the link, its own.
    RelatedGone = 9,
    /// The id of a conversation that was linked.
    ConversationMade = 10,
    /// One that was unlinked: id, name.
    ConversationGone = 11,
    /// The id of an annotation that was made.
    AnnotationMade = 12,
    /// An annotation that was deleted or changed, as it was: id, kind, text, document.
    AnnotationGone = 13,
    /// Everything but the content, as JSON.
    State = 14,
    /// Its content is not kept.
    ContentLost = 15,
    /// It was forgotten.
    Forgotten = 16,
    /// It was not recorded: the asset was changed while no versions were kept.
    Unrecorded = 17,
}

impl What {
    const ALL: [Self; 17] = [
        Self::Fields,
        Self::Document,
        Self::Deleted,
        Self::Language,
        Self::Content,
        Self::LinkMade,
        Self::LinkGone,
        Self::RelatedMade,
        Self::RelatedGone,
        Self::ConversationMade,
        Self::ConversationGone,
        Self::AnnotationMade,
        Self::AnnotationGone,
        Self::State,
        Self::ContentLost,
        Self::Forgotten,
        Self::Unrecorded,
    ];

    pub(super) fn code(self) -> u8 {
        self as u8
    }

    pub(super) fn of(code: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|what| what.code() == code)
    }
}

/// A piece of a version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) what: What,
    pub(super) bytes: Vec<u8>,
}

impl Piece {
    /// A piece as the log has it.
    pub(super) fn of_log(code: u8, value: ValueRef<'_>) -> Result<Self, StoreError> {
        let bytes = match value {
            ValueRef::Text(bytes) | ValueRef::Blob(bytes) => bytes.to_vec(),
            ValueRef::Integer(number) => vec![u8::from(number != 0)],
            ValueRef::Null | ValueRef::Real(_) => Vec::new(),
        };
        match What::of(code) {
            Some(what) => Ok(Self { what, bytes }),
            None => Err(StoreError::Broken(format!("a piece of a version has the unknown kind {code}"))),
        }
    }
}

/// The bytes in a column; None if it has none.
pub(super) fn blob<'a>(row: &'a Row<'_>, column: usize) -> rusqlite::Result<Option<&'a [u8]>> {
    Ok(match row.get_ref(column)? {
        ValueRef::Blob(bytes) => Some(bytes),
        ValueRef::Null | ValueRef::Integer(_) | ValueRef::Real(_) | ValueRef::Text(_) => None,
    })
}

/// The bytes of a checksum.
const SUM_BYTES: usize = 4;

/// Packs the pieces of a version of an asset, with a checksum.
pub(super) fn pack(asset: i64, version: i64, at: i64, pieces: &[Piece]) -> Vec<u8> {
    let mut packed = Vec::with_capacity(pieces.iter().map(|piece| piece.bytes.len() + 4).sum::<usize>() + SUM_BYTES);
    for (index, piece) in pieces.iter().enumerate() {
        // Of the last piece the length is what is left.
        let last = index + 1 == pieces.len();
        packed.push(piece.what.code() | if last { 0x80 } else { 0 });
        if !last {
            packed.extend_from_slice(&u32::try_from(piece.bytes.len()).unwrap_or(u32::MAX).to_le_bytes());
        }
        packed.extend_from_slice(&piece.bytes);
    }
    packed.extend_from_slice(&sum(asset, version, at, &packed));
    packed
}

/// Unpacks pieces; None if they are damaged.
pub(super) fn unpack(asset: i64, version: i64, at: i64, packed: &[u8]) -> Option<Vec<Piece>> {
    let parts = parts(asset, version, at, packed)?;
    Some(parts.into_iter().map(|(what, bytes)| Piece { what, bytes: bytes.to_vec() }).collect())
}

/// The pieces within the bytes that they are packed in; None if they are damaged.
pub(super) fn parts(asset: i64, version: i64, at: i64, packed: &[u8]) -> Option<Vec<(What, &[u8])>> {
    let (mut rest, kept) = packed.split_at_checked(packed.len().checked_sub(SUM_BYTES)?)?;
    if sum(asset, version, at, rest) != kept {
        return None;
    }
    let mut pieces = Vec::new();
    while let Some((code, after)) = rest.split_first() {
        let (bytes, after) = match code & 0x80 {
            0 => {
                let (length, after) = after.split_first_chunk::<4>()?;
                after.split_at_checked(u32::from_le_bytes(*length) as usize)?
            }
            _ => (after, [].as_slice()),
        };
        pieces.push((What::of(code & 0x7f)?, bytes));
        rest = after;
    }
    Some(pieces)
}

fn sum(asset: i64, version: i64, at: i64, packed: &[u8]) -> [u8; SUM_BYTES] {
    let numbers = [asset, version, at].into_iter().map(ValueRef::Integer);
    let sum = checksum::sum(numbers.chain([ValueRef::Blob(packed)]));
    (sum as u32 ^ (sum >> 32) as u32).to_le_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_unpacked_as_they_were_packed_and_every_flipped_bit_is_noticed() {
        let pieces = [(What::Fields, 20), (What::Content, 300), (What::LinkMade, 0)]
            .map(|(what, length)| Piece { what, bytes: vec![7; length] });
        let packed = pack(1, 2, 3, &pieces);
        assert_eq!(unpack(1, 2, 3, &packed).as_deref(), Some(pieces.as_slice()));
        assert_eq!(unpack(1, 3, 3, &packed), None);
        for bit in 0..packed.len() * 8 {
            let mut flipped = packed.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(unpack(1, 2, 3, &flipped), None, "bit {bit}");
        }
    }
}
