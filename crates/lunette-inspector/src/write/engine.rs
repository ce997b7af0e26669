//! The write engine. Every write leaves through [`send_recorded`]: a single change, a row of a bulk run, an item that a
//! run creates, an asset that an import creates, and any other operation that writes.
//!
//! What must hold: a write is recorded before its first call leaves, and nothing is sent if it cannot be recorded; each
//! call is sent once; where Undo of a deletion needs a copy of the asset, the copy is saved first.

use std::future::Future;

use crate::Transport;
use crate::write::plan::{Applied, ApplyError, Plan, execute};
use crate::write::recovery::{CopyError, DeletedAssets};

/// Records a write: in the journal, or in the ledger of a run. `R` is what sending returns.
///
/// A log that is dropped after `begin` and before `end` belongs to a write whose outcome is unknown.
pub(crate) trait WriteLog<R> {
    /// Why a write cannot be recorded.
    type Refused;

    /// Records that the write is about to be sent. The record outlives the program once this returns. Fails if the write
    /// cannot be recorded; then nothing is sent.
    fn begin(&mut self) -> impl Future<Output = Result<(), Self::Refused>> + Send;

    /// Records the result.
    fn end(self, result: &R) -> impl Future<Output = ()> + Send;
}

/// Why a plan was not sent.
pub(crate) enum NotSent<E> {
    /// Undo needs a copy of the deleted asset, which could not be saved.
    NoCopy(CopyError),
    /// The write could not be recorded.
    NotRecorded(E),
}

/// Records a write, sends it, and records the result. Fails if the write cannot be recorded; then nothing was sent.
pub(crate) async fn send_recorded<R, L: WriteLog<R>>(
    mut log: L,
    send: impl Future<Output = R>,
) -> Result<R, L::Refused> {
    log.begin().await?;
    let result = send.await;
    log.end(&result).await;
    Ok(result)
}

/// Sends a plan with its record.
pub(crate) async fn send_plan<C: Transport, L: WriteLog<Result<Applied, ApplyError>>>(
    transport: &C,
    deleted: &DeletedAssets,
    plan: &Plan,
    log: L,
) -> Result<Result<Applied, ApplyError>, NotSent<L::Refused>> {
    deleted.keep_copy(transport, plan).await.map_err(NotSent::NoCopy)?;
    let result = send_recorded(log, execute(transport, plan)).await.map_err(NotSent::NotRecorded)?;
    if result.is_ok() {
        deleted.copies.forget_seed(&plan.change).await;
    }
    Ok(result)
}
