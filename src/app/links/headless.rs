//! Changes of items without a window: read afresh, noted in the journal, sent once, so that the window can undo them.

use super::ItemWrite;
use super::write::{Prepared, prepare};
use crate::app::journal::{EntryId, EntryRelation};
use crate::app::write::headless::HeadlessWriter;
use crate::app::write::step;

/// Why a change was not made, as far as is known; a sentence each.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotWritten {
    /// It was not made.
    #[error("{0}")]
    Failed(String),
    /// Nobody knows whether it was made.
    #[error("{0}")]
    Unknown(String),
}

/// Renames, deletes or makes an item, by itself or in a group of steps that are undone together.
pub async fn write(
    writer: &HeadlessWriter,
    write: &ItemWrite,
    answers: EntryRelation,
    group: Option<EntryId>,
) -> Result<(), NotWritten> {
    let context = &writer.context;
    let failed = |failed: step::Failed| {
        let unknown = format!("It is unknown whether this was done: {}", write.done());
        let message = failed.message(&write.not_done(), &unknown);
        if failed.unknown { NotWritten::Unknown(message) } else { NotWritten::Failed(message) }
    };
    let Prepared { call, before } = prepare(&context.client, context.own, write).await.map_err(failed)?;
    let sent = step::item_call(context, &call, write.title(answers), before, (answers, group)).await;
    let (_, exchange) = sent.map_err(|why| failed(why.into()))?;
    exchange.outcome.map(drop).map_err(|error| failed(error.into()))
}

/// Fails with what a change would be refused for; nothing is sent.
pub async fn check(writer: &HeadlessWriter, write: &ItemWrite) -> Result<(), NotWritten> {
    let context = &writer.context;
    let prepared = prepare(&context.client, context.own, write).await;
    let failed = |failed: step::Failed| NotWritten::Failed(failed.message(&write.not_done(), &write.not_done()));
    prepared.map(drop).map_err(failed)
}
