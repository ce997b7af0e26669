//! Checksums of rows, which detect corruption when a row is read.
//!
//! What must hold: every row of a table with a `sum` has the right one after each write, since triggers on the writer's
//! connection compute it; every row returned to a client was verified. A damaged row fails by itself: lists skip it,
//! and the store remembers which it was.

use std::cell::RefCell;

use rusqlite::functions::FunctionFlags;
use rusqlite::types::{Type, ValueRef};
use rusqlite::{Connection, Row};
use sha2::{Digest as _, Sha256};

use super::error::{Mismatch, StoreError};

/// The columns of a table that its sum is made of, as the arguments of `row_sum`. The triggers have the same.
macro_rules! summed {
    (asset) => {
        "row_sum(asset.id, asset.name, asset.mechanism, asset.created, asset.document) IS asset.sum"
    };
    (format) => {
        "row_sum(format.id, format.asset, format.place, format.role, format.generic, format.specific, format.origin, \
         format.binary, format.size, format.sha256, format.created) IS format.sum"
    };
    (item) => {
        "row_sum(item.kind, item.id, item.key, item.name, item.created, item.document) IS item.sum"
    };
    (aside) => {
        "row_sum(aside.kind, aside.id, aside.created, aside.document) IS aside.sum"
    };
    (annotation) => {
        "row_sum(annotation.id, annotation.asset, annotation.item, annotation.conversation, annotation.person, \
         annotation.anchor, annotation.kind, annotation.text, annotation.created, annotation.document) IS annotation.sum"
    };
    (conversation) => {
        "row_sum(conversation.id, conversation.name, conversation.created, conversation.document) IS conversation.sum"
    };
    (message) => {
        "row_sum(conversation_message.id, conversation_message.conversation, conversation_message.created, \
         conversation_message.role, conversation_message.text, conversation_message.document) \
         IS conversation_message.sum"
    };
}
pub(super) use summed;

/// The kind and the id of every row of a table that does not match its checksum.
const MISMATCHES: [&str; 7] = [
    concat!("SELECT 'asset', id FROM asset WHERE NOT (", summed!(asset), ")"),
    concat!("SELECT 'format', id FROM format WHERE NOT (", summed!(format), ")"),
    concat!("SELECT kind, id FROM item WHERE NOT (", summed!(item), ")"),
    concat!("SELECT kind, id FROM aside WHERE NOT (", summed!(aside), ")"),
    concat!("SELECT 'annotation', id FROM annotation WHERE NOT (", summed!(annotation), ")"),
    concat!("SELECT 'conversation', id FROM conversation WHERE NOT (", summed!(conversation), ")"),
    concat!("SELECT 'conversation message', id FROM conversation_message WHERE NOT (", summed!(message), ")"),
];

thread_local! {
    /// Damaged records skipped by the current read on this thread.
    static SKIPPED: RefCell<Vec<StoreError>> = const { RefCell::new(Vec::new()) };
}

/// How many damaged records of one read are remembered.
const MAX_REMEMBERED: usize = 1_000;

/// Registers `row_sum` on a connection. Every connection that reads or writes rows needs it.
pub(super) fn register(connection: &Connection) -> rusqlite::Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
    connection.create_scalar_function("row_sum", -1, flags, |context| {
        Ok(sum((0..context.len()).map(|column| context.get_raw(column))))
    })
}

/// Installs the triggers that compute the checksum of each written row on the writer's connection.
pub(super) fn install_triggers(writer: &Connection) -> Result<(), StoreError> {
    register(writer)?;
    Ok(writer.execute_batch(include_str!("checksum/triggers.sql"))?)
}

/// FNV-1a. A change within one byte always gives another sum; of other changes one in 2^64 does not.
pub(super) fn sum<'a>(values: impl Iterator<Item = ValueRef<'a>>) -> i64 {
    let mut sum = 0xcbf2_9ce4_8422_2325_u64;
    let mut add = |bytes: &[u8]| {
        for byte in bytes {
            sum = (sum ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    };
    for value in values {
        match value {
            ValueRef::Null => add(&[0]),
            ValueRef::Integer(number) => {
                add(&[1]);
                add(&number.to_le_bytes());
            }
            ValueRef::Real(number) => {
                add(&[2]);
                add(&number.to_le_bytes());
            }
            ValueRef::Text(bytes) | ValueRef::Blob(bytes) => {
                add(&[3]);
                add(&(bytes.len() as u64).to_le_bytes());
                add(bytes);
            }
        }
    }
    sum.cast_signed()
}

/// Reads every row with a checksum, and every content; returns those that do not match theirs.
pub(super) fn damaged_records(connection: &Connection) -> Result<Vec<StoreError>, StoreError> {
    register(connection)?;
    let mut damaged = Vec::new();
    for query in MISMATCHES {
        let mut statement = connection.prepare(query)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            damaged.push(StoreError::Damaged { what: name_of(row), id: lossy(row, 1)? });
        }
    }
    damaged_contents(connection, &mut damaged)?;
    Ok(damaged)
}

/// Reads the content of every format, one at a time, and adds those that are damaged.
fn damaged_contents(db: &Connection, damaged: &mut Vec<StoreError>) -> Result<(), StoreError> {
    let mut statement = db.prepare(
        "SELECT format.id, sha256, CAST(text AS BLOB), bytes FROM format LEFT JOIN content ON content.format = format.row",
    )?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let content = [row.get_ref(2)?, row.get_ref(3)?].into_iter().find_map(|content| content.as_blob().ok());
        let sum = row.get_ref(1)?;
        if content.is_none_or(|content| sum.as_blob() != Ok(Sha256::digest(content).as_slice())) {
            damaged.push(StoreError::Damaged { what: "format", id: lossy(row, 0)? });
        }
    }
    Ok(())
}

/// The kind in the first column, as messages name it.
fn name_of(row: &Row) -> &'static str {
    const NAMES: [&str; 10] =
        ["asset", "format", "tag", "website", "summary", "person", "anchor", "hint", "annotation", "conversation"];
    let kind = lossy(row, 0).unwrap_or_default();
    NAMES.into_iter().find(|name| *name == kind).unwrap_or("conversation message")
}

/// Fails where the column at `column`, a comparison with the sum, does not hold. The row's id is the column at `id`.
pub(super) fn verify(row: &Row, column: usize, what: &'static str, id: usize) -> rusqlite::Result<()> {
    if row.get_ref(column)? == ValueRef::Integer(1) {
        return Ok(());
    }
    let id = row.get_ref(id)?.as_bytes().map(|bytes| String::from_utf8_lossy(bytes).into_owned()).unwrap_or_default();
    Err(rusqlite::Error::FromSqlConversionFailure(column, Type::Integer, Box::new(Mismatch { what, id })))
}

/// A searched text, with damaged characters replaced: a hit is read and verified again.
pub(super) fn lossy(row: &Row, column: usize) -> rusqlite::Result<String> {
    Ok(match row.get_ref(column)? {
        ValueRef::Text(bytes) => String::from_utf8_lossy(bytes).into_owned(),
        _ => String::new(),
    })
}

/// Collects intact rows; skips and remembers damaged ones. Fails on any other error.
pub(super) fn skip_damaged<T, E>(read: impl Iterator<Item = Result<T, E>>) -> Result<Vec<T>, StoreError>
where
    StoreError: From<E>,
{
    read.filter_map(|one| skip_if_damaged(one).transpose()).collect()
}

/// Returns the row, or None if it is damaged, which is remembered. Fails on any other error.
pub(super) fn skip_if_damaged<T, E>(read: Result<T, E>) -> Result<Option<T>, StoreError>
where
    StoreError: From<E>,
{
    match read.map_err(StoreError::from) {
        Ok(value) => Ok(Some(value)),
        Err(damaged @ StoreError::Damaged { .. }) => {
            SKIPPED.with_borrow_mut(|left_out| {
                if left_out.len() < MAX_REMEMBERED {
                    left_out.push(damaged);
                }
            });
            Ok(None)
        }
        Err(other) => Err(other),
    }
}

/// Takes the damaged records skipped on this thread since the last call.
pub(super) fn take_skipped() -> Vec<StoreError> {
    SKIPPED.take()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(bytes: &[u8]) -> ValueRef<'_> {
        ValueRef::Text(bytes)
    }

    #[test]
    fn every_flipped_bit_and_shifted_field_changes_the_checksum() {
        let good = *b"a name of an asset";
        let skip_damaged = sum([text(&good), text(b"{}")].into_iter());
        for bit in 0..8 * good.len() {
            let mut flipped = good;
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert_ne!(sum([text(&flipped), text(b"{}")].into_iter()), skip_damaged, "bit {bit}");
        }
        assert_ne!(sum([text(b"a name of an asset{"), text(b"}")].into_iter()), skip_damaged);
        assert_ne!(sum([ValueRef::Null].into_iter()), sum([text(b"")].into_iter()));
        assert_ne!(sum([ValueRef::Integer(0)].into_iter()), sum([ValueRef::Null].into_iter()));
    }
}
