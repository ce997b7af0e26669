//! Changes of items without a window: each is read again, recorded in the journal and sent once, so that the window can
//! undo it.

use super::write::{Prepared, prepare};
use crate::history::ItemWrite;
use crate::journal::{EntryId, EntryRelation};
use crate::write::headless::HeadlessWriter;
use crate::write::journaled;

/// Why a change was not made, or may not have been, in a sentence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotWritten {
    /// It was not made.
    #[error("{0}")]
    Failed(String),
    /// It is unknown whether it was made.
    #[error("{0}")]
    Unknown(String),
}

/// Renames, deletes or recreates an item, alone or in a group of steps that are undone together.
pub async fn write(
    writer: &HeadlessWriter,
    write: &ItemWrite,
    answers: EntryRelation,
    group: Option<EntryId>,
) -> Result<(), NotWritten> {
    let context = &writer.context;
    let failed = |failed: journaled::Failed| {
        let unknown = format!("It is unknown whether this was done: {}", write.done());
        let message = failed.message(&write.not_done(), &unknown);
        if failed.unknown { NotWritten::Unknown(message) } else { NotWritten::Failed(message) }
    };
    let Prepared { call, before } = prepare(&context.client, context.vendor, write).await.map_err(failed)?;
    let sent = journaled::item_call(context, &call, write.title(answers), before, answers, group).await;
    let (_, exchange) = sent.map_err(|why| failed(why.into()))?;
    exchange.outcome.map(drop).map_err(|error| failed(error.into()))
}

/// Fails if the change would be refused. Sends no write.
pub async fn check(writer: &HeadlessWriter, write: &ItemWrite) -> Result<(), NotWritten> {
    let context = &writer.context;
    let prepared = prepare(&context.client, context.vendor, write).await;
    let failed = |failed: journaled::Failed| NotWritten::Failed(failed.message(&write.not_done(), &write.not_done()));
    prepared.map(drop).map_err(failed)
}
