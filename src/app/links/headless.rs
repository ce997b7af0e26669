//! Changes of items without a window: read afresh, noted in the journal, sent once, so that the window can undo them.

use super::ItemWrite;
use super::write::{Prepared, prepare};
use crate::app::journal::EntryRelation;
use crate::app::write::headless::HeadlessWriter;
use crate::app::write::step;

/// Renames, deletes or makes an item. Fails with a sentence; a change of which nobody knows whether it was made says so.
pub async fn write(writer: &HeadlessWriter, write: &ItemWrite) -> Result<(), String> {
    let context = &writer.context;
    let failed = |failed: step::Failed| {
        failed.message(&write.not_done(), &format!("It is unknown whether this was done: {}", write.done()))
    };
    let Prepared { call, before } = prepare(&context.client, context.own, write).await.map_err(failed)?;
    let sent = step::item_call(context, &call, write.done(), before, EntryRelation::None).await;
    let (_, exchange) = sent.map_err(|why| failed(why.into()))?;
    exchange.outcome.map(drop).map_err(|error| failed(error.into()))
}

/// Fails with what a change would be refused for; nothing is sent.
pub async fn check(writer: &HeadlessWriter, write: &ItemWrite) -> Result<(), String> {
    let context = &writer.context;
    let prepared = prepare(&context.client, context.own, write).await;
    prepared.map(drop).map_err(|failed| failed.message(&write.not_done(), &write.not_done()))
}
