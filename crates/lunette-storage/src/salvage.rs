//! The rows of a damaged database, read from its bytes: without the interior pages of its tables, its indices and the
//! order of its log, which one changed byte can make unreadable for SQLite.
//!
//! What must hold: a row is found wherever its own bytes are intact, as its checksum proves; nothing is written; no
//! connection of this process is open on the file. A row is sealed by a checksum in its last column over the name of
//! its table and the columns before it; such a table has a rowid, and columns of text, bytes, integers and NULL. The
//! format: <https://sqlite.org/fileformat.html>, 1.6 and 2.1.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

use rusqlite::types::{Value, ValueRef};
use sha2::{Digest as _, Sha256};

/// A row that was found: its rowid, and its columns without the seal.
pub type Row = (i64, Vec<Value>);

/// Returns the checksum of a row of this table. A column that is an alias of the rowid counts as `NULL`.
pub fn seal<'a>(table: &str, columns: impl IntoIterator<Item = ValueRef<'a>>) -> Vec<u8> {
    let mut hash = Sha256::new();
    let mut add = |kind: u8, bytes: &[u8]| {
        hash.update([kind]);
        hash.update((bytes.len() as u64).to_le_bytes());
        hash.update(bytes);
    };
    add(b'n', table.as_bytes());
    for column in columns {
        match column {
            ValueRef::Null => add(b'0', &[]),
            ValueRef::Integer(number) => add(b'i', &number.to_le_bytes()),
            ValueRef::Real(number) => add(b'r', &number.to_le_bytes()),
            ValueRef::Text(text) => add(b't', text),
            ValueRef::Blob(bytes) => add(b'b', bytes),
        }
    }
    hash.finalize()[..SEAL].to_vec()
}

/// The size of a page in bytes, unless another one was chosen.
const USUAL_PAGE: usize = 4096;

/// The size of a checksum in bytes.
const SEAL: usize = 8;

/// The rows of these tables, named with how many columns they have without the seal, in the file and the log beside it.
/// Of several rows with one rowid, which are earlier states of it, those of the file come before those of the log. A file
/// that is missing has no rows.
pub fn rows(database: &Path, tables: &[(&'static str, usize)]) -> io::Result<Found> {
    let bytes = match fs::read(database) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        bytes => bytes?,
    };
    let mut log_path = database.as_os_str().to_owned();
    log_path.push("-wal");
    let log = fs::read(log_path).unwrap_or_default();
    let usual = rows_of_pages(&bytes, &log, USUAL_PAGE, tables);
    // A declared size may be damaged, and a row is only found whole: the size that finds more of them is the right one.
    let declared = declared_page_size(&bytes).filter(|size| *size != USUAL_PAGE);
    let declared = declared.map(|size| rows_of_pages(&bytes, &log, size, tables)).unwrap_or_default();
    let count = |found: &Found| found.values().map(Vec::len).sum::<usize>();
    Ok(if count(&declared) > count(&usual) { declared } else { usual })
}

/// The rows of each table.
type Found = BTreeMap<&'static str, Vec<Row>>;

fn rows_of_pages(bytes: &[u8], log: &[u8], page_size: usize, tables: &[(&'static str, usize)]) -> Found {
    let mut found = Found::new();
    let file = Pages { bytes, page_size, log: BTreeMap::new() };
    for page in bytes.chunks(page_size) {
        file.rows_of(page, tables, &mut found);
    }
    let frames: Vec<(u32, &[u8])> = frames(log, page_size).collect();
    let file = Pages { log: frames.iter().copied().collect(), ..file };
    for (_, page) in &frames {
        file.rows_of(page, tables, &mut found);
    }
    found
}

/// The pages of a log: a header of 32 bytes, then frames of a header of 24 bytes, which begins with the page's number,
/// and the page.
fn frames(log: &[u8], page_size: usize) -> impl Iterator<Item = (u32, &[u8])> {
    let frames = log.get(32..).unwrap_or_default().chunks_exact(24 + page_size);
    frames.filter_map(|frame| Some((u32::from_be_bytes(*frame.first_chunk()?), &frame[24..])))
}

/// Returns the page size in the header of the file, if it is one.
fn declared_page_size(bytes: &[u8]) -> Option<usize> {
    let declared = bytes.get(16..18).map_or(0, |size| usize::from(u16::from_be_bytes([size[0], size[1]])));
    (declared.is_power_of_two() && declared >= 512).then_some(declared)
}

/// The pages of a file, and the newer ones of its log.
struct Pages<'a> {
    bytes: &'a [u8],
    page_size: usize,
    log: BTreeMap<u32, &'a [u8]>,
}

impl<'a> Pages<'a> {
    fn page(&self, number: u32) -> Option<&'a [u8]> {
        let in_file = || self.bytes.get((number.checked_sub(1)? as usize).checked_mul(self.page_size)?..);
        self.log.get(&number).copied().or_else(|| in_file()?.get(..self.page_size))
    }

    /// Returns every row that begins on this page, at any offset, since its cell pointers may be damaged.
    fn rows_of(&self, page: &[u8], tables: &[(&'static str, usize)], found: &mut Found) {
        for at in 0..page.len() {
            let Some((rowid, mut columns)) = self.row(&page[at..], tables) else { continue };
            let Some(Value::Blob(declared)) = columns.pop() else { continue };
            let count = columns.len();
            let table = tables.iter().find(|(table, columns_of)| {
                *columns_of == count && seal(table, columns.iter().map(ValueRef::from)) == declared
            });
            if let Some((table, _)) = table {
                found.entry(table).or_default().push((rowid, columns));
            }
        }
    }

    /// Returns the row whose bytes begin here, or `None` if they are not a row with the number of columns of a table.
    fn row(&self, cell: &[u8], tables: &[(&'static str, usize)]) -> Option<Row> {
        let (payload_length, rest) = varint(cell)?;
        let (rowid, rest) = varint(rest)?;
        let (header_length, _) = varint(rest)?;
        // A cheap check that rejects almost all offsets of a page.
        let most = tables.iter().map(|(_, columns)| columns + 1).max()?;
        let header_length = usize::try_from(header_length).ok().filter(|length| (2..=most * 9 + 9).contains(length))?;
        let header = rest.get(..header_length)?;
        let mut types = Vec::with_capacity(most);
        let mut left = varint(header)?.1;
        while !left.is_empty() {
            let (kind, behind) = varint(left)?;
            types.push(kind);
            left = behind;
        }
        // The checksum is last.
        let columns = types.len().checked_sub(1)?;
        if types.last() != Some(&(12 + 2 * SEAL as i64)) || tables.iter().all(|(_, known)| *known != columns) {
            return None;
        }
        let payload = self.payload(usize::try_from(payload_length).ok()?, rest)?;
        let mut body = payload.get(header_length..)?;
        let values = types.iter().map(|kind| value(*kind, &mut body)).collect::<Option<Vec<_>>>()?;
        body.is_empty().then_some((rowid, values))
    }

    /// Returns all bytes of a row: those in its cell, and those on its overflow pages.
    fn payload(&self, length: usize, local: &[u8]) -> Option<Vec<u8>> {
        let usable = self.page_size;
        let largest = usable - 35;
        if length <= largest {
            return local.get(..length).map(<[u8]>::to_vec);
        }
        if length > self.bytes.len() + self.log.len() * usable {
            return None;
        }
        let least = (usable - 12) * 32 / 255 - 23;
        let fitting = least + (length - least) % (usable - 4);
        let here = if fitting <= largest { fitting } else { least };
        let mut bytes = local.get(..here)?.to_vec();
        let mut next = u32::from_be_bytes(*local.get(here..)?.first_chunk()?);
        while bytes.len() < length {
            let page = self.page(next)?;
            next = u32::from_be_bytes(*page.first_chunk()?);
            let wanted = (length - bytes.len()).min(usable - 4);
            bytes.extend_from_slice(&page[4..4 + wanted]);
        }
        Some(bytes)
    }
}

/// Reads a varint of 1 to 9 bytes; returns it and the rest.
fn varint(bytes: &[u8]) -> Option<(i64, &[u8])> {
    let mut number: u64 = 0;
    for at in 0..9 {
        let byte = u64::from(*bytes.get(at)?);
        if at == 8 {
            return Some(((number << 8 | byte).cast_signed(), &bytes[9..]));
        }
        number = number << 7 | byte & 0x7f;
        if byte < 0x80 {
            return Some((number.cast_signed(), &bytes[at + 1..]));
        }
    }
    None
}

/// Reads a column of this serial type from the bytes.
fn value(kind: i64, bytes: &mut &[u8]) -> Option<Value> {
    let mut take = |length: usize| {
        let (taken, rest) = bytes.split_at_checked(length)?;
        *bytes = rest;
        Some(taken)
    };
    let mut integer = |length: usize| {
        let taken = take(length)?;
        let sign = if taken.first()? & 0x80 == 0 { 0 } else { -1 };
        Some(Value::Integer(taken.iter().fold(sign, |number: i64, byte| number << 8 | i64::from(*byte))))
    };
    match kind {
        0 => Some(Value::Null),
        1..=4 => integer(kind as usize),
        5 => integer(6),
        6 => integer(8),
        8 => Some(Value::Integer(0)),
        9 => Some(Value::Integer(1)),
        12.. => {
            let taken = take(usize::try_from((kind - 12) / 2).ok()?)?.to_vec();
            match kind % 2 {
                0 => Some(Value::Blob(taken)),
                _ => String::from_utf8(taken).ok().map(Value::Text),
            }
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests;
