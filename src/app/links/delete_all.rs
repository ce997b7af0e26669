//! Several unused items are deleted, one after the other.
//!
//! What must hold: each is read again before it is deleted, and left where an asset is linked to it by then; each is a
//! step of its own, which Undo takes back; a cancel ends with the item that is being deleted.

use super::write::{Prepared, prepare};
use super::{ItemWrite, Links};
use crate::app::CallError;
use crate::app::action::LinksAction;
use crate::app::change::Item;
use crate::app::confirm::{Confirmation, Confirmed};
use crate::app::context::Context;
use crate::app::journal::EntryRelation;
use crate::app::notifications::Grade;
use crate::app::output::{LinksOutput, ProgressEvent, TaskOutput};
use crate::app::session::feature::Feature;
use crate::app::tasks::CancelFlag;
use crate::app::write::step::{self, Failed, WriteContext};
use lunette_client::model::size::grouped;

/// What became of the items.
#[derive(Debug, Default)]
pub(in crate::app) struct Deleted {
    done: usize,
    /// Why items were left, in a sentence each.
    refused: Vec<String>,
    /// Whether the user ended it.
    cancelled: bool,
}

impl Links {
    /// Asks whether these items are to be deleted; those with assets are left out.
    pub(super) fn ask_to_delete(&mut self, items: Vec<Item>, cx: &mut Context<'_>) {
        let unused = |item: &Item| self.row(item).is_some_and(|row| row.unused());
        let items: Vec<Item> = items.into_iter().filter(unused).collect();
        let Some(first) = items.first() else {
            return cx.show_success("None of them is unused".to_owned());
        };
        if cx.blocks_write(Feature::DeleteItem(first.kind), "Cannot delete these") {
            return;
        }
        let kind = match items.len() {
            1 => format!("1 unused {}", first.kind.one()),
            count => format!("{} unused {}", grouped(count as u64), first.kind.many().to_lowercase()),
        };
        let text = "Each is read again first, and left if an asset is linked to it by then. Each is a step of the history; \
                    Undo creates it again, with another id.";
        cx.ask_first(Confirmation::deletion(format!("Delete {kind}?"), text, |confirmed| {
            LinksAction::DeleteConfirmed(items, confirmed)
        }));
    }

    /// Deletes the items that were asked about.
    pub(super) fn delete_all(&mut self, items: Vec<Item>, _: &Confirmed, cx: &mut Context<'_>) {
        let (cancel, number) = (CancelFlag::default(), cx.next_work());
        let (context, left) = cx.write_context_and_sent();
        let (flag, kind) = (cancel.clone(), items.first().map(|item| item.kind));
        let title = format!("Deleting {} links", grouped(items.len() as u64));
        let work = async move {
            let end = match context {
                Ok(context) => deleted(&context, items, number, &flag).await,
                Err(error) => Err(Failed::from(error)),
            };
            TaskOutput::Links(LinksOutput::DeletedAll(kind, end))
        };
        let task = cx.start(work, move |error: CallError| {
            TaskOutput::Links(LinksOutput::DeletedAll(kind, Err(left.failed(&error))))
        });
        cx.show_work(number, task, title, Some(cancel));
    }

    /// Says what became of the items.
    pub(super) fn all_deleted(&mut self, end: Result<Deleted, Failed>, cx: &mut Context<'_>) {
        match end {
            Ok(Deleted { done, refused, cancelled }) => {
                let what = if done == 1 {
                    "1 unused link".to_owned()
                } else {
                    format!("{} unused links", grouped(done as u64))
                };
                let ended = if cancelled { ", then cancelled" } else { "" };
                cx.show_success(format!("Deleted {what}{ended}"));
                if let Some(first) = refused.first() {
                    let count = grouped(refused.len() as u64);
                    cx.notify(Grade::Failed, format!("{count} could not be deleted; the first: {first}"));
                }
            }
            Err(failed) => {
                let message = failed.message("Could not delete the links", "It is unknown which links were deleted");
                cx.notify(Grade::Failed, message);
            }
        }
        cx.request(LinksAction::LoadAgain);
    }
}

async fn deleted(context: &WriteContext, items: Vec<Item>, work: u64, cancel: &CancelFlag) -> Result<Deleted, Failed> {
    let (mut end, all) = (Deleted::default(), items.len());
    for (place, item) in items.into_iter().enumerate() {
        if cancel.cancelled() {
            end.cancelled = true;
            break;
        }
        context.client.report(ProgressEvent::Progress { work, done: place, all });
        let name = item.name().to_owned();
        match delete(context, item).await {
            Ok(()) => end.done += 1,
            Err(failed) => end.refused.push(format!("“{name}”: {}", failed.why)),
        }
    }
    Ok(end)
}

async fn delete(context: &WriteContext, item: Item) -> Result<(), Failed> {
    let write = ItemWrite::Delete(item);
    let Prepared { call, before } = prepare(&context.client, context.own, &write).await?;
    let (_, exchange) = step::item_call(context, &call, write.done(), before, EntryRelation::None).await?;
    Ok(exchange.outcome.map(drop)?)
}
