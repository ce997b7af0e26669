//! Earlier versions of assets: every change of one appends what it replaced, in its own transaction, and versions are read
//! by undoing the changes one after the other, from what the asset is now.
//!
//! A change appends to a log, which costs it the least; the writer moves that into the order of assets and versions when it
//! has nothing else to do (`arrange`). What must hold: an acknowledged change has its version, and a change that was rolled
//! back has none; versions of an asset have the numbers 1, 2, 3 …, which never change; what cannot be read is an error by
//! its number, and what was not recorded is said to be so.

use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::time::Duration;

use lunette_versions::encode;
use rusqlite::functions::FunctionFlags;
use rusqlite::types::{Null, ToSql, ValueRef};
use rusqlite::{Connection, params};

use crate::store::{StoreError, now};

mod arrange;
mod bounds;
mod checkpoint;
mod content;
mod entry;
mod forget;
mod gap;
mod list;
mod piece;
mod prune;
mod state;
mod stopped;
mod then;

pub(in crate::store) use arrange::{arrange, waiting};
pub(in crate::store) use bounds::CurrentBounds;
pub use bounds::PastBounds;
pub(crate) use checkpoint::Checkpoint;
pub(in crate::store) use content::{
    PREPARED_FROM, Prepared, gone as content_gone, prepare as prepare_content, replaced as content_replaced,
};
pub(in crate::store) use forget::rebuild;
pub(crate) use list::{Read, Version, VersionEntry};
pub(in crate::store) use piece::What;
#[cfg(test)]
pub(in crate::store) use prune::Pruned;
pub(in crate::store) use prune::prune;
pub(crate) use state::{Deletion, PastItem, PastRelated, PastState};
pub(in crate::store) use stopped::end_change;
pub(crate) use then::AssetThen;

/// The longest name of a client that is kept, in bytes.
const MAX_CLIENT: usize = 200;
/// How long one part of work that can wait may take, for which other writes wait.
const PART_TIME: Duration = Duration::from_millis(5);

/// The change that the writer of this thread makes.
#[derive(Clone, Copy)]
struct CurrentChange {
    /// When it is made: later than any before it.
    at: i64,
    /// Assets from this row on are created by it.
    first_new: i64,
    /// Whether versions are kept.
    keeps: bool,
    /// Whether there may be no room for content: on a full disk.
    saves_space: bool,
}

thread_local! {
    static CHANGE: Cell<CurrentChange> =
        const { Cell::new(CurrentChange { at: 0, first_new: i64::MAX, keeps: true, saves_space: false }) };
    /// Who asked for the change that the writer makes, on its thread; who sent the request, on the thread of a handler.
    static CLIENT: RefCell<Option<Arc<str>>> = const { RefCell::new(None) };
}

/// Runs work that a client asked for: what it writes has the client's name in the versions that it replaces.
pub(crate) fn as_client<T>(name: Option<&str>, work: impl FnOnce() -> T) -> T {
    let name = name.map(|name| Arc::from(name.get(..name.floor_char_boundary(MAX_CLIENT)).unwrap_or_default()));
    let before = CLIENT.replace(name);
    let done = work();
    CLIENT.set(before);
    done
}

/// Who sent the request that this thread handles, as it named itself.
pub(in crate::store) fn client() -> Option<Arc<str>> {
    CLIENT.with_borrow(Clone::clone)
}

/// Begins a change that this client asked for. Whether versions are kept is in the database, so that it is also right after a
/// change that was rolled back.
pub(in crate::store) fn begin(db: &Connection, client: Option<Arc<str>>) -> Result<(), StoreError> {
    CLIENT.set(client);
    let change = CHANGE.get();
    let (at, keeps) = (now().max(change.at + 1), gap::open(db)?.is_none());
    CHANGE.set(CurrentChange { at, first_new: i64::MAX, keeps, ..change });
    Ok(())
}

/// Says that the change creates this asset: what else it does to it is part of its first version.
pub(in crate::store) fn created(asset: i64) {
    let change = CHANGE.get();
    CHANGE.set(CurrentChange { first_new: change.first_new.min(asset), ..change });
}

/// Runs changes on a full disk, for which content that is deleted is not kept.
pub(in crate::store) fn saving_space<T>(work: impl FnOnce() -> T) -> T {
    let before = CHANGE.get();
    CHANGE.set(CurrentChange { saves_space: true, ..before });
    let done = work();
    CHANGE.set(CurrentChange { saves_space: before.saves_space, ..CHANGE.get() });
    done
}

/// Whether what a change replaces of an asset is appended to the log. While no versions are kept, it is for as long as the
/// change runs, if versions from before hang on it.
fn is_appended(db: &Connection, asset: i64) -> Result<bool, StoreError> {
    let change = CHANGE.get();
    if asset >= change.first_new { Ok(false) } else { Ok(change.keeps || gap::has_kept(db, asset)?) }
}

/// Prepares the thread of the writer: the times of its changes follow those of all before, and it keeps versions or none.
pub(in crate::store) fn start(connection: &Connection, keeps: bool) -> Result<(), StoreError> {
    let last: i64 = connection.query_row(
        "SELECT max(last, coalesce((SELECT at FROM past_log ORDER BY row DESC LIMIT 1), 0)) FROM past_status",
        [],
        |row| row.get(0),
    )?;
    CHANGE.set(CurrentChange { at: now().max(last + 1), first_new: i64::MAX, keeps, saves_space: false });
    let transaction = connection.unchecked_transaction()?;
    stopped::keep(&transaction, keeps)?;
    Ok(transaction.commit()?)
}

/// Installs what appends to the log on the writer's connection.
pub(in crate::store) fn install_triggers(writer: &Connection) -> Result<(), StoreError> {
    let flags = FunctionFlags::SQLITE_UTF8;
    writer.create_scalar_function("past_at", 0, flags, |_| Ok(CHANGE.get().at))?;
    writer.create_scalar_function("past_client", 0, flags, |_| Ok(client().map(|client| client.to_string())))?;
    writer.create_scalar_function("past_kept", 1, flags, |context| {
        let change = CHANGE.get();
        Ok(change.keeps && context.get::<i64>(0)? < change.first_new)
    })?;
    writer.create_scalar_function("past_stopped", 0, flags, |_| Ok(!CHANGE.get().keeps))?;
    writer.create_scalar_function("past_difference", 2, flags, |context| {
        let bytes = |column| match context.get_raw(column) {
            ValueRef::Text(bytes) | ValueRef::Blob(bytes) => bytes,
            ValueRef::Null | ValueRef::Integer(_) | ValueRef::Real(_) => &[],
        };
        Ok(encode(bytes(0), Some(bytes(1))))
    })?;
    Ok(writer.execute_batch(include_str!("past/triggers.sql"))?)
}

/// Appends a piece of what an asset is to the log, before it is changed.
fn append(db: &Connection, asset: i64, what: What, piece: impl ToSql) -> Result<(), StoreError> {
    let client = client();
    db.prepare_cached("INSERT INTO past_log (asset, at, client, what, piece) VALUES (?1, ?2, ?3, ?4, ?5)")?
        .execute(params![asset, CHANGE.get().at, client.as_deref(), what.code(), piece])?;
    Ok(())
}

/// Appends what an asset is without its content, before a change for which no piece says enough.
pub(in crate::store) fn state_replaced(db: &Connection, asset: i64) -> Result<(), StoreError> {
    if !is_appended(db, asset)? {
        return Ok(());
    }
    append(db, asset, What::State, state::of(db, asset)?.to_json())
}

/// Appends that content is not kept.
fn content_lost(db: &Connection, asset: i64) -> Result<(), StoreError> {
    append(db, asset, What::ContentLost, Null)
}

#[cfg(test)]
mod tests;
